#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <unistd.h>
#include <dirent.h>
#include <string.h>

static int level(int dir, const char *name)
{
    char buf[512];
    int ev, lv = -1;
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, buf, sizeof buf - 1);
    close(fd);
    if (n <= 0)
        return -1;
    buf[n] = 0;
    if (sscanf(buf, "event %d level %d", &ev, &lv) != 2)
        return -1;
    return lv;
}

int main(void)
{
    int hist[5] = {0}, bad = 0;
    DIR *d = opendir("in");
    struct dirent *e;
    while (d && (e = readdir(d))) {
        if (!strstr(e->d_name, ".evt"))
            continue;
        int l = level(dirfd(d), e->d_name);
        if (l < 0 || l > 4)
            bad++;
        else
            hist[l]++;
    }
    closedir(d);
    printf("%d %d %d %d %d, bad %d\n", hist[0], hist[1], hist[2], hist[3], hist[4], bad);
    return 0;
}
