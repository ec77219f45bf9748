#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/wait.h>

static int run_cgi(const char *arg, char *out, int max)
{
    int p[2], status;
    if (pipe2(p, O_CLOEXEC) < 0)
        return -1;
    pid_t pid = fork();
    if (pid < 0)
        return -1;
    if (pid == 0) {
        dup2(p[1], 1);
        close_range(3, ~0U, 0);
        execl("./hello.cgi", "hello.cgi", arg, (char *)NULL);
        _exit(127);
    }
    close(p[1]);
    int n = 0, r;
    while (n < max - 1 && (r = read(p[0], out + n, max - 1 - n)) > 0)
        n += r;
    out[n] = 0;
    close(p[0]);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
    char out[256];
    const char *pages[] = { "index", "about" };
    for (int i = 0; i < 2; i++) {
        if (run_cgi(pages[i], out, sizeof out) != 0)
            return 1;
        fputs(out, stdout);
    }
    return 0;
}
