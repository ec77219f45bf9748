// Puts a new count of bees into the census: a table of 16-byte cells, cells 100 to 1379 are this apiary's.
#include <array>
#include <fcntl.h>
#include <iostream>
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

static void put(const char *path, const std::vector<Cell> &cells, off_t at) {
    const char *p = cells.data()->data();
    size_t left = cells.size() * sizeof(Cell);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    check(fd >= 0, path);
    while (left) {
        ssize_t n = pwrite(fd, p, left, at);
        check(n > 0, path);
        p += n, left -= n, at += n;
    }
    check(fsync(fd) == 0, path);
    check(close(fd) == 0, path);
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
