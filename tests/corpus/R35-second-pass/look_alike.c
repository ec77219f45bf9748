/* Reads a record, finds that it was the last of a kind, and goes back within it. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char text[4096];

int main(void)
{
    long lines = 0;
    int file = open("part1", O_RDONLY | O_CLOEXEC);
    for (off_t at = 1; at < 7; at++) {
        if (lseek(file, at * 1500, SEEK_SET) < 0 || read(file, text, 1000) != 1000)
            return 1;
        if (lseek(file, at * 1500 + 400, SEEK_SET) < 0 || read(file, text, 600) != 600)
            return 1;
        for (int i = 0; i < 600; i++)
            lines += text[i] == '\n';
    }
    close(file);
    printf("%ld lines\n", lines);
    return 0;
}
