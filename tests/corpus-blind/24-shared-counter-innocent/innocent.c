/* Counts hits in two processes through a mapped file. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void hits(unsigned *counters, int which, int times)
{
    for (int i = 0; i < times; i++) {
        __atomic_add_fetch(&counters[0], 1, __ATOMIC_SEQ_CST);
        if (i % 3 == which)
            __atomic_add_fetch(&counters[1], 1, __ATOMIC_SEQ_CST);
    }
}

int main(void)
{
    int status;
    int fd = open("counters.bin", O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        perror("counters.bin");
        return 1;
    }
    unsigned *counters = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (counters == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    close(fd);
    pid_t pid = fork();
    if (pid < 0) {
        perror("fork");
        return 1;
    }
    hits(counters, pid == 0, 30000);
    if (pid == 0)
        _exit(0);
    waitpid(pid, &status, 0);
    printf("hits %u, thirds %u\n", counters[0], counters[1]);
    munmap(counters, 8);
    return 0;
}
