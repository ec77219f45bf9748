#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct blast {
    uint32_t second;
    uint16_t length_ms;
    uint16_t visibility;
    char keeper[8];
};

static void put(int fd, const void *what, size_t size)
{
    if (write(fd, what, size) != (ssize_t)size) {
        perror("foghorn.rec");
        exit(1);
    }
}

static uint16_t checksum(const struct blast *b)
{
    uint16_t sum = (uint16_t)(b->second ^ b->second >> 16);
    sum ^= b->length_ms;
    sum ^= b->visibility;
    for (size_t i = 0; i < sizeof b->keeper; i++)
        sum = (uint16_t)(sum * 31 + (unsigned char)b->keeper[i]);
    return sum;
}

static void append(int fd, const struct blast *b)
{
    uint16_t sum = checksum(b);
    char record[20] = "BL";
    memcpy(record + 2, &b->second, sizeof b->second);
    memcpy(record + 6, &b->length_ms, sizeof b->length_ms);
    memcpy(record + 8, &b->visibility, sizeof b->visibility);
    memcpy(record + 10, b->keeper, sizeof b->keeper);
    memcpy(record + 18, &sum, sizeof sum);
    put(fd, record, sizeof record);
}

int main(void)
{
    char line[100];
    int n = 0;
    long sounding = 0;
    FILE *in = fopen("watch.txt", "r");
    if (!in) { perror("watch.txt"); return 1; }
    int fd = open("foghorn.rec", O_WRONLY | O_APPEND | O_DSYNC);
    if (fd < 0) { perror("foghorn.rec"); return 1; }
    while (fgets(line, sizeof line, in)) {
        struct blast b = {0};
        unsigned second, ms, metres;
        char keeper[8] = "";
        if (sscanf(line, "%u %u %u %7s", &second, &ms, &metres, keeper) != 4) continue;
        if (metres > 1000) continue;
        b.second = second;
        b.length_ms = (uint16_t)ms;
        b.visibility = (uint16_t)metres;
        memcpy(b.keeper, keeper, sizeof b.keeper);
        append(fd, &b);
        n++;
        sounding += ms;
    }
    close(fd);
    fclose(in);
    printf("%d blasts recorded, %.1f s of sounding\n", n, sounding / 1000.0);
    return 0;
}
