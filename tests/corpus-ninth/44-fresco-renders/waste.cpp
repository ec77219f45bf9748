#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Panel {
    std::string name;
    bool restored;
    std::vector<std::string> views;
};

static std::vector<Panel> read_panels(const char *path)
{
    std::vector<Panel> panels;
    std::ifstream in(path);
    std::string name, state;
    while (in >> name >> state)
        panels.push_back({name, state == "restored", {"full", "left", "right"}});
    return panels;
}

static bool drop(const fs::path &view)
{
    if (!fs::exists(view))
        return false;
    return fs::remove(view);
}

int main()
{
    auto panels = read_panels("panels.txt");
    if (panels.empty()) {
        std::cout << "no panels\n";
        return 1;
    }
    std::map<std::string, int> dropped;
    int kept = 0;
    for (const auto &panel : panels) {
        for (const auto &view : panel.views) {
            if (!panel.restored) {
                kept++;
                continue;
            }
            // The old picture shows the wall before the restoration.
            if (drop(fs::path("renders") / (panel.name + "-" + view + ".ppm")))
                dropped[view]++;
        }
    }
    std::ofstream todo("todo.txt");
    for (const auto &panel : panels)
        if (panel.restored)
            todo << panel.name << '\n';
    for (const auto &[view, n] : dropped)
        std::cout << n << " old " << view << " views dropped\n";
    std::cout << kept << " views kept\n";
}
