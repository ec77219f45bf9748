/* Distributes the signals of a night over the relay logs of the lighthouses. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIGHTS 48

static int open_relay(int n)
{
    char path[64];
    snprintf(path, sizeof path, "relays/light%02d.log", n);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) {
        perror(path);
        exit(1);
    }
    return fd;
}

int main(void)
{
    int relay[LIGHTS];
    char *batch[LIGHTS];
    size_t len[LIGHTS];
    for (int i = 0; i < LIGHTS; i++) {
        relay[i] = open_relay(i);
        batch[i] = malloc(8192);
        len[i] = 0;
    }
    for (int s = 0; s < 4000; s++) {
        int i = s * 7 % LIGHTS;
        len[i] += (size_t)sprintf(batch[i] + len[i], "%04d flash %d\n", s, s % 5 + 1);
    }
    size_t total = 0;
    for (int i = 0; i < LIGHTS; i++) {
        if (write(relay[i], batch[i], len[i]) != (ssize_t)len[i]) {
            perror("write");
            return 1;
        }
        total += len[i];
        free(batch[i]);
    }
    printf("%d lights, %zu bytes of signals\n", LIGHTS, total);
    fflush(stdout);
    FILE *p = popen("ls relays | wc -l", "r");
    int files = 0;
    if (!p || fscanf(p, "%d", &files) != 1 || pclose(p) != 0)
        return 1;
    printf("%d relay logs on disk\n", files);
    for (int i = 0; i < LIGHTS; i++)
        close(relay[i]);
    return 0;
}
