/* A checksum of each file and its lines, of what was read once. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char text[16384];

int main(void)
{
    long sum = 0, lines = 0;
    for (int number = 1; number <= 6; number++) {
        char name[16];
        snprintf(name, sizeof name, "part%d", number);
        int file = open(name, O_RDONLY | O_CLOEXEC);
        ssize_t size = read(file, text, sizeof text);
        for (ssize_t at = 0; at < size; at++) {
            sum += text[at];
            lines += text[at] == '\n';
        }
        close(file);
    }
    printf("sum %ld, %ld lines\n", sum, lines);
    return 0;
}
