/* Renders the drum plot of a seismograph: one turn of the drum for each half hour. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TURNS 48
#define SAMPLES 16384

static uint32_t seed = 20110311;

static int16_t quake(int turn, int i)
{
    seed = seed * 1664525u + 1013904223u;
    int noise = (int)(seed >> 24) - 128;
    if (turn == 29 && i > 4000 && i < 9000)
        noise *= 40 - abs(i - 6500) / 80;
    return (int16_t)noise;
}

static int put(int fd, const void *data, size_t len)
{
    const char *p = data;
    while (len > 0) {
        ssize_t n = write(fd, p, len);
        if (n < 0)
            return -1;
        p += n;
        len -= (size_t)n;
    }
    return 0;
}

int main(void)
{
    int fd = open("drum.trace", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    int16_t *turn = malloc(SAMPLES * sizeof *turn);
    if (fd < 0 || !turn) {
        perror("drum.trace");
        return 1;
    }
    int peak = 0, peak_turn = 0;
    off_t at = 0;
    for (int t = 0; t < TURNS; t++) {
        for (int i = 0; i < SAMPLES; i++) {
            turn[i] = quake(t, i);
            if (abs(turn[i]) > peak) {
                peak = abs(turn[i]);
                peak_turn = t;
            }
        }
        size_t len = SAMPLES * sizeof *turn;
        if (put(fd, turn, len) < 0) {
            perror("drum.trace");
            return 1;
        }
        posix_fadvise(fd, at, (off_t)len, POSIX_FADV_DONTNEED);
        at += (off_t)len;
    }
    if (close(fd) < 0) {
        perror("drum.trace");
        return 1;
    }
    free(turn);
    printf("%d turns, %lld bytes\n", TURNS, (long long)at);
    printf("peak %d in turn %d\n", peak, peak_turn);
    return 0;
}
