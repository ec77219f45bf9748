/* Lists the stretches of a cave survey that hold soundings, with a sum for each. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct stretch {
    off_t from, to;
    unsigned long sum;
};

static int sum_stretch(int fd, struct stretch *s)
{
    static unsigned char buf[65536];
    off_t at = s->from;

    s->sum = 0;
    while (at < s->to) {
        size_t want = s->to - at < (off_t)sizeof buf ? (size_t)(s->to - at) : sizeof buf;
        ssize_t n = pread(fd, buf, want, at);
        if (n <= 0)
            return -1;
        for (ssize_t i = 0; i < n; i++)
            s->sum = s->sum * 31 + buf[i];
        at += n;
    }
    return 0;
}

int main(void)
{
    struct stretch s = {0, 0, 0};
    unsigned long all = 0;
    int count = 0;
    off_t bytes = 0;
    int fd = open("survey.raw", O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        perror("survey.raw");
        return 1;
    }
    for (;;) {
        s.from = lseek(fd, s.to, SEEK_DATA);
        if (s.from < 0)
            break;
        s.to = lseek(fd, s.from, SEEK_HOLE);
        if (s.to < 0 || sum_stretch(fd, &s) < 0) {
            perror("survey.raw");
            return 1;
        }
        all ^= s.sum;
        bytes += s.to - s.from;
        count++;
    }
    if (errno != ENXIO) {
        perror("survey.raw");
        return 1;
    }
    close(fd);
    printf("%d stretches, %lld bytes of soundings, sum %08lx\n", count, (long long)bytes, all & 0xffffffff);
    return 0;
}
