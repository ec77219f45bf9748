// lines: open, hand every line to the program, close.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

#include "operations.hpp"
#include "posix.hpp"

namespace driver {

void lines_std_getline(const std::string& path, Buffers&, Sink& out) {
    std::ifstream in(path);
    if (!in) {
        fail("std::ifstream");
    }
    std::string line;
    while (std::getline(in, line)) {
        out.take_line(line);
    }
    if (in.bad()) {
        fail("std::getline");
    }
}

void lines_posix_getline(const std::string& path, Buffers&, Sink& out) {
    const File file = open_file(path, "r");
    char* line = nullptr;
    std::size_t capacity = 0;
    ssize_t length;
    while ((length = ::getline(&line, &capacity, file.get())) >= 0) {
        std::string_view text(line, static_cast<std::size_t>(length));
        if (text.ends_with('\n')) {
            text.remove_suffix(1);
        }
        out.take_line(text);
    }
    std::free(line);
    if (std::ferror(file.get()) != 0) {
        fail("getline");
    }
}

// A line that is longer than the buffer comes in pieces.
void lines_fgets(const std::string& path, Buffers& buffers, Sink& out) {
    const File file = open_file(path, "r");
    Buffer buffer = buffers.next();
    const auto room = static_cast<int>(std::min<std::size_t>(buffer.size(), std::numeric_limits<int>::max()));
    bool ended = true;
    while (std::fgets(buffer.data(), room, file.get()) != nullptr) {
        std::string_view piece(buffer.data());
        ended = piece.ends_with('\n');
        if (ended) {
            piece.remove_suffix(1);
        }
        out.take_line_piece(piece);
        if (ended) {
            out.end_line();
        }
    }
    if (std::ferror(file.get()) != 0) {
        fail("fgets");
    }
    if (!ended) {
        out.end_line();
    }
}

void lines_memchr(const std::string& path, Buffers&, Sink& out) {
    const Descriptor file(path, O_RDONLY);
    const Mapping mapping(file, file.size());
    const std::string_view text = mapping.data();
    const char* line = text.data();
    const char* const end = line + text.size();
    while (line < end) {
        const auto* newline = static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
        const char* const stop = newline != nullptr ? newline : end;
        out.take_line({line, static_cast<std::size_t>(stop - line)});
        line = stop + 1;
    }
}

}  // namespace driver
