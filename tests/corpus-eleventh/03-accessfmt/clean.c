/* accessfmt: prints a readable access log from a raw one.
 * raw line:  EPOCH STATUS BYTES PATH */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct hit {
    time_t when;
    int status;
    long bytes;
    char path[128];
};

static int parse(const char *line, struct hit *h)
{
    long long t;
    if (sscanf(line, "%lld %d %ld %127s", &t, &h->status, &h->bytes, h->path) != 4)
        return -1;
    h->when = (time_t)t;
    return 0;
}

static void stamp(time_t t, char *out, size_t cap)
{
    struct tm tm;
    localtime_r(&t, &tm);
    strftime(out, cap, "%d/%b/%Y:%H:%M:%S", &tm);
}

int main(int argc, char **argv)
{
    const char *in = argc > 1 ? argv[1] : "raw.log";
    const char *to = argc > 2 ? argv[2] : "access.log";
    FILE *f = fopen(in, "r");
    FILE *o = fopen(to, "w");
    if (!f || !o) {
        perror("accessfmt");
        return 1;
    }
    char line[512], when[64];
    struct hit h;
    tzset();
    long hits = 0, errors = 0;
    long long bytes = 0;
    while (fgets(line, sizeof line, f)) {
        if (parse(line, &h) < 0)
            continue;
        stamp(h.when, when, sizeof when);
        fprintf(o, "[%s] \"GET %s\" %d %ld\n", when, h.path, h.status, h.bytes);
        hits++;
        bytes += h.bytes;
        if (h.status >= 500)
            errors++;
    }
    fclose(f);
    if (fclose(o) != 0) {
        perror(to);
        return 1;
    }
    printf("%ld hits, %ld server errors, %lld bytes\n", hits, errors, bytes);
    return 0;
}
