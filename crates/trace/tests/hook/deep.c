// Opens its file from several depths of the stack, from threads, and from a signal's handler on a stack of its own.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *name;
static volatile int failures;

__attribute__((noinline)) static int look(void) {
    struct stat facts;
    int file = open(name, O_RDONLY);
    if (file < 0 || fstat(file, &facts) != 0) failures++;
    close(file);
    return failures;
}

// Half a KiB of stack for each.
__attribute__((noinline)) static int down(int depth) {
    volatile char room[512];
    room[depth & 511] = 1;
    int found = depth == 0 ? look() : down(depth - 1);
    return found + room[depth & 511];
}

static void on_signal(int signal) {
    (void)signal;
    look();
}

static void *work(void *unused) {
    for (int turn = 0; turn < 20; turn++) down(2);
    for (int turn = 0; turn < 20; turn++) down(12);
    return unused;
}

int main(int count, char **words) {
    name = words[count - 1];
    for (int turn = 0; turn < 40; turn++) down(1);
    for (int turn = 0; turn < 40; turn++) down(10);
    for (int turn = 0; turn < 40; turn++) down(40);
    stack_t other = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    sigaltstack(&other, 0);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, 0);
    for (int turn = 0; turn < 20; turn++) raise(SIGUSR1);
    for (int turn = 0; turn < 3; turn++) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    }
    return failures;
}
