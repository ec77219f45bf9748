#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

#define ROOT 16384
#define SIZE 65536

static char image[SIZE];

static int load(void)
{
    int fd = open("tree.idx", O_RDONLY | O_CLOEXEC);
    ssize_t n = read(fd, image, SIZE);
    close(fd);
    return n == SIZE ? 0 : -1;
}

static int store_root(void)
{
    int fd = open("tree.idx", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    int bad = pwrite(fd, image, ROOT, 0) != ROOT || fsync(fd) < 0;
    return close(fd) < 0 || bad ? -1 : 0;
}

int main(void)
{
    for (int gen = 1; gen <= 2; gen++) {
        if (load() < 0)
            return 1;
        for (int i = 0; i < ROOT; i++)
            image[i] = 'a' + (i + gen) % 26;
        if (store_root() < 0) {
            perror("tree.idx");
            return 1;
        }
    }
    if (load() < 0)
        return 1;
    printf("%c%c %c\n", image[0], image[ROOT - 1], image[ROOT]);
    return 0;
}
