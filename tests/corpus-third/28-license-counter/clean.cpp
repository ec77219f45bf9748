#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <unistd.h>

using Seats = std::map<std::string, int>;

static Seats load() {
    Seats s;
    std::ifstream in("seats.txt");
    std::string k;
    int n;
    while (in >> k >> n)
        s[k] = n;
    return s;
}

static bool save(const Seats &s) {
    std::ostringstream text;
    for (const auto &[k, n] : s)
        text << k << ' ' << n << '\n';
    const std::string t = text.str();
    int fd = open("seats.txt.new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return false;
    bool ok = write(fd, t.data(), t.size()) == static_cast<ssize_t>(t.size()) && fsync(fd) == 0;
    if (close(fd) < 0 || !ok || std::rename("seats.txt.new", "seats.txt") < 0)
        return false;
    int dir = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ok = dir >= 0 && fsync(dir) == 0;
    close(dir);
    return ok;
}

static bool take(const std::string &what) {
    Seats s = load();
    if (s[what] <= 0)
        return false;
    s[what]--;
    return save(s);
}

int main() {
    int given = 0;
    for (const char *w : {"cad", "ide", "ide", "erp", "cad", "ide"})
        given += take(w);
    std::cout << given << " seats given, " << load()["erp"] << " erp left\n";
}
