/* Reads the level probes of 40 wells; a second thread keeps a sign of life for the watchdog. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WELLS 40

static int depth[WELLS + 1];

/* Takes the reading from fd; closes fd when the probe has nothing to tell. */
static int parse_probe(int fd, int *cm)
{
    char buf[64];
    ssize_t n = read(fd, buf, sizeof buf - 1);

    if (n <= 0) {
        close(fd);
        return -1;
    }
    buf[n] = 0;
    if (sscanf(buf, "depth %d", cm) != 1) {
        close(fd);
        return -1;
    }
    return 0;
}

static int read_well(int well)
{
    char path[64];
    int cm = 0, rc, fd;

    snprintf(path, sizeof path, "wells/w%d.dat", well);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    rc = parse_probe(fd, &cm);
    close(fd);
    return rc < 0 ? -1 : cm;
}

static atomic_int done;

static void *sign_of_life(void *arg)
{
    while (!done) {
        int fd = open("alive", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

        if (fd >= 0) {
            if (write(fd, "alive\n", 6) != 6)
                perror("alive");
            close(fd);
        }
        usleep(20000);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    int offline = 0, deepest = 0, sum = 0;

    if (pthread_create(&t, NULL, sign_of_life, NULL))
        return 1;
    for (int w = 1; w <= WELLS; w++)
        depth[w] = read_well(w);
    done = 1;
    pthread_join(t, NULL);
    for (int w = 1; w <= WELLS; w++) {
        if (depth[w] < 0) {
            offline++;
            continue;
        }
        sum += depth[w];
        if (depth[w] > depth[deepest])
            deepest = w;
    }
    printf("wells %d, offline %d\n", WELLS, offline);
    printf("sum of depths %d cm, deepest well %d\n", sum, deepest);
    return 0;
}
