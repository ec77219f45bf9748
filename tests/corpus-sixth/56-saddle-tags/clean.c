/* Has the checksum of each saddle tag list made by cksum and reports them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void close_inherited(void)
{
    close_range(3, ~0U, 0);
}

/* Runs argv with its output going to a pipe; gives the first number it prints. */
static long run_for_number(char *const argv[])
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    pid_t pid = fork();
    if (pid < 0)
        return -1;
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close_inherited();
        execvp(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    long number = -1;
    if (in) {
        if (fscanf(in, "%ld", &number) != 1)
            number = -1;
        fclose(in);
    }
    int status;
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return -1;
    return number;
}

int main(void)
{
    static char *lists[] = {"tags/bay.txt", "tags/dun.txt", "tags/grey.txt"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char *argv[] = {"cksum", lists[i], NULL};
        long sum = run_for_number(argv);
        if (sum < 0) {
            fprintf(stderr, "%s: no checksum\n", lists[i]);
            return 1;
        }
        printf("%s %ld\n", lists[i], sum);
    }
    return 0;
}
