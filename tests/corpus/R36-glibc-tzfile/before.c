/* Reads twenty records of 100 bytes, each by a page that it steps back into. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int file = open("records", O_RDONLY);
    long sum = 0;

    for (int record = 0; record < 20; record++) {
        char page[4097] = "";
        ssize_t length = read(file, page, 4096);
        lseek(file, 100 - length, SEEK_CUR);
        page[100] = '\0';
        sum += atol(page);
    }
    close(file);
    printf("sum %ld\n", sum);
    return 0;
}
