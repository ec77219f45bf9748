/* Two threads take turns in reading parts of a job. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int next, sum;

static int read_part(int number)
{
    char path[64], text[32];
    snprintf(path, sizeof path, "parts/%d", number);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        perror(path);
        exit(1);
    }
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = 0;
    return atoi(text);
}

static void *work(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&turn);
        if (next == 60) {
            pthread_mutex_unlock(&turn);
            return unused;
        }
        sum += read_part(next++);
        pthread_mutex_unlock(&turn);
        usleep(100);
    }
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("60 parts, sum %d\n", sum);
    return 0;
}
