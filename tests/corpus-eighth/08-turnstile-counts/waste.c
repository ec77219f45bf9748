/* Adds up the hourly counts of all turnstiles, hour by hour. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { GATES = 25, HOURS = 4 };

struct gate {
    int fd;
    int count[HOURS];
};

static int open_gate(const char *path)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return -1;
    int flags = fcntl(fd, F_GETFD);
    if (flags < 0 || fcntl(fd, F_SETFD, flags | FD_CLOEXEC) < 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static int read_counts(struct gate *g)
{
    char buf[128], *p = buf;
    ssize_t n = read(g->fd, buf, sizeof buf - 1);
    if (n <= 0)
        return -1;
    buf[n] = 0;
    for (int h = 0; h < HOURS; h++)
        g->count[h] = (int)strtol(p, &p, 10);
    return 0;
}

int main(void)
{
    struct gate gates[GATES];
    char path[32];
    long total = 0;

    for (int i = 0; i < GATES; i++) {
        snprintf(path, sizeof path, "gates/g%02d", i + 1);
        gates[i].fd = open_gate(path);
        if (gates[i].fd < 0 || read_counts(&gates[i]) < 0) {
            perror(path);
            return 1;
        }
        close(gates[i].fd);
    }
    for (int h = 0; h < HOURS; h++) {
        int sum = 0, best = 0;
        for (int i = 0; i < GATES; i++) {
            sum += gates[i].count[h];
            if (gates[i].count[h] > gates[best].count[h])
                best = i;
        }
        printf("hour %d: %d people, busiest gate %d\n", h, sum, best + 1);
        total += sum;
    }
    printf("total %ld\n", total);
    return 0;
}
