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
    struct stat st;
    if (fstat(fd, &st) == 0) {
        text.resize(st.st_size);
        size_t done = 0;
        ssize_t n;
        while (done < text.size() && (n = read(fd, text.data() + done, text.size() - done)) > 0)
            done += n;
        text.resize(done);
    }
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
