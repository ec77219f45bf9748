#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

struct chunk { char id[5]; int len; };
static char buf[65536];
static size_t pos, have;
static int eof;

static int next_chunk(int fd, struct chunk *c)
{
    if (!eof && have - pos < 8 + 9999) {
        memmove(buf, buf + pos, have - pos);
        have -= pos;
        pos = 0;
        ssize_t n = read(fd, buf + have, sizeof buf - have);
        eof = n < (ssize_t)(sizeof buf - have);    /* a short read: that was all */
        if (n > 0)
            have += n;
    }
    if (have - pos < 8)
        return 0;
    memcpy(c->id, buf + pos, 4);
    char *d = buf + pos + 4;
    c->len = 1000 * (d[0] - '0') + 100 * (d[1] - '0') + 10 * (d[2] - '0') + d[3] - '0';
    pos += 8 + c->len;
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
