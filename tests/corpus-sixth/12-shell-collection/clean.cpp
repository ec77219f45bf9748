// Counts the shells in a cabinet, drawer by drawer.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Census {
    std::map<std::string, int> per_drawer;
    int drawers = 0;
    int notes = 0;
    int highest = 0;
};

static int number_in(const std::string &name) {
    auto digit = std::find_if(name.begin(), name.end(), [](unsigned char c) { return c >= '0' && c <= '9'; });
    return digit == name.end() ? 0 : std::stoi(std::string(digit, name.end()));
}

static void visit(const fs::path &dir, Census &census) {
    std::vector<fs::path> below;
    for (const fs::directory_entry &entry : fs::directory_iterator(dir)) {
        if (entry.is_directory()) {
            below.push_back(entry.path());
            census.drawers++;
        } else if (entry.is_regular_file()) {
            census.notes++;
            census.per_drawer[dir.filename().string()]++;
            census.highest = std::max(census.highest, number_in(entry.path().filename().string()));
        }
    }
    std::sort(below.begin(), below.end());
    for (const fs::path &p : below)
        visit(p, census);
}

int main() {
    Census census;
    visit("cabinet", census);
    std::cout << census.drawers << " drawers, " << census.notes << " shells\n";
    for (const auto &[drawer, n] : census.per_drawer)
        if (number_in(drawer) % 4 == 0)
            std::cout << drawer << ": " << n << "\n";
    std::cout << "highest number " << census.highest << "\n";
    return 0;
}
