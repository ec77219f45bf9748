// sensorcsv: turns a packed sensor dump into CSV, with a running mean.
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#pragma pack(push, 1)
struct Sample {
    uint32_t time;
    uint16_t sensor;
    int16_t tenths;
};
#pragma pack(pop)

class Mean {
public:
    double add(double v) {
        sum_ += v;
        return sum_ / ++n_;
    }

private:
    double sum_ = 0;
    long n_ = 0;
};

static std::vector<Sample> load(const std::string &path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in)
        throw std::runtime_error("cannot open " + path);
    auto size = static_cast<size_t>(in.tellg());
    std::vector<Sample> v(size / sizeof(Sample));
    in.seekg(0);
    in.read(reinterpret_cast<char *>(v.data()), static_cast<std::streamsize>(v.size() * sizeof(Sample)));
    return v;
}

int main(int argc, char **argv) {
    std::string in = argc > 1 ? argv[1] : "dump.bin";
    std::string out = argc > 2 ? argv[2] : "dump.csv";
    try {
        auto samples = load(in);
        std::vector<Mean> means(16);
        std::ofstream csv(out);
        csv << "time,sensor,value,mean" << std::endl;
        csv << std::fixed << std::setprecision(2);
        for (const auto &s : samples) {
            double v = s.tenths / 10.0;
            csv << s.time << ',' << s.sensor << ',' << v << ','
                << means[s.sensor % 16].add(v) << std::endl;
        }
        csv.close();
        std::cout << samples.size() << " samples" << '\n';
        return csv ? 0 : 1;
    } catch (const std::exception &e) {
        std::cerr << e.what() << '\n';
        return 1;
    }
}
