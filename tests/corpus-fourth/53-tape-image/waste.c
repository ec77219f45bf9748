/* Writes the image of a tape: blocks of 10000 bytes, past the page cache when that can be had. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 10000

static int direct = -1, plain = -1;

static int put_block(const char *block, off_t at)
{
    if (direct >= 0 && pwrite(direct, block, BLOCK, at) == BLOCK)
        return 0;
    return pwrite(plain, block, BLOCK, at) == BLOCK ? 0 : -1;
}

int main(void)
{
    void *block;

    plain = open("tape.img", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    direct = open("tape.img", O_WRONLY | O_DIRECT | O_CLOEXEC);
    if (plain < 0 || posix_memalign(&block, 4096, BLOCK) != 0)
        return 1;
    for (int b = 0; b < 24; b++) {
        memset(block, 'A' + b, BLOCK);
        if (put_block(block, (off_t)b * BLOCK) != 0) {
            perror("tape.img");
            return 1;
        }
    }
    printf("24 blocks, %ld bytes\n", (long)lseek(plain, 0, SEEK_END));
    free(block);
    return 0;
}
