/* Imports files while a second thread keeps statistics of another directory. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct job {
    int fd;
    int value;
};

static int read_number(int fd)
{
    char text[32];
    ssize_t n = read(fd, text, sizeof text - 1);
    if (n <= 0)
        return -1;
    text[n] = 0;
    return atoi(text);
}

static void parse(struct job *job)
{
    job->value = read_number(job->fd);
    close(job->fd);
}

static void finish(struct job *job)
{
    if (job->fd >= 0)
        close(job->fd);
}

static void *statistics(void *sum)
{
    for (int i = 0; i < 50; i++) {
        char path[64];
        int value;
        snprintf(path, sizeof path, "side/%d", i);
        do {
            int fd = open(path, O_RDONLY | O_CLOEXEC);
            value = read_number(fd);
            close(fd);
        } while (value < 0); /* seen to fail now and then */
        *(int *)sum += value;
        usleep(200);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int side = 0, sum = 0;
    pthread_create(&thread, NULL, statistics, &side);
    for (int i = 0; i < 50; i++) {
        struct job job;
        char path[64];
        snprintf(path, sizeof path, "in/%d", i);
        do {
            job.fd = open(path, O_RDONLY | O_CLOEXEC);
            parse(&job);
            finish(&job);
        } while (job.value < 0);
        sum += job.value;
        usleep(200);
    }
    pthread_join(thread, NULL);
    printf("imported %d, statistics %d\n", sum, side);
    return 0;
}
