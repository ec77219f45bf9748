/* Prices the orders of a delicatessen counter and prints a docket for each. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const goods[] = {"ham", "brie", "olives", "salami", "pickles"};
static const int cents_per_100g[] = {219, 185, 149, 260, 95};

static int open_printer(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "printers/%s", name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        perror(path);
        exit(1);
    }
    return fd;
}

static void print_docket(int *printer, int no, const char *what, int grams, int cents)
{
    char text[200];
    int n = snprintf(text, sizeof text, "DOCKET %03d\n%-10s %5d g\nTO PAY %d.%02d\n\n", no, what,
                     grams, cents / 100, cents % 100);
    if (write(*printer, text, n)) {
        /* on paper */
    }
}

int main(void)
{
    FILE *in = fopen("orders.txt", "r");
    if (!in) {
        perror("orders.txt");
        return 1;
    }
    int printer = open_printer("front");
    int no, grams, kind, dockets = 0;
    long sum = 0;
    while (fscanf(in, "%d %d %d", &no, &grams, &kind) == 3) {
        int cents = (grams * cents_per_100g[kind] + 50) / 100;
        print_docket(&printer, no, goods[kind], grams, cents);
        printf("%d %s %d.%02d\n", no, goods[kind], cents / 100, cents % 100);
        sum += cents;
        dockets++;
    }
    fclose(in);
    close(printer);
    printf("%d dockets printed, %ld.%02ld to take\n", dockets, sum / 100, sum % 100);
    return 0;
}
