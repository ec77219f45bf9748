/* Adds up the yards woven in a week from the weavers' own sheets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct week {
    char name[32];
    int yards, best_day, best;
};

/* 1 if the weaver was there, 0 if absent, -1 if the sheet cannot be used */
static int read_sheet(const char *path, struct week *w)
{
    char state[16];
    int day, yards;
    FILE *f = fopen(path, "re");
    if (!f)
        return -1;
    if (fscanf(f, "%15s %31s", state, w->name) != 2) {
        fclose(f);
        return -1;
    }
    if (strcmp(state, "absent") == 0)
        return 0;
    w->yards = w->best = w->best_day = 0;
    while (fscanf(f, "%d %d", &day, &yards) == 2) {
        w->yards += yards;
        if (yards > w->best) {
            w->best = yards;
            w->best_day = day;
        }
    }
    fclose(f);
    return 1;
}

int main(void)
{
    int absent = 0, total = 0;
    for (int i = 1; i <= 30; i++) {
        char path[64];
        struct week w;
        snprintf(path, sizeof path, "sheets/w%d.txt", i);
        switch (read_sheet(path, &w)) {
        case -1:
            fprintf(stderr, "%s: bad sheet\n", path);
            return 1;
        case 0:
            absent++;
            printf("%-10s away\n", w.name);
            break;
        default:
            total += w.yards;
            printf("%-10s %4d yards, best on day %d\n", w.name, w.yards, w.best_day);
        }
    }
    printf("%d yards, %d away\n", total, absent);
    return 0;
}
