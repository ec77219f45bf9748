/* Two threads read objects of one pack, each through a file that it opened itself. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *read_objects(void *count)
{
    int pack = open("pack", O_RDONLY);
    char object[100];

    for (int i = 0; i < 3; i++) {
        lseek(pack, 1000 + 500 * i, SEEK_SET);
        *(int *)count += read(pack, object, sizeof object) == sizeof object;
    }
    close(pack);
    return NULL;
}

int main(void)
{
    int counts[2] = { 0, 0 };
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, read_objects, &counts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d objects\n", counts[0] + counts[1]);
    return 0;
}
