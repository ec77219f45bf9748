#include <cstdint>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Motif {
    std::string name;
    int width, height;
};

struct Entry {
    std::string name;
    std::uint32_t offset, length;
};

static std::vector<Motif> readMotifs(const std::string &path)
{
    std::vector<Motif> all;
    std::ifstream in(path);
    Motif m;
    while (in >> m.name >> m.width >> m.height)
        all.push_back(m);
    return all;
}

static std::string draw(const Motif &m)
{
    std::ostringstream out;
    for (int y = 0; y < m.height; y++) {
        for (int x = 0; x < m.width; x++)
            out << ((x * 7 + y * 3 + m.width) % 4 == 0 ? '#' : '.');
        out << '\n';
    }
    return out.str();
}

int main()
{
    std::vector<Entry> index;
    std::ofstream atlas("atlas.bin", std::ios::binary);
    if (!atlas)
        return 1;
    std::uint32_t at = 0;
    for (const Motif &m : readMotifs("motifs.txt")) {
        const std::string picture = draw(m);
        index.push_back({m.name, at, static_cast<std::uint32_t>(picture.size())});
        atlas << picture;
        at += static_cast<std::uint32_t>(picture.size());
    }
    atlas.close();
    if (!atlas)
        return 1;
    std::ofstream list("atlas.idx");
    std::uint32_t bytes = 0;
    for (const Entry &e : index) {
        list << e.name << ' ' << e.offset << ' ' << e.length << '\n';
        bytes += e.length;
    }
    std::cout << index.size() << " motifs, " << bytes << " bytes\n";
    std::cout << "last at " << index.back().offset << '\n';
    return 0;
}
