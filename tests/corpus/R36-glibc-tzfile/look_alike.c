/* Reads pages of whole records: it steps back over the beginning of a record, which is little. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int file = open("records", O_RDONLY), records = 0;
    char page[1024];
    ssize_t length;

    while ((length = read(file, page, sizeof page)) > 0) {
        records += length / 100;
        if (length % 100 != 0)
            lseek(file, -(length % 100), SEEK_CUR);
    }
    close(file);
    printf("%d records\n", records);
    return 0;
}
