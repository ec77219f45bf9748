#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct disk { int plain;
    int direct;
};

static ssize_t disk_read(struct disk *d, void *buf, size_t n, off_t off)
{
    if (d->direct >= 0) {
        ssize_t r = pread(d->direct, buf, n, off);
        if (r >= 0 || errno != EINVAL)
            return r;
    }
    return pread(d->plain, buf, n, off);
}

int main(void)
{
    struct disk d;
    unsigned sum = 0;
    char rec[997];
    int n = 0;
    d.plain = open("disk.raw", O_RDONLY | O_CLOEXEC);
    d.direct = open("disk.raw", O_RDONLY | O_CLOEXEC | O_DIRECT);
    if (d.plain < 0) {
        perror("disk.raw");
        return 1;
    }
    for (int i = 1; i < 80; i += 2) {
        if (disk_read(&d, rec, sizeof rec, (off_t)i * sizeof rec) != sizeof rec)
            break;
        for (size_t k = 900; k < sizeof rec; k++)
            sum = sum * 31 + rec[k];
        n++;
    }
    if (d.direct >= 0)
        close(d.direct);
    close(d.plain);
    printf("%d sectors %08x\n", n, sum);
    return 0;
}
