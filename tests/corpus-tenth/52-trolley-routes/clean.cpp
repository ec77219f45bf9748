// Plans the trolley lines: the stop files of each line are kept by their absolute path.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Line {
    std::vector<fs::path> stops;
    int passengers = 0;
    int minutes = 0;
};

static bool add_stop(Line &line, const fs::path &file)
{
    std::ifstream in(file);
    std::string key;
    int value, fields = 0;
    while (in >> key >> value) {
        if (key == "passengers")
            line.passengers += value;
        else if (key == "minutes")
            line.minutes += value;
        fields++;
    }
    line.stops.push_back(file);
    return fields == 2;
}

int main()
{
    std::ifstream routes("routes.txt");
    std::map<std::string, Line> lines;
    std::set<fs::path> known;
    std::string name, stop;
    int bad = 0;
    const fs::path here = fs::current_path();

    while (routes >> name >> stop) {
        fs::path file = here / stop;
        if (!known.insert(file).second)
            continue;
        if (!add_stop(lines[name], file))
            bad++;
    }

    std::ofstream plan("plan.txt");
    for (const auto &[name, line] : lines) {
        plan << name << ":";
        for (const auto &file : line.stops)
            plan << " " << file.stem().string();
        plan << "\n";
    }
    plan.close();

    std::cout << known.size() << " stops, " << bad << " bad\n";
    for (const auto &[name, line] : lines)
        std::cout << name << ": " << line.stops.size() << " stops, " << line.passengers << " passengers, "
                  << line.minutes << " minutes\n";
    return 0;
}
