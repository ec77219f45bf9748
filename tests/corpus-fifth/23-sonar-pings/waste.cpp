// Reads the pings of a sonar survey: a text header of unknown length, then the samples.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Ping {
    int number = 0;
    int depth = 0;
    std::vector<char> samples;
};

static bool next_ping(std::ifstream &in, long long &pos, Ping &ping)
{
    char head[1024];
    in.read(head, sizeof head - 1);
    const auto got = in.gcount();
    if (got == 0)
        return false;
    head[got] = 0;
    int len = 0;
    const char *eol = std::strchr(head, '\n');
    if (!eol || std::sscanf(head, "PING %d depth=%d len=%d", &ping.number, &ping.depth, &len) != 3)
        throw std::runtime_error("bad ping");
    // the header is shorter than what we took: back to where the samples begin
    in.clear();
    in.seekg(pos + (eol - head) + 1);
    ping.samples.resize(static_cast<std::size_t>(len));
    if (!in.read(ping.samples.data(), len))
        throw std::runtime_error("short ping");
    pos += (eol - head) + 1 + len;
    return true;
}

int main()
{
    std::ifstream in("survey.sonar", std::ios::binary);
    long long pos = 0;
    Ping ping;
    int n = 0, deepest = 0, at = 0;
    unsigned long sum = 0;
    while (next_ping(in, pos, ping)) {
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
