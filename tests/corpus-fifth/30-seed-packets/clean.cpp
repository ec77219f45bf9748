// Makes the sheet of labels for seed packets: labels.prn is what the label printer takes.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Seed {
    std::string code, name;
    int grams = 0;
};

static std::vector<Seed> load(const std::string &path) {
    std::vector<Seed> all;
    std::ifstream in(path);
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream f(line);
        Seed s;
        std::string g;
        if (std::getline(f, s.code, ';') && std::getline(f, s.name, ';') && std::getline(f, g)) {
            s.grams = std::stoi(g);
            all.push_back(s);
        }
    }
    return all;
}

static void label(std::ostream &out, const Seed &s) {
    out << "^XA\n^FO20,20^FD" << s.code << "^FS\n"
        << "^FO20,60^FD" << s.name << "^FS\n"
        << "^FO20,100^FD" << s.grams << " g^FS\n";
    for (int row = 0; row < 6; ++row)
        out << "^FO200," << 20 + row * 8 << "^GB" << (s.grams * 7 + row * 13) % 90 + 10 << ",4,4^FS\n";
    out << "^XZ\n";
}

static bool print_labels(const std::vector<Seed> &seeds, const std::string &path) {
    std::ofstream out(path);
    for (const Seed &s : seeds) {
        label(out, s);
        if (!out)
            return false;
    }
    out.close();
    return !out.fail();
}

int main() {
    auto seeds = load("seeds.csv");
    if (!print_labels(seeds, "labels.prn")) {
        std::cerr << "labels.prn: cannot be written, the sheet goes to spare/labels.prn\n";
        if (!print_labels(seeds, "spare/labels.prn")) {
            std::cerr << "spare/labels.prn: cannot be written\n";
            return 1;
        }
    }
    int total = 0;
    for (const Seed &s : seeds)
        total += s.grams;
    std::cout << seeds.size() << " labels, " << total << " g of seed\n";
    return 0;
}
