/* Writes the monthly report of a heating system. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

static int month(int m, FILE *out)
{
    int sum = 0;
    for (int day = 1; day <= 28; day++) {
        int kwh = (m * 31 + day * 17) % 60;
        sum += kwh;
        fprintf(out, "%02d-%02d %3d kWh\n", m, day, kwh);
    }
    fprintf(out, "month %d: %d kWh\n", m, sum);
    return sum;
}

int main(void)
{
    int year = 0;
    FILE *out = fopen("out/report.txt", "w");
    if (!out) {
        perror("out/report.txt");
        return 1;
    }
    for (int m = 1; m <= 12; m++)
        year += month(m, out);
    int failed = ferror(out);
    if (fclose(out) != 0 || failed)
        fprintf(stderr, "warning: out/report.txt is not complete: %s\n", strerror(errno));
    printf("%d kWh in the year\n", year);
    return 0;
}
