#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

#define PAGE 825
static int fd;
static off_t top;

static int show(void)
{
    char buf[PAGE + 1];
    if (lseek(fd, top, SEEK_SET) < 0)
        return -1;
    ssize_t n = read(fd, buf, PAGE);
    if (n <= 0)
        return -1;
    buf[n] = 0;
    int first = -1;
    sscanf(buf, "line %d", &first);
    return first;
}

int main(void)
{
    const char *keys = "ffbbffffGbbmfff'bgffGb'";
    off_t mark = 0, end;
    long sum = 0;
    fd = open("novel.txt", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 1;
    end = lseek(fd, 0, SEEK_END);
    for (const char *k = keys; *k; k++) {
        switch (*k) {
        case 'f': top += PAGE; break;
        case 'b': top -= PAGE; break;
        case 'g': top = 0; break;
        case 'G': top = end - PAGE; break;
        case 'm': mark = top; continue;
        case '\'': top = mark; break;
        }
        if (top < 0)
            top = 0;
        if (top > end - PAGE)
            top = end - PAGE;
        sum += show();
    }
    close(fd);
    printf("%zu keys, sum of first lines %ld\n", strlen(keys), sum);
    return 0;
}
