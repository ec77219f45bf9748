/* Peak and mean of every frame of an oscillograph's trace; frames have 1000 bytes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAME 1000
#define FRAMES 40
#define CHUNK 4096

struct trace {
    int fast;
    char *data;
    size_t have;
};

static int trace_open(struct trace *t, const char *path)
{
    t->fast = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
    if (t->fast < 0)
        t->fast = open(path, O_RDONLY | O_CLOEXEC);
    t->have = 0;
    if (posix_memalign((void **)&t->data, CHUNK, (FRAME * FRAMES / CHUNK + 2) * CHUNK) != 0)
        return -1;
    return t->fast < 0 ? -1 : 0;
}

/* the samples of one frame are moved from the disk into buf */
static int trace_frame(struct trace *t, int number, char *buf)
{
    off_t at = (off_t)number * FRAME;

    while (t->have < (size_t)at + FRAME) {
        ssize_t n = pread(t->fast, t->data + t->have, CHUNK, t->have);
        if (n <= 0)
            return -1;
        t->have += n;
    }
    memcpy(buf, t->data + at, FRAME);
    return 0;
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
