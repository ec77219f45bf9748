// Longest chain of words that begin as the one before ends.
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

static std::string read_all(const char *path)
{
    std::string text;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return text;
    char piece[1024];
    ssize_t n;
    while ((n = read(fd, piece, sizeof piece)) > 0)
        text.append(piece, n);
    close(fd);
    return text;
}

int main()
{
    const std::string text = read_all("words.lst");
    std::string_view rest = text;
    size_t longest = 0, chain = 0, words = 0;
    char last = 0;
    while (!rest.empty()) {
        size_t end = rest.find('\n');
        std::string_view word = rest.substr(0, end);
        chain = last && last <= word.back() ? chain + 1 : 1;
        longest = std::max(longest, chain);
        last = word.back();
        words++;
        rest.remove_prefix(end + 1);
    }
    std::printf("%zu words, longest chain %zu\n", words, longest);
}
