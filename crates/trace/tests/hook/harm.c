/* What a hooked program might do that patched code could break: `harm MODE`. Each mode makes enough calls to
   be hooked, does it, compares with what is right, and ends with 0; or with the number of what was wrong. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static int ask(int turns) {
    char letter;
    struct stat facts;
    for (int turn = 0; turn < turns; turn++) {
        int fd = open("/proc/self/exe", O_RDONLY);
        if (fd < 0 || read(fd, &letter, 1) != 1 || letter != 0x7f || fstat(fd, &facts) || close(fd)) return 0;
        if (open("/does/not/exist", O_RDONLY) != -1 || errno != ENOENT) return 0;
    }
    return 1;
}

static uint64_t gs_word(void) {
    uint64_t word;
    __asm__ volatile("mov %%gs:0, %0" : "=r"(word));
    return word;
}

static void set_gs(void *base) { __asm__ volatile("wrgsbase %0" : : "r"(base)); }

/* Nobody is told of it. What lies there is not to be written to, in high memory and in low. */
static int gs_base(void) {
    enum { BYTES = 1 << 16 };
    static const int where[] = {0, MAP_32BIT};
    for (int turn = 0; turn < 2; turn++) {
        unsigned char *own = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | where[turn], -1, 0);
        if (own == MAP_FAILED) return 2;
        memset(own, 7, BYTES);
        if (!ask(50)) return 3;
        set_gs(own);
        int right = ask(50) && gs_word() == 0x0707070707070707;
        set_gs(NULL);
        if (!right || !ask(50)) return 4;
        for (int at = 0; at < BYTES; at++)
            if (own[at] != 7) return 5;
    }
    return 0;
}

/* A limit that suffices for the program and not for the hook's memory besides. */
static int address_space(void) {
    unsigned long pages = 0;
    char text[64] = "";
    int fd = open("/proc/self/statm", O_RDONLY);
    if (read(fd, text, sizeof text - 1) <= 0) return 2;
    close(fd);
    pages = strtoul(text, NULL, 10);
    struct rlimit limit = {pages * 4096 + (40 << 20), RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) || !ask(100)) return 3;
    return mmap(NULL, 30 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? 4 : 0;
}

static volatile sig_atomic_t alarms, off_stack;
static char *stack_low;

static void on_alarm(int signal, siginfo_t *info, void *context) {
    char here;
    (void)signal, (void)info, (void)context;
    alarms++;
    if (&here < stack_low || &here >= stack_low + (1 << 16)) off_stack++;
    if (!ask(1)) off_stack++;
}

/* Handlers that make calls themselves, on a stack of their own. */
static int other_stack(void) {
    stack_low = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_sp = stack_low, .ss_size = 1 << 16};
    struct sigaction action = {.sa_sigaction = on_alarm, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    if (sigaltstack(&stack, NULL) || sigaction(SIGALRM, &action, NULL) || setitimer(ITIMER_REAL, &often, NULL)) return 2;
    for (int turn = 0; turn < 100000 && alarms < 200; turn++)
        if (!ask(1)) return 3;
    if (setitimer(ITIMER_REAL, &never, NULL)) return 4;
    return alarms < 200 || off_stack ? 5 : 0;
}

/* Code that the program makes: writable, then executable alone, and by two mappings of one file. */
static int made_code(void) {
    /* close(-1), with three bytes behind the call that a patch could cover. */
    static const unsigned char code[] = {0xb8, SYS_close, 0, 0, 0, 0x0f, 0x05, 0x48, 0x89, 0xc0, 0xc3};
    int memory = memfd_create("code", 0);
    if (!ask(50) || memory < 0 || ftruncate(memory, 4096)) return 2;
    for (int way = 0; way < 3; way++) {
        int flags = way == 2 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file = way == 2 ? memory : -1;
        int protection = PROT_READ | PROT_WRITE | (way == 0 ? PROT_EXEC : 0);
        unsigned char *written = mmap(NULL, 4096, protection, flags, file, 0), *run = written;
        if (written == MAP_FAILED) return 3;
        if (way == 2) run = mmap(NULL, 4096, PROT_READ | PROT_EXEC, flags, file, 0);
        for (int turn = 0; turn < 50; turn++) {
            if (way == 1 && mprotect(written, 4096, PROT_READ | PROT_WRITE)) return 4;
            memcpy(written, code, sizeof code);
            if (way == 1 && mprotect(written, 4096, PROT_READ | PROT_EXEC)) return 4;
            if (((long (*)(long))run)(-1) != -EBADF || memcmp(written, code, sizeof code)) return 5;
        }
    }
    return 0;
}

static pthread_mutex_t robust;

static void *die_with_it(void *unused) {
    pthread_mutex_lock(&robust);
    return ask(20) ? unused : NULL;
}

/* A lock whose owner is gone, in a thread and in a process. */
static int robust_lock(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    if (!ask(50) || pthread_create(&thread, NULL, die_with_it, &robust)) return 2;
    void *result;
    pthread_join(thread, &result);
    return result != &robust || pthread_mutex_lock(&robust) != EOWNERDEAD ? 3 : 0;
}

/* A child in our memory that opens and executes, and one that ends there. */
static int vfork_child(void) {
    for (int turn = 0; turn < 50; turn++) {
        int status;
        pid_t child = vfork();
        if (!child) {
            int fd = open("/dev/null", O_RDONLY);
            close(fd);
            if (turn % 2) execl("/bin/true", "true", NULL);
            _exit(turn % 2);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status || !ask(3)) return 2;
    }
    return 0;
}

/* An interpreter of its own calls: those of code outside one range arrive as SIGSYS. */
static char selector;
static volatile sig_atomic_t dispatched;

static void on_call(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    selector = 0;
    dispatched++;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    registers[REG_RAX] = syscall(registers[REG_RAX], registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                 registers[REG_R10]);
}

static int dispatch(void) {
    struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO};
    if (!ask(50) || sigaction(SIGSYS, &action, NULL)) return 2;
    /* 59: PR_SET_SYSCALL_USER_DISPATCH. A kernel without it has nothing to try. */
    if (prctl(59, 1, 0, 0, &selector)) return 0;
    for (int turn = 0; turn < 20; turn++) {
        selector = 1;
        close(open("/proc/self/exe", O_RDONLY));
        selector = 0;
    }
    return dispatched == 20 ? 0 : 4;
}

/* Ends by a signal, with a core where one is to be written. */
static int dies(void) {
    if (!ask(50)) return 2;
    *(volatile int *)8 = 1;
    return 3;
}

static int makes_file(void *unused) {
    (void)unused;
    _exit(ask(3) ? 0 : 5);
}

/* A child that nobody is to trace makes its calls. */
static int untraced(void) {
    static char stack[1 << 16] __attribute__((aligned(16)));
    int status;
    if (!ask(50)) return 2;
    pid_t child = clone(makes_file, stack + sizeof stack, CLONE_VM | CLONE_UNTRACED | SIGCHLD, NULL);
    return child < 0 || waitpid(child, &status, 0) != child || status || !ask(3) ? 3 : 0;
}

int main(int count, char **words) {
    const char *mode = count > 1 ? words[1] : "";
    if (!strcmp(mode, "gs-base")) return gs_base();
    if (!strcmp(mode, "address-space")) return address_space();
    if (!strcmp(mode, "other-stack")) return other_stack();
    if (!strcmp(mode, "made-code")) return made_code();
    if (!strcmp(mode, "robust-lock")) return robust_lock();
    if (!strcmp(mode, "vfork")) return vfork_child();
    if (!strcmp(mode, "dispatch")) return dispatch();
    if (!strcmp(mode, "untraced")) return untraced();
    if (!strcmp(mode, "dies")) return dies();
    return 64;
}
