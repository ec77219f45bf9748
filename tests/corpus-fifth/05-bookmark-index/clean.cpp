// Makes the bookmark file of a plain-text manual: chapter title -> byte offset.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

struct Bookmark {
    std::string title;
    long long offset;
    int lines;
};

static std::vector<Bookmark> scan(const std::string &name)
{
    std::vector<Bookmark> marks;
    std::ifstream in(name, std::ios::binary);
    std::string line;
    long long next = 0;
    while (std::getline(in, line)) {
        const long long here = next;
        next += static_cast<long long>(line.size()) + 1;
        if (line.starts_with("== "))
            marks.push_back({line.substr(3), here, 0});
        else if (!marks.empty())
            marks.back().lines++;
    }
    return marks;
}

int main()
{
    const auto marks = scan("manual.txt");
    std::ofstream out("manual.idx");
    for (const auto &m : marks)
        out << m.offset << '\t' << m.title << '\n';
    out.close();
    if (!out) {
        std::cerr << "cannot write manual.idx\n";
        return 1;
    }
    std::size_t shown = 0;
    for (const auto &m : marks) {
        std::printf("%-12s at %6lld, %d lines\n", m.title.c_str(), m.offset, m.lines);
        if (++shown == 6)
            break;
    }
    std::printf("%zu bookmarks\n", marks.size());
}
