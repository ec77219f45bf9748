#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WHEELS 4

struct page {
    char magic[8];
    uint64_t turns[WHEELS];
    uint64_t tides;
};

static struct page *map_page(int fd)
{
    void *p = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

int main(void)
{
    char line[100];
    uint64_t day = 0;
    int fd = open("turns.map", O_RDWR | O_CLOEXEC);
    struct page *page = fd < 0 ? NULL : map_page(fd);
    FILE *in = fopen("tides.txt", "r");
    if (!page || !in) {
        perror("turns.map");
        return 1;
    }
    if (memcmp(page->magic, "TURNS1\0", 8) != 0) {
        printf("turns.map is not a page of turns\n");
        return 1;
    }
    while (fgets(line, sizeof line, in)) {
        unsigned wheel, turns, drop;
        if (sscanf(line, "wheel %u turns %u drop %u", &wheel, &turns, &drop) != 3 || wheel >= WHEELS)
            continue;
        page->turns[wheel] += turns;
        page->tides++;
        day += turns * drop;
        // The miller is paid by these numbers: they are on disk before he is told.
        if (fdatasync(fd) < 0) {
            perror("turns.map");
            return 1;
        }
        printf("tide %llu: wheel %u has made %llu turns\n", (unsigned long long)page->tides, wheel,
               (unsigned long long)page->turns[wheel]);
        fflush(stdout);
    }
    fclose(in);
    munmap(page, sizeof *page);
    close(fd);
    printf("%llu foot-turns\n", (unsigned long long)day);
    return 0;
}
