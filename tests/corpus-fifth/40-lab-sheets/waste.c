/* Prints one sheet for each sample of the laboratory. The print code of the old library writes to stdout,
 * so stdout is turned to the file of the sheet for as long as it runs. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct sample {
    int number, lead, zinc, iron;
};

/* from the old library */
static void print_sheet(const struct sample *s)
{
    printf("Sheet of sample %d\n", s->number);
    printf("  lead %3d %s\n", s->lead, s->lead > 80 ? "HIGH" : "ok");
    printf("  zinc %3d %s\n", s->zinc, s->zinc > 45 ? "HIGH" : "ok");
    printf("  iron %3d %s\n", s->iron, s->iron > 9 ? "HIGH" : "ok");
}

static int sheet_to_file(const struct sample *s)
{
    char path[64];
    int saved, out;

    snprintf(path, sizeof path, "sheets/%d.txt", s->number);
    out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (out < 0)
        return -1;
    fflush(stdout);
    saved = dup(STDOUT_FILENO);
    dup2(out, STDOUT_FILENO);
    close(out);

    print_sheet(s);
    fflush(stdout);

    dup2(saved, STDOUT_FILENO);
    return 0;
}

int main(void)
{
    struct sample s;
    int n = 0, bad = 0;
    FILE *in = fopen("samples.txt", "re");

    if (!in)
        return 1;
    while (fscanf(in, " sample %d: %d %d %d", &s.number, &s.lead, &s.zinc, &s.iron) == 4) {
        if (sheet_to_file(&s) < 0) {
            perror("sheet");
            return 1;
        }
        n++;
        if (s.lead > 80 || s.zinc > 45 || s.iron > 9)
            bad++;
    }
    fclose(in);
    printf("%d sheets, %d with a high value\n", n, bad);
    return 0;
}
