/* Two stations write to one log and note in their own index where each record went. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static int station(int id)
{
    int fd = open("shared.log", O_WRONLY | O_CLOEXEC);
    char rec[64];

    if (fd < 0)
        return 1;
    for (int i = 0; i < 25; i++) {
        off_t at;
        int n = snprintf(rec, sizeof rec, "station %d reading %d value %d\n", id, i, i * 37 % 101);
        flock(fd, LOCK_EX);
        at = lseek(fd, 0, SEEK_END);
        if (at < 0 || write(fd, rec, n) != n)
            return 1;
        flock(fd, LOCK_UN);
    }
    close(fd);
    return 0;
}

int main(void)
{
    int status, bad = 0;

    for (int id = 1; id <= 2; id++)
        if (fork() == 0)
            _exit(station(id));
    while (wait(&status) > 0)
        bad |= status;
    FILE *f = fopen("shared.log", "r");
    int lines = 0;
    for (int c; (c = getc(f)) != EOF;)
        lines += c == '\n';
    fclose(f);
    printf("%d records, %s\n", lines, bad ? "failed" : "whole");
    return bad != 0;
}
