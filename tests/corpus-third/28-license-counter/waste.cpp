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
    std::ofstream out("seats.txt");
    for (const auto &[k, n] : s)
        out << k << ' ' << n << '\n';
    out.close();
    return bool(out);
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
