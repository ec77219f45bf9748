/* A print spooler's start: reads all waiting jobs. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int open_private(const char *path)
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

int main(void)
{
    int jobs = 0, pages = 0;
    for (int i = 0; i < 120; i++) {
        char path[64], text[128];
        int id, n;
        snprintf(path, sizeof path, "spool/%d.job", i);
        int fd = open_private(path);
        if (fd < 0) {
            perror(path);
            return 1;
        }
        ssize_t got = read(fd, text, sizeof text - 1);
        if (got < 0) {
            perror(path);
            return 1;
        }
        text[got] = 0;
        close(fd);
        if (sscanf(text, "job %d pages %d", &id, &n) == 2) {
            jobs++;
            pages += n;
        }
    }
    printf("%d jobs, %d pages\n", jobs, pages);
    return 0;
}
