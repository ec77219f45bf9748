/* A worker thread grinds jobs and wakes the main loop through a non-blocking pipe. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define JOBS 4000

static int wake[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long done[JOBS];
static int finished;

static void *grind(void *arg)
{
    (void)arg;
    for (int i = 0; i < JOBS; i++) {
        unsigned long h = 1469598103934665603UL;
        for (int k = 0; k < 200; k++)
            h = (h ^ (unsigned long)(i + k)) * 1099511628211UL;
        pthread_mutex_lock(&lock);
        done[finished++] = h;
        pthread_mutex_unlock(&lock);
        /* a full pipe means that the loop will wake anyway */
        if (write(wake[1], "", 1) < 0 && errno != EAGAIN)
            abort();
    }
    return NULL;
}

static void drain(void)
{
    char sink[4096];
    while (read(wake[0], sink, sizeof sink) > 0)
        ;
}

int main(void)
{
    pthread_t worker;
    unsigned long mix = 0;
    int taken = 0;

    if (pipe2(wake, O_NONBLOCK | O_CLOEXEC) != 0 || fcntl(wake[1], F_SETPIPE_SZ, 4096) < 0)
        return 1;
    if (pthread_create(&worker, NULL, grind, NULL) != 0)
        return 1;
    usleep(60000); /* the loop is busy with something else at first */
    while (taken < JOBS) {
        struct pollfd p = {.fd = wake[0], .events = POLLIN};
        if (poll(&p, 1, 1000) < 0 && errno != EINTR)
            return 1;
        drain();
        pthread_mutex_lock(&lock);
        while (taken < finished)
            mix ^= done[taken++];
        pthread_mutex_unlock(&lock);
    }
    pthread_join(worker, NULL);
    printf("%d jobs\n", taken);
    printf("mix %016lx\n", mix);
    return 0;
}
