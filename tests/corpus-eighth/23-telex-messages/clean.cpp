// Counts the words of the telex messages in a day file, by destination.
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <fcntl.h>
#include <unistd.h>

static std::string store;
static size_t at;

static bool fill(int fd)
{
    char block[65536];
    ssize_t n = read(fd, block, sizeof block);
    if (n <= 0)
        return false;
    store.erase(0, at).append(block, static_cast<size_t>(n));
    at = 0;
    return true;
}

static bool header(int fd, std::string &line)
{
    size_t end;
    while ((end = store.find('\n', at)) == std::string::npos)
        if (!fill(fd))
            return false;
    line = store.substr(at, end - at);
    at = end + 1;
    return true;
}

static bool body(int fd, std::string &text, size_t len)
{
    while (store.size() - at < len)
        if (!fill(fd))
            return false;
    text = store.substr(at, len);
    at += len;
    return true;
}

int main()
{
    int fd = open("telex.txt", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 1;
    std::map<std::string, std::pair<int, size_t>> stations;
    std::string line, text;
    while (header(fd, line)) {
        char to[16];
        size_t len;
        if (sscanf(line.c_str(), "TO %15s LEN %zu", to, &len) != 2 || !body(fd, text, len))
            return 1;
        auto &s = stations[to];
        s.first++;
        for (char c : text)
            s.second += c == ' ';
    }
    close(fd);
    for (const auto &[name, s] : stations)
        std::cout << name << ": " << s.first << " messages, " << s.second << " words\n";
}
