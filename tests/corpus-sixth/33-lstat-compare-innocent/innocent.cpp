// Collects hymn verses from a folder that all may write, as mail delivery agents open mailboxes:
// lstat, open, fstat, and the three must agree.
#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

class Fd {
public:
    explicit Fd(int fd) : fd_(fd) {}
    Fd(Fd &&other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
    Fd(const Fd &) = delete;
    ~Fd() {
        if (fd_ >= 0) ::close(fd_);
    }
    int get() const { return fd_; }

private:
    int fd_;
};

// Opens a plain file with one name; nothing if it is not, or was swapped meanwhile.
static std::optional<Fd> open_safely(const std::string &path) {
    struct stat before{}, after{};
    if (::lstat(path.c_str(), &before) < 0 || !S_ISREG(before.st_mode) || before.st_nlink != 1)
        return std::nullopt;
    Fd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (fd.get() < 0 || ::fstat(fd.get(), &after) < 0) return std::nullopt;
    if (before.st_dev != after.st_dev || before.st_ino != after.st_ino || !S_ISREG(after.st_mode))
        return std::nullopt;
    return fd;
}

static std::string slurp(int fd) {
    std::string text(4096, '\0');
    ssize_t n = ::read(fd, text.data(), text.size());
    text.resize(n > 0 ? n : 0);
    return text;
}

int main() {
    std::vector<std::string> names;
    for (const auto &e : fs::directory_iterator("dropbox")) names.push_back(e.path().string());
    std::sort(names.begin(), names.end());
    int taken = 0, refused = 0;
    std::string hymn;
    for (const auto &name : names) {
        auto fd = open_safely(name);
        if (!fd) {
            refused++;
            continue;
        }
        hymn += slurp(fd->get());
        taken++;
    }
    std::cout << taken << " verses, " << refused << " refused\n" << hymn;
}
