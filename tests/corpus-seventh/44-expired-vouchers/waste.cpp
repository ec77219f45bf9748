#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Voucher {
    std::string id;
    int value;
};

std::vector<Voucher> expired(const char *list) {
    std::vector<Voucher> all;
    std::ifstream in(list);
    Voucher v;
    while (in >> v.id >> v.value) all.push_back(v);
    return all;
}

bool withdraw(const Voucher &v) {
    fs::path path = fs::path("vouchers") / v.id;
    if (!fs::exists(path)) return false;
    fs::remove(path);
    return true;
}

int main() {
    int withdrawn = 0, used = 0, value = 0;
    for (const Voucher &v : expired("expired.txt")) {
        if (withdraw(v)) {
            withdrawn++;
            value += v.value;
        } else {
            used++;
        }
    }
    std::ofstream out("withdrawn.txt");
    out << withdrawn << ' ' << value << '\n';
    std::cout << withdrawn << " vouchers withdrawn, worth " << value << '\n';
    std::cout << used << " had been used\n";
}
