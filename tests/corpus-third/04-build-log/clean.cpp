#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <unistd.h>

class Logger {
    FILE *out_;
    bool colour_;
public:
    explicit Logger(const char *path) : out_(std::fopen(path, "we")) {
        if (!out_)
            throw std::runtime_error("cannot open log");
        colour_ = isatty(fileno(out_));
    }
    ~Logger() { std::fclose(out_); }
    Logger(const Logger &) = delete;

    bool colour() const {
        return colour_;
    }
    void say(const char *level, const std::string &msg) {
        if (colour())
            std::fprintf(out_, "\033[1m%s\033[0m %s\n", level, msg.c_str());
        else
            std::fprintf(out_, "%s %s\n", level, msg.c_str());
    }
};

int main() {
    Logger log("logs/build.log");
    std::ifstream in("units.txt");
    std::string unit;
    int warnings, total = 0, units = 0;
    while (in >> unit >> warnings) {
        log.say(warnings ? "warn" : "ok", unit + ": " + std::to_string(warnings));
        total += warnings;
        units++;
    }
    std::cout << units << " units, " << total << " warnings\n";
}
