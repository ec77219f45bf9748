// search: count a word in a whole file, by one thread or several. Each thread
// counts the occurrences that begin in its own range of the file.

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "operations.hpp"
#include "posix.hpp"

namespace driver {

namespace {

struct Range {
    std::uint64_t begin;
    std::uint64_t end;
};

struct Tally {
    std::uint64_t bytes = 0;
    std::uint64_t count = 0;
};

// One thread reads to the end of the file and need not know where that is.
constexpr std::uint64_t unbounded = std::numeric_limits<std::int64_t>::max();

// Counts in as many ranges as there are threads, the first one in this thread.
template <class CountRange>
void share(const Search& search, std::uint64_t size, Sink& out, const CountRange& count) {
    const auto range = [&](unsigned i) {
        const std::uint64_t step = size / search.threads;
        return Range{step * i, i + 1 == search.threads ? size : step * (i + 1)};
    };
    std::vector<std::future<Tally>> others;
    others.reserve(search.threads - 1);
    for (unsigned i = 1; i < search.threads; ++i) {
        others.push_back(std::async(std::launch::async, [&count, range, i] { return count(range(i), i); }));
    }
    Tally sum = count(range(0), 0);
    for (std::future<Tally>& other : others) {
        const Tally tally = other.get();
        sum.bytes += tally.bytes;
        sum.count += tally.count;
    }
    out.take_count(sum.bytes, sum.count);
}

std::uint64_t size_to_share(const std::string& path, const Search& search) {
    if (search.threads == 1) {
        return unbounded;
    }
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path, error);
    if (error) {
        throw Failure{"std::filesystem::file_size", error.value()};
    }
    return size;
}

std::uint64_t occurrences(std::string_view text, const std::string& word) {
    std::uint64_t count = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        const void* found = ::memmem(at, static_cast<std::size_t>(end - at), word.data(), word.size());
        if (found == nullptr) {
            break;
        }
        ++count;
        at = static_cast<const char*>(found) + 1;
    }
    return count;
}

// Counts in the lines that begin in the range.
Tally count_lines(const std::string& path, Range range, const std::string& word) {
    std::ifstream in(path);
    if (!in) {
        fail("std::ifstream");
    }
    std::uint64_t position = range.begin;
    if (range.begin > 0) {
        // The line that reaches into the range belongs to the one before.
        in.seekg(static_cast<std::streamoff>(range.begin - 1));
        in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        position = range.begin - 1 + static_cast<std::uint64_t>(in.gcount());
    }
    const std::uint64_t first = position;
    std::uint64_t count = 0;
    std::string line;
    while (position < range.end && std::getline(in, line)) {
        position += line.size() + (in.eof() ? 0 : 1);
        for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
            ++count;
        }
    }
    if (in.bad()) {
        fail("std::getline");
    }
    return {position - first, count};
}

// Counts what begins in the range, one buffer after the other.
Tally count_reads(const std::string& path, Range range, const std::string& word, Buffer buffer) {
    const Descriptor file(path, O_RDONLY);
    if (range.begin > 0) {
        file.seek(range.begin);
    }
    // An occurrence that begins before the end of the range, or of a block, may
    // end this many bytes behind it.
    const std::size_t overlap = word.size() - 1;
    const std::size_t block = buffer.size() - overlap;
    const std::uint64_t limit = range.end + overlap;
    std::uint64_t position = range.begin;
    std::uint64_t count = 0;
    std::size_t held = 0;
    while (position < limit) {
        const std::size_t wanted = std::min<std::uint64_t>(block, limit - position);
        const std::size_t got = file.read(buffer.data() + held, wanted);
        if (got == 0) {
            break;
        }
        position += got;
        held += got;
        count += occurrences({buffer.data(), held}, word);
        const std::size_t kept = std::min(held, overlap);
        std::memmove(buffer.data(), buffer.data() + held - kept, kept);
        held = kept;
    }
    return {std::min(position, range.end) - range.begin, count};
}

}  // namespace

void search_getline(const std::string& path, Search& search, Sink& out) {
    share(search, size_to_share(path, search), out,
          [&](Range range, unsigned) { return count_lines(path, range, search.word); });
}

void search_read(const std::string& path, Search& search, Sink& out) {
    share(search, size_to_share(path, search), out, [&](Range range, unsigned thread) {
        return count_reads(path, range, search.word, search.buffers.next(thread));
    });
}

void search_mmap(const std::string& path, Search& search, Sink& out) {
    const Descriptor file(path, O_RDONLY);
    const Mapping mapping(file, file.size());
    const std::string_view text = mapping.data();
    share(search, text.size(), out, [&](Range range, unsigned) {
        const std::uint64_t bytes = range.end - range.begin;
        return Tally{bytes, occurrences(text.substr(range.begin, bytes + search.word.size() - 1), search.word)};
    });
}

}  // namespace driver
