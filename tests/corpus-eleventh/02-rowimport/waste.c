/* rowimport: turns a CSV price list into a fixed-width table file.
 * The table is built beside the old one and put in place when complete. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct row {
    char sku[16];
    char title[40];
    long cents;
};

static int parse(char *line, struct row *r)
{
    char *sku = strtok(line, ",");
    char *title = strtok(NULL, ",");
    char *price = strtok(NULL, ",\n");
    if (!sku || !title || !price)
        return -1;
    memset(r, 0, sizeof *r);
    snprintf(r->sku, sizeof r->sku, "%s", sku);
    snprintf(r->title, sizeof r->title, "%s", title);
    r->cents = (long)(atof(price) * 100.0 + 0.5);
    return 0;
}

static int commit(FILE *f)
{
    if (fflush(f) != 0)
        return -1;
    return fsync(fileno(f));
}

int main(int argc, char **argv)
{
    const char *in = argc > 1 ? argv[1] : "prices.csv";
    FILE *src = fopen(in, "r");
    if (!src) {
        perror(in);
        return 1;
    }
    FILE *dst = fopen("prices.tbl.new", "w");
    if (!dst) {
        perror("prices.tbl.new");
        return 1;
    }
    char line[256];
    struct row r;
    long n = 0, total = 0, bad = 0;
    while (fgets(line, sizeof line, src)) {
        if (parse(line, &r) < 0) {
            bad++;
            continue;
        }
        if (fwrite(&r, sizeof r, 1, dst) != 1)
            break;
        if (commit(dst) < 0)
            break;
        n++;
        total += r.cents;
    }
    fclose(src);
    if (ferror(dst) || fclose(dst) != 0 || rename("prices.tbl.new", "prices.tbl") != 0) {
        perror("prices.tbl");
        return 1;
    }
    printf("%ld rows, %ld rejected, sum %ld.%02ld\n", n, bad, total / 100, total % 100);
    return 0;
}
