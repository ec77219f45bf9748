// New directories, and files that have served.

#include "workplace.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "failure.hpp"

namespace driver {

void Workplace::next() {
    current_ = path_ + "/" + std::to_string(made_);
    if (::mkdir(current_.c_str(), 0755) != 0) {
        throw Failure{"mkdir", errno, current_};
    }
    ++made_;
}

bool Workplace::take_prepared() {
    std::string prepared = path_ + "/prepared";
    struct stat found {};
    if (::stat(prepared.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) {
        return false;
    }
    current_ = std::move(prepared);
    return true;
}

std::vector<std::string> Workplace::paths(char letter, std::uint64_t count) const {
    std::vector<std::string> all;
    all.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        all.push_back(path(letter + std::to_string(i)));
    }
    return all;
}

void Workplace::clear() {
    for (const std::string& file : left_) {
        // A run that failed did not make all of them.
        if (::unlink(file.c_str()) != 0 && errno != ENOENT) {
            throw Failure{"unlink", errno, file};
        }
    }
    left_.clear();
}

}  // namespace driver
