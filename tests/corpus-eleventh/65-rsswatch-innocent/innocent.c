/* rsswatch: runs a command and samples its memory and state from /proc. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int open_statm(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static long resident(int fd)
{
    char buf[128];
    ssize_t n = pread(fd, buf, sizeof buf - 1, 0);
    if (n <= 0)
        return -1;
    buf[n] = 0;
    long size, rss;
    return sscanf(buf, "%ld %ld", &size, &rss) == 2 ? rss * (sysconf(_SC_PAGESIZE) / 1024) : -1;
}

static void child(void)
{
    /* the observed program: grows for a while, then ends */
    for (int i = 0; i < 150; i++) {
        char *p = malloc(256 * 1024);
        memset(p, i, 256 * 1024);
        struct timespec t = { 0, 8 * 1000 * 1000 };
        nanosleep(&t, NULL);
    }
    _exit(0);
}

int main(void)
{
    pid_t pid = fork();
    if (pid == 0)
        child();
    int fd = open_statm(pid);
    if (fd < 0) {
        perror("statm");
        return 1;
    }
    long peak = 0, last = 0;
    int samples = 0, grew = 0, st;
    while (waitpid(pid, &st, WNOHANG) == 0) {
        long r = resident(fd);
        if (r > peak)
            peak = r;
        if (r > last)
            grew++;
        last = r;
        samples++;
        struct timespec t = { 0, 4 * 1000 * 1000 };
        nanosleep(&t, NULL);
    }
    close(fd);
    fprintf(stderr, "%d samples, grew %d times\n", samples, grew);
    printf("peak above 30 MB: %s\n", peak > 30 * 1024 ? "yes" : "no");
    return 0;
}
