// accessfmt turns the compact access records of a gateway into common log lines.
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

namespace {

const char *const kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct Record {
    long long when = 0;
    std::string method;
    std::string path;
    int status = 0;
    long bytes = 0;
};

bool parse(const std::string &line, Record &r)
{
    std::istringstream in(line);
    return static_cast<bool>(in >> r.when >> r.method >> r.path >> r.status >> r.bytes);
}

// Local wall-clock time of a record.
std::string stamp(long long when)
{
    time_t t = static_cast<time_t>(when);
    struct tm tm;
    localtime_r(&t, &tm);
    char buf[80];
    snprintf(buf, sizeof buf, "%02d/%s/%04d:%02d:%02d:%02d", tm.tm_mday, kMonths[tm.tm_mon],
             tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
    return buf;
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::cerr << "usage: accessfmt IN OUT\n";
        return 2;
    }
    std::ifstream in(argv[1]);
    std::ofstream out(argv[2]);
    if (!in || !out) {
        std::cerr << "accessfmt: cannot open files\n";
        return 1;
    }
    tzset();
    std::string line;
    long lines = 0, errors = 0, bad = 0;
    while (std::getline(in, line)) {
        Record r;
        if (!parse(line, r)) {
            bad++;
            continue;
        }
        out << "- - [" << stamp(r.when) << "] \"" << r.method << ' ' << r.path
            << "\" " << r.status << ' ' << r.bytes << '\n';
        lines++;
        if (r.status >= 500)
            errors++;
    }
    out.close();
    std::cout << lines << " lines, " << errors << " errors, " << bad << " bad\n";
    return 0;
}
