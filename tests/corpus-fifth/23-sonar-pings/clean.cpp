// Reads the pings of a sonar survey: a text header of unknown length, then the samples.
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Ping {
    int number = 0;
    int depth = 0;
    std::vector<char> samples;
};

static bool next_ping(std::ifstream &in, Ping &ping)
{
    std::string head;
    if (!std::getline(in, head))
        return false;
    int len = 0;
    if (std::sscanf(head.c_str(), "PING %d depth=%d len=%d", &ping.number, &ping.depth, &len) != 3)
        throw std::runtime_error("bad ping");
    ping.samples.resize(static_cast<std::size_t>(len));
    if (!in.read(ping.samples.data(), len))
        throw std::runtime_error("short ping");
    return true;
}

int main()
{
    std::ifstream in("survey.sonar", std::ios::binary);
    Ping ping;
    int n = 0, deepest = 0, at = 0;
    unsigned long sum = 0;
    while (next_ping(in, ping)) {
        for (char c : ping.samples)
            sum = sum * 33 + static_cast<unsigned char>(c);
        if (ping.depth > deepest) {
            deepest = ping.depth;
            at = ping.number;
        }
        n++;
    }
    std::printf("%d pings, deepest %d m at ping %d\n", n, deepest, at);
    std::printf("checksum %016lx\n", sum);
}
