/* Verifies the blobs of a content store. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned char *load(const char *path, size_t *size)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0) {
        perror(path);
        exit(1);
    }
    unsigned char *data = malloc(st.st_size + 1);
    size_t got = 0;
    ssize_t n = 0;
    while (got < (size_t)st.st_size && (n = read(fd, data + got, st.st_size - got)) > 0)
        got += n;
    if (n < 0) {
        perror(path);
        exit(1);
    }
    close(fd);
    *size = got;
    return data;
}

int main(void)
{
    unsigned long check = 5381;
    size_t total = 0;
    for (int i = 0; i < 120; i++) {
        char path[64];
        size_t size;
        snprintf(path, sizeof path, "blobs/%d.bin", i);
        unsigned char *data = load(path, &size);
        for (size_t k = 0; k < size; k++)
            check = check * 33 + data[k];
        total += size;
        free(data);
    }
    printf("120 blobs, %zu bytes, check %lx\n", total, check);
    return 0;
}
