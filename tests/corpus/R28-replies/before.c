/* Counts kept replies, reading each number by itself. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int replies = 0, file = open("replies", O_RDONLY | O_CLOEXEC);
    char number[4];

    while (read(file, number, sizeof number) == sizeof number)
        replies += number[0] == 'r';
    close(file);
    printf("%d replies\n", replies);
    return 0;
}
