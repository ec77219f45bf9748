/* Asks each open file twice at two places, looks before it opens at a third: in main,
   in a thread of its own or in a child, as the first word says. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 11 };

static __attribute__((noinline)) long ask(int file, struct stat *facts) {
    return fstat(file, facts) + facts->st_size;
}

static __attribute__((noinline)) long load(const char *path) {
    struct stat facts;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    long sum = ask(file, &facts);
    sum += fstat(file, &facts); /* first */
    return sum + close(file);
}

static __attribute__((noinline)) long check(const char *path) {
    struct stat facts;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    long sum = ask(file, &facts);
    sum += fstat(file, &facts); /* second */
    close(file); /* otherwise than above: equal functions would become one */
    return sum;
}

static __attribute__((noinline)) long look(const char *path) {
    struct stat facts;
    if (stat(path, &facts) != 0) return 0;
    int file = open(path, O_RDONLY | O_CLOEXEC); /* third */
    return close(file) + facts.st_size;
}

static void *work(void *path) {
    long sum = 0;
    for (int round = 0; round < ROUNDS; round++) sum += load(path) + check(path) + look(path);
    return (void *)(sum > 0 ? path : NULL);
}

int main(int count, char **words) {
    if (count < 3) return 2;
    pthread_t thread;
    switch (words[1][0]) {
    case 't':
        if (pthread_create(&thread, NULL, work, words[2]) != 0) return 3;
        return pthread_join(thread, NULL);
    case 'f':
        if (fork() == 0) return work(words[2]) == NULL;
        return wait(NULL) < 0;
    default:
        return work(words[2]) == NULL;
    }
}
