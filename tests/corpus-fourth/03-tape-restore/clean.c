/* Reads an archive in blocks of 1 KB as they came from tape and checks the sum of each block. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 1024

struct tape {
    int fd;
    off_t at;
    off_t size;
};

static off_t remaining(struct tape *t)
{
    return t->size - t->at;
}

static unsigned block_sum(const unsigned char *p, size_t n)
{
    unsigned a = 1, b = 0;
    while (n--) {
        a = (a + *p++) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

int main(void)
{
    struct tape t = { open("backup.tap", O_RDONLY | O_CLOEXEC), 0 };
    unsigned char buf[BLOCK];
    unsigned all = 0;
    int blocks = 0;

    if (t.fd < 0) {
        perror("backup.tap");
        return 1;
    }
    struct stat st;
    if (fstat(t.fd, &st) != 0) {
        perror("fstat");
        return 1;
    }
    t.size = st.st_size;
    while (remaining(&t) >= BLOCK) {
        if (pread(t.fd, buf, BLOCK, t.at) != BLOCK) {
            fprintf(stderr, "short block at %lld\n", (long long)t.at);
            return 1;
        }
        all ^= block_sum(buf, BLOCK);
        t.at += BLOCK;
        blocks++;
    }
    close(t.fd);
    printf("%d blocks, sum %08x\n", blocks, all);
    return 0;
}
