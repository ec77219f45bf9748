/* Follows a capture file that another process extends, through a growing memory map. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 24

static void capture(int fd, int ready, int go)
{
    char block[9000], c;

    for (int i = 0; i < ROUNDS; i++) {
        size_t n = 5000 + (i * 977) % 4000;
        memset(block, 'a' + i, n);
        if (write(fd, block, n) != (ssize_t)n || write(ready, "x", 1) != 1)
            _exit(1);
        if (read(go, &c, 1) != 1)
            _exit(1);
    }
    _exit(0);
}

int main(void)
{
    int ready[2], go[2], fd = open("capture.bin", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    unsigned long sum = 0;
    size_t have = 0;
    char *map = NULL, c;
    struct stat st;

    if (fd < 0 || pipe2(ready, O_CLOEXEC) || pipe2(go, O_CLOEXEC)) {
        perror("capture.bin");
        return 1;
    }
    pid_t pid = fork();
    if (pid == 0)
        capture(fd, ready[1], go[0]);
    close(ready[1]);
    close(go[0]);
    while (read(ready[0], &c, 1) == 1) {
        /* only the file tells how far the other process has come */
        if (fstat(fd, &st) < 0)
            return 1;
        char *m = map ? mremap(map, have, st.st_size, MREMAP_MAYMOVE)
                      : mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (m == MAP_FAILED)
            return 1;
        map = m;
        for (; have < (size_t)st.st_size; have++)
            sum += (unsigned char)map[have];
        if (write(go[1], "g", 1) != 1)
            return 1;
    }
    int status;
    waitpid(pid, &status, 0);
    printf("%zu bytes followed, sum %lu\n", have, sum);
    printf("last byte %c, writer %s\n", map[have - 1], status ? "failed" : "ok");
    return status != 0;
}
