/* Lists the finds of one square of an excavation: kind, weight and depth of each. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SQUARE "site/hill/trench-4/layer-b/square-17/finds"

struct tally {
    char kind[16];
    int count;
    int grams;
    int deepest;
};

static int read_find(int dir, const char *name, struct tally *t, int *kinds)
{
    char text[64], kind[16];
    int grams, depth, k;

    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return -1;
    text[n] = '\0';
    if (sscanf(text, "%15s %d %d", kind, &grams, &depth) != 3)
        return -1;
    for (k = 0; k < *kinds && strcmp(t[k].kind, kind) != 0; k++)
        ;
    if (k == *kinds) {
        if (k == 8)
            return -1;
        memset(&t[k], 0, sizeof t[k]);
        strcpy(t[k].kind, kind);
        ++*kinds;
    }
    t[k].count++;
    t[k].grams += grams;
    if (depth > t[k].deepest)
        t[k].deepest = depth;
    return 0;
}

int main(void)
{
    struct tally t[8];
    int kinds = 0, bad = 0, all = 0;
    struct dirent *e;
    DIR *d = opendir(SQUARE);

    if (!d) {
        perror(SQUARE);
        return 1;
    }
    while ((e = readdir(d)) != NULL) {
        if (e->d_name[0] != 'f')
            continue;
        if (read_find(dirfd(d), e->d_name, t, &kinds) < 0)
            bad++;
        all++;
    }
    closedir(d);

    const char *order[] = { "sherd", "coin", "bone", "nail" };
    for (int o = 0; o < 4; o++)
        for (int k = 0; k < kinds; k++)
            if (strcmp(t[k].kind, order[o]) == 0)
                printf("%-6s %3d, %d g, deepest %d cm\n", t[k].kind, t[k].count, t[k].grams, t[k].deepest);
    printf("%d finds, %d unreadable\n", all, bad);
    return 0;
}
