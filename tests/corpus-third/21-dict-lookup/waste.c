#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

#define REC 16
static int fd;

static int record(long n, char *rec)
{
    if (lseek(fd, n * REC, SEEK_SET) < 0)
        return -1;
    return read(fd, rec, REC) == REC ? 0 : -1;
}

static long lookup(const char *word, long count)
{
    char rec[REC + 1] = "";
    long lo = 0, hi = count - 1;
    while (lo <= hi) {
        long mid = (lo + hi) / 2;
        if (record(mid, rec) < 0)
            return -1;
        int c = strncmp(word, rec, 8);
        if (c == 0)
            return atol(rec + 8);
        if (c < 0)
            hi = mid - 1;
        else
            lo = mid + 1;
    }
    return -1;
}

int main(void)
{
    int found = 0;
    fd = open("words.idx", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 1;
    for (int i = 0; i < 45; i++) {
        char w[16];
        snprintf(w, sizeof w, "w%07d", i * 131 % 3000);
        if (lookup(w, 1000) >= 0)
            found++;
    }
    close(fd);
    printf("%d of 45 found\n", found);
    return 0;
}
