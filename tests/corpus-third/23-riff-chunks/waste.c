#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

struct chunk { char id[5]; int len; };

static int next_chunk(int fd, struct chunk *c)
{
    char buf[4096];
    ssize_t n = read(fd, buf, sizeof buf);
    if (n < 8)
        return 0;
    memcpy(c->id, buf, 4);
    c->len = 1000 * (buf[4] - '0') + 100 * (buf[5] - '0') + 10 * (buf[6] - '0') + buf[7] - '0';
    lseek(fd, 8 - n + c->len, SEEK_CUR);
    c->id[4] = 0;
    return 1;
}

int main(void)
{
    struct chunk c;
    int n = 0, bytes = 0, special = 0;
    int fd = open("song.riff", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 1;
    while (next_chunk(fd, &c)) {
        n++;
        bytes += c.len;
        special += !strcmp(c.id, "ck03");
    }
    close(fd);
    printf("%d chunks, %d bytes, %d special\n", n, bytes, special);
    return 0;
}
