#include <ctype.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sem_t ready, noted;
static int so_far, finished;

static void *clerk(void *arg)
{
    FILE *book = fopen("progress.txt", "w");
    if (!book) exit(1);
    while (sem_wait(&ready) == 0 && !finished) {
        fprintf(book, "%d waybills read\n", so_far);
        fflush(book);
        FILE *last = fopen("last.txt", "w");
        if (!last) exit(1);
        fprintf(last, "%d\n", so_far);
        fclose(last);
        sem_post(&noted);
    }
    fclose(book);
    return arg;
}

static long sum_tons(int fd)
{
    char line[120];
    long tons = 0;
    FILE *in = fdopen(fd, "r");
    if (!in) return -1;
    while (fgets(line, sizeof line, in)) {
        char *at = strstr(line, "tons ");
        if (at && isdigit((unsigned char)at[5])) tons += strtol(at + 5, NULL, 10);
    }
    fclose(in);
    return tons;
}

int main(void)
{
    pthread_t t;
    long total = 0, heaviest = 0;
    sem_init(&ready, 0, 0);
    sem_init(&noted, 0, 0);
    pthread_create(&t, NULL, clerk, NULL);
    for (int i = 0; i < 30; i++) {
        char name[40];
        snprintf(name, sizeof name, "waybill-%02d.txt", i);
        int fd = open(name, O_RDONLY | O_CLOEXEC);
        if (fd < 0) { perror(name); return 1; }
        long tons = sum_tons(fd);

        total += tons;
        if (tons > heaviest) heaviest = tons;
        so_far++;
        if (so_far % 10 == 0) {
            sem_post(&ready);
            sem_wait(&noted);
        }
    }
    finished = 1;
    sem_post(&ready);
    pthread_join(t, NULL);
    printf("%d barges, %ld tons, heaviest %ld\n", so_far, total, heaviest);
    return 0;
}
