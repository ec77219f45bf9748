/* Binary search in a sorted index of 16-byte entries. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry { uint64_t key, value; };

int main(void)
{
    struct stat st;
    int fd = open("words.idx", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0)
        return 1;
    const struct entry *e = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (e == MAP_FAILED)
        return 1;
    size_t n = st.st_size / sizeof *e;
    int hits = 0;
    uint64_t sum = 0;
    for (uint64_t want = 1; want < 40; want++) {
        uint64_t key = want * 40009;
        size_t lo = 0, hi = n;
        while (lo < hi) {
            size_t mid = lo + (hi - lo) / 2;
            if (e[mid].key < key)
                lo = mid + 1;
            else
                hi = mid;
        }
        if (lo < n && e[lo].key == key) {
            hits++;
            sum += e[lo].value;
        }
    }
    munmap((void *)e, st.st_size);
    printf("%d hits, sum %llu\n", hits, (unsigned long long)sum);
    return 0;
}
