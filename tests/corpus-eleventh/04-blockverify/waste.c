/* blockverify: checks the trailing checksum of every block of a volume. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define BLOCK 16384

static uint32_t sum(const unsigned char *p, size_t n)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + p[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static int load_block(int fd, off_t no, unsigned char *buf)
{
    if (lseek(fd, no * BLOCK, SEEK_SET) < 0)
        return -1;
    size_t got = 0;
    while (got < BLOCK) {
        ssize_t n = read(fd, buf + got, BLOCK - got);
        if (n < 0)
            return -1;
        if (n == 0)
            return got == 0 ? 0 : -1;
        got += (size_t)n;
    }
    return 1;
}

static off_t where(int fd)
{
    return lseek(fd, 0, SEEK_CUR);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "volume.img";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        perror(path);
        return 1;
    }
    unsigned char *buf = malloc(BLOCK);
    long good = 0, bad = 0;
    off_t no = 0, end = 0;
    int rc;
    while ((rc = load_block(fd, no, buf)) == 1) {
        uint32_t want;
        memcpy(&want, buf + BLOCK - 4, 4);
        if (sum(buf, BLOCK - 4) == want)
            good++;
        else {
            bad++;
            printf("block %ld: bad checksum\n", (long)no);
        }
        end = where(fd);
        no++;
    }
    close(fd);
    free(buf);
    printf("%ld good, %ld bad, %lld bytes\n", good, bad, (long long)end);
    return rc < 0 || bad ? 1 : 0;
}
