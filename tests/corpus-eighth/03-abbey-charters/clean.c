/* Counts seals and vowels on the scanned pages of a charter roll. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096 };

static off_t size_of(int fd)
{
    struct stat st;
    if (fstat(fd, &st) < 0) {
        perror("fstat");
        exit(1);
    }
    return st.st_size;
}

static int more_pages(off_t size, off_t pos)
{
    return pos + PAGE <= size;
}

static int vowels(const char *p, size_t n)
{
    int count = 0;
    for (size_t i = 0; i < n; i++)
        count += strchr("aeiou", p[i]) != NULL;
    return count;
}

int main(void)
{
    char page[PAGE + 1];
    int seals[5] = { 0 }, pages = 0;
    long all = 0;
    int fd = open("charters.img", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        perror("charters.img");
        return 1;
    }
    off_t size = size_of(fd);
    for (off_t pos = 0; more_pages(size, pos); pos += PAGE) {
        if (pread(fd, page, PAGE, pos) != PAGE)
            break;
        page[PAGE] = 0;
        char *s = strstr(page, "seal=");
        if (s)
            seals[atoi(s + 5) % 5]++;
        all += vowels(page, PAGE);
        pages++;
    }
    close(fd);
    printf("%d pages, %ld vowels\n", pages, all);
    for (int i = 0; i < 5; i++)
        printf("seal %d: %d\n", i, seals[i]);
    return 0;
}
