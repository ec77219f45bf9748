/* Writes payment batches; a batch counts once it is on disk. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int commit(int fd, const char *text, size_t len)
{
    if (write(fd, text, len) != (ssize_t)len)
        return -1;
    return fsync(fd);
}

static int finish(int fd)
{
    if (fdatasync(fd) != 0 || fsync(fd) != 0)
        return -1;
    return close(fd);
}

int main(void)
{
    char path[32], text[4096];
    long cents = 0;

    for (int b = 0; b < 10; b++) {
        size_t len = 0;
        int fd;

        snprintf(path, sizeof path, "batch.%d", b);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0) {
            perror(path);
            return 1;
        }
        for (int p = 0; p < 25; p++) {
            int amount = (b * 31 + p * 17) % 900 + 100;
            len += snprintf(text + len, sizeof text - len, "%d.%d;DE%08d;%d\n", b, p, p * 777, amount);
            cents += amount;
        }
        if (commit(fd, text, len) != 0 || finish(fd) != 0) {
            perror(path);
            return 1;
        }
    }
    printf("10 batches, %ld cents\n", cents);
    return 0;
}
