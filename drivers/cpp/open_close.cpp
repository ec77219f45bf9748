// open-close: open an existing file for reading and close it.

#include <fstream>

#include "operations.hpp"
#include "posix.hpp"

namespace driver {

void open_ifstream(const std::string& path) {
    std::ifstream in(path);
    if (!in) {
        fail("std::ifstream");
    }
}

void open_fstream(const std::string& path) {
    std::fstream in(path, std::ios::in);
    if (!in) {
        fail("std::fstream");
    }
}

void open_filebuf(const std::string& path) {
    std::filebuf in;
    if (in.open(path, std::ios::in) == nullptr) {
        fail("std::filebuf::open");
    }
}

void open_fopen(const std::string& path) {
    const File file = open_file(path, "r");
}

void open_posix(const std::string& path) {
    const Descriptor file(path, O_RDONLY);
}

}  // namespace driver
