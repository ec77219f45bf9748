#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Cairn {
    int sightings = 0;
    double height = 0;
};

static fs::path where(const std::string &sheet, const std::string &name)
{
    return fs::absolute(fs::path(sheet) / name).lexically_normal();
}

int main()
{
    const fs::path home = fs::current_path();
    std::map<fs::path, Cairn> cairns;
    std::ifstream in("walks.txt");
    std::string line;
    int lines = 0;
    while (std::getline(in, line)) {
        std::istringstream fields(line);
        std::string sheet, name;
        double height;
        if (!(fields >> sheet >> name >> height))
            continue;
        Cairn &c = cairns[where(sheet, name)];
        c.sightings++;
        c.height = std::max(c.height, height);
        lines++;
    }
    std::vector<fs::path> paths;
    for (const auto &[path, c] : cairns)
        paths.push_back(path);
    std::stable_sort(paths.begin(), paths.end(), [&](const auto &a, const auto &b) {
        return cairns[a].height > cairns[b].height;
    });
    std::ofstream out("cairns.txt");
    for (const auto &path : paths)
        out << path.lexically_relative(home).generic_string() << ' '
            << cairns[path].height << ' ' << cairns[path].sightings << '\n';
    std::cout << lines << " sightings of " << cairns.size() << " cairns\n";
    std::cout << "tallest: " << paths.front().filename().string() << '\n';
}
