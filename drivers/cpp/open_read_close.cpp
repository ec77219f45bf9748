// open-read-close: open, one read at offset 0, close.

#include <fstream>

#include "operations.hpp"
#include "posix.hpp"

namespace driver {

void read_ifstream(const std::string& path, Buffers& buffers, Sink& out) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        fail("std::ifstream");
    }
    Buffer buffer = buffers.next();
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    if (in.bad()) {
        fail("std::ifstream::read");
    }
    out.take({buffer.data(), static_cast<std::size_t>(in.gcount())});
}

void read_fread(const std::string& path, Buffers& buffers, Sink& out) {
    const File file = open_file(path, "rb");
    Buffer buffer = buffers.next();
    const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get());
    if (std::ferror(file.get()) != 0) {
        fail("fread");
    }
    out.take({buffer.data(), count});
}

void read_read(const std::string& path, Buffers& buffers, Sink& out) {
    const Descriptor file(path, O_RDONLY);
    Buffer buffer = buffers.next();
    const std::size_t count = file.read(buffer.data(), buffer.size());
    out.take({buffer.data(), count});
}

void read_pread(const std::string& path, Buffers& buffers, Sink& out) {
    const Descriptor file(path, O_RDONLY);
    Buffer buffer = buffers.next();
    const std::size_t count = file.pread(buffer.data(), buffer.size(), 0);
    out.take({buffer.data(), count});
}

void read_mmap(const std::string& path, Buffers& buffers, Sink& out) {
    const Descriptor file(path, O_RDONLY);
    const Mapping mapping(file, buffers.length());
    out.take(mapping.data());
}

}  // namespace driver
