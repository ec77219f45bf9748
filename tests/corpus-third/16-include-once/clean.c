/* "require_once": a file counts once whatever name it is included by. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limits.h>
#include <sys/stat.h>

#define MAXSEEN 128
static struct { dev_t dev; ino_t ino; } seen[MAXSEEN];
static int nseen;

static int include_once(const char *path)
{
    struct stat st;
    if (stat(path, &st) < 0)
        return -1;
    for (int i = 0; i < nseen; i++)
        if (seen[i].dev == st.st_dev && seen[i].ino == st.st_ino)
            return 0;
    seen[nseen].dev = st.st_dev;
    seen[nseen++].ino = st.st_ino;
    return 1;
}

int main(void)
{
    int included = 0, again = 0, missing = 0;
    char path[PATH_MAX];
    for (int i = 1; i <= 70; i++) {
        snprintf(path, sizeof path, "site/inc/../inc/parts/%d.inc", i < 61 ? i : i - 30 + (i == 70 ? 400 : 0));
        int r = include_once(path);
        if (r > 0) included++;
        else if (r == 0) again++;
        else missing++;
    }
    printf("%d included, %d again, %d missing\n", included, again, missing);
    return 0;
}
