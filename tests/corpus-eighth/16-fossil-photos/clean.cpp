// Checks that the fossil photos lie inside the archive and sums up their sizes.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace fs = std::filesystem;

static bool inside(const fs::path &root, const fs::path &p)
{
    return std::mismatch(root.begin(), root.end(), p.begin(), p.end()).first == root.end();
}

static int grade(const fs::path &p)
{
    std::ifstream in(p);
    std::string kind;
    int number = 0, value = 0;
    in >> kind >> number >> value;
    return value;
}

int main()
{
    const fs::path root = fs::canonical("archive");
    const fs::path folder = "photos/jura/quarry";
    std::map<fs::path, int> grades;
    int outside = 0;
    const fs::path real_folder = fs::canonical(folder);

    for (const auto &entry : fs::directory_iterator(folder)) {
        fs::path real = entry.is_symlink() ? fs::canonical(entry.path())
                                           : real_folder / entry.path().filename();
        if (!inside(root, real)) {
            outside++;
            continue;
        }
        grades[real.lexically_relative(root)] = grade(real);
    }

    std::vector<std::pair<int, std::string>> best;
    for (const auto &[p, g] : grades)
        best.emplace_back(g, p.string());
    std::sort(best.begin(), best.end(), [](const auto &a, const auto &b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (size_t i = 0; i < 4 && i < best.size(); i++)
        std::cout << best[i].second << " grade " << best[i].first << '\n';
    std::cout << grades.size() << " photos, " << outside << " outside\n";
}
