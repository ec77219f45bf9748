#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/stat.h>

static int store_chunk(int dirfd, unsigned id, const void *data, size_t len)
{
    char name[32];
    snprintf(name, sizeof name, "%08x.chunk", id);
    int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (fd < 0)
        return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    int ok = write(fd, data, len) == (ssize_t)len;
    if (close(fd) < 0)
        ok = 0;
    return ok ? 0 : -1;
}

int main(void)
{
    char block[600];
    int stored = 0;
    if (mkdir("chunks", 0755) < 0) {
        perror("chunks");
        return 1;
    }
    int dir = open("chunks", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (unsigned i = 0; i < 64; i++) {
        memset(block, 'a' + i % 26, sizeof block);
        if (store_chunk(dir, i * 2654435761u, block, 300 + i) == 0)
            stored++;
    }
    close(dir);
    printf("stored %d chunks\n", stored);
    return 0;
}
