/* Adds up the butterflies counted on the walks through the raised bogs of the north. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct counts {
    int heath, fritillary, blue, walks, empty;
};

static int add_walk(int fd, struct counts *sum)
{
    char text[128];
    int heath, fritillary, blue;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return -1;
    text[n] = '\0';
    if (sscanf(text, "%d %d %d", &heath, &fritillary, &blue) != 3)
        return -1;
    sum->heath += heath;
    sum->fritillary += fritillary;
    sum->blue += blue;
    sum->walks++;
    if (heath + fritillary + blue == 0)
        sum->empty++;
    return 0;
}

int main(void)
{
    const char *dir = "survey/2019/north/bogs/raised/walks";
    struct counts sum = {0};
    struct dirent *e;
    DIR *walks = opendir(dir);
    if (!walks) {
        perror(dir);
        return 1;
    }
    while ((e = readdir(walks))) {
        if (strncmp(e->d_name, "walk", 4) != 0)
            continue;
        int fd = openat(dirfd(walks), e->d_name, O_RDONLY | O_CLOEXEC);
        if (fd < 0 || add_walk(fd, &sum) < 0) {
            perror(e->d_name);
            return 1;
        }
    }
    closedir(walks);
    printf("%d walks, %d without a butterfly\n", sum.walks, sum.empty);
    printf("heath %d, fritillary %d, blue %d\n", sum.heath, sum.fritillary, sum.blue);
    return 0;
}
