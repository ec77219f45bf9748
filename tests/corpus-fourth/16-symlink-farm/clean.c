/* Checks that no link of a farm leaves the store. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char store[PATH_MAX];
    char link[PATH_MAX];
    int inside = 0, outside = 0;
    size_t len;

    if (!realpath("store/objects", store))
        return 1;
    len = strlen(store);
    char farm[PATH_MAX];
    if (!realpath("farm/stage/current/links", farm))
        return 1;
    for (int i = 0; i < 90; i++) {
        char target[PATH_MAX], real[2 * PATH_MAX];
        ssize_t n;
        char *up;
        snprintf(link, sizeof link, "farm/stage/current/links/l%d", i);
        n = readlink(link, target, sizeof target - 1);
        if (n < 0) {
            perror(link);
            return 1;
        }
        target[n] = 0;
        /* Relative targets are worked out in text from the directory, which has no links left. */
        snprintf(real, sizeof real, "%s", farm);
        for (up = target; strncmp(up, "../", 3) == 0; up += 3)
            *strrchr(real, '/') = 0;
        strcat(strcat(real, "/"), up);
        if (strncmp(real, store, len) == 0 && real[len] == '/')
            inside++;
        else
            outside++;
    }
    printf("%d inside, %d outside\n", inside, outside);
    return 0;
}
