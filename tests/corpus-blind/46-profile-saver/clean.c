/* Keeps the number of runs in a profile. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static int bump(void)
{
    char text[512], fresh[600];
    int runs = 0;
    int old = open("profile.cfg", O_RDONLY | O_CLOEXEC);
    if (old < 0)
        die("profile.cfg");
    ssize_t n = read(old, text, sizeof text - 1);
    if (n < 0)
        die("read");
    text[n] = 0;
    char *at = strstr(text, "runs=");
    if (at) {
        runs = atoi(at + 5) + 1;
        *at = 0;
    }
    int len = snprintf(fresh, sizeof fresh, "%sruns=%d\n", text, runs);
    int new = open("profile.cfg.new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (new < 0)
        die("profile.cfg.new");
    if (write(new, fresh, len) != len)
        die("write");
    if (fsync(new) < 0)
        die("fsync");
    if (close(new) < 0 || close(old) < 0)
        die("close");
    if (rename("profile.cfg.new", "profile.cfg") < 0)
        die("rename");
    int dir = open(".", O_RDONLY | O_CLOEXEC);
    if (dir < 0 || fsync(dir) < 0)
        die("sync of directory");
    close(dir);
    return runs;
}

int main(void)
{
    bump();
    printf("runs %d\n", bump());
    return 0;
}
