// The entry of the driver.

#include <iostream>

#include "program.hpp"

int main(int count, char** arguments) {
    std::ios::sync_with_stdio(false);
    return driver::drive({arguments + 1, arguments + count}, std::cin, std::cout, std::cerr);
}
