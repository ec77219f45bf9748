#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <unistd.h>

static void step(int n)
{
    for (int i = 0; i <= n % 4; i++)
        printf("step %d line %d\n", n, i);
}

/* Runs a step with its standard output going to a file. */
static long capture(int n)
{
    char path[32];
    snprintf(path, sizeof path, "cap/step%02d.txt", n);
    fflush(stdout);
    int saved = dup(1);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (saved < 0 || fd < 0)
        return -1;
    dup2(fd, 1);
    step(n);
    fflush(stdout);
    dup2(saved, 1);
    long size = lseek(fd, 0, SEEK_CUR);
    close(fd);
    return size;
}

int main(void)
{
    long total = 0;
    for (int n = 0; n < 20; n++)
        total += capture(n);
    printf("20 steps, %ld bytes captured\n", total);
    return 0;
}
