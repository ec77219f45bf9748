/* Converts the readings of two tank gauges to the weekly log. No program on this box may make
 * a file of more than 8 kB, so that a runaway one does not fill the small disk. */
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

#define MAX_FILE 8192

struct totals {
    long readings, high, low;
};

static void restrict_files(void)
{
    struct rlimit r = { MAX_FILE, MAX_FILE };

    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &r) < 0)
        perror("setrlimit");
}

static void log_reading(FILE *log, int minute, int a, int b)
{
    fprintf(log, "minute %05d tank A %3d cm tank B %3d cm%s\n", minute, a, b,
            a > 180 || b > 90 ? " HIGH" : "");
}

static int convert(const char *from, const char *to, struct totals *t)
{
    int minute, a, b;
    FILE *in = fopen(from, "re");
    FILE *log = fopen(to, "we");

    if (!in || !log)
        return -1;
    while (fscanf(in, "%d %d %d", &minute, &a, &b) == 3) {
        log_reading(log, minute, a, b);
        t->readings++;
        t->high += a > 180 || b > 90;
        t->low += a < 10 || b < 5;
    }
    fclose(log);
    fclose(in);
    return 0;
}

int main(void)
{
    struct totals t = { 0 };

    restrict_files();
    if (convert("gauges.txt", "week.log", &t) < 0) {
        perror("convert");
        return 1;
    }
    printf("%ld readings logged, %ld high, %ld low\n", t.readings, t.high, t.low);
    return 0;
}
