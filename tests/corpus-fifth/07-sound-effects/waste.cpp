// Loads all sound effects of a game level at its start and mixes a test chord.
#include <array>
#include <cstdio>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using Sample = std::vector<char>;

static Sample load(const std::string &path)
{
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in)
        throw std::runtime_error("cannot open " + path);
    const auto size = in.tellg();
    in.seekg(0);
    Sample s(static_cast<std::size_t>(size));
    if (!in.read(s.data(), static_cast<std::streamsize>(s.size())))
        throw std::runtime_error("cannot read " + path);
    return s;
}

static std::uint32_t mix(const std::vector<Sample> &bank, const std::array<int, 4> &chord)
{
    std::uint32_t sum = 0;
    for (std::size_t t = 0; t < 800; t++) {
        int v = 0;
        for (int i : chord)
            v += bank[i][t] - 79;
        sum = sum * 31 + static_cast<std::uint32_t>(v + 1000);
    }
    return sum;
}

int main()
{
    std::vector<Sample> bank;
    std::size_t bytes = 0;
    for (int i = 1; i <= 36; i++) {
        char name[32];
        std::snprintf(name, sizeof name, "fx/fx%02d.pcm", i);
        bank.push_back(load(name));
        bytes += bank.back().size();
    }
    std::printf("%zu effects, %zu bytes\n", bank.size(), bytes);
    std::printf("chord %08x\n", mix(bank, {0, 7, 19, 30}));
    std::printf("chord %08x\n", mix(bank, {2, 11, 23, 35}));
}
