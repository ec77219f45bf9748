// Makes sea charts anew from depths and puts each in the place of the old one, safe against a power cut.
// A std::ofstream has no descriptor to sync, so the finished file is opened once more for that.
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>
#include <unistd.h>

static void check(bool ok, const std::string &what) {
    if (!ok)
        throw std::system_error(errno, std::generic_category(), what);
}

static void sync_path(const std::string &path) {
    int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    check(fd >= 0, path);
    check(fsync(fd) == 0, path);
    check(close(fd) == 0, path);
}

static long draw(const std::string &from, const std::string &to) {
    std::ifstream in(from);
    std::ofstream out(to);
    long depth, points = 0;
    while (in >> depth) {
        out << depth << ' ' << std::string(depth % 17, '~') << '\n';
        ++points;
    }
    out.close();
    check(!out.fail(), to);
    return points;
}

int main() {
    long all = 0;
    for (const std::string name : {"harbour", "fjord", "strait"}) {
        const std::string chart = "charts/" + name + ".chart", fresh = chart + ".fresh";
        long points = draw(name + ".depths", fresh);
        sync_path(fresh);
        check(std::rename(fresh.c_str(), chart.c_str()) == 0, chart);
        sync_path("charts");
        std::cout << name << ": " << points << " points\n";
        all += points;
    }
    std::cout << "all: " << all << " points\n";
    return 0;
}
