// Compares the brightness of films that were taken at six tide pools.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using Film = std::vector<unsigned char>;

static bool load(const std::string &path, Film &film)
{
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    struct stat st;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return false;
    }
    film.assign(st.st_size, 0);
    size_t used = 0;
    while (used < film.size()) {
        const ssize_t n = read(fd, film.data() + used, film.size() - used);
        if (n <= 0)
            break;
        used += n;
    }
    close(fd);
    return used == film.size();
}

int main()
{
    size_t bytes = 0;
    int brightest = 0;
    unsigned long most = 0;
    for (int pool = 1; pool <= 6; pool++) {
        Film film;
        const std::string path = "films/pool" + std::to_string(pool) + ".raw";
        if (!load(path, film)) {
            std::perror(path.c_str());
            return 1;
        }
        unsigned long light = 0;
        for (unsigned char c : film)
            light += c;
        std::printf("pool %d: %lu\n", pool, light);
        bytes += film.size();
        if (light > most) {
            most = light;
            brightest = pool;
        }
    }
    std::printf("%zu bytes, brightest pool %d\n", bytes, brightest);
}
