/* Records the telemetry of a test drive. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int out;

static void put(const char *text, size_t len)
{
    if (write(out, text, len) != (ssize_t)len) {
        perror("telemetry.csv");
        exit(1);
    }
}

static void record(int t, int speed, int rpm)
{
    char line[64];
    int len = snprintf(line, sizeof line, "%d,%d,%d\n", t, speed, rpm);
    put(line, len);
}

int main(void)
{
    int speed = 0, top = 0, samples = 0;
    out = open("telemetry.csv", O_WRONLY | O_CREAT | O_TRUNC | O_SYNC | O_CLOEXEC, 0644);
    if (out < 0) {
        perror("telemetry.csv");
        return 1;
    }
    for (int t = 0; t < 120; t++) {
        speed = (speed * 3 + t * 7) % 180;
        if (speed > top)
            top = speed;
        record(t, speed, 800 + speed * 30);
        samples++;
    }
    if (close(out) < 0) {
        perror("telemetry.csv");
        return 1;
    }
    printf("%d samples, top speed %d\n", samples, top);
    return 0;
}
