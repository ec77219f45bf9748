/*
 * The bare loop that Fathom's times are held against: no protocol, no harness,
 * no digest. It opens and closes a file, or reads blocks of it with pread, in
 * short batches between two readings of the clock, pinned to one CPU, and
 * prints the median over the batches in ns per operation, and a checksum of
 * what it read. For fstat-delta batches with and without an fstat between open
 * and close take turns, and it prints the median difference.
 *
 *   bare_loop open-close  FILE CPU OPERATIONS BATCHES
 *   bare_loop fstat-delta FILE CPU OPERATIONS BATCHES
 *   bare_loop pread       FILE CPU OPERATIONS BATCHES BLOCK
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void give_up(const char *what) {
    perror(what);
    exit(2);
}

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void open_and_close(const char *path, size_t operations) {
    for (size_t i = 0; i < operations; i++) {
        int fd = open(path, O_RDONLY);
        if (fd < 0 || close(fd) != 0)
            give_up(path);
    }
}

static void open_fstat_and_close(const char *path, size_t operations) {
    static char found[512] __attribute__((aligned(16)));
    for (size_t i = 0; i < operations; i++) {
        int fd = open(path, O_RDONLY);
        if (fd < 0 || syscall(SYS_fstat, fd, found) != 0 || close(fd) != 0)
            give_up(path);
    }
}

/* The sum makes sure that the data is there and looked at. */
static unsigned long read_blocks(int fd, char *buffer, size_t block, const off_t *offsets, size_t operations) {
    unsigned long sum = 0;
    for (size_t i = 0; i < operations; i++) {
        if (pread(fd, buffer, block, offsets[i]) != (ssize_t)block)
            give_up("pread");
        sum += (unsigned char)buffer[0];
    }
    return sum;
}

static int by_size(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    bool opens = argc == 6 && strcmp(argv[1], "open-close") == 0;
    bool compares = argc == 6 && strcmp(argv[1], "fstat-delta") == 0;
    bool reads = argc == 7 && strcmp(argv[1], "pread") == 0;
    if (!opens && !compares && !reads) {
        fprintf(stderr, "usage: bare_loop open-close|fstat-delta|pread FILE CPU OPERATIONS BATCHES [BLOCK]\n");
        return 2;
    }
    const char *path = argv[2];
    size_t operations = strtoul(argv[4], NULL, 10), batches = strtoul(argv[5], NULL, 10);
    size_t block = reads ? strtoul(argv[6], NULL, 10) : 4096;
    if (operations == 0 || batches == 0 || block == 0)
        return 2;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(strtoul(argv[3], NULL, 10), &cpus);
    if (sched_setaffinity(0, sizeof cpus, &cpus) != 0)
        give_up("sched_setaffinity");
    double *times = malloc(batches * sizeof *times);
    off_t *offsets = malloc(operations * sizeof *offsets);
    char *buffer = aligned_alloc(4096, (block + 4095) / 4096 * 4096);
    int fd = open(path, O_RDONLY);
    struct stat found;
    if (!times || !offsets || !buffer || fd < 0 || fstat(fd, &found) != 0)
        give_up(path);
    memset(buffer, 1, block);
    size_t places = (size_t)found.st_size / block;
    if (reads && places == 0)
        return 2;
    uint64_t random = 88172645463325252u;
    unsigned long sum = 0;
    /* As many batches again beforehand, in place of a warm-up rule. */
    for (size_t batch = 0; batch < 2 * batches; batch++) {
        for (size_t i = 0; reads && i < operations; i++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            offsets[i] = (off_t)(random % places * block);
        }
        uint64_t begin = now_ns();
        if (reads)
            sum += read_blocks(fd, buffer, block, offsets, operations);
        else
            open_and_close(path, operations);
        double ns = (double)(now_ns() - begin);
        if (compares) {
            begin = now_ns();
            open_fstat_and_close(path, operations);
            ns = (double)(now_ns() - begin) - ns;
        }
        times[batch % batches] = ns / (double)operations;
    }
    qsort(times, batches, sizeof *times, by_size);
    printf("%.3f %lu\n", (times[(batches - 1) / 2] + times[batches / 2]) / 2, sum);
    return 0;
}
