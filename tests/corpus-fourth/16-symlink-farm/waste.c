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
    for (int i = 0; i < 90; i++) {
        char real[PATH_MAX];
        snprintf(link, sizeof link, "farm/stage/current/links/l%d", i);
        if (!realpath(link, real)) {
            perror(link);
            return 1;
        }
        if (strncmp(real, store, len) == 0 && real[len] == '/')
            inside++;
        else
            outside++;
    }
    printf("%d inside, %d outside\n", inside, outside);
    return 0;
}
