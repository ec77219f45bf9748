/* mirror: copies every plain file of one folder into another. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long files, bytes;

static int copy_data(int in, int out)
{
    char buf[512];
    ssize_t n;
    while ((n = read(in, buf, sizeof buf)) > 0) {
        if (write(out, buf, (size_t)n) != n)
            return -1;
        bytes += n;
    }
    return n < 0 ? -1 : 0;
}

static int mirror_one(int sdir, int ddir, const char *name)
{
    int in = openat(sdir, name, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return -1;
    int out = openat(ddir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (out < 0) {
        close(in);
        return -1;
    }
    int rc = copy_data(in, out);
    close(in);
    if (close(out) < 0)
        rc = -1;
    if (rc == 0)
        files++;
    return rc;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: mirror SRC DST\n");
        return 2;
    }
    DIR *d = opendir(argv[1]);
    if (!d) {
        perror(argv[1]);
        return 1;
    }
    if (mkdir(argv[2], 0755) < 0 && errno != EEXIST) {
        perror(argv[2]);
        return 1;
    }
    int ddir = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct dirent *e;
    int bad = 0;
    while ((e = readdir(d))) {
        if (e->d_type != DT_REG)
            continue;
        if (mirror_one(dirfd(d), ddir, e->d_name) < 0) {
            fprintf(stderr, "mirror: %s: %s\n", e->d_name, strerror(errno));
            bad = 1;
        }
    }
    closedir(d);
    close(ddir);
    printf("%ld files, %ld bytes\n", files, bytes);
    return bad;
}
