#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The recorder: appends levels and moves the log away when it is full. */
static void record(int hour)
{
    char name[32];
    FILE *log = fopen("weir.log", "ae");
    if (!log)
        _exit(1);
    fprintf(log, "%d %d\n", hour, hour * 37 % 91);
    fclose(log);
    if (hour % 8 == 7) {
        snprintf(name, sizeof name, "weir.log.%d", hour / 8);
        if (rename("weir.log", name) != 0)
            _exit(1);
    }
}

static int moved(int fd)
{
    struct stat open_one, named;
    if (fstat(fd, &open_one) != 0)
        return 1;
    if (stat("weir.log", &named) != 0)
        return 1;
    return open_one.st_ino != named.st_ino || open_one.st_dev != named.st_dev;
}

static void take(int fd, int *lines, int *highest)
{
    char buf[512];
    ssize_t n;
    while ((n = read(fd, buf, sizeof buf - 1)) > 0) {
        buf[n] = '\0';
        for (char *p = strtok(buf, "\n"); p; p = strtok(NULL, "\n")) {
            int hour, level;
            if (sscanf(p, "%d %d", &hour, &level) != 2)
                continue;
            (*lines)++;
            if (level > *highest)
                *highest = level;
        }
    }
}

int main(void)
{
    int fd = -1, lines = 0, highest = 0, logs = 0;
    for (int hour = 0; hour < 36; hour++) {
        pid_t pid = fork();
        if (pid == 0) {
            record(hour);
            _exit(0);
        }
        int status;
        if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
            return 1;
        if (fd < 0 || moved(fd)) {
            if (fd >= 0) {
                take(fd, &lines, &highest);
                close(fd);
            }
            fd = open("weir.log", O_RDONLY | O_CLOEXEC);
            logs += fd >= 0;
        }
        if (fd >= 0)
            take(fd, &lines, &highest);
    }
    printf("%d levels, highest %d, %d logs\n", lines, highest, logs);
    return 0;
}
