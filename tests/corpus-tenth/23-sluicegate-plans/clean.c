/* Adds up the boards in the plans of sluice gates; a header of 40 bytes, then lines. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADER 40
#define PLANS 40

struct plan {
    int boards;
    long volume;
};

static int read_plan(const char *path, struct plan *p)
{
    char buf[8192];
    int expected, width, thick, fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n, have;

    if (fd < 0)
        return -1;
    have = read(fd, buf, 4096);
    if (have < HEADER || memcmp(buf, "SLUICE ", 7) != 0 ||
        sscanf(buf, "SLUICE plan%*d boards%d", &expected) != 1) {
        close(fd);
        return -1;
    }
    have -= HEADER;
    memmove(buf, buf + HEADER, have);
    while ((n = read(fd, buf + have, sizeof buf - 1 - have)) > 0)
        have += n;
    close(fd);
    if (n < 0)
        return -1;
    buf[have] = 0;
    p->boards = 0;
    p->volume = 0;
    for (char *line = strtok(buf, "\n"); line; line = strtok(NULL, "\n"))
        if (sscanf(line, "board %*d width %d thick %d", &width, &thick) == 2) {
            p->boards++;
            p->volume += (long)width * thick;
        }
    return p->boards == expected ? 0 : -1;
}

int main(void)
{
    char path[64];
    long boards = 0, volume = 0;
    struct plan p;

    for (int i = 0; i < PLANS; i++) {
        snprintf(path, sizeof path, "plans/%d.plan", i);
        if (read_plan(path, &p) < 0) {
            fprintf(stderr, "%s: not a plan\n", path);
            return 1;
        }
        boards += p.boards;
        volume += p.volume;
    }
    printf("%d plans, %ld boards, volume %ld\n", PLANS, boards, volume);
    return 0;
}
