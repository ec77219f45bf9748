// recdb: answers random lookups in a large table of fixed-size records.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

struct Record {
    uint64_t key;
    uint32_t stock;
    uint32_t cents;
    char name[48];
};
static_assert(sizeof(Record) == 64, "record size");

class Table {
public:
    explicit Table(const char *path) : fd_(open(path, O_RDONLY | O_CLOEXEC)) {
        struct stat st;
        if (fd_ >= 0 && fstat(fd_, &st) == 0)
            count_ = static_cast<uint64_t>(st.st_size) / sizeof(Record);
        posix_fadvise(fd_, 0, 0, POSIX_FADV_RANDOM);
    }
    ~Table() {
        if (fd_ >= 0)
            close(fd_);
    }
    uint64_t count() const { return count_; }

    bool get(uint64_t no, Record &r) const {
        return pread(fd_, &r, sizeof r, static_cast<off_t>(no * sizeof r)) == static_cast<ssize_t>(sizeof r);
    }

private:
    int fd_;
    uint64_t count_ = 0;
};

int main(int argc, char **argv) {
    Table t(argc > 1 ? argv[1] : "stock.tbl");
    if (t.count() == 0) {
        std::fprintf(stderr, "empty table\n");
        return 1;
    }
    uint64_t x = 88172645463325252ull, found = 0, stock = 0, sum = 0;
    for (int i = 0; i < 800; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        Record r;
        if (!t.get(x % t.count(), r))
            return 1;
        found += r.key == x % t.count();
        stock += r.stock;
        sum += static_cast<uint64_t>(r.stock) * r.cents;
    }
    std::printf("%llu of 800 found, stock %llu, worth %llu\n", (unsigned long long)found, (unsigned long long)stock, (unsigned long long)sum);
    return 0;
}
