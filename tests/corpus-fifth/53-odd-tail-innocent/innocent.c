/* Writes a disk image with direct I/O: whole blocks go directly, the odd rest at the end the usual way,
 * after the direct mode was switched off once. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 4096

static int write_all(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t w = write(fd, p, n);

        if (w <= 0)
            return -1;
        p += w;
        n -= (size_t)w;
    }
    return 0;
}

int main(void)
{
    char *buf;
    size_t cap = 16 * BLOCK, len, whole, direct = 0, tail = 0;
    FILE *in = fopen("survey.txt", "re");
    int out = open("survey.img", O_WRONLY | O_CREAT | O_TRUNC | O_DIRECT | O_CLOEXEC, 0644);

    if (!in || out < 0 || posix_memalign((void **)&buf, BLOCK, cap)) {
        perror("survey");
        return 1;
    }
    while ((len = fread(buf, 1, cap, in)) > 0) {
        whole = len / BLOCK * BLOCK;
        if (write_all(out, buf, whole) < 0)
            goto bad;
        direct += whole;
        if (whole == len)
            continue;
        /* only the last piece is not a multiple of the block */
        if (fcntl(out, F_SETFL, fcntl(out, F_GETFL) & ~O_DIRECT) < 0)
            goto bad;
        if (write_all(out, buf + whole, len - whole) < 0)
            goto bad;
        tail += len - whole;
    }
    if (fsync(out) < 0 || close(out) < 0)
        goto bad;
    fclose(in);
    free(buf);
    printf("direct %zu bytes, tail %zu bytes\n", direct, tail);
    return 0;
bad:
    perror("survey.img");
    return 1;
}
