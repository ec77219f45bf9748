// Makes a catalogue of the bee hives' record files with absolute names for the web pages.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Record {
    std::string uri;
    std::string apiary;
    int frames;
};

static std::string encode(const std::string &text) {
    static const char hex[] = "0123456789ABCDEF";
    std::string out;
    for (unsigned char c : text) {
        if (std::isalnum(c) || c == '/' || c == '.' || c == '-' || c == '_') {
            out += c;
        } else {
            out += '%';
            out += hex[c >> 4];
            out += hex[c & 15];
        }
    }
    return out;
}

static std::string uri_of(const fs::path &path) {
    return "file://" + encode(fs::absolute(path).string());
}

static Record read_record(const fs::path &path) {
    std::ifstream in(path);
    int frames = 0;
    in >> frames;
    return {uri_of(path), path.parent_path().filename().string(), frames};
}

int main() {
    std::vector<Record> records;
    for (const auto &apiary : {"hives/hill", "hives/meadow"})
        for (const auto &entry : fs::directory_iterator(apiary))
            records.push_back(read_record(entry.path()));
    std::sort(records.begin(), records.end(),
              [](const Record &a, const Record &b) { return a.uri < b.uri; });

    std::ofstream out("catalogue.txt");
    int frames = 0, hill = 0;
    for (const auto &r : records) {
        out << r.apiary << ' ' << r.frames << ' ' << r.uri << '\n';
        frames += r.frames;
        hill += r.apiary == "hill";
    }
    out.close();
    std::cout << records.size() << " hives, " << hill << " on the hill, " << frames << " frames\n";
    std::cout << "first file: " << fs::path(records.front().uri).filename().string() << '\n';
}
