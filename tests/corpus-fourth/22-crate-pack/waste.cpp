// Packs all members into crate.pak: a table of checksums and sizes, then the contents.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

struct Entry {
    uint32_t sum;
    uint32_t size;
};

static std::string slurp(const std::string &path)
{
    std::ifstream in(path, std::ios::binary);
    return { std::istreambuf_iterator<char>(in), {} };
}

static uint32_t checksum(const std::string &s)
{
    uint32_t h = 5381;
    for (unsigned char c : s)
        h = h * 33 + c;
    return h;
}

int main()
{
    std::vector<Entry> table;
    for (int i = 0; i < 40; i++) {
        std::string content = slurp("members/m" + std::to_string(i) + ".dat");
        table.push_back({ checksum(content), static_cast<uint32_t>(content.size()) });
    }
    std::ofstream out("crate.pak", std::ios::binary);
    for (const Entry &e : table)
        out << std::hex << e.sum << ' ' << e.size << '\n';
    for (int i = 0; i < 40; i++)
        out << slurp("members/m" + std::to_string(i) + ".dat");
    out.close();
    std::string pak = slurp("crate.pak");
    std::cout << "40 members, " << pak.size() << " bytes, " << std::hex << checksum(pak) << "\n";
}
