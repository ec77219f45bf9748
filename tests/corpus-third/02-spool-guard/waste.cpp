#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace fs = std::filesystem;

class Spool {
    fs::path root_;
    std::vector<std::string> accepted_;
    bool check() const {
        return fs::is_directory(root_ / "out") && !fs::exists(root_ / "PAUSE");
    }
public:
    explicit Spool(fs::path root) : root_(std::move(root)) {
    }
    bool accept(const std::string &to, int size) {
        if (!check())
            return false;
        if (size > 10)
            return false;
        accepted_.push_back(to);
        return true;
    }
    void flush() {
        std::ofstream out(root_ / "out" / "batch");
        for (const auto &a : accepted_)
            out << a << '\n';
    }
    size_t size() const { return accepted_.size(); }
};

int main() {
    Spool s(fs::absolute("spool"));
    std::ifstream in("mails.txt");
    std::string to;
    int size, refused = 0;
    while (in >> to >> size)
        refused += !s.accept(to, size);
    s.flush();
    std::cout << s.size() << " accepted, " << refused << " refused\n";
}
