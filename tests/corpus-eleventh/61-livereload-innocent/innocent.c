/* livereload: a server that takes up its settings anew whenever they change.
 * A child plays the operator and edits the file; a pipe tells the server. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define EDITS 250
static const char *conf = "server.conf";

static int edit(int rev)
{
    char text[128];
    int n = snprintf(text, sizeof text, "revision=%d\nworkers=%d\nlimit=%d\n", rev, 2 + rev % 7, rev * 10);
    int fd = open(conf, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return -1;
    int rc = write(fd, text, (size_t)n) == n ? 0 : -1;
    return close(fd) < 0 ? -1 : rc;
}

static int reload(int *rev, int *workers)
{
    char buf[256];
    int fd = open(conf, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, buf, sizeof buf - 1);
    close(fd);
    if (n <= 0)
        return -1;
    buf[n] = 0;
    return sscanf(buf, "revision=%d\nworkers=%d", rev, workers) == 2 ? 0 : -1;
}

static void operator_main(int say, int hear)
{
    char c = 0;
    for (int i = 1; i <= EDITS; i++) {
        if (edit(i) < 0 || write(say, "r", 1) != 1 || read(hear, &c, 1) != 1)
            _exit(1);
    }
    _exit(0);
}

int main(void)
{
    int up[2], down[2];
    if (pipe(up) < 0 || pipe(down) < 0) {
        perror("pipe");
        return 1;
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(up[0]);
        close(down[1]);
        operator_main(up[1], down[0]);
    }
    close(up[1]);
    close(down[0]);
    char c;
    int reloads = 0, rev = 0, workers = 0;
    long sum = 0;
    while (read(up[0], &c, 1) == 1) {
        if (reload(&rev, &workers) < 0)
            break;
        reloads++;
        sum += workers;
        if (write(down[1], "k", 1) != 1)
            break;
    }
    int st;
    waitpid(pid, &st, 0);
    printf("%d reloads, last revision %d, workers in sum %ld\n", reloads, rev, sum);
    return st != 0;
}
