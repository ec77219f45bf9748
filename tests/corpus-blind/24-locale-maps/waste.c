/* Checks that every message catalogue has a greeting. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int has_key(const char *path, const char *key, size_t *size)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0) {
        perror(path);
        exit(1);
    }
    char *text = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (text == MAP_FAILED) {
        perror(path);
        exit(1);
    }
    close(fd);
    *size = st.st_size;
    int found = memmem(text, st.st_size, key, strlen(key)) != NULL;
    munmap(text, st.st_size);
    return found;
}

int main(void)
{
    int good = 0;
    size_t bytes = 0;
    for (int i = 0; i < 100; i++) {
        char path[64];
        size_t size;
        snprintf(path, sizeof path, "locale/l%d.msg", i);
        good += has_key(path, "greeting=", &size);
        bytes += size;
    }
    printf("%d catalogues with a greeting, %zu bytes\n", good, bytes);
    return 0;
}
