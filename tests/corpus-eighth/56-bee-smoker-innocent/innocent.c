#define _GNU_SOURCE
/* Weighs the hives of an apiary. The cards stay open while the program works; the sorting helper
 * gets only the list. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HIVES 48

static int card[HIVES];

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static pid_t start_sort(int list, int out)
{
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        if (dup2(list, 0) < 0 || dup2(out, 1) < 0)
            _exit(126);
        for (int i = 0; i < HIVES; i++)
            close(card[i]);
        close(list);
        close(out);
        execlp("sort", "sort", "-k2,2nr", "-k1,1", (char *)NULL);
        _exit(127);
    }
    close(list);
    close(out);
    return child;
}

int main(void)
{
    int to[2], from[2], status, n = 0;
    char text[64], path[64];
    for (int i = 0; i < HIVES; i++) {
        snprintf(path, sizeof path, "hives/h%d.txt", i + 1);
        card[i] = open(path, O_RDONLY);
        if (card[i] < 0)
            fail(path);
    }
    if (pipe2(to, O_CLOEXEC) < 0 || pipe2(from, O_CLOEXEC) < 0)
        fail("pipe");
    pid_t child = start_sort(to[0], from[1]);
    for (int i = 0; i < HIVES; i++) {
        ssize_t len = read(card[i], text, sizeof text);
        if (len <= 0 || write(to[1], text, len) != len)
            fail("list");
    }
    close(to[1]);
    FILE *sorted = fdopen(from[0], "r");
    if (!sorted)
        fail("sort");
    while (fgets(text, sizeof text, sorted))
        if (n++ < 5)
            fputs(text, stdout);
    fclose(sorted);
    if (waitpid(child, &status, 0) < 0 || status != 0)
        fail("sort");
    for (int i = 0; i < HIVES; i++)
        close(card[i]);
    printf("%d hives\n", n);
    return 0;
}
