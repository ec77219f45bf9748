#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORD 1000

/* Reads the one record of a turbine's log. */
static ssize_t read_record(const char *path, char *buf)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, buf, RECORD);
    close(fd);
    return n;
}

int main(void)
{
    char *buf = malloc(RECORD + 1);
    long sum = 0;
    int highest = 0, which = 0;
    for (int i = 1; i <= 24; i++) {
        char path[64];
        snprintf(path, sizeof path, "logs/turbine%d.log", i);
        ssize_t n = read_record(path, buf);
        if (n != RECORD) {
            printf("%s is short\n", path);
            return 1;
        }
        buf[n] = '\0';
        int value = atoi(buf + n - 8);
        sum += value;
        if (value > highest) {
            highest = value;
            which = i;
        }
    }
    free(buf);
    printf("24 turbines, sum %ld\n", sum);
    printf("highest %d at turbine %d\n", highest, which);
    return 0;
}
