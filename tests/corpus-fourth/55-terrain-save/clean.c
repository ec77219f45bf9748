/* Saves the terrain of a world: one height for each of 128 x 128 places. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static short height[128][128];

static int save(const char *path)
{
    char fresh[64];

    snprintf(fresh, sizeof fresh, "%s.new", path);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return -1;
    if (write(fd, height, sizeof height) != sizeof height || fsync(fd) != 0) {
        close(fd);
        return -1;
    }
    if (close(fd) != 0 || rename(fresh, path) != 0)
        return -1;
    int dir = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0 || fsync(dir) != 0)
        return -1;
    return close(dir);
}

int main(void)
{
    long sum = 0;

    for (int y = 0; y < 128; y++)
        for (int x = 0; x < 128; x++)
            sum += height[y][x] = (x * y + 7 * x) % 500;
    if (save("world.dat") != 0) {
        perror("world.dat");
        return 1;
    }
    printf("world saved, mean height %ld\n", sum / (128 * 128));
    return 0;
}
