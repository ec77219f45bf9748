/* Talks to a meter over a pipe in place of a serial line; a reply ends with a newline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void meter(int in, int out)
{
    char question, reply[32];

    while (read(in, &question, 1) == 1) {
        int n = snprintf(reply, sizeof reply, "%c=%d\n", question, question * 3 % 100);
        for (int i = 0; i < n; i++) {
            if (write(out, reply + i, 1) != 1)
                _exit(1);
            usleep(200);
        }
    }
    _exit(0);
}

static int ask(int to, int from, char question)
{
    char line[32];
    size_t n = 0;

    if (write(to, &question, 1) != 1)
        return -1;
    while (n + 1 < sizeof line && read(from, line + n, 1) == 1 && line[n] != '\n')
        n++;
    line[n] = 0;
    return atoi(line + 2);
}

int main(void)
{
    int up[2], down[2], sum = 0;

    if (pipe(up) != 0 || pipe(down) != 0)
        return 1;
    if (fork() == 0) {
        close(up[1]);
        close(down[0]);
        meter(up[0], down[1]);
    }
    close(up[0]);
    close(down[1]);
    for (char q = 'A'; q <= 'Z'; q++)
        sum += ask(up[1], down[0], q);
    close(up[1]);
    wait(NULL);
    printf("26 values, sum %d\n", sum);
    return 0;
}
