/* tail -f: follows the log of a child until its last line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>
#include <sys/wait.h>

static void producer(void)
{
    char line[64];
    int fd = open("grow.log", O_WRONLY | O_APPEND | O_CLOEXEC);
    for (int i = 1; i <= 10; i++) {
        int n = snprintf(line, sizeof line, "event %d%s\n", i, i == 10 ? " end" : "");
        if (write(fd, line, n) != n)
            _exit(1);
        usleep(20000);
    }
    close(fd);
    _exit(0);
}

int main(void)
{
    char buf[4096];
    int lines = 0, ended = 0;
    pid_t pid = fork();
    if (pid == 0)
        producer();
    int fd = open("grow.log", O_RDONLY | O_CLOEXEC);
    while (!ended) {
        ssize_t n = read(fd, buf, sizeof buf - 1);
        if (n < 0)
            return 1;
        if (n == 0) {
            nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
            continue;
        }
        buf[n] = 0;
        for (char *p = buf; (p = strchr(p, '\n')); p++)
            lines++;
        ended = strstr(buf, " end\n") != NULL;
    }
    close(fd);
    waitpid(pid, NULL, 0);
    printf("%d lines followed\n", lines);
    return 0;
}
