/* Stores a batch of objects; the batch is acknowledged as a whole. */
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>

static int put(int dir, int n)
{
    char tmp[32], name[32], text[64];
    snprintf(tmp, sizeof tmp, ".tmp%d", n);
    snprintf(name, sizeof name, "obj%d", n);
    int len = snprintf(text, sizeof text, "object %d\n", n * n);
    int fd = openat(dir, tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0)
        return -1;
    if (write(fd, text, len) != len || fsync(fd) < 0) {
        close(fd);
        unlinkat(dir, tmp, 0);
        return -1;
    }
    if (close(fd) < 0)
        return -1;
    return renameat(dir, tmp, dir, name);
}

int main(void)
{
    int dir = open("objs", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        return 1;
    for (int i = 0; i < 8; i++)
        if (put(dir, i) < 0) {
            perror("objs");
            return 1;
        }
    if (fsync(dir) < 0 || close(dir) < 0) {
        perror("objs");
        return 1;
    }
    puts("8 objects committed");
    return 0;
}
