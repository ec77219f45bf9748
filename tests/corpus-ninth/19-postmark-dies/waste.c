#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct die {
    int width, height, year;
    unsigned ink;
};

static int load(int dir, const char *name, char **text, size_t *length)
{
    struct stat st;
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return -1;
    }
    size_t size = st.st_size, got = 0;
    char *buf = malloc(size + 1);
    ssize_t n;
    while (buf != NULL && (n = read(fd, buf + got, size + 1 - got)) > 0)
        got += n;
    close(fd);
    if (buf == NULL || got != size) {
        free(buf);
        return -1;
    }
    buf[got] = '\0';
    *text = buf;
    *length = got;
    return 0;
}

static int parse(const char *text, size_t length, struct die *d)
{
    if (sscanf(text, "P5 %d %d %d", &d->width, &d->height, &d->year) != 3)
        return -1;
    const char *dots = memchr(text, '\n', length);
    d->ink = 0;
    for (const char *p = dots; p != NULL && p < text + length; p++)
        d->ink = d->ink * 31 + (unsigned char)*p;
    return dots == NULL ? -1 : 0;
}

int main(void)
{
    int good = 0, bad = 0, years[16] = {0};
    unsigned all = 0;
    DIR *d = opendir("dies");
    if (d == NULL)
        return 1;
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        char *text;
        size_t length;
        struct die die;
        if (e->d_name[0] == '.' || load(dirfd(d), e->d_name, &text, &length) != 0)
            continue;
        if (parse(text, length, &die) == 0) {
            good++;
            years[die.year & 15]++;
            all ^= die.ink;
        } else {
            bad++;
        }
        free(text);
    }
    closedir(d);
    printf("%d dies, %d spoilt, seal %08x\n", good, bad, all);
    for (int y = 0; y < 4; y++)
        printf("series %d: %d\n", y, years[y]);
    return 0;
}
