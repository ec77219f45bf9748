#include <filesystem>
#include <iostream>
#include <map>
#include <string>

namespace fs = std::filesystem;

class Counter {
    std::map<std::string, int> kinds_;
    int dirs_ = 0;
public:
    void walk(const fs::path &dir) {
        for (const fs::directory_entry &e : fs::directory_iterator(dir)) {
            if (fs::is_symlink(e.path()))
                continue;
            if (fs::is_directory(e.path())) {
                dirs_++;
                walk(e.path());
            } else {
                kinds_[e.path().extension().string()]++;
            }
        }
    }
    void print() const {
        std::cout << dirs_ << " directories";
        for (const auto &[k, n] : kinds_)
            std::cout << ' ' << k << '=' << n;
        std::cout << '\n';
    }
};

int main() {
    Counter c;
    c.walk("assets");
    c.print();
}
