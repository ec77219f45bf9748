#include <cmath>
#include <fstream>
#include <iostream>
#include <vector>

struct Point {
    int x, y;
};

class Contour {
    std::vector<Point> pts_;
public:
    void trace(int n) {
        for (int i = 0; i < n; i++)
            pts_.push_back({i * 3, static_cast<int>(100 * std::sin(i / 20.0))});
    }
    void save(const std::string &path) const {
        std::ofstream out(path);
        for (const Point &p : pts_)
            out << p.x << ' ' << p.y << std::endl;
        out.close();
        if (!out)
            throw std::runtime_error("cannot write " + path);
    }
    std::size_t size() const { return pts_.size(); }
};

int main() {
    Contour c;
    c.trace(400);
    c.save("contour.txt");
    std::cout << c.size() << " points saved\n";
}
