#include <fcntl.h>
#include <iostream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>

class Handle {
    int fd_;
public:
    explicit Handle(const std::string &p) : fd_(open(p.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (fd_ < 0)
            throw std::runtime_error(p);
    }
    ~Handle() { close(fd_); }
    int fd() const { return fd_; }
};

static unsigned checksum(Handle h) {
    char buf[128];
    unsigned sum = 0;
    ssize_t n = read(h.fd(), buf, sizeof buf);
    for (ssize_t i = 0; i < n; i++)
        sum = sum * 31 + static_cast<unsigned char>(buf[i]);
    return sum;
}

int main() {
    unsigned all = 0;
    for (int i = 0; i < 6; i++) {
        Handle h("seg/" + std::to_string(i));
        all ^= checksum(h);
    }
    std::cout << std::hex << all << "\n";
}
