// Lays out the plates of a bestiary: two lines for each picture.
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct Beast {
    std::string kind, folio;
    int width = 0, height = 0;
};

static std::vector<Beast> load(const char *path)
{
    std::vector<Beast> beasts;
    std::ifstream in(path);
    Beast b;
    while (in >> b.kind >> b.folio >> b.width >> b.height)
        beasts.push_back(b);
    return beasts;
}

static void plate(std::ostream &out, const Beast &b, int number)
{
    const double scale = b.width > 180 ? 0.75 : 1.0;
    out << "plate " << std::setw(3) << number << "  " << b.kind << ", " << b.folio << '\n';
    out << "      " << std::fixed << std::setprecision(1) << b.width * scale << " by "
        << b.height * scale << " mm, colour" << '\n';
}

int main()
{
    const std::vector<Beast> beasts = load("beasts.txt");
    std::map<std::string, int> kinds;
    std::ofstream out("plates.txt");
    if (beasts.empty() || !out)
        return 1;

    int number = 0;
    for (const Beast &b : beasts) {
        plate(out, b, ++number);
        kinds[b.kind]++;
    }
    out.close();
    if (!out)
        return 1;

    for (const auto &[kind, n] : kinds)
        std::cout << kind << ' ' << n << '\n';
    std::cout << number << " plates\n";
}
