/* Sums up the planks that were cut in a sawpit, one tally file for each log. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOGS 50

static char *slurp(const char *path)
{
    struct stat st;
    size_t got = 0;
    ssize_t n;
    char *text;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) < 0 || (text = malloc(st.st_size + 1)) == NULL) {
        close(fd);
        return NULL;
    }
    while (got < (size_t)st.st_size) {
        n = read(fd, text + got, st.st_size - got);
        if (n <= 0)
            break;
        got += n;
    }
    close(fd);
    if (got < (size_t)st.st_size) {
        free(text);
        return NULL;
    }
    text[got] = 0;
    return text;
}

int main(void)
{
    long planks = 0, area = 0, length, width;
    char path[64];

    for (int i = 0; i < LOGS; i++) {
        snprintf(path, sizeof path, "planks/%d.t", i);
        char *text = slurp(path);
        if (!text) {
            perror(path);
            return 1;
        }
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            if (sscanf(line, "elm %ld x %ld", &length, &width) != 2)
                continue;
            planks++;
            area += length * width;
        }
        free(text);
    }
    printf("%d logs, %ld planks, area %ld\n", LOGS, planks, area);
    return 0;
}
