/* Reads twenty records of 100 bytes out of one page. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    int file = open("records", O_RDONLY);
    char page[4096];
    long sum = 0;

    if (read(file, page, sizeof page) < 2000)
        return 1;
    close(file);
    for (int record = 0; record < 20; record++) {
        char text[101] = "";
        memcpy(text, page + record * 100, 100);
        sum += atol(text);
    }
    printf("sum %ld\n", sum);
    return 0;
}
