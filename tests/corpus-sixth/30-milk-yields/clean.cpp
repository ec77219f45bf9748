// Yield report of a dairy herd. Plugins run with a limit on the size of the files they make.
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <sys/resource.h>
#include <vector>

struct Cow {
    int tag;
    std::string barn;
    std::vector<double> litres;
    double total() const {
        double sum = 0;
        for (double l : litres) sum += l;
        return sum;
    }
};

static void limit_output(rlim_t bytes) {
    rlimit lim{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &lim);
    std::signal(SIGXFSZ, SIG_IGN);
}

static std::vector<Cow> herd(int n) {
    static const char *barns[] = {"north", "brook", "hill"};
    std::vector<Cow> cows;
    for (int i = 0; i < n; i++) {
        Cow c{4000 + i, barns[i % 3], {}};
        for (int d = 0; d < 14; d++) c.litres.push_back(18 + (i * 7 + d * 3) % 90 / 10.0);
        cows.push_back(std::move(c));
    }
    return cows;
}

static bool write_rows(const std::string &path, const Cow *from, const Cow *to) {
    std::ofstream out(path);
    out << std::fixed << std::setprecision(1);
    for (; from != to && out; ++from) {
        out << from->tag << ',' << from->barn;
        for (double l : from->litres) out << ',' << l;
        out << '\n';
    }
    out.close();
    return !out.fail();
}

// One file when it fits, else a file per hundred cows.
static bool write_full(const std::string &stem, const std::vector<Cow> &cows) {
    if (write_rows(stem + ".csv", cows.data(), cows.data() + cows.size())) return true;
    std::cerr << stem << ".csv: too large for one file, writing parts\n";
    std::remove((stem + ".csv").c_str());
    for (size_t at = 0; at < cows.size(); at += 100) {
        const size_t end = std::min(at + 100, cows.size());
        if (!write_rows(stem + "-" + std::to_string(at / 100) + ".csv", &cows[at], &cows[at] + (end - at)))
            return false;
    }
    return true;
}

int main() {
    limit_output(16 * 1024);
    const auto cows = herd(300);
    if (!write_full("yields", cows)) {
        std::cerr << "yields could not be saved\n";
        return 1;
    }
    double all = 0;
    for (const Cow &c : cows) all += c.total();
    std::cout << cows.size() << " cows, " << std::fixed << std::setprecision(1) << all
              << " litres\n";
    std::cout << "yields saved\n";
}
