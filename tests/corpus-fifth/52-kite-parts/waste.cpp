// Makes the cutting list of a kite maker: the cutter wants absolute paths without "." in them.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Part {
    fs::path drawing;
    int pieces = 0;
};

static fs::path tidy(const fs::path &p) {
    return fs::absolute(p).lexically_normal();
}

static std::vector<Part> load(const std::string &list) {
    std::vector<Part> parts;
    std::ifstream in(list);
    std::string file;
    int pieces;
    while (in >> file >> pieces)
        parts.push_back({tidy(file), pieces});
    return parts;
}

int main() {
    const auto parts = load("parts.txt");
    std::map<std::string, int> per_kit;
    bool all_absolute = true;
    {
        std::ofstream out("cutting.lst");
        for (const Part &p : parts) {
            out << p.drawing.string() << " x" << p.pieces << '\n';
            per_kit[p.drawing.parent_path().filename()] += p.pieces;
            all_absolute = all_absolute && p.drawing.is_absolute();
        }
    }
    for (const auto &[kit, pieces] : per_kit)
        std::cout << kit << ": " << pieces << " pieces\n";
    std::cout << parts.size() << " parts, " << (all_absolute ? "all absolute" : "some relative") << '\n';
    return 0;
}
