// Adds up the words of all pages.
#include <cstdio>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

class Fd {
    int fd;

public:
    explicit Fd(const std::string &path) : fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC))
    {
        if (fd < 0)
            throw std::runtime_error("cannot open " + path);
    }
    ~Fd()
    {
        if (fd >= 0)
            ::close(fd);
    }
    Fd(const Fd &) = delete;
    int get() const { return fd; }
    int release()
    {
        int r = fd;
        fd = -1;
        return r;
    }
};

static int words(const std::string &path)
{
    Fd fd(path);
    FILE *f = fdopen(fd.release(), "r");
    int page, n = 0;
    if (std::fscanf(f, "page %d has %d", &page, &n) != 2)
        n = 0;
    std::fclose(f);
    return n;
}

int main()
{
    int total = 0;
    for (int i = 0; i < 25; i++)
        total += words("pages/p" + std::to_string(i) + ".txt");
    std::printf("25 pages, %d words\n", total);
}
