/* Lists which casting each bell's link points to, and the castings that bells share. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CASTS 64

struct tally {
    int links;
    int other;
    int per_cast[CASTS];
};

/* The number at the end of the link's target, or -1. */
static int cast_of(int dir, const char *name)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(dir, name, target, sizeof target - 1);
    if (n < 0)
        return -1;
    target[n] = '\0';
    const char *c = strrchr(target, '/');
    int number;
    if (!c || sscanf(c, "/c%d", &number) != 1 || number < 0 || number >= CASTS)
        return -1;
    return number;
}

static int scan(const char *dir, struct tally *t)
{
    DIR *d = opendir(dir);
    if (!d)
        return -1;
    struct dirent *e;
    while ((e = readdir(d)) != NULL) {
        if (e->d_type != DT_LNK)
            continue;
        int cast = cast_of(dirfd(d), e->d_name);
        if (cast < 0) {
            t->other++;
            continue;
        }
        t->links++;
        t->per_cast[cast]++;
    }
    closedir(d);
    return 0;
}

int main(void)
{
    static struct tally t;
    const char *dir = "parish/archive/towers/north/2026/bells/links";
    if (scan(dir, &t) != 0) {
        fprintf(stderr, "%s: %s\n", dir, strerror(errno));
        return 1;
    }
    int used = 0, shared = 0;
    for (int i = 0; i < CASTS; i++) {
        used += t.per_cast[i] > 0;
        shared += t.per_cast[i] > 1;
    }
    printf("%d bells, %d other links\n", t.links, t.other);
    printf("%d castings, %d shared\n", used, shared);
    return 0;
}
