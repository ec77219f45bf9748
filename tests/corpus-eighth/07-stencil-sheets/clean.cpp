// Counts the cut area of each stencil sheet.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

static std::string load(const fs::path &path)
{
    int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || ::fstat(fd, &st) < 0)
        throw std::runtime_error("cannot open " + path.string());
    std::string text(static_cast<size_t>(st.st_size), '\0');
    ssize_t got = ::read(fd, text.data(), text.size());
    ::close(fd);
    text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
    return text;
}

struct Sheet {
    std::string name;
    size_t rows = 0, cut = 0;
};

int main()
{
    std::vector<Sheet> sheets;
    for (const auto &entry : fs::directory_iterator("sheets")) {
        std::string text = load(entry.path());
        Sheet s;
        s.name = entry.path().stem();
        s.rows = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
        s.cut = static_cast<size_t>(std::count(text.begin(), text.end(), 'X'));
        sheets.push_back(s);
    }
    std::sort(sheets.begin(), sheets.end(), [](const Sheet &a, const Sheet &b) {
        return a.cut != b.cut ? a.cut > b.cut : a.name < b.name;
    });
    size_t all = 0;
    for (const auto &s : sheets)
        all += s.cut;
    for (size_t i = 0; i < 5; i++)
        std::cout << sheets[i].name << ' ' << sheets[i].rows << " rows, " << sheets[i].cut << " cut\n";
    std::cout << sheets.size() << " sheets, " << all << " cut in all\n";
}
