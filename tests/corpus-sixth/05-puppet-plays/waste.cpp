// Packs the scenes of the puppet plays into one file with an index behind them.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

struct Entry {
    std::string name;
    std::uint64_t offset;
    std::uint32_t length;
};

static std::string scene_text(int n) {
    std::string s = "SCENE " + std::to_string(n) + "\n";
    for (int i = 0; i < 12 + n % 20; i++)
        s += (i + n) % 3 ? "KASPER: Tri tra trallala!\n" : "CROCODILE: Snap.\n";
    return s;
}

class Pack {
    std::ofstream out;
    std::vector<Entry> index;

public:
    explicit Pack(const char *path) : out(path, std::ios::binary | std::ios::trunc) {}

    void add(const std::string &name, const std::string &text) {
        index.push_back({name, static_cast<std::uint64_t>(out.tellp()),
                         static_cast<std::uint32_t>(text.size())});
        out.write(text.data(), text.size());
    }

    std::uint64_t finish() {
        std::uint64_t sum = 0;
        for (const Entry &e : index) {
            out << e.name << ' ' << e.offset << ' ' << e.length << '\n';
            sum += e.offset;
        }
        out.close();
        if (!out) {
            std::perror("plays.pak");
            std::exit(1);
        }
        return sum;
    }

    const Entry &last() const { return index.back(); }
};

int main() {
    Pack pack("plays.pak");
    for (int n = 1; n <= 200; n++)
        pack.add("scene" + std::to_string(n), scene_text(n));
    std::cout << "last scene at " << pack.last().offset << ", " << pack.last().length << " bytes\n";
    std::cout << "offset sum " << pack.finish() << "\n";
    return 0;
}
