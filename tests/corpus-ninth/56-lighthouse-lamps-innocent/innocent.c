#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LAMPS 200

struct lamp {
    int fd;
    long hours;
};

static struct lamp lamps[LAMPS];

static int light(void)
{
    char name[40];
    int n;
    for (n = 0; n < LAMPS; n++) {
        snprintf(name, sizeof name, "lamps/lamp%03d", n);
        lamps[n].fd = open(name, O_RDONLY | O_CLOEXEC);
        if (lamps[n].fd < 0) break;
    }
    return n;
}

static long hours(int n, int night)
{
    char text[24];
    ssize_t got = pread(lamps[n].fd, text, sizeof text - 1, (off_t)night * 8);
    if (got <= 0) return 0;
    text[got] = 0;
    return strtol(text, NULL, 10);
}

static void quench(int n)
{
    for (int i = 0; i < n; i++)
        close(lamps[i].fd);
}

int main(void)
{
    int n = light();
    if (n == 0) {
        printf("no lamps\n");
        return 1;
    }
    // Night by night over all lamps, so all of them stay open until morning.
    for (int night = 0; night < 3; night++) {
        int best = 0;
        long most = -1;
        for (int i = 0; i < n; i++) {
            long h = hours(i, night);
            lamps[i].hours += h;
            if (h > most) {
                most = h;
                best = i;
            }
        }
        printf("night %d: lamp %d burnt longest\n", night + 1, best);
    }
    quench(n);
    long sum = 0;
    for (int i = 0; i < n; i++) sum += lamps[i].hours;
    printf("%d lamps, %ld hours\n", n, sum);
    fflush(stdout);
    execlp("cksum", "cksum", "lamps/lamp000", (char *)NULL);
    return 1;
}
