// accesslog: turns a raw access log (epoch seconds) into the usual readable form
// and counts hits by hour of the local day.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <sys/stat.h>

struct Hit {
    std::time_t when = 0;
    int status = 0;
    long bytes = 0;
    std::string path;
};

static bool parse(const std::string &line, Hit &hit) {
    std::istringstream in(line);
    long long when;
    if (!(in >> when >> hit.status >> hit.bytes >> hit.path))
        return false;
    hit.when = static_cast<std::time_t>(when);
    return true;
}

static std::string stamp(std::time_t when, int &hour) {
    std::tm *local = std::localtime(&when);
    hour = local->tm_hour;
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02d-%02d %02d:%02d:%02d", local->tm_year + 1900,
                  local->tm_mon + 1, local->tm_mday, local->tm_hour, local->tm_min, local->tm_sec);
    return text;
}

int main() {
    std::ifstream in("access.raw");
    if (!in) {
        std::cerr << "cannot read access.raw\n";
        return 1;
    }
    mkdir("out", 0777);
    std::ofstream out("out/access.log");
    std::map<int, int> by_hour;
    std::string line;
    long hits = 0, bad = 0, bytes = 0;
    while (std::getline(in, line)) {
        Hit hit;
        if (!parse(line, hit)) {
            ++bad;
            continue;
        }
        int hour = 0;
        out << '[' << stamp(hit.when, hour) << "] " << hit.status << ' ' << hit.bytes << ' '
            << hit.path << '\n';
        ++by_hour[hour];
        ++hits;
        bytes += hit.bytes;
    }
    out.close();
    for (const auto &h : by_hour)
        std::cout << h.first << "h " << h.second << '\n';
    std::cout << hits << " hits, " << bytes << " bytes, " << bad << " bad lines\n";
    return 0;
}
