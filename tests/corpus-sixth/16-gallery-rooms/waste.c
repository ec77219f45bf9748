/* Writes the hanging list of a room: where every picture really is in the store. */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int hang(FILE *list, const char *root, const char *full)
{
    size_t n = strlen(root);
    if (strncmp(full, root, n) != 0 || full[n] != '/') {
        fprintf(stderr, "%s is outside of the store\n", full);
        return -1;
    }
    return fprintf(list, "%s\n", full + n + 1);
}

int main(void)
{
    const char *room = "gallery/rooms/east";
    char root[PATH_MAX], full[PATH_MAX + 260];
    if (!realpath("store", root)) {
        perror("store");
        return 1;
    }
    DIR *d = opendir(room);
    FILE *list = fopen("hanging.txt", "w");
    if (!d || !list) {
        perror(room);
        return 1;
    }
    struct dirent *e;
    int pictures = 0, bad = 0;
    long bytes = 0;
    while ((e = readdir(d)) != NULL) {
        if (e->d_name[0] == '.')
            continue;
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", room, e->d_name);
        if (!realpath(path, full)) {
            perror(path);
            bad++;
            continue;
        }
        int n = hang(list, root, full);
        if (n < 0)
            bad++;
        else {
            bytes += n;
            pictures++;
        }
    }
    closedir(d);
    if (fclose(list) != 0) {
        perror("hanging.txt");
        return 1;
    }
    printf("%d pictures, %d misplaced\n", pictures, bad);
    printf("%ld bytes of hanging list\n", bytes);
    return 0;
}
