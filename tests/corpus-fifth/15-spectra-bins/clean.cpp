// Splits a file of spectral lines into one file for each element and band of 100 nm.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>

namespace fs = std::filesystem;

struct Line {
    std::string element;
    int wavelength;
    int intensity;
    int id;
};

static fs::path bin_for(const Line &l)
{
    static std::set<fs::path> made;
    const fs::path dir = fs::path("bins") / l.element / std::to_string(l.wavelength / 100 * 100);
    if (made.insert(dir).second)
        fs::create_directories(dir);
    return dir;
}

static void store(const Line &l)
{
    const fs::path file = bin_for(l) / ("line" + std::to_string(l.id) + ".txt");
    std::ofstream out(file);
    out << l.wavelength << ' ' << l.intensity << '\n';
    out.close();
    if (!out)
        throw std::runtime_error("cannot write " + file.string());
}

int main()
{
    std::ifstream in("spectra.txt");
    std::map<std::string, int> strongest;
    Line l;
    int n = 0;
    while (in >> l.element >> l.wavelength >> l.intensity >> l.id) {
        store(l);
        auto &s = strongest[l.element];
        s = std::max(s, l.intensity);
        n++;
    }
    for (const auto &[element, intensity] : strongest)
        std::printf("%s strongest %d\n", element.c_str(), intensity);
    std::printf("%d lines\n", n);
}
