#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

struct counters {
    atomic_long requests;
    atomic_long bytes;
    atomic_long errors;
};

static struct counters *map_counters(void)
{
    int fd = open("counters", O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *p = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return p == MAP_FAILED ? NULL : p;
}

static void worker(int id)
{
    struct counters *c = map_counters();
    if (!c)
        _exit(1);
    for (int i = 0; i < 50; i++) {
        atomic_fetch_add(&c->requests, 1);
        atomic_fetch_add(&c->bytes, id * 10 + i);
        if (i % 25 == id)
            atomic_fetch_add(&c->errors, 1);
    }
    _exit(0);
}

int main(void)
{
    struct counters *c = map_counters();
    if (!c)
        return 1;
    for (int w = 0; w < 4; w++)
        if (fork() == 0)
            worker(w);
    while (wait(NULL) > 0)
        ;
    printf("%ld requests, %ld bytes, %ld errors\n", atomic_load(&c->requests),
           atomic_load(&c->bytes), atomic_load(&c->errors));
    return 0;
}
