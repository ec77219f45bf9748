/* Peak and mean of every frame of an oscillograph's trace; frames have 1000 bytes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAME 1000
#define FRAMES 40

struct trace {
    int fast;
    int plain;
};

static int trace_open(struct trace *t, const char *path)
{
    t->fast = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
    t->plain = open(path, O_RDONLY | O_CLOEXEC);
    if (t->fast < 0)
        t->fast = t->plain;
    return t->plain < 0 ? -1 : 0;
}

/* the samples of one frame are moved from the disk into buf */
static int trace_frame(struct trace *t, int number, char *buf)
{
    off_t at = (off_t)number * FRAME;
    ssize_t n = pread(t->fast, buf, FRAME, at);

    if (n < 0)
        n = pread(t->plain, buf, FRAME, at);
    return n == FRAME ? 0 : -1;
}

int main(void)
{
    struct trace t;
    char *buf = malloc(FRAME + 1);
    int highest = 0, where = 0;
    long sum = 0;

    if (!buf || trace_open(&t, "trace.dat") < 0) {
        perror("trace.dat");
        return 1;
    }
    for (int f = 0; f < FRAMES; f++) {
        if (trace_frame(&t, f, buf) < 0) {
            perror("trace.dat");
            return 1;
        }
        buf[FRAME] = '\0';
        for (char *p = buf; *p; p += 4) {
            int v = atoi(p);
            sum += v;
            if (v > highest) {
                highest = v;
                where = f;
            }
        }
    }
    printf("%d frames, mean %ld\n", FRAMES, sum / (FRAMES * FRAME / 4));
    printf("peak %d in frame %d\n", highest, where);
    free(buf);
    return 0;
}
