#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CORE 1000
#define CORES 60
#define BLOCK 4096

struct reader {
    int direct, plain;
};

static void start(struct reader *r, const char *path)
{
    r->direct = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
    r->plain = open(path, O_RDONLY | O_CLOEXEC);
    if (r->plain < 0) {
        perror(path);
        exit(1);
    }
}

static void get(struct reader *r, char *core, long n)
{
    off_t at = n * CORE;
    ssize_t got = -1;
    if (r->direct >= 0)
        got = pread(r->direct, core, CORE, at);
    if (got < 0)
        got = pread(r->plain, core, CORE, at);
    if (got != CORE) {
        printf("core %ld is short\n", n);
        exit(1);
    }
}

static void finish(struct reader *r)
{
    if (r->direct >= 0) close(r->direct);
    close(r->plain);
}

int main(void)
{
    struct reader r;
    char core[CORE];
    long pollen = 0, best = -1, most = -1;
    start(&r, "cores.bin");
    for (long n = 0; n < CORES; n += 2) {
        long here = 0;
        get(&r, core, n);
        for (int i = 8; i < CORE; i++)
            here += core[i] == 'p';
        pollen += here;
        if (here > most) { most = here; best = n; }
    }
    finish(&r);
    printf("%d of %d cores counted, %ld grains of pollen\n", CORES / 2, CORES, pollen);
    printf("most in core %ld: %ld\n", best, most);
    return 0;
}
