/* Works out the lamp hours of a lighthouse for half a year and stores the almanac safely. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define WEEKS 26

struct night {
    int week;
    int on;   /* minutes after noon */
    int off;
};

static void compute(struct night *n, int week)
{
    /* a rough triangle wave serves for the length of the day */
    int d = abs(week - 12);
    n->week = week + 1;
    n->on = 12 * 60 - 150 - d * 8 + 300;
    n->off = 12 * 60 + 420 + d * 7;
}

static int store(const char *path, const struct night *n, int count)
{
    FILE *f = fopen(path, "we");
    if (!f)
        return -1;
    for (int i = 0; i < count; i++) {
        if (fprintf(f, "week %2d  on %02d:%02d  off %02d:%02d\n", n[i].week,
                    (12 + n[i].on / 60) % 24, n[i].on % 60,
                    (12 + n[i].off / 60) % 24, n[i].off % 60) < 0) {
            fclose(f);
            return -1;
        }
    }
    if (fflush(f) != 0 || fsync(fileno(f)) != 0) {
        fclose(f);
        return -1;
    }
    return fclose(f);
}

int main(void)
{
    struct night nights[WEEKS];
    long minutes = 0;

    for (int w = 0; w < WEEKS; w++) {
        compute(&nights[w], w);
        minutes += 7L * (nights[w].off - nights[w].on);
    }
    if (store("almanac.txt", nights, WEEKS) != 0) {
        perror("almanac.txt");
        return 1;
    }
    printf("%d weeks, %ld lamp hours\n", WEEKS, minutes / 60);
    return 0;
}
