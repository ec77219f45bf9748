// Makes up a toy train: which wagons of the collection fit on the platform?
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct Wagon {
    int number = 0;
    int axles = 0;
    int length = 0;
    std::string gauge;
};

static Wagon load(const std::string &path)
{
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("cannot open " + path);
    Wagon wagon;
    std::string key;
    while (file >> key) {
        if (key == "number")
            file >> wagon.number;
        else if (key == "axles")
            file >> wagon.axles;
        else if (key == "length")
            file >> wagon.length;
        else
            file >> wagon.gauge;
    }
    return wagon;
}

int main()
{
    const int platform = 1200;
    std::vector<Wagon> wagons;
    for (int i = 1; i <= 36; i++)
        wagons.push_back(load("stock/wagon" + std::to_string(i) + ".txt"));
    std::map<std::string, std::vector<Wagon>> by_gauge;
    for (auto &w : wagons)
        by_gauge[w.gauge].push_back(w);
    for (auto &[gauge, list] : by_gauge) {
        std::ranges::sort(list, {}, &Wagon::length);
        int length = 0, axles = 0, taken = 0;
        for (const auto &w : list) {
            if (length + w.length > platform)
                break;
            length += w.length;
            axles += w.axles;
            taken++;
        }
        std::cout << gauge << ": " << taken << " of " << list.size() << " wagons, " << axles
                  << " axles, " << length << " mm\n";
    }
}
