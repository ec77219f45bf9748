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

static Order read_order(const fs::path &file) {
    Order o;
    std::ifstream(file) >> o.boards >> o.length >> o.wood;
    return o;
}

static long handle(const fs::path &dir) {
    Order o = read_order(dir / "order.txt");
    long price = 12L * o.boards * o.length;
    std::ofstream(dir / "bill.txt") << o.boards << " boards of " << o.wood << ": " << price << '\n';
    return price;
}

int main() {
    long total = 0, dearest = 0;
    int n = 0;
    for (int i = 1; i <= 40; ++i) {
        long price = handle(fs::path("orders") / ("o" + std::to_string(i)));
        total += price;
        dearest = std::max(dearest, price);
        ++n;
    }
    std::cout << n << " orders, total " << total << ", dearest " << dearest << '\n';
    return 0;
}
