/* Sorts batches of numbers; batches that do not fit in memory go to disk. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BATCH 1024

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void make_batch(int *batch, int number)
{
    unsigned state = number * 2654435761u + 1;
    for (int i = 0; i < BATCH; i++) {
        state = state * 1103515245u + 12345u;
        batch[i] = state >> 16 & 0x7fff;
    }
}

static void spill(int fd, const int *batch)
{
    if (write(fd, batch, BATCH * sizeof *batch) != (ssize_t)(BATCH * sizeof *batch)) {
        perror("scratch.dat");
        exit(1);
    }
}

static void drop(int fd)
{
    if (ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0) {
        perror("scratch.dat");
        exit(1);
    }
}

int main(void)
{
    static int batch[BATCH];
    long long medians = 0;
    int fd = open("scratch.dat", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        perror("scratch.dat");
        return 1;
    }
    for (int number = 0; number < 50; number++) {
        make_batch(batch, number);
        spill(fd, batch);
        qsort(batch, BATCH, sizeof *batch, compare);
        medians += batch[BATCH / 2];
        drop(fd); /* it fitted in memory after all */
    }
    close(fd);
    printf("50 batches, sum of medians %lld\n", medians);
    return 0;
}
