// Lists the packs of a map program; the description of a pack is its last 16 bytes.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

struct Pack {
    std::string name;
    int entries;
    int serial;
    off_t payload;
};

static Pack describe(const std::string &name)
{
    constexpr int kTrailer = 16;
    const int fd = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        throw std::runtime_error("cannot open " + name);
    char t[kTrailer + 1] = {};
    // the place of the trailer and the length of the rest in one call
    const off_t at = lseek(fd, -kTrailer, SEEK_END);
    const bool ok = at >= 0 && read(fd, t, kTrailer) == kTrailer && !std::memcmp(t, "IDX1", 4);
    close(fd);
    if (!ok)
        throw std::runtime_error("no pack: " + name);
    Pack p{name, 0, std::atoi(t + 8), at};
    t[8] = 0;
    p.entries = std::atoi(t + 4);
    return p;
}

int main()
{
    std::vector<Pack> packs;
    for (int i = 1; i <= 30; i++) {
        char name[32];
        std::snprintf(name, sizeof name, "packs/p%02d.pack", i);
        packs.push_back(describe(name));
    }
    long entries = 0, bytes = 0;
    for (const Pack &p : packs) {
        entries += p.entries;
        bytes += p.payload;
    }
    std::printf("%zu packs, %ld entries, %ld bytes\n", packs.size(), entries, bytes);
    std::printf("last %s serial %d\n", packs.back().name.c_str(), packs.back().serial);
}
