/* pngscan: lists the sizes of the PNG pictures in a folder. */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const unsigned char magic[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };

struct size {
    uint32_t w, h;
};

static uint32_t be32(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* 0: a picture, 1: something else, -1: cannot be read */
static int probe(int dir, const char *name, struct size *s)
{
    unsigned char head[24];
    int fd = openat(dir, name, O_RDONLY);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, head, sizeof head);
    if (n < (ssize_t)sizeof head || memcmp(head, magic, 8) != 0) {
        close(fd);
        return 1;
    }
    s->w = be32(head + 16);
    s->h = be32(head + 20);
    close(fd);
    return 0;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "uploads";
    DIR *d = opendir(path);
    if (!d) {
        perror(path);
        return 1;
    }
    struct dirent *e;
    long pics = 0, other = 0, bad = 0;
    unsigned long long area = 0;
    while ((e = readdir(d))) {
        struct size s;
        if (e->d_name[0] == '.')
            continue;
        switch (probe(dirfd(d), e->d_name, &s)) {
        case 0:
            pics++;
            area += (unsigned long long)s.w * s.h;
            break;
        case 1:
            other++;
            break;
        default:
            bad++;
        }
    }
    closedir(d);
    printf("%ld pictures, %ld others, %ld unreadable, %llu pixels\n", pics, other, bad, area);
    return 0;
}
