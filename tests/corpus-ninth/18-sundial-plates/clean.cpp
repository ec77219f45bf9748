#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <numbers>
#include <sstream>
#include <string>


struct Point {
    double x, y;
};

static std::map<std::string, std::string> readConf(const char *path)
{
    std::map<std::string, std::string> conf;
    std::ifstream in(path);
    std::string line;
    while (std::getline(in, line)) {
        const auto gap = line.find(' ');
        if (gap != std::string::npos)
            conf[line.substr(0, gap)] = line.substr(gap + 1);
    }
    return conf;
}

static double radians(double degrees)
{
    return degrees * std::numbers::pi / 180;
}

// The angle of the hour line on a horizontal dial.
static double hourLine(double latitude, double hour)
{
    const double t = radians(15 * (hour - 12));
    return std::atan2(std::sin(radians(latitude)) * std::sin(t), std::cos(t));
}

static Point at(double radius, double angle)
{
    return {std::round(radius * std::sin(angle) * 10) / 10, std::round(-radius * std::cos(angle) * 10) / 10};
}

int main()
{
    auto conf = readConf("dial.conf");
    const double latitude = std::stod(conf["latitude"]);
    const double radius = std::stod(conf["radius"]);
    std::ofstream svg("plate.svg");
    if (!svg)
        return 1;
    int lines = 0;
    svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-200 -200 400 400\">" << '\n';
    for (int quarter = 5 * 4; quarter <= 19 * 4; quarter++) {
        const double angle = hourLine(latitude, quarter / 4.0);
        const bool full = quarter % 4 == 0;
        const Point a = at(full ? radius * 0.6 : radius * 0.85, angle), b = at(radius, angle);
        svg << "<path d=\"M" << a.x << ' ' << a.y << " L" << b.x << ' ' << b.y << "\"/>" << '\n';
        svg << "<!-- " << quarter / 4 << ':' << quarter % 4 * 15 << " -->" << '\n';
        lines++;
        if (full) {
            const Point label = at(radius * 1.05, angle);
            svg << "<text x=\"" << label.x << "\" y=\"" << label.y << "\">" << quarter / 4 << "</text>" << '\n';
        }
    }
    svg << "<text y=\"60\">" << conf["motto"] << "</text>" << '\n';
    svg << "</svg>" << '\n';
    svg.close();
    if (!svg)
        return 1;
    std::cout << lines << " hour lines for latitude " << latitude << '\n';
    return 0;
}
