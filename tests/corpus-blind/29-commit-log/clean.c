/* Runs batches of transactions with a commit log. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fd;

static void sync_log(void)
{
    if (fsync(fd) < 0) {
        perror("fsync");
        exit(1);
    }
}

static void append(const char *text)
{
    size_t len = strlen(text);
    if (write(fd, text, len) != (ssize_t)len) {
        perror("write");
        exit(1);
    }
    sync_log();
}

static int run_batch(int batch)
{
    char line[128];
    int applied = 0;
    for (int i = 0; i < 10; i++)
        applied += (batch * 10 + i) % 7 != 0;
    snprintf(line, sizeof line, "batch %d applied %d\n", batch, applied);
    append(line);
    return applied;
}

int main(void)
{
    int applied = 0;
    fd = open("commit.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) {
        perror("commit.log");
        return 1;
    }
    for (int batch = 0; batch < 15; batch++)
        applied += run_batch(batch);
    close(fd);
    printf("15 batches, %d applied\n", applied);
    return 0;
}
