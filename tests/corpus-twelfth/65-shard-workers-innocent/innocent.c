/* shards: 48 worker processes, each sums its own range of one table with its
 * own descriptor and its own view of the settings; the parent adds them up. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 48
#define BLOCK 65536

static int read_scale(const char *conf)
{
    char line[128];
    int scale = 0;
    FILE *f = fopen(conf, "r");
    if (!f)
        return -1;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "scale = %d", &scale) == 1)
            break;
    fclose(f);
    return scale;
}

/* A worker is a program of its own: it may be started by hand on any host. */
static int worker(int no)
{
    int scale = read_scale("shards.conf");
    int fd = open("table.bin", O_RDONLY);
    static uint32_t buf[BLOCK / 4];
    uint64_t sum = 0;
    ssize_t n;
    if (scale < 1 || fd < 0)
        return 1;
    n = pread(fd, buf, sizeof buf, (off_t)no * BLOCK);
    if (n != BLOCK)
        return 1;
    for (size_t i = 0; i < BLOCK / 4; i++)
        sum += buf[i] % (uint32_t)scale;
    close(fd);
    if (write(STDOUT_FILENO, &sum, sizeof sum) != sizeof sum)
        return 1;
    return 0;
}

int main(int argc, char **argv)
{
    int p[2];
    uint64_t total = 0, part;
    int failed = 0;

    if (argc == 3 && strcmp(argv[1], "worker") == 0)
        return worker(atoi(argv[2]));
    if (pipe(p) != 0) {
        perror("pipe");
        return 1;
    }
    for (int i = 0; i < WORKERS; i++) {
        pid_t pid = fork();
        if (pid < 0) {
            perror("fork");
            return 1;
        }
        if (pid == 0) {
            char no[16];
            snprintf(no, sizeof no, "%d", i);
            dup2(p[1], STDOUT_FILENO);
            close(p[0]);
            close(p[1]);
            execl(argv[0], argv[0], "worker", no, (char *)NULL);
            _exit(127);
        }
    }
    close(p[1]);
    while (read(p[0], &part, sizeof part) == sizeof part)
        total += part;
    for (int i = 0; i < WORKERS; i++) {
        int st;
        wait(&st);
        failed += st != 0;
    }
    printf("%d workers, %d failed, total %llu\n", WORKERS, failed, (unsigned long long)total);
    return failed != 0;
}
