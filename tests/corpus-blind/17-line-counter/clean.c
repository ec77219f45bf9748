/* Counts the lines and good answers of an access log. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char buffer[65536];
static size_t have, at;

static int next_byte(int fd, char *c)
{
    if (at == have) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n <= 0)
            return (int)n;
        have = n;
        at = 0;
    }
    *c = buffer[at++];
    return 1;
}

static int read_line(int fd, char *line, size_t size)
{
    size_t n = 0;
    char c = 0;
    while (next_byte(fd, &c) == 1) {
        if (c == '\n') {
            line[n] = 0;
            return 1;
        }
        if (n + 1 < size)
            line[n++] = c;
    }
    return 0;
}

int main(void)
{
    char line[512];
    int lines = 0, good = 0;
    int fd = open("access.log", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        perror("access.log");
        return 1;
    }
    while (read_line(fd, line, sizeof line)) {
        size_t len = strlen(line);
        lines++;
        if (len > 4 && strcmp(line + len - 4, " 200") == 0)
            good++;
    }
    close(fd);
    printf("%d lines, %d good\n", lines, good);
    return 0;
}
