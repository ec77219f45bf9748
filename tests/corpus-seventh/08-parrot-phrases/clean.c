#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARROTS 24

static int open_diary(const char *dir, int n)
{
    char path[64];
    snprintf(path, sizeof path, "%s/parrot%02d.txt", dir, n);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0)
        return -1;
    return fd;
}

int main(void)
{
    char page[PARROTS][512] = {{0}};
    char line[128], word[64];
    int n, lines = 0;

    FILE *in = fopen("heard.txt", "r");
    if (!in) {
        perror("heard.txt");
        return 1;
    }
    while (fgets(line, sizeof line, in))
        if (sscanf(line, "parrot%d said %63s", &n, word) == 2 && n >= 0 && n < PARROTS) {
            size_t used = strlen(page[n]);
            snprintf(page[n] + used, sizeof page[n] - used, "%s\n", word);
            lines++;
        }
    fclose(in);

    if (mkdir("diary", 0755) < 0 && errno != EEXIST) {
        perror("diary");
        return 1;
    }
    for (n = 0; n < PARROTS; n++) {
        int fd = open_diary("diary", n);
        size_t len = strlen(page[n]);
        if (fd < 0 || write(fd, page[n], len) != (ssize_t)len || close(fd) < 0) {
            perror("diary");
            return 1;
        }
    }
    printf("%d phrases for %d parrots\n", lines, PARROTS);
    return 0;
}
