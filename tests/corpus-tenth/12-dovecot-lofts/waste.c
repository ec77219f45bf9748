/* Counts the pigeons in all lofts; every plain file of the folder is the card of a loft. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_card(const char *folder, const struct dirent *e)
{
    char path[600];
    struct stat st;

    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int read_card(int folder, const char *name, int *cocks, int *hens)
{
    char text[128];
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    ssize_t n;

    if (fd < 0)
        return -1;
    n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n < 0)
        return -1;
    text[n] = 0;
    return sscanf(text, "ring%*d cock %d hen %d", cocks, hens) == 2 ? 0 : -1;
}

int main(void)
{
    const char *folder = "lofts";
    int cards = 0, others = 0, cocks = 0, hens = 0, c, h;
    struct dirent *e;
    DIR *d = opendir(folder);

    if (!d) {
        perror(folder);
        return 1;
    }
    while ((e = readdir(d)) != NULL) {
        if (e->d_name[0] == '.')
            continue;
        if (!is_card(folder, e)) {
            others++;
            continue;
        }
        if (read_card(dirfd(d), e->d_name, &c, &h) < 0) {
            perror(e->d_name);
            return 1;
        }
        cards++;
        cocks += c;
        hens += h;
    }
    closedir(d);
    printf("%d lofts, %d cocks, %d hens, %d other entries\n", cards, cocks, hens, others);
    return 0;
}
