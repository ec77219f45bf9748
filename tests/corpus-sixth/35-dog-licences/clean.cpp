// Prints the dog licences: the owners' file stays open while a helper looks at each photo.
#include <cstdio>
#include <cstdlib>
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
    // "e": the helpers that are started meanwhile must not have this file
    explicit Owners(const std::string &path) : in_(std::fopen(path.c_str(), "re")) {
        if (!in_) throw std::runtime_error("cannot open " + path);
    }

    Owners(const Owners &) = delete;
    ~Owners() {
        std::free(line_);
        std::fclose(in_);
    }

    bool next(Owner &owner) {
        ssize_t n = getline(&line_, &room_, in_);
        if (n < 0) return false;
        if (n > 0 && line_[n - 1] == '\n') line_[--n] = '\0';
        std::istringstream fields(line_);
        std::getline(fields, owner.tag, ':');
        std::getline(fields, owner.name, ':');
        std::getline(fields, owner.phone);
        return true;
    }

private:
    std::FILE *in_;
    char *line_ = nullptr;
    size_t room_ = 0;
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
