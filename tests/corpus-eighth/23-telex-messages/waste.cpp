// Counts the words of the telex messages in a day file, by destination.
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <fcntl.h>
#include <unistd.h>

static bool header(int fd, std::string &line)
{
    char block[1024];
    ssize_t n = read(fd, block, sizeof block);
    if (n <= 0)
        return false;
    const char *end = static_cast<const char *>(memchr(block, '\n', static_cast<size_t>(n)));
    if (!end)
        return false;
    line.assign(block, static_cast<size_t>(end - block));
    off_t used = end - block + 1;
    return lseek(fd, used - n, SEEK_CUR) >= 0;
}

static bool body(int fd, std::string &text, size_t len)
{
    text.resize(len);
    return read(fd, text.data(), len) == static_cast<ssize_t>(len);
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
