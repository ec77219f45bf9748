/* Reads the gauges of all spindles of a spinning room, then asks sort(1) for the worst. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPINDLES 36

static int open_gauge(int number)
{
    char path[64];

    snprintf(path, sizeof path, "spindles/%d.g", number);
    return open(path, O_RDONLY | O_CLOEXEC);
}

int main(void)
{
    int gauges[SPINDLES], rpm, wobble, worst = 0;
    long sum = 0;
    char text[128];

    for (int i = 0; i < SPINDLES; i++) {
        gauges[i] = open_gauge(i);
        if (gauges[i] < 0) {
            perror("gauge");
            return 1;
        }
    }
    FILE *sorted = popen("sort -n -k 2 -r > wobble.txt", "w");
    if (!sorted)
        return 1;
    for (int i = 0; i < SPINDLES; i++) {
        ssize_t n = pread(gauges[i], text, sizeof text - 1, 0);
        if (n < 0)
            return 1;
        text[n] = 0;
        if (sscanf(text, "rpm=%d\nwobble=%d", &rpm, &wobble) != 2)
            continue;
        fprintf(sorted, "spindle%02d %d\n", i, wobble);
        sum += rpm;
        if (wobble > worst)
            worst = wobble;
        close(gauges[i]);
    }
    if (pclose(sorted) != 0)
        return 1;
    printf("mean %ld rpm, worst wobble %d\n", sum / SPINDLES, worst);
    return 0;
}
