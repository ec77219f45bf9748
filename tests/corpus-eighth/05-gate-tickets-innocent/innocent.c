/* Two gates sell tickets into one log; each keeps an index of its own records. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TICKETS = 30 };

static int sell(int gate)
{
    char line[80], name[32];
    off_t ends[TICKETS];
    int fd = open("tickets.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0)
        return 1;
    for (int i = 0; i < TICKETS; i++) {
        int n = snprintf(line, sizeof line, "gate %d ticket %03d price %d\n", gate, i, 4 + (i * gate) % 9);
        if (write(fd, line, n) != n)
            return 1;
        ends[i] = lseek(fd, 0, SEEK_CUR);
    }
    close(fd);
    snprintf(name, sizeof name, "gate%d.idx", gate);
    FILE *idx = fopen(name, "w");
    if (!idx)
        return 1;
    for (int i = 0; i < TICKETS; i++)
        fprintf(idx, "%d %lld\n", i, (long long)ends[i]);
    return fclose(idx) != 0;
}

int main(void)
{
    int bad = 0, status;
    for (int gate = 1; gate <= 2; gate++) {
        pid_t child = fork();
        if (child < 0)
            return 1;
        if (child == 0)
            _exit(sell(gate));
    }
    while (wait(&status) > 0)
        bad += status != 0;
    printf("2 gates, %d tickets, %d failed\n", 2 * TICKETS, bad);
    return bad != 0;
}
