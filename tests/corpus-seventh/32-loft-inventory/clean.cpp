#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

class ShelfFile {
public:
    explicit ShelfFile(const std::string &path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (fd_ < 0) throw std::runtime_error("cannot open " + path);
        char buf[256];
        ssize_t n = read(fd_, buf, sizeof buf);
        if (n < 0) throw std::runtime_error("cannot read " + path);
        text_.assign(buf, n);
    }
    ShelfFile(const ShelfFile &) = delete;
    ~ShelfFile() {
        if (fd_ >= 0)
        close(fd_);
    }
    void finish() {
        close(fd_);
        fd_ = -1;
    }
    int value(const std::string &key) const {
        std::istringstream in(text_);
        std::string k;
        int v;
        while (in >> k >> v)
            if (k == key) return v;
        return 0;
    }

private:
    int fd_;
    std::string text_;
};

int main() {
    int boxes = 0, weight = 0, heavier = 0;
    std::unique_ptr<ShelfFile> before;
    for (int i = 0; i < 25; i++) {
        auto shelf = std::make_unique<ShelfFile>("loft/shelf" + std::to_string(i) + ".txt");
        if (before && shelf->value("weight") > before->value("weight")) heavier++;
        before = std::move(shelf);  // the shelf before goes away here
        boxes += before->value("boxes");
        weight += before->value("weight");
        before->finish();
    }
    std::printf("25 shelves, %d boxes, weight %d\n", boxes, weight);
    std::printf("%d shelves heavier than the one before\n", heavier);
}
