/* Height range of each scanned potsherd. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char *load(const char *path, size_t *len)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
        return NULL;
    size_t used = 0;
    size_t room = 512;
    char *buf = malloc(room + 1);
    ssize_t n;
    while (buf && (n = read(fd, buf + used, room - used)) > 0) {
        used += n;
        if (used == room) {
            room *= 2;
            buf = realloc(buf, room + 1);
        }
    }
    close(fd);
    if (buf)
        buf[used] = 0;
    *len = used;
    return buf;
}

int main(void)
{
    char path[40];
    long points = 0;
    size_t bytes = 0;
    for (int i = 1; i <= 22; i++) {
        size_t len;
        snprintf(path, sizeof path, "scans/shard%02d.xyz", i);
        char *text = load(path, &len), *p = text;
        if (!text) {
            perror(path);
            return 1;
        }
        int low = 1 << 30, high = -1, n = 0;
        while (*p) {
            strtol(p, &p, 10);
            strtol(p, &p, 10);
            int z = (int)strtol(p, &p, 10);
            if (*p == '\n')
                p++;
            low = z < low ? z : low;
            high = z > high ? z : high;
            n++;
        }
        if (i % 6 == 1)
            printf("shard %d: %d points, %d to %d\n", i, n, low, high);
        points += n;
        bytes += len;
        free(text);
    }
    printf("%ld points in %zu bytes\n", points, bytes);
    return 0;
}
