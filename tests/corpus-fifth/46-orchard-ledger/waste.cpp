// Adds the day's picking to the ledgers of the orchard; the ledger is replaced in one step.
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <unistd.h>

using Ledger = std::map<std::string, long>;

static Ledger load(const std::string &path) {
    Ledger l;
    std::ifstream in(path);
    std::string row;
    long kg;
    while (in >> row >> kg)
        l[row] += kg;
    return l;
}

static void sync_path(const std::string &path) {
    int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fsync(fd) < 0)
        throw std::runtime_error("cannot sync " + path);
    close(fd);
}

static void store(const Ledger &l, const std::string &path) {
    const std::string fresh = path + ".new";
    {
        std::ofstream out(fresh);
        for (const auto &[row, kg] : l)
            out << row << ' ' << kg << '\n';
        if (!out.flush())
            throw std::runtime_error("cannot write " + fresh);
    }
    sync_path(path);
    if (std::rename(fresh.c_str(), path.c_str()) != 0)
        throw std::runtime_error("cannot replace " + path);
    sync_path("books");
}

int main() {
    const Ledger today = load("picked.txt");
    for (const std::string sort : {"apples", "pears"}) {
        const std::string path = "books/" + sort + ".ledger";
        Ledger l = load(path);
        long sum = 0;
        for (const auto &[row, kg] : today)
            l[row] += sort == "apples" ? kg : kg / 3;
        for (const auto &[row, kg] : l)
            sum += kg;
        store(l, path);
        std::cout << sort << ": " << l.size() << " rows, " << sum << " kg\n";
    }
    return 0;
}
