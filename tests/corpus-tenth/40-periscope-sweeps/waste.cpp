// Reads the periscope sweeps of a watch: a head of two lines, then the picture.
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

struct Head {
    int bearing = 0;
    int marks = 0;
    long length = 0;
};

static bool read_head(int fd, Head &head)
{
    FILE *f = fdopen(fcntl(fd, F_DUPFD_CLOEXEC, 0), "r");
    if (!f)
        return false;
    bool ok = fscanf(f, "bearing %d marks %d", &head.bearing, &head.marks) == 2;
    if (ok && fgetc(f) == '\n')
        head.length = ftell(f);
    return ok && head.length > 0;
}

static int ships(int fd, const Head &head)
{
    std::vector<char> picture(512);
    ssize_t n = pread(fd, picture.data(), picture.size(), head.length);
    int found = 0;
    for (ssize_t i = 0; i < n; i++)
        found += picture[i] == '#';
    return found;
}

int main()
{
    int sweeps = 0, bad = 0, all = 0, marked = 0, busiest = 0, most = -1;

    for (int i = 10; i < 40; i++) {
        std::string path = "sweeps/s" + std::to_string(i) + ".log";
        int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (fd < 0) {
            bad++;
            continue;
        }
        Head head;
        if (read_head(fd, head)) {
            int n = ships(fd, head);
            sweeps++;
            all += n;
            marked += head.marks;
            if (n > most) {
                most = n;
                busiest = head.bearing;
            }
        } else {
            bad++;
        }
        close(fd);
    }
    std::cout << sweeps << " sweeps, " << bad << " bad\n"
              << all << " ships, " << marked << " marked by hand\n"
              << "busiest bearing " << busiest << "\n";
    return 0;
}
