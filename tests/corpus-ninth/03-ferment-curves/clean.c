#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORD = 2048, VATS = 6 };

struct vat {
    int samples;
    long sum;
    int low, high;
};

struct source {
    int fd;
    off_t at;
    off_t size;
};

static int at_end(const struct source *s)
{
    return s->at + RECORD > s->size;
}

static int next_record(struct source *s, char *rec)
{
    if (read(s->fd, rec, RECORD) != RECORD)
        return -1;
    rec[RECORD] = '\0';
    s->at += RECORD;
    return 0;
}

int main(void)
{
    struct vat vats[VATS];
    struct source s = { .fd = open("curves.dat", O_RDONLY | O_CLOEXEC) };
    char rec[RECORD + 1];

    if (s.fd < 0) {
        perror("curves.dat");
        return 1;
    }
    struct stat st;
    if (fstat(s.fd, &st) != 0)
        return 1;
    s.size = st.st_size;
    memset(vats, 0, sizeof vats);
    while (!at_end(&s)) {
        int v, seq, temp;
        char hop[17];
        if (next_record(&s, rec) != 0)
            return 1;
        if (sscanf(rec, "V%d %d %d %16s", &v, &seq, &temp, hop) != 4 || v < 0 || v >= VATS)
            continue;
        struct vat *t = &vats[v];
        if (t->samples == 0 || temp < t->low)
            t->low = temp;
        if (t->samples == 0 || temp > t->high)
            t->high = temp;
        t->samples++;
        t->sum += temp;
    }
    close(s.fd);
    for (int v = 0; v < VATS; v++)
        printf("vat %d: %d samples, %.3f..%.3f, mean %.3f\n", v, vats[v].samples,
               vats[v].low / 1000.0, vats[v].high / 1000.0,
               vats[v].samples ? vats[v].sum / 1000.0 / vats[v].samples : 0.0);
    return 0;
}
