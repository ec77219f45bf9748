/* Sums up the blobs of one day of a backup store. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *day = "store/a/b/c/d/e/f/day";

static int attributes(DIR *dir, const char *name, struct stat *st)
{
    return fstatat(dirfd(dir), name, st, 0);
}

int main(void)
{
    long long bytes = 0;
    int blobs = 0, large = 0;
    DIR *dir = opendir(day);
    if (!dir) {
        perror(day);
        return 1;
    }
    for (struct dirent *e; (e = readdir(dir));) {
        struct stat st;
        if (e->d_name[0] == '.')
            continue;
        if (attributes(dir, e->d_name, &st) < 0) {
            perror(e->d_name);
            return 1;
        }
        blobs++;
        bytes += st.st_size;
        large += st.st_size > 100;
    }
    closedir(dir);
    printf("%d blobs, %lld bytes, %d large\n", blobs, bytes, large);
    return 0;
}
