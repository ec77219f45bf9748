/* Counts the names in a list, reading it byte by byte. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int names = 0, file = open("names", O_RDONLY);
    char byte;

    while (read(file, &byte, 1) == 1)
        names += byte == '\n';
    close(file);
    printf("%d names\n", names);
    return 0;
}
