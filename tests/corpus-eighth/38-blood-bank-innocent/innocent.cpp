// Issues blood units to the wards. A unit may leave the bank only when its issue is on record.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

class Journal {
public:
    explicit Journal(const char *path)
        : fd_(open(path, O_WRONLY | O_CREAT | O_APPEND | O_DSYNC | O_CLOEXEC, 0644))
    {
        if (fd_ < 0)
            throw std::runtime_error("cannot open the journal");
    }
    ~Journal() { close(fd_); }
    Journal(const Journal &) = delete;
    Journal &operator=(const Journal &) = delete;

    void record(const std::string &line)
    {
        if (write(fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            throw std::runtime_error("cannot write the journal");
    }

private:
    int fd_;
};

int main()
{
    std::map<std::string, int> stock = {{"A", 20}, {"B", 9}, {"AB", 5}, {"0", 24}};
    Journal journal("issue.journal");
    std::ifstream requests("requests.txt");
    std::string ward, group;
    int units = 0, refused = 0, issued = 0;
    while (requests >> ward >> group >> units) {
        int &left = stock[group];
        if (left < units) {
            std::cout << ward << ": no " << group << " left\n";
            refused++;
            continue;
        }
        left -= units;
        issued += units;
        journal.record(ward + " " + group + " " + std::to_string(units) + "\n");
        std::cout << ward << ": take " << units << " of " << group << std::endl;
    }
    for (const auto &[name, left] : stock)
        std::cout << name << " " << left << " left\n";
    std::cout << issued << " units issued, " << refused << " requests refused\n";
}
