// Hands the texts of the town's plaques to the engraver: one job folder for each street.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace fs = std::filesystem;

static void hand_over(const fs::path &from, const fs::path &to)
{
    std::ifstream in(from, std::ios::binary);
    std::ofstream out(to, std::ios::binary);
    if (!in || !out)
        throw std::runtime_error("cannot copy " + from.string());
    out << in.rdbuf();
    out.close();
    if (!out)
        throw std::runtime_error("cannot write " + to.string());
}

static std::string plaque(int number)
{
    char name[16];
    std::snprintf(name, sizeof name, "no%02d.txt", number);
    return name;
}

int main()
{
    const std::map<std::string, std::vector<int>> streets = {
        {"canal", {1, 4, 7, 10, 13, 16}},
        {"church", {2, 5, 8, 11, 14, 17}},
        {"market", {3, 6, 9, 12, 15, 18}},
    };
    std::size_t jobs = 0;
    for (const auto &[street, numbers] : streets) {
        const fs::path folder = fs::path("engraver") / street;
        fs::create_directories(folder);
        for (int n : numbers) {
            hand_over(fs::path("plaques") / plaque(n), folder / plaque(n));
            jobs++;
        }
        std::uintmax_t bytes = 0;
        for (const auto &e : fs::directory_iterator(folder))
            bytes += e.file_size();
        std::printf("%-7s %zu plaques, %ju bytes\n", street.c_str(), numbers.size(), bytes);
    }
    std::printf("%zu texts handed over\n", jobs);
}
