/* Two threads read objects of one pack, and here always come in each other's way. */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static int pack;
static sem_t other_may, main_may;

static void *read_objects(void *count)
{
    char object[100];

    for (int i = 0; i < 3; i++) {
        sem_wait(&other_may);
        lseek(pack, 1000 + i, SEEK_SET);
        *(int *)count += read(pack, object, sizeof object) == sizeof object;
        sem_post(&main_may);
    }
    return NULL;
}

int main(void)
{
    char object[100];
    int count = 0, others = 0;
    pthread_t other;

    pack = open("pack", O_RDONLY);
    sem_init(&other_may, 0, 0);
    sem_init(&main_may, 0, 0);
    pthread_create(&other, NULL, read_objects, &others);
    for (int i = 0; i < 3; i++) {
        lseek(pack, 9000 + i, SEEK_SET);
        sem_post(&other_may);
        sem_wait(&main_may);
        count += read(pack, object, sizeof object) == sizeof object;
    }
    pthread_join(other, NULL);
    close(pack);
    printf("%d objects\n", count + others);
    return 0;
}
