/* Three toll gates number their carriages in one common book. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RECORD 24
#define EACH 20

static int gate(int which)
{
    char line[64];
    struct stat st;
    int fd = open("tally.dat", O_RDWR | O_APPEND | O_CLOEXEC);

    if (fd < 0)
        return 1;
    for (int i = 0; i < EACH; i++) {
        if (flock(fd, LOCK_EX) < 0 || fstat(fd, &st) < 0)
            return 1;
        snprintf(line, sizeof line, "%06ld gate%d axles%02d  x\n",
                 (long)(st.st_size / RECORD + 1), which, i % 4 + 2);
        if (write(fd, line, RECORD) != RECORD)
            return 1;
        if (flock(fd, LOCK_UN) < 0)
            return 1;
    }
    return close(fd) != 0;
}

int main(void)
{
    char buf[RECORD * EACH * 3 + 1];
    int status, bad = 0, in_order = 0;
    int fd = open("tally.dat", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    if (fd < 0)
        return 1;
    for (int i = 1; i <= 3; i++)
        if (fork() == 0)
            _exit(gate(i));
    while (wait(&status) > 0)
        bad += status != 0;
    ssize_t n = pread(fd, buf, sizeof buf - 1, 0);
    for (int i = 0; i < n / RECORD; i++)
        in_order += atoi(buf + i * RECORD) == i + 1;
    close(fd);
    printf("%zd carriages, %d numbered in order, %d gates failed\n", n / RECORD, in_order, bad);
    return bad != 0;
}
