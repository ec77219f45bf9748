/* Finds the highest place at which a plant was collected. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SHEETS "herbarium/europe/alps/2025/asteraceae/sheets"

int main(void)
{
    DIR *d = opendir(SHEETS);
    struct dirent *e;
    int sheets = 0, highest = 0;

    if (!d) {
        perror(SHEETS);
        return 1;
    }
    while ((e = readdir(d)) != NULL) {
        char text[128];
        int kind, metres;

        if (strncmp(e->d_name, "sheet", 5) != 0)
            continue;
        int fd = openat(dirfd(d), e->d_name, O_RDONLY | O_CLOEXEC);
        if (fd < 0) {
            perror(e->d_name);
            return 1;
        }
        ssize_t n = read(fd, text, sizeof text - 1);
        close(fd);
        if (n < 0)
            return 1;
        text[n] = 0;
        if (sscanf(text, "%*s %d %d", &kind, &metres) != 2)
            continue;
        sheets++;
        if (metres > highest)
            highest = metres;
    }
    closedir(d);
    printf("%d sheets, highest at %d m\n", sheets, highest);
    return 0;
}
