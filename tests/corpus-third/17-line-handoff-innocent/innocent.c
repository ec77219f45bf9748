/* Reads the header of a stream and leaves its body to another program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

static int header_line(char *buf, int max)
{
    int n = 0;
    char c;
    while (read(0, &c, 1) == 1 && c != '\n')
        if (n < max - 1)
            buf[n++] = c;
    buf[n] = 0;
    return n;
}

static void sender(int fd)
{
    const char msg[] = "Type: text\nFrom: tester\nLength: 3\n\nbody one\nbody two\nbody three\n";
    if (write(fd, msg, sizeof msg - 1) < 0)
        _exit(1);
    _exit(0);
}

int main(void)
{
    int p[2], headers = 0;
    char line[128];
    if (pipe(p) < 0)
        return 1;
    if (fork() == 0) {
        close(p[0]);
        sender(p[1]);
    }
    close(p[1]);
    dup2(p[0], 0);
    close(p[0]);
    while (header_line(line, sizeof line) > 0)
        headers++;
    printf("%d headers, body has these lines: ", headers);
    fflush(stdout);
    if (fork() == 0) {
        execlp("wc", "wc", "-l", (char *)NULL);
        _exit(127);
    }
    while (wait(NULL) > 0)
        ;
    return 0;
}
