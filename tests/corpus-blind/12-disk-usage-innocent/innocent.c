/* Sums up file sizes by directory. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static long long usage(int parent, const char *name, int *files)
{
    long long sum = 0;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        perror(name);
        exit(1);
    }
    for (struct dirent *e; (e = readdir(dir));) {
        struct stat st;
        if (e->d_name[0] == '.')
            continue;
        if (e->d_type == DT_DIR) {
            sum += usage(fd, e->d_name, files);
            continue;
        }
        if (fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
            perror(e->d_name);
            exit(1);
        }
        sum += st.st_size;
        ++*files;
    }
    closedir(dir);
    return sum;
}

int main(void)
{
    int files = 0;
    long long sum = usage(AT_FDCWD, "home", &files);
    printf("%d files, %lld bytes\n", files, sum);
    return 0;
}
