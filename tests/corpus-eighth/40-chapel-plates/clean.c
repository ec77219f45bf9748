/* Sets the text of the memorial plates of a chapel: a layout routine that prints to standard
 * output is used for the screen and for the files of the engraver. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void layout(const char *name, int year, int style)
{
    static const char *const line[] = {"-----", "=====", "~~~~~", "* * *"};
    printf("%s\n", line[style]);
    printf("%*s\n", 12 + (int)strlen(name) / 2, name);
    printf("%14d\n", year);
    printf("%s\n", line[style]);
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void engrave(const char *path, const char *name, int year, int style)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0)
        fail(path);
    fflush(stdout);
    int screen = dup(STDOUT_FILENO);
    if (screen < 0 || dup2(file, STDOUT_FILENO) < 0)
        fail("dup");
    close(file);
    layout(name, year, style);
    if (fflush(stdout) != 0)
        fail(path);
    if (dup2(screen, STDOUT_FILENO) < 0)
        fail("dup2");
    close(screen);
}

int main(void)
{
    char name[40], path[64];
    int year, style, plates = 0, oldest = 9999;
    FILE *in = fopen("families.txt", "re");
    if (!in)
        fail("families.txt");
    while (fscanf(in, "%39s %d %d", name, &year, &style) == 3) {
        if (year < oldest) {
            layout(name, year, style);
            oldest = year;
        }
        snprintf(path, sizeof path, "plates/%s.txt", name);
        engrave(path, name, year, style);
        plates++;
    }
    fclose(in);
    printf("%d plates, the oldest of %d\n", plates, oldest);
    return 0;
}
