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

static void write_full(const std::string &path, const std::vector<Cow> &cows) {
    std::ofstream out(path);
    out << std::fixed << std::setprecision(1);
    for (const Cow &c : cows) {
        out << c.tag << ',' << c.barn;
        for (double l : c.litres) out << ',' << l;
        out << '\n';
    }
}

int main() {
    limit_output(16 * 1024);
    const auto cows = herd(300);
    write_full("yields.csv", cows);
    double all = 0;
    for (const Cow &c : cows) all += c.total();
    std::cout << cows.size() << " cows, " << std::fixed << std::setprecision(1) << all
              << " litres\n";
    std::cout << "yields saved\n";
}
