// Reads the scanned labels of a cellar: the house, the vintage, and how long the description is.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Label {
    std::string house;
    int vintage = 0;
    std::string notes;
};

static Label load(const fs::path &path)
{
    int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0)
        throw std::runtime_error("cannot open " + path.string());
    std::string all(st.st_size, '\0');
    ssize_t got = read(fd, all.data(), all.size());
    close(fd);
    if (got != st.st_size)
        throw std::runtime_error("cannot read " + path.string());
    Label label;
    size_t end = all.find('\n');
    size_t next = all.find('\n', end + 1);
    label.house = all.substr(0, end);
    label.vintage = std::stoi(all.substr(end + 1, next - end - 1));
    label.notes = all.substr(next + 1);
    return label;
}

int main()
{
    std::map<std::string, std::vector<Label>> cellar;
    size_t longest = 0;
    for (int i = 1; i <= 34; i++) {
        Label label = load("labels/l" + std::to_string(i) + ".txt");
        longest = std::max(longest, label.notes.size());
        cellar[label.house].push_back(std::move(label));
    }
    for (const auto &[house, labels] : cellar) {
        int oldest = 9999, described = 0;
        for (const auto &l : labels) {
            oldest = std::min(oldest, l.vintage);
            described += !l.notes.empty();
        }
        std::cout << house << ": " << labels.size() << " bottles, oldest " << oldest << ", " << described
                  << " described\n";
    }
    std::cout << "longest description " << longest << " letters\n";
}
