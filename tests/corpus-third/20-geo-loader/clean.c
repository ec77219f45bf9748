#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/stat.h>

static unsigned char *load(const char *path, size_t *len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    struct stat st;
    if (fstat(fd, &st) < 0)
        return close(fd), NULL;
    size_t n = 0;
    unsigned char *buf = malloc(st.st_size ? st.st_size : 1);
    ssize_t got;
    while (n < (size_t)st.st_size && (got = read(fd, buf + n, st.st_size - n)) > 0)
        n += got;
    close(fd);
    *len = n;
    return buf;
}

int main(void)
{
    unsigned long sum = 0;
    size_t total = 0, len;
    for (int i = 1; i <= 12; i++) {
        char path[32];
        snprintf(path, sizeof path, "geo/tile%d.dat", i);
        unsigned char *t = load(path, &len);
        if (!t)
            continue;
        for (size_t k = 0; k < len; k += 997)
            sum += t[k];
        total += len;
        free(t);
    }
    printf("%zu bytes, %lu\n", total, sum);
    return 0;
}
