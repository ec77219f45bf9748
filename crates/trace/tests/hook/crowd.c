/* What the tests of the hook run that is about several threads: `crowd MODE NUMBER FILE`. The process has
   a second thread before it makes calls, so that every place is met while others may be there. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { TURNS = 40 };

static const char *file;
static int waiting[2], done[2];
static atomic_int wrong;
static atomic_int alarms;

static void expect(int right) {
    if (!right) wrong++;
}

/* Asks what has one answer, and writes down who was told another. */
static void ask(void) {
    char letters[8];
    struct stat stat_buffer;
    struct termios terminal;
    for (int turn = 0; turn < TURNS; turn++) {
        errno = 0;
        expect(open("/does/not/exist", O_RDONLY) == -1 && errno == ENOENT);
        int fd = open(file, O_RDONLY);
        expect(fd >= 0);
        expect(read(fd, letters, sizeof letters) == 5 && !memcmp(letters, "crowd", 5));
        expect(read(fd, letters, sizeof letters) == 0);
        expect(fstat(fd, &stat_buffer) == 0 && stat_buffer.st_size == 5);
        /* Behind these two the C library has a short instruction and another one. */
        errno = 0;
        expect(ioctl(fd, TCGETS, &terminal) == -1 && errno == ENOTTY);
        expect(posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL) == 0);
        expect(close(fd) == 0);
    }
}

/* A call with two short instructions behind it, each of which is a place to jump to. */
__asm__("close_and_negate: mov $3, %eax\n syscall\n"
        "move_and_negate: mov %eax, %edx\n"
        "negate: neg %edx\n mov %edx, %eax\n ret\n");

static int negated(const char *place, int eax, int edx) {
    int result;
    switch (*place) {
    case 'c': __asm__ volatile("call close_and_negate" : "=a"(result), "+d"(edx) : "D"(-1) : "rcx", "r11", "memory", "cc"); break;
    case 'm': __asm__ volatile("call move_and_negate" : "=a"(result), "+d"(edx) : "a"(eax) : "memory", "cc"); break;
    default: __asm__ volatile("call negate" : "=a"(result), "+d"(edx) : "a"(eax) : "memory", "cc");
    }
    return result;
}

static void *jump_there(void *nothing) {
    for (int turn = 0; turn < 20 * TURNS; turn++) {
        expect(negated("call", 0, 0) == EBADF);
        expect(negated("move", -turn, 5) == turn);
        expect(negated("negate", 5, -turn) == turn);
    }
    return nothing;
}

static void *ask_in_thread(void *nothing) {
    ask();
    return nothing;
}

/* Stands inside a read, at the place where the others read, until they are done. */
static void *wait_in_read(void *nothing) {
    char letter = 0;
    expect(read(waiting[0], &letter, 1) == 1 && letter == 'w');
    expect(write(done[1], "d", 1) == 1);
    return nothing;
}

static void on_alarm(int number) { alarms += number == SIGALRM; }

static void run_threads_of(void *(*work)(void *), int number, int at_once) {
    pthread_t threads[1000];
    for (int made = 0; made < number; made += at_once) {
        int now = number - made < at_once ? number - made : at_once, begun = 0;
        for (; begun < now; begun++)
            if (pthread_create(&threads[begun], NULL, work, NULL)) break;
        expect(begun == now);
        while (begun) pthread_join(threads[--begun], NULL);
    }
}

static void run_threads(int number, int at_once) { run_threads_of(ask_in_thread, number, at_once); }

/* Threads that live but for two calls each. */
static void *ask_once(void *nothing) {
    int fd = open(file, O_RDONLY);
    expect(fd >= 0 && close(fd) == 0);
    return nothing;
}

static void run_short_threads(int number) {
    pthread_t thread;
    while (number--) {
        int failed = pthread_create(&thread, NULL, ask_once, NULL);
        expect(!failed);
        if (!failed) pthread_join(thread, NULL);
    }
}

static void run_children(int number) {
    for (int child = 0; child < number; child++) {
        pid_t pid = fork();
        if (pid == 0) {
            ask();
            _exit(wrong != 0);
        }
        expect(pid > 0);
    }
    int status;
    while (wait(&status) > 0) expect(status == 0);
}

int main(int count, char **words) {
    if (count != 4) return 2;
    int number = atoi(words[2]);
    file = words[3];
    pthread_t other;
    char letter;
    if (pipe(waiting) || pipe(done) || pthread_create(&other, NULL, wait_in_read, NULL)) return 3;
    if (!strcmp(words[1], "threads")) run_threads(number, 100);
    else if (!strcmp(words[1], "short-threads")) run_short_threads(number);
    else if (!strcmp(words[1], "jumps")) run_threads_of(jump_there, number, number);
    else if (!strcmp(words[1], "children")) run_children(number);
    else if (!strcmp(words[1], "alarmed")) {
        struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
        struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
        if (sigaction(SIGALRM, &action, NULL) || setitimer(ITIMER_REAL, &often, NULL)) return 4;
        run_threads(number, 8);
        if (setitimer(ITIMER_REAL, &never, NULL)) return 4;
        expect(alarms > 0);
    } else return 2;
    expect(write(waiting[1], "w", 1) == 1);
    expect(read(done[0], &letter, 1) == 1 && letter == 'd');
    pthread_join(other, NULL);
    return wrong ? 1 : 0;
}
