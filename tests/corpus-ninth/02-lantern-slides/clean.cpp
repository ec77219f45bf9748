#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

namespace fs = std::filesystem;

struct Slide {
    std::string name;
    int width = 0, height = 0;
};

class Projector {
public:
    Projector(fs::path collection, fs::path mount)
        : collection_(std::move(collection)), mount_(std::move(mount)), ready_(fs::is_directory(collection_)),
          margin_(fs::exists(mount_) ? 3 : 7), lamps_(static_cast<long>(fs::file_size("lamps.tbl")) / 7)
    {
    }

    bool ready() const { return ready_; }

    int margin() const { return margin_; }

    long lamps() const { return lamps_; }

    int show(const Slide &s) const
    {
        if (!ready())
            return -1;
        const int w = s.width - 2 * margin(), h = s.height - 2 * margin();
        return w <= 0 || h <= 0 ? 0 : w * h * static_cast<int>(lamps());
    }

    const fs::path &collection() const { return collection_; }

private:
    fs::path collection_, mount_;
    bool ready_;
    int margin_;
    long lamps_;
};

int main()
{
    const Projector projector("collection", "mounts/brass");
    std::ifstream in("show.txt");
    std::ofstream out("exposures.txt");
    std::map<int, int> brightness;
    long sum = 0;
    int slides = 0;
    for (Slide s; in >> s.name >> s.width >> s.height;) {
        const int light = projector.show(s);
        if (light < 0)
            return 1;
        out << s.name << ' ' << light << '\n';
        brightness[light / 2000]++;
        sum += light;
        slides++;
    }
    out.close();
    std::cout << slides << " slides from " << projector.collection().string() << ", " << sum << " units of light\n";
    for (const auto &[step, count] : brightness)
        std::cout << "from " << step * 2000 << ": " << count << '\n';
    return 0;
}
