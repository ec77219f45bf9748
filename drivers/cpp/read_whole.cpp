// read-whole: open, read the whole file, close.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "operations.hpp"
#include "posix.hpp"

namespace driver {

void whole_ifstream(const std::string& path, Buffers&, Sink& out) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        fail("std::ifstream");
    }
    in.seekg(0, std::ios::end);
    const std::streamoff size = in.tellg();
    in.seekg(0);
    if (!in) {
        fail("std::ifstream::seekg");
    }
    std::string data(static_cast<std::size_t>(size), '\0');
    in.read(data.data(), size);
    if (in.bad()) {
        fail("std::ifstream::read");
    }
    out.take({data.data(), static_cast<std::size_t>(in.gcount())});
}

void whole_iterator(const std::string& path, Buffers&, Sink& out) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        fail("std::ifstream");
    }
    const std::string data{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    out.take(data);
}

void whole_rdbuf(const std::string& path, Buffers&, Sink& out) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        fail("std::ifstream");
    }
    std::ostringstream contents;
    // An empty file is a failure to the stream that takes it, as an error is: only
    // the file's own stream tells them apart.
    if (!(contents << in.rdbuf())) {
        in.peek();
        if (in.bad()) {
            fail("std::ifstream::rdbuf");
        }
    }
    const std::string data = std::move(contents).str();
    out.take(data);
}

void whole_file_size(const std::string& path, Buffers&, Sink& out) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) {
        throw Failure{"std::filesystem::file_size", error.value()};
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        fail("std::ifstream");
    }
    std::string data(size, '\0');
    in.read(data.data(), static_cast<std::streamsize>(size));
    if (in.bad()) {
        fail("std::ifstream::read");
    }
    out.take({data.data(), static_cast<std::size_t>(in.gcount())});
}

void whole_fread(const std::string& path, Buffers& buffers, Sink& out) {
    const File file = open_file(path, "rb");
    Buffer buffer = buffers.next();
    std::size_t count;
    while ((count = std::fread(buffer.data(), 1, buffer.size(), file.get())) > 0) {
        out.take({buffer.data(), count});
    }
    if (std::ferror(file.get()) != 0) {
        fail("fread");
    }
}

void whole_read(const std::string& path, Buffers& buffers, Sink& out) {
    const Descriptor file(path, O_RDONLY);
    Buffer buffer = buffers.next();
    std::size_t count;
    while ((count = file.read(buffer.data(), buffer.size())) > 0) {
        out.take({buffer.data(), count});
    }
}

void whole_fstat_read(const std::string& path, Buffers&, Sink& out) {
    const Descriptor file(path, O_RDONLY);
    const std::size_t size = file.size();
    const auto data = std::make_unique_for_overwrite<char[]>(size);
    std::size_t held = 0;
    while (held < size) {
        const std::size_t count = file.read(data.get() + held, size - held);
        if (count == 0) {
            break;
        }
        held += count;
    }
    out.take({data.get(), held});
}

void whole_mmap(const std::string& path, Buffers&, Sink& out) {
    const Descriptor file(path, O_RDONLY);
    const Mapping mapping(file, file.size());
    out.take(mapping.data());
}

// Every byte is read: the buffer holds in the end what a read would have left there.
void whole_mmap_copy(const std::string& path, Buffers& buffers, Sink& out) {
    const Descriptor file(path, O_RDONLY);
    const Mapping mapping(file, file.size());
    Buffer buffer = buffers.next();
    for (std::string_view rest = mapping.data(); !rest.empty();) {
        const std::string_view piece = rest.substr(0, buffer.size());
        std::memcpy(buffer.data(), piece.data(), piece.size());
        out.take({buffer.data(), piece.size()});
        rest.remove_prefix(piece.size());
    }
}

}  // namespace driver
