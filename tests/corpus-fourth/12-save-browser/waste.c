/* Lists the save games of a player in the order of their slots. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int by_slot(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    DIR *d = opendir("saves");
    struct dirent *e;
    int slots[256], n = 0, folders = 0;

    if (!d) {
        perror("saves");
        return 1;
    }
    while ((e = readdir(d)) != NULL) {
        int slot;

        if (e->d_name[0] == '.')
            continue;
        char path[300];
        struct stat st;
        snprintf(path, sizeof path, "saves/%s", e->d_name);
        if (stat(path, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode)) {
            folders++;
            continue;
        }
        if (sscanf(e->d_name, "slot%d.sav", &slot) == 1 && n < 256)
            slots[n++] = slot;
    }
    closedir(d);
    qsort(slots, n, sizeof slots[0], by_slot);
    printf("%d saves in slots %d to %d, %d folders\n", n, slots[0], slots[n - 1], folders);
    return 0;
}
