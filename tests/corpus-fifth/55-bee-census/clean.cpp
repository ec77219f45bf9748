// Puts a new count of bees into the census: a table of 16-byte cells, cells 100 to 1379 are this apiary's.
#include <array>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

using Cell = std::array<char, 16>;

static void check(bool ok, const char *what) {
    if (!ok)
        throw std::system_error(errno, std::generic_category(), what);
}

static std::vector<Cell> count_bees(int hives) {
    std::vector<Cell> cells(hives);
    unsigned x = 17;
    for (auto &c : cells) {
        x = x * 1664525u + 1013904223u;
        std::string s = std::to_string(x % 60000 + 1000);
        c.fill(' ');
        std::copy(s.begin(), s.end(), c.begin());
        c[15] = '\n';
    }
    return cells;
}

static void sync_name(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    check(fd >= 0 && fsync(fd) == 0 && close(fd) == 0, path);
}

// The new table is made beside the old one and takes its name when it is safe.
static void put(const std::string &path, const std::vector<Cell> &cells, size_t at) {
    std::ifstream in(path, std::ios::binary);
    std::string all(std::istreambuf_iterator<char>(in), {});
    check(in.good() || in.eof(), path.c_str());
    const size_t n = cells.size() * sizeof(Cell);
    if (all.size() < at + n)
        all.resize(at + n);
    all.replace(at, n, cells.data()->data(), n);

    const std::string fresh = path + ".fresh";
    std::ofstream out(fresh, std::ios::binary);
    out.write(all.data(), all.size());
    out.close();
    check(!out.fail(), fresh.c_str());
    sync_name(fresh.c_str());
    check(std::rename(fresh.c_str(), path.c_str()) == 0, path.c_str());
    sync_name("census");
}

static unsigned long sum(const char *path) {
    unsigned long s = 0;
    char buf[65536];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    check(fd >= 0, path);
    for (ssize_t n; (n = read(fd, buf, sizeof buf)) > 0;)
        for (ssize_t i = 0; i < n; ++i)
            s = s * 31 + static_cast<unsigned char>(buf[i]);
    close(fd);
    return s;
}

int main() {
    auto cells = count_bees(1280);
    put("census/hives.tab", cells, 100 * sizeof(Cell));
    std::cout << cells.size() << " hives counted, table " << std::hex << sum("census/hives.tab") << '\n';
    return 0;
}
