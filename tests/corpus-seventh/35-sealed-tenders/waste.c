#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct bid { char name[32]; int price; };

static int checksum(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "lots/%s.txt", name);
    char *argv[] = { "cksum", path, NULL };
    pid_t pid;
    int status;
    fflush(stdout);
    if (posix_spawnp(&pid, "cksum", NULL, NULL, argv, environ) != 0)
        return -1;
    return waitpid(pid, &status, 0) == pid && status == 0 ? 0 : -1;
}

int main(void)
{
    int fd = open("bids.secret", O_RDONLY);
    if (fd < 0)
        return 1;
    FILE *in = fdopen(fd, "r");
    struct bid b, best = { "", 1 << 30 };
    int n = 0;
    while (fscanf(in, "%31s %d", b.name, &b.price) == 2) {
        if (checksum(b.name) != 0) {
            printf("no terms for %s\n", b.name);
            return 1;
        }
        if (b.price < best.price)
            best = b;
        n++;
    }
    fclose(in);
    printf("%d tenders, best %s with %d\n", n, best.name, best.price);
    return 0;
}
