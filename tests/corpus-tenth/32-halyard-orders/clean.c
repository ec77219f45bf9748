/* Sums the orders of a rigger's shop; two workers take the order files in turn. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ORDERS 40

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_order = 1;
static const char *const goods[] = { "halyard", "shackle", "block" };
static long sums[3];
static int bad;

static int load_order(const char *path)
{
    char name[32];
    int n, fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return -1;
    FILE *f = fdopen(fd, "r");
    if (!f) {
        close(fd);
        return -1;
    }
    while (fscanf(f, "%31s %d", name, &n) == 2)
        for (int g = 0; g < 3; g++)
            if (strcmp(name, goods[g]) == 0)
                sums[g] += n;
    fclose(f);
    return 0;
}

static void *worker(void *unused)
{
    char path[64];
    int more = 1;

    while (more) {
        pthread_mutex_lock(&lock);
        if (next_order <= ORDERS) {
            snprintf(path, sizeof path, "orders/o%d.txt", next_order++);
            if (load_order(path) < 0)
                bad++;
        } else {
            more = 0;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        if (pthread_create(&t[i], NULL, worker, NULL) != 0)
            return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    for (int g = 0; g < 3; g++)
        printf("%-8s %ld\n", goods[g], sums[g]);
    printf("%d orders, %d unreadable\n", ORDERS, bad);
    return 0;
}
