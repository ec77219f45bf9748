// lookup: answers 400 queries against a large on-disk hash index. Each bucket lies in
// another page, so one small pread per query is what the index was made for.
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <unistd.h>

struct Bucket {
    std::uint32_t key;
    std::uint64_t value;
    char label[52];
} __attribute__((packed));

static_assert(sizeof(Bucket) == 64, "bucket size");

class Index {
public:
    explicit Index(const char *path) : fd_(open(path, O_RDONLY | O_CLOEXEC)) {}
    ~Index() {
        if (fd_ >= 0)
            close(fd_);
    }
    bool good() const { return fd_ >= 0; }

    bool find(std::uint32_t key, Bucket &bucket) const {
        off_t page = static_cast<off_t>(static_cast<std::uint64_t>(key) * 7919 % 12288);
        if (pread(fd_, &bucket, sizeof bucket, page * 4096 + 64) != sizeof bucket)
            return false;
        return bucket.key == key && bucket.label[0] != '\0';
    }

private:
    int fd_;
};

int main() {
    Index index("index.bin");
    if (!index.good()) {
        std::cerr << "cannot open index.bin\n";
        return 1;
    }
    std::uint32_t key = 1;
    std::uint64_t sum = 0;
    int found = 0, missing = 0;
    for (int i = 0; i < 400; ++i) {
        key = (key * 1237 + 571) % 2203;
        Bucket bucket;
        if (index.find(key, bucket)) {
            ++found;
            sum += bucket.value;
        } else {
            ++missing;
        }
    }
    std::cout << found << " found, " << missing << " missing, sum " << sum << '\n';
    return 0;
}
