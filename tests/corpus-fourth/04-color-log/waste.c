/* Log of a deployment. Levels are coloured when the log goes to a terminal. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static FILE *out;
static const char *names[] = { "debug", "info", "warn", "error" };
static const char *codes[] = { "90", "32", "33", "31" };

static void logline(int level, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (isatty(fileno(out)))
        fprintf(out, "\033[%sm%-5s\033[0m ", codes[level], names[level]);
    else
        fprintf(out, "%-5s ", names[level]);
    vfprintf(out, fmt, ap);
    fputc('\n', out);
    va_end(ap);
}

int main(void)
{
    int restarted = 0;
    long bytes;

    out = fopen("deploy.log", "w");
    if (!out)
        return 1;
    for (int host = 0; host < 130; host++) {
        logline(1, "host web%03d: image pulled", host);
        if (host % 13 == 5) {
            logline(2, "host web%03d: unhealthy, restarting", host);
            restarted++;
        } else {
            logline(0, "host web%03d: healthy", host);
        }
    }
    bytes = ftell(out);
    if (fclose(out) != 0)
        return 1;
    printf("130 hosts, %d restarted, log of %ld bytes\n", restarted, bytes);
    return 0;
}
