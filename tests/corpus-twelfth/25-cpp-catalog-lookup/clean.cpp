// invoice: prices an order against a sorted binary catalogue.
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct Record {
    char name[24];
    std::int64_t price;
};

class Catalog {
public:
    explicit Catalog(const char *path) {
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            throw std::runtime_error(std::string("cannot open ") + path);
        struct stat st;
        if (fstat(fd, &st) != 0) {
            close(fd);
            throw std::runtime_error("cannot stat");
        }
        bytes_ = static_cast<size_t>(st.st_size);
        void *p = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, fd, 0);
        close(fd);
        if (p == MAP_FAILED)
            throw std::runtime_error("cannot map");
        records_ = static_cast<const Record *>(p);
    }
    ~Catalog() { munmap(const_cast<Record *>(records_), bytes_); }
    Catalog(const Catalog &) = delete;
    Catalog &operator=(const Catalog &) = delete;

    std::optional<std::int64_t> price(const std::string &name) const {
        size_t lo = 0, hi = bytes_ / sizeof(Record);
        while (lo < hi) {
            size_t mid = (lo + hi) / 2;
            int c = std::strncmp(records_[mid].name, name.c_str(), sizeof records_[mid].name);
            if (c == 0)
                return records_[mid].price;
            if (c < 0)
                lo = mid + 1;
            else
                hi = mid;
        }
        return std::nullopt;
    }

private:
    const Record *records_ = nullptr;
    size_t bytes_ = 0;
};

int main() {
    const Catalog catalog("catalog.bin");
    std::ifstream order("order.txt");
    std::string name;
    std::int64_t total = 0;
    int count, lines = 0, unknown = 0;
    while (order >> name >> count) {
        ++lines;
        if (auto p = catalog.price(name)) {
            total += *p * count;
        } else {
            std::cout << "unknown: " << name << '\n';
            ++unknown;
        }
    }
    std::cout << lines << " lines, " << unknown << " unknown, total " << total << '\n';
    return 0;
}
