#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

struct job { int fd; char text[64]; };

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static int stop, beats;

static void *watchdog(void *arg)
{
    pthread_mutex_lock(&mu);
    while (!stop)
        pthread_cond_wait(&cv, &mu);
    beats++;
    pthread_mutex_unlock(&mu);
    return NULL;
}

static int job_read(struct job *j)
{
    ssize_t n = read(j->fd, j->text, sizeof j->text - 1);
    if (n <= 0 || strncmp(j->text, "job ", 4)) {
        close(j->fd);
        return -1;
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    int ok = 0, bad = 0;
    char path[32];
    pthread_create(&t, NULL, watchdog, NULL);
    for (int i = 1; i <= 10; i++) {
        struct job j = { .text = "" };
        snprintf(path, sizeof path, "spool/%d.job", i);
        j.fd = open(path, O_RDONLY | O_CLOEXEC);
        if (j.fd < 0)
            continue;
        if (job_read(&j) == 0)
            ok++;
        else
            bad++;
        close(j.fd);
    }
    pthread_mutex_lock(&mu);
    stop = 1;
    pthread_cond_signal(&cv);
    pthread_mutex_unlock(&mu);
    pthread_join(t, NULL);
    printf("%d jobs, %d rejected, %d beat\n", ok, bad, beats);
    return 0;
}
