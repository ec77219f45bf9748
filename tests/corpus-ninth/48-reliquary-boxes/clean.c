#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOXES "crypt/north/aisle-3/press-12/shelf-2/boxes"

struct box {
    char saint[32];
    int bones;
    int seals;
};

static int read_box(int dir, const char *name, struct box *b)
{
    char text[256];
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        perror(name);
        return -1;
    }
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0) return -1;
    text[n] = 0;
    if (sscanf(text, "saint %31s bones %d seals %d", b->saint, &b->bones, &b->seals) != 3)
        return -1;
    return 0;
}

static int by_saint(const void *a, const void *b)
{
    return strcmp(((const struct box *)a)->saint, ((const struct box *)b)->saint);
}

int main(void)
{
    static struct box boxes[200];
    int n = 0, bones = 0, broken = 0;
    struct dirent *e;
    DIR *d = opendir(BOXES);
    if (!d) { perror(BOXES); return 1; }
    while ((e = readdir(d)) && n < 200) {
        if (e->d_name[0] == '.') continue;
        if (read_box(dirfd(d), e->d_name, &boxes[n]) == 0) n++;
    }
    closedir(d);
    qsort(boxes, n, sizeof boxes[0], by_saint);
    FILE *out = fopen("list.txt", "w");
    if (!out) { perror("list.txt"); return 1; }
    for (int i = 0; i < n; i++) {
        fprintf(out, "%-16s %3d\n", boxes[i].saint, boxes[i].bones);
        bones += boxes[i].bones;
        if (boxes[i].seals == 0) broken++;
    }
    fclose(out);
    printf("%d boxes, %d bones, %d without a seal\n", n, bones, broken);
    return 0;
}
