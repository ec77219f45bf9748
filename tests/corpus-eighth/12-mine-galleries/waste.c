/* Lists galleries of a mine archive and counts samples filed twice (hard links). */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static ino_t seen[512];
static int nseen, files, dirs, twice;

static void note(ino_t ino)
{
    for (int i = 0; i < nseen; i++)
        if (seen[i] == ino) {
            twice++;
            return;
        }
    if (nseen < 512)
        seen[nseen++] = ino;
}

static int walk(int dirfd)
{
    DIR *d = fdopendir(dirfd);
    struct dirent *e;
    if (!d)
        return -1;
    while ((e = readdir(d))) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        struct stat st;
        if (fstatat(dirfd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
            perror(e->d_name);
            exit(1);
        }
        int is_dir = S_ISDIR(st.st_mode);
        ino_t ino = st.st_ino;
        if (is_dir) {
            dirs++;
            int sub = openat(dirfd, e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (sub < 0 || walk(sub) < 0) {
                perror(e->d_name);
                exit(1);
            }
        } else {
            files++;
            note(ino);
        }
    }
    return closedir(d);
}

int main(void)
{
    int top = open("mine", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (top < 0 || walk(top) < 0) {
        perror("mine");
        return 1;
    }
    printf("%d galleries, %d names, %d samples, %d filed twice\n", dirs, files, nseen, twice);
    return 0;
}
