#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

struct reader {
    int fd;
};

static int next_char(struct reader *r)
{
    unsigned char c;
    return read(r->fd, &c, 1) == 1 ? c : -1;
}

static int next_line(struct reader *r, char *out, int max)
{
    int n = 0, c;
    while ((c = next_char(r)) >= 0 && c != '\n')
        if (n < max - 1)
            out[n++] = c;
    out[n] = 0;
    return c < 0 && n == 0 ? -1 : n;
}

int main(void)
{
    struct reader r = { .fd = open("de.po", O_RDONLY | O_CLOEXEC) };
    char line[512];
    int ids = 0, strs = 0, chars = 0;
    if (r.fd < 0)
        return 1;
    while (next_line(&r, line, sizeof line) >= 0) {
        if (!strncmp(line, "msgid ", 6))
            ids++;
        else if (!strncmp(line, "msgstr ", 7))
            strs++, chars += strlen(line) - 9;
    }
    close(r.fd);
    printf("%d messages, %d translated, %d characters\n", ids, strs, chars);
    return 0;
}
