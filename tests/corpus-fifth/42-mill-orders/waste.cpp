// Sums the orders of a saw mill: each order has its own directory with order.txt and gets a bill.txt.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Order {
    int boards = 0, length = 0;
    std::string wood;
};

class InDirectory {
public:
    explicit InDirectory(const fs::path &dir, const fs::path &back) : back_(back) { fs::current_path(dir); }
    ~InDirectory() { fs::current_path(back_); }
    InDirectory(const InDirectory &) = delete;
    InDirectory &operator=(const InDirectory &) = delete;

private:
    fs::path back_;
};

static Order read_order(const fs::path &file) {
    Order o;
    std::ifstream(file) >> o.boards >> o.length >> o.wood;
    return o;
}

static long handle(const fs::path &dir, const fs::path &home) {
    InDirectory here(dir, home);
    Order o = read_order("order.txt");
    long price = 12L * o.boards * o.length;
    std::ofstream("bill.txt") << o.boards << " boards of " << o.wood << ": " << price << '\n';
    return price;
}

int main() {
    const fs::path home = fs::current_path();
    long total = 0, dearest = 0;
    int n = 0;
    for (int i = 1; i <= 40; ++i) {
        long price = handle(fs::path("orders") / ("o" + std::to_string(i)), home);
        total += price;
        dearest = std::max(dearest, price);
        ++n;
    }
    std::cout << n << " orders, total " << total << ", dearest " << dearest << '\n';
    return 0;
}
