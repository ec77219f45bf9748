/* Finds the medians of runs that are spilled to a temporary file. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define RUN 8192
#define RUNS 20

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static int run[RUN];
    char name[] = "/tmp/blind-sort-XXXXXX";
    unsigned state = 7;
    long long sum = 0;
    int fd = mkstemp(name);
    if (fd < 0 || unlink(name) < 0) {
        perror(name);
        return 1;
    }
    for (int r = 0; r < RUNS; r++) {
        for (int i = 0; i < RUN; i++) {
            state = state * 1103515245u + 12345u;
            run[i] = state >> 16 & 0x7fff;
        }
        qsort(run, RUN, sizeof *run, compare);
        if (write(fd, run, sizeof run) != (ssize_t)sizeof run) {
            perror(name);
            return 1;
        }
    }
    for (int r = RUNS - 1; r >= 0; r--) {
        if (pread(fd, run, sizeof run, (off_t)r * sizeof run) != (ssize_t)sizeof run) {
            perror(name);
            return 1;
        }
        sum += run[RUN / 2];
    }
    close(fd);
    printf("%d runs, sum of medians %lld\n", RUNS, sum);
    return 0;
}
