// Finds the shallowest sounding over all charts of a passage.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <fstream>

static std::string slurp(const std::string &path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) {
        std::perror(path.c_str());
        std::exit(1);
    }
    std::string data(static_cast<std::size_t>(in.tellg()), '\0');
    in.seekg(0);
    in.read(data.data(), static_cast<std::streamsize>(data.size()));
    return data;
}

int main() {
    long soundings = 0, deep = 0;
    int shallow = 1000, shallow_chart = 0;
    std::size_t bytes = 0;
    for (int chart = 1; chart <= 60; chart++) {
        std::string data = slurp("charts/" + std::to_string(chart) + ".cht");
        bytes += data.size();
        const char *p = data.c_str();
        char *end;
        while (*p) {
            long depth = std::strtol(p, &end, 10);
            long quality = std::strtol(end, &end, 10);
            p = *end ? end + 1 : end;
            soundings++;
            if (depth > 50)
                deep++;
            if (quality > 20 && depth > 0 && depth < shallow) {
                shallow = static_cast<int>(depth);
                shallow_chart = chart;
            }
        }
    }
    std::cout << soundings << " soundings in " << bytes << " bytes, " << deep << " deep\n";
    std::cout << "shallowest " << shallow << " m on chart " << shallow_chart << "\n";
    return 0;
}
