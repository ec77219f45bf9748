/* A turbine's control loop tells its state to a display over a pipe. The loop must never wait for the display,
 * so the pipe is non-blocking and a state that does not fit is dropped: the next one is newer anyway. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STEPS 200

struct display {
    int fd;
    unsigned sent, dropped;
};

static int tell(struct display *d, int step, int rpm)
{
    char line[128];
    int n = snprintf(line, sizeof line, "step %04d rpm %05d %-78s\n", step, rpm, rpm > 3100 ? "FAST" : "ok");
    ssize_t w = write(d->fd, line, (size_t)n);

    if (w == n) {
        d->sent++;
        return 0;
    }
    if (w < 0 && errno == EAGAIN) {
        d->dropped++;
        return 0;
    }
    return -1;
}

int main(void)
{
    struct display d = { 0 };
    int p[2], rpm = 3000;
    char buf[4096];
    ssize_t n, got = 0;

    if (pipe2(p, O_NONBLOCK | O_CLOEXEC) < 0)
        return 1;
    if (fcntl(p[1], F_SETPIPE_SZ, 4096) < 0)
        perror("pipe size");
    d.fd = p[1];
    for (int step = 0; step < STEPS; step++) {
        rpm += (step * 37 % 23) - 11;
        if (tell(&d, step, rpm) < 0) {
            perror("display");
            return 1;
        }
        /* the display wakes up every 80 steps */
        if (step % 80 == 79)
            while ((n = read(p[0], buf, sizeof buf)) > 0)
                got += n;
    }
    printf("steps %d: %u states shown, %u dropped since the display was slow\n", STEPS, d.sent, d.dropped);
    printf("bytes at the display: %zd, last rpm %d\n", got, rpm);
    return 0;
}
