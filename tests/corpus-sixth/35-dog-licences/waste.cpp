// Prints the dog licences: the owners' file stays open while a helper looks at each photo.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

struct Owner {
    std::string tag;
    std::string name;
    std::string phone;
};

class Owners {
public:
    explicit Owners(const std::string &path) : in_(path) {
        if (!in_) throw std::runtime_error("cannot open " + path);
    }

    bool next(Owner &owner) {
        std::string line;
        if (!std::getline(in_, line)) return false;
        std::istringstream fields(line);
        std::getline(fields, owner.tag, ':');
        std::getline(fields, owner.name, ':');
        std::getline(fields, owner.phone);
        return true;
    }

private:
    std::ifstream in_;
};

// The checksum of a photo as the archive's own tool makes it.
static unsigned long checksum(const std::string &photo) {
    std::FILE *tool = popen(("cksum " + photo).c_str(), "re");
    if (!tool) throw std::runtime_error("cannot start cksum");
    unsigned long sum = 0;
    const int got = std::fscanf(tool, "%lu", &sum);
    if (pclose(tool) != 0 || got != 1) throw std::runtime_error("no checksum of " + photo);
    return sum;
}

int main() {
    Owners owners("owners.private");
    Owner owner;
    int count = 0;
    while (owners.next(owner)) {
        const std::string masked = "***" + owner.phone.substr(owner.phone.size() - 2);
        std::cout << owner.tag << "  " << owner.name << "  " << masked << "  photo "
                  << checksum("photos/" + owner.tag + ".pgm") << '\n';
        count++;
    }
    std::cout << count << " licences\n";
}
