/* Looks keys up in a page file by following the page numbers stored in it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PAGE 256

static void read_page(int fd, unsigned number, char *page)
{
    if (lseek(fd, (off_t)number * PAGE, SEEK_SET) < 0) {
        perror("lseek");
        exit(1);
    }
    if (read(fd, page, PAGE) != PAGE) {
        perror("read");
        exit(1);
    }
}

static unsigned lookup(int fd, unsigned start, int depth)
{
    char page[PAGE + 1];
    unsigned at = start;
    while (depth-- > 0) {
        read_page(fd, at, page);
        page[PAGE] = 0;
        at = (strtoul(page, NULL, 10) + start) % 256;
    }
    return at;
}

int main(void)
{
    unsigned sum = 0;
    int fd = open("pages.db", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        perror("pages.db");
        return 1;
    }
    for (unsigned key = 0; key < 100; key++)
        sum += lookup(fd, key * 13 % 256, 3);
    close(fd);
    printf("100 lookups, sum %u\n", sum);
    return 0;
}
