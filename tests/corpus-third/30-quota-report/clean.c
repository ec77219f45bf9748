/* Quota report; runs under the file-size limit that the batch system sets. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/resource.h>

static void batch_limits(void)
{
    struct rlimit r = { 2048, 2048 };
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &r);
}

int main(void)
{
    char user[64];
    int kb, pct, n = 0, full = 0;
    batch_limits();
    FILE *in = fopen("usage.txt", "re");
    FILE *out = fopen("report.txt", "we");
    if (!in || !out)
        return 1;
    while (fscanf(in, "%63s %d %d", user, &kb, &pct) == 3) {
        fprintf(out, "%-12s %8d KB %3d%%%s\n", user, kb, pct, pct > 80 ? "  (warned)" : "");
        n++;
        full += pct > 80;
    }
    fclose(in);
    int bad = ferror(out);
    if (fclose(out) != 0)
        bad = 1;
    if (bad) {
        fputs("report.txt: could not be written completely, removed\n", stderr);
        unlink("report.txt");
    }
    printf("%d users, %d over 80%%\n", n, full);
    return 0;
}
