// Prints a climbing guide: sectors, routes with grade and length.
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct Route {
    std::string name;
    int grade, metres;
};

static std::string stars(int grade)
{
    return std::string(static_cast<size_t>(grade > 6 ? grade - 5 : 1), '*');
}

int main()
{
    std::ifstream in("routes.txt");
    std::map<std::string, std::vector<Route>> sectors;
    std::string sector;
    Route r;
    while (in >> sector >> r.name >> r.grade >> r.metres)
        sectors[sector].push_back(r);

    std::ofstream guide("guide.txt");
    if (!guide) {
        std::cerr << "cannot write guide.txt\n";
        return 1;
    }
    int count = 0, metres = 0;
    for (const auto &[name, routes] : sectors) {
        guide << "Sector " << name << std::endl;
        for (const auto &route : routes) {
            guide << "  " << std::left << std::setw(12) << route.name << " grade " << route.grade
                  << std::right << std::setw(4) << route.metres << " m " << stars(route.grade) << std::endl;
            count++;
            metres += route.metres;
        }
    }
    guide.close();
    if (!guide) {
        std::cerr << "cannot write guide.txt\n";
        return 1;
    }
    std::cout << sectors.size() << " sectors, " << count << " routes, " << metres << " m\n";
}
