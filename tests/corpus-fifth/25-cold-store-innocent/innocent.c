/* Writes the cold store of a measuring campaign and gives the page cache back as it goes. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PART (512 * 1024)
#define PARTS 4

static char part[PART];

static void fill(int file, int n)
{
    for (int i = 0; i < PART; i++)
        part[i] = (char)(i * 31 + file * 7 + n);
}

static int write_all(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t w = write(fd, p, n);
        if (w < 0)
            return -1;
        p += w;
        n -= w;
    }
    return 0;
}

static void store(int file)
{
    char name[32];
    off_t done = 0;

    snprintf(name, sizeof name, "cold%d.dat", file);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) {
        perror(name);
        exit(1);
    }
    for (int n = 0; n < PARTS; n++) {
        fill(file, n);
        /* only clean pages can be dropped: write back first, then advise */
        if (write_all(fd, part, PART) < 0 || fdatasync(fd) < 0) {
            perror(name);
            exit(1);
        }
        if ((errno = posix_fadvise(fd, done, PART, POSIX_FADV_DONTNEED)) != 0) {
            perror(name);
            exit(1);
        }
        done += PART;
    }
    if (close(fd) < 0) {
        perror(name);
        exit(1);
    }
    printf("%s: %ld bytes stored\n", name, (long)done);
}

int main(void)
{
    for (int file = 1; file <= 2; file++)
        store(file);
    return 0;
}
