/* Counts the names in a list, reading it by a buffer. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int names = 0, file = open("names", O_RDONLY);
    char buffer[65536];
    ssize_t length;

    while ((length = read(file, buffer, sizeof buffer)) > 0)
        for (ssize_t i = 0; i < length; i++)
            names += buffer[i] == '\n';
    close(file);
    printf("%d names\n", names);
    return 0;
}
