/* Looks up customs tariff numbers by bisection in a sorted file of 64-byte records. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REC 64

static int load(int fd, long i, char *rec)
{
    if (lseek(fd, (off_t)i * REC, SEEK_SET) < 0)
        return -1;
    if (read(fd, rec, REC) != REC)
        return -1;
    rec[REC - 1] = 0;
    return 0;
}

static int find(int fd, long n, const char *code, char *rec)
{
    long lo = 0, hi = n - 1;

    while (lo <= hi) {
        long mid = lo + (hi - lo) / 2;
        if (load(fd, mid, rec) < 0) {
            perror("tariff.db");
            exit(1);
        }
        int c = strncmp(rec, code, 8);
        if (c == 0)
            return 1;
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return 0;
}

int main(void)
{
    int fd = open("tariff.db", O_RDONLY | O_CLOEXEC), found = 0, asked = 0;
    FILE *goods = fopen("goods.txt", "r");
    struct stat st;
    char code[32], rec[REC];
    long duty = 0;

    if (fd < 0 || !goods || fstat(fd, &st) < 0) {
        perror("open");
        return 1;
    }
    while (fscanf(goods, "%31s", code) == 1) {
        asked++;
        if (!find(fd, st.st_size / REC, code, rec))
            continue;
        char d[7] = { 0 };
        memcpy(d, rec + 8, 6);
        duty += atol(d);
        found++;
    }
    printf("%d of %d found, duty %ld\n", found, asked, duty);
    printf("last: %.20s\n", rec + 14);
    fclose(goods);
    close(fd);
    return 0;
}
