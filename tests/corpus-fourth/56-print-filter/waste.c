/* Runs the filters of a print queue with nothing open but the three standard descriptors. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int run_filter(const char *script)
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        for (int fd = 3; fd <= 3000; fd++)
            close(fd);
        execl("/bin/sh", "sh", "-c", script, (char *)NULL);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
    int a = run_filter("exit 0"), b = run_filter("exit 3");

    printf("filters ended with %d and %d\n", a, b);
    return a == 0 && b == 3 ? 0 : 1;
}
