/* "require_once": a file counts once whatever name it is included by. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limits.h>
#include <sys/stat.h>

#define MAXSEEN 128
static char *seen[MAXSEEN];
static int nseen;

static int include_once(const char *path)
{
    char *real = realpath(path, NULL);
    if (!real)
        return -1;
    for (int i = 0; i < nseen; i++)
        if (!strcmp(seen[i], real)) {
            free(real);
            return 0;
        }
    seen[nseen++] = real;
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
