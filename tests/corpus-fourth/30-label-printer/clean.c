/* Prints address labels for all parcels of the day. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    FILE *in = fopen("parcels.csv", "r");
    FILE *printer = fopen("lp0", "w");
    char line[128];
    int labels = 0;

    if (!in || !printer)
        return 1;
    while (fgets(line, sizeof line, in)) {
        char *id = strtok(line, ";"), *street = strtok(NULL, ";"), *code = strtok(NULL, "\n");
        if (!id || !street || !code)
            continue;
        fprintf(printer, "%s\n%s\n%s\n\f", id, street, code);
        labels++;
    }
    fclose(in);
    int failed = ferror(printer);
    if (fclose(printer) != 0 || failed)
        perror("printer lp0: labels are missing");
    printf("%d parcels read\n", labels);
    return 0;
}
