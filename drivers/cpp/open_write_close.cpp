// open-write-close: open an existing file for writing and close it.

#include <fstream>

#include "operations.hpp"
#include "posix.hpp"

namespace driver {

// With `in`, a stream for writing opens as "r+" does: no truncation.
void open_ofstream_in(const std::string& path) {
    std::ofstream out(path, std::ios::in | std::ios::out);
    if (!out) {
        fail("std::ofstream");
    }
}

// By itself it opens as "w" does: the file is created or truncated.
void open_ofstream(const std::string& path) {
    std::ofstream out(path);
    if (!out) {
        fail("std::ofstream");
    }
}

void open_fstream_out(const std::string& path) {
    std::fstream out(path, std::ios::in | std::ios::out);
    if (!out) {
        fail("std::fstream");
    }
}

void open_fopen_update(const std::string& path) {
    const File file = open_file(path, "r+");
}

void open_posix_write(const std::string& path) {
    const Descriptor file(path, O_WRONLY);
}

}  // namespace driver
