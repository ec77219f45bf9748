/* A job runner's logger: coloured on terminals, plain in files. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

struct logger {
    FILE *to;
    int coloured;
    int lines;
};

static void say(struct logger *l, const char *level, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (l->coloured)
        fprintf(l->to, "\033[1m%s\033[0m ", level);
    else
        fprintf(l->to, "%s ", level);
    vfprintf(l->to, fmt, ap);
    fputc('\n', l->to);
    l->lines++;
    va_end(ap);
}

int main(void)
{
    struct logger log = { .to = fopen("run.log", "we") };
    if (!log.to) {
        perror("run.log");
        return 1;
    }
    log.coloured = isatty(fileno(log.to));
    for (int job = 0; job < 100; job++) {
        say(&log, "INFO", "job %d started", job);
        say(&log, job % 9 ? "INFO" : "WARN", "job %d done in %d ms", job, job * 37 % 500);
    }
    if (fclose(log.to) != 0) {
        perror("run.log");
        return 1;
    }
    printf("%d lines logged\n", log.lines);
    return 0;
}
