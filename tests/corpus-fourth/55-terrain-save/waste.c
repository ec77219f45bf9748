/* Saves the terrain of a world: one height for each of 128 x 128 places. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static short height[128][128];

static int save(const char *path)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (write(fd, height, sizeof height) != sizeof height || fsync(fd) != 0) {
        close(fd);
        return -1;
    }
    return close(fd);
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
