// incresolve: prints, for a source folder, which header each #include means.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fs = std::filesystem;

class SearchPath {
public:
    explicit SearchPath(const std::vector<std::string> &dirs) {
        for (const auto &dir : dirs)
            for (const auto &e : fs::directory_iterator(dir))
                where_.try_emplace(e.path().filename().string(), e.path().string());
    }

    std::string find(const std::string &header) {
        auto it = where_.find(header);
        return it == where_.end() ? std::string() : it->second;
    }

private:
    std::unordered_map<std::string, std::string> where_;
};

static std::vector<std::string> includes_of(const fs::path &p) {
    std::vector<std::string> out;
    std::ifstream in(p);
    std::string line;
    while (std::getline(in, line)) {
        if (line.rfind("#include <", 0) != 0)
            continue;
        auto end = line.find('>');
        if (end != std::string::npos)
            out.push_back(line.substr(10, end - 10));
    }
    return out;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        std::cerr << "usage: incresolve SRC DIR...\n";
        return 2;
    }
    SearchPath sp(std::vector<std::string>(argv + 2, argv + argc));
    std::map<std::string, int> used;
    int missing = 0;
    std::vector<fs::path> sources;
    for (const auto &e : fs::directory_iterator(argv[1]))
        sources.push_back(e.path());
    std::sort(sources.begin(), sources.end());
    for (const auto &src : sources) {
        for (const auto &h : includes_of(src)) {
            std::string full = sp.find(h);
            if (full.empty())
                missing++;
            else
                used[full]++;
        }
    }
    for (const auto &[path, n] : used)
        std::cout << n << '\t' << path << '\n';
    std::cout << missing << " not found\n";
}
