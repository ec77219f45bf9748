// open-missing: open a file that is not there. That is no exceptional case to
// these interfaces: they say so and the program looks.

#include <cerrno>
#include <fstream>

#include "operations.hpp"
#include "posix.hpp"

namespace driver {

namespace {

// What must fail did not, or not because there is no file.
[[noreturn]] void fail_otherwise(const char* call, bool opened) {
    throw Failure{call, opened ? EEXIST : errno};
}

}  // namespace

void missing_ifstream(const std::string& path) {
    std::ifstream in(path);
    if (in || errno != ENOENT) {
        fail_otherwise("std::ifstream", in.is_open());
    }
}

void missing_fopen(const std::string& path) {
    const File file(std::fopen(path.c_str(), "r"));
    if (file != nullptr || errno != ENOENT) {
        fail_otherwise("fopen", file != nullptr);
    }
}

void missing_posix(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY);
    if (fd >= 0) {
        ::close(fd);
        fail_otherwise("open", true);
    }
    if (errno != ENOENT) {
        fail_otherwise("open", false);
    }
}

}  // namespace driver
