#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

namespace fs = std::filesystem;

struct Cleaner {
    fs::path dir;
    int removed = 0, missing = 0;

    void clean(const std::string &unit) {
        const fs::path o = dir / (unit + ".o");
        if (fs::remove(o))
            removed++;
        else
            missing++;
    }
};

int main() {
    Cleaner c{"obj"};
    std::ifstream in("units.txt");
    std::string unit;
    while (in >> unit)
        c.clean(unit);
    std::cout << c.removed << " removed, " << c.missing << " were not there\n";
}
