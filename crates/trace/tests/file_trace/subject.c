/* What the tests of file traces run: `subject MODE DIRECTORY`. Each mode does one thing. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <ucontext.h>
#include <unistd.h>

/* Calls that the C library has no functions for, by number; older kernels refuse them. */
static int young_calls(void) {
    char list[64];
    struct { unsigned long long value; unsigned size, flags; } none = {0, 0, 0};
    int dir = open(".", O_RDONLY | O_DIRECTORY);
    syscall(463, AT_FDCWD, "missing", 0, "user.a", &none, sizeof none);
    syscall(464, dir, "missing", AT_SYMLINK_NOFOLLOW, "user.a", &none, sizeof none);
    syscall(465, dir, "", AT_EMPTY_PATH, list, sizeof list);
    syscall(466, AT_FDCWD, "missing", 0, "user.a");
    syscall(468, dir, "missing", list, 24, 0);
    return 0;
}

static int calls(void) {
    char buffer[64];
    struct stat st;
    struct statx stx;
    struct statfs fs;
    struct { unsigned long long flags, mode, resolve; } how = {O_RDONLY, 0, 0};
    /* What the tests were started with. */
    close_range(3, ~0U, 0);
    umask(022);
    mkdir("sub", 0755);
    int dir = open("sub", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = openat(dir, "file", O_RDWR | O_CREAT | O_EXCL, 0640);
    write(fd, "twenty-three bytes long", 23);
    struct iovec parts[2] = {{"seven..", 7}, {"eleven.....", 11}};
    writev(fd, parts, 2);
    pwrite(fd, "x", 1, 5);
    pwritev(fd, parts, 2, 40);
    lseek(fd, 0, SEEK_SET);
    read(fd, buffer, 10);
    pread(fd, buffer, 20, 3);
    struct iovec into[2] = {{buffer, 5}, {buffer + 5, 6}};
    readv(fd, into, 2);
    preadv(fd, into, 2, 1);
    preadv2(fd, into, 2, -1, 0);
    lseek(fd, -2, SEEK_END);
    fstat(fd, &st);
    stat("sub/file", &st);
    lstat("sub/missing", &st);
    fstatat(dir, "file", &st, AT_SYMLINK_NOFOLLOW);
    statx(dir, "file", 0, STATX_SIZE | STATX_TYPE, &stx);
    statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &stx);
    statfs(".", &fs);
    fstatfs(fd, &fs);
    access("sub/file", R_OK);
    faccessat(dir, "none", F_OK, 0);
    symlink("file", "sub/link");
    readlink("sub/link", buffer, sizeof buffer);
    readlinkat(dir, "file", buffer, sizeof buffer);
    link("sub/file", "sub/second");
    rename("sub/second", "sub/third");
    renameat2(dir, "third", dir, "file", RENAME_NOREPLACE);
    DIR *list = opendir("sub");
    while (readdir(list)) {}
    closedir(list);
    ftruncate(fd, 30);
    truncate("sub/file", 20);
    posix_fallocate(fd, 0, 100);
    fchmod(fd, 0600);
    chmod("sub/file", 0644);
    fchownat(dir, "file", -1, -1, 0);
    utimensat(dir, "file", NULL, 0);
    futimens(fd, NULL);
    getxattr("sub/file", "user.none", buffer, sizeof buffer);
    flistxattr(fd, buffer, sizeof buffer);
    int copy = dup(fd);
    dup2(copy, 100);
    dup3(copy, 101, O_CLOEXEC);
    fcntl(copy, F_DUPFD_CLOEXEC, 50);
    fcntl(copy, F_GETFL);
    fcntl(copy, F_SETFD, FD_CLOEXEC);
    struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    fcntl(copy, F_SETLK, &range);
    ioctl(copy, FIONREAD, buffer);
    flock(fd, LOCK_SH);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    int pair[2];
    pipe2(pair, O_CLOEXEC);
    epoll_ctl(epoll, EPOLL_CTL_ADD, pair[0], &event);
    epoll_ctl(epoll, EPOLL_CTL_DEL, pair[0], NULL);
    void *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    madvise(map, 4096, MADV_SEQUENTIAL);
    munmap(map, 4096);
    posix_fadvise(fd, 0, 10, POSIX_FADV_WILLNEED);
    readahead(fd, 0, 10);
    fdatasync(fd);
    fsync(fd);
    sync_file_range(fd, 0, 0, 0);
    int second = openat(dir, "copy", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    off_t from = 2;
    copy_file_range(fd, &from, second, NULL, 9, 0);
    sendfile(second, fd, &from, 4);
    splice(fd, &from, pair[1], NULL, 3, 0);
    syscall(SYS_openat2, dir, "copy", &how, sizeof how);
    socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    eventfd(0, EFD_CLOEXEC);
    memfd_create("memory", MFD_CLOEXEC);
    close(777);
    close_range(100, 200, 0);
    close(second);
    openat(AT_FDCWD, (const char *)8, O_RDONLY);
    unlinkat(dir, "copy", 0);
    unlink("sub/file");
    unlink("sub/link");
    unlink("sub/third");
    chdir("sub");
    getcwd(buffer, 3);
    fchdir(dir);
    chdir("..");
    rmdir("sub");
    return 0;
}

static const char *shared;

static void *open_some(void *number) {
    char path[4096];
    snprintf(path, sizeof path, "%s/thread-%ld", shared, (long)number);
    for (int i = 0; i < 5; i++) {
        int fd = open(path, O_RDONLY | O_CREAT, 0600);
        char byte;
        read(fd, &byte, 1);
        close(fd);
    }
    return NULL;
}

static int threads(int count) {
    pthread_t ids[count];
    for (long i = 0; i < count; i++)
        if (pthread_create(&ids[i], NULL, open_some, (void *)i)) return 9;
    for (int i = 0; i < count; i++) pthread_join(ids[i], NULL);
    return 0;
}

static pthread_barrier_t told;

static void *open_when_told(void *number) {
    pthread_barrier_wait(&told);
    return open_some(number);
}

/* Four threads wait until standard input ends; then they and four new ones open files. */
static int late_threads(void) {
    pthread_t ids[8];
    char byte = 'r';
    pthread_barrier_init(&told, NULL, 5);
    for (long i = 0; i < 4; i++) pthread_create(&ids[i], NULL, open_when_told, (void *)i);
    write(1, &byte, 1);
    read(0, &byte, 1);
    pthread_barrier_wait(&told);
    for (long i = 4; i < 8; i++) pthread_create(&ids[i], NULL, open_some, (void *)i);
    for (int i = 0; i < 8; i++) pthread_join(ids[i], NULL);
    return 5;
}

static void *execute(void *nothing) {
    execl("/bin/sh", "sh", "-c", "exit 6", NULL);
    return nothing;
}

static void *wait_forever(void *nothing) {
    for (;;) pause();
    return nothing;
}

static int exec_of_thread(void) {
    pthread_t id;
    pthread_create(&id, NULL, wait_forever, NULL);
    pthread_create(&id, NULL, execute, NULL);
    for (;;) pause();
}

/* Refuses getppid with EDOM and goes on opening. */
static int own_filter(void) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EDOM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {4, program};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) return 8;
    if (syscall(SYS_getppid) != -1 || errno != EDOM) return 7;
    return open("/", O_RDONLY) < 0;
}

/* Executes the rest of the words where no filter can be set any more, as in some containers. */
static int refuse_filters(char **words) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {4, program};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) return 8;
    execv(words[0], words);
    return 9;
}

/* A child is killed in a read that never returns. */
static int killed(void) {
    int both[2];
    char byte;
    pipe(both);
    pid_t child = fork();
    if (child == 0) {
        write(both[1], "r", 1);
        read(both[0], &byte, 1);
        read(both[0], &byte, 1);
        _exit(1);
    }
    int seen;
    usleep(100000);
    kill(child, SIGKILL);
    waitpid(child, &seen, 0);
    return WIFSIGNALED(seen) && WTERMSIG(seen) == SIGKILL ? 0 : 1;
}

/* Stops itself; a child lets it go on. */
static int stopped(void) {
    pid_t me = getpid();
    if (fork() == 0) {
        usleep(150000);
        kill(me, SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
    int status;
    wait(&status);
    return 3;
}

static volatile sig_atomic_t alarms;

static void count_alarm(int number) { alarms += number == SIGALRM; }

/* A read that a signal breaks off, once restarted and once not. */
static int interrupted(void) {
    int both[2];
    char byte;
    pipe(both);
    struct sigaction action = {.sa_handler = count_alarm};
    sigaction(SIGALRM, &action, NULL);
    ualarm(50000, 0);
    return read(both[0], &byte, 1) == -1 && errno == EINTR && alarms == 1 ? 0 : 1;
}

static int cpus(void) {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    return CPU_COUNT(&set);
}

/* After many calls in a row, and in a child: on how many CPUs it may run. */
static int affinity(void) {
    for (int i = 0; i < 500; i++) close(open("/", O_RDONLY));
    int mine = cpus(), status;
    for (int i = 0; i < 500; i++) close(open("/", O_RDONLY));
    if (fork() == 0) _exit(cpus());
    wait(&status);
    return WEXITSTATUS(status) == mine ? mine : 99;
}

static int ring(void) {
    char parameters[256] = {0};
    return syscall(SYS_io_uring_setup, 4, parameters) < 0 ? 77 : 0;
}

static int other_form(void) {
#ifdef __x86_64__
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
    return result == getpid() ? 0 : 77;
#else
    return 77;
#endif
}

/* Opens a file of its own so many times, and does nothing else. */
static int opens(long times) {
    char path[4096];
    snprintf(path, sizeof path, "%s/counted", shared);
    close(open(path, O_WRONLY | O_CREAT, 0600));
    for (long i = 1; i < times; i++) {
        int fd = open(path, O_RDONLY);
        if (fd < 0) return 1;
        close(fd);
    }
    return 0;
}

/* A page of its own that nobody has touched when the call begins. */
static const char cold[3][8192] __attribute__((aligned(4096))) = {
    "/etc/hostname-in-a-cold-page", "/etc/hostname-in-a-cold-page", "/etc/hostname-in-a-cold-page"};

static int cold_page(void) {
    for (int i = 0; i < 3; i++) {
        madvise((void *)cold[i], 8192, MADV_PAGEOUT);
        madvise((void *)cold[i], 8192, MADV_DONTNEED);
        if (open(cold[i], O_RDONLY) != -1) return 1;
    }
    return 0;
}

static void *open_often(void *count) {
    for (long turn = 0; turn < (long)count; turn++) close(open("/", O_RDONLY));
    return 0;
}

/* More threads than the hook has blocks, of a program that is hooked already. */
static int opens_of_threads(void) {
    pthread_t all[200];
    open_often((void *)100);
    for (int i = 0; i < 200; i++) pthread_create(&all[i], 0, open_often, (void *)20);
    for (int i = 0; i < 200; i++) pthread_join(all[i], 0);
    return 0;
}

static int calls_again(const char *shared) {
    for (int round = 0; round < 8; round++)
        if (chdir(shared) || calls()) return 1;
    return 0;
}

static volatile sig_atomic_t alarms;

/* What a handler finds of the program that it interrupts: it must stand in its own code, and its calls go on. */
static void on_alarm(int signal, siginfo_t *info, void *context) {
    unsigned long at = ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    if (at >= 0x70000000 && at < 0x73200000) _exit(9);
    struct stat st;
    if (stat("/", &st)) _exit(10);
    alarms++;
}

/* A read that signals break off: with SA_RESTART it is made again, without it fails. */
static int broken_off(struct sigaction *action) {
    int ends[2];
    char byte;
    if (pipe(ends)) return 20;
    pid_t writer = fork();
    if (!writer) {
        for (;;) {
            usleep(1500);
            if (write(ends[1], "y", 1) != 1) _exit(1);
        }
    }
    int got = 0, interrupted = 0;
    while (got < 40 || !interrupted) {
        if (got == 4000) return 23;
        if (got == 20) {
            action->sa_flags = SA_SIGINFO;
            sigaction(SIGALRM, action, 0);
        }
        ssize_t length = read(ends[0], &byte, 1);
        if (length == 1) got++;
        else if (errno == EINTR && got >= 20) interrupted++;
        else return 21;
    }
    int status;
    kill(writer, SIGKILL);
    while (waitpid(writer, &status, 0) == -1);
    return status == SIGKILL ? 0 : 22;
}

/* Who sets gs has it. */
static int own_gs(void) {
    static unsigned long there[64];
    for (int i = 0; i < 20; i++) close(open("/", O_RDONLY));
    if (syscall(SYS_arch_prctl, 0x1001, (unsigned long)there)) return 1;
    for (int i = 0; i < 20; i++) close(open("/", O_RDONLY));
    unsigned long base;
    if (syscall(SYS_arch_prctl, 0x1004, &base) || base != (unsigned long)there) return 2;
    for (int i = 0; i < 64; i++) if (there[i]) return 3;
    return 0;
}

/* Calls under a hail of signals: none is lost, none is made twice, registers and errno are right. */
static int alarmed(void) {
    struct sigaction action = {.sa_sigaction = on_alarm, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGALRM, &action, 0);
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, 0);
    int fd = open("count", O_RDWR | O_CREAT | O_APPEND, 0600);
    long written = 0;
    for (long turn = 0; turn < 60000 || alarms < 50; turn++) {
        if (turn > 20000000) return 5;
        if (write(fd, "x", 1) != 1) return 6;
        written++;
        if (open("missing", O_RDONLY) != -1 || errno != ENOENT) return 7;
        if (turn % 64 == 0 && (open((char *)8, O_RDONLY) != -1 || errno != EFAULT)) return 11;
    }
    int code = broken_off(&action);
    setitimer(ITIMER_REAL, &never, 0);
    if (code) return code;
    struct stat st;
    if (fstat(fd, &st) || st.st_size != written) return 8;
    return 0;
}

int main(int count, char **words) {
    if (count < 3) return 64;
    const char *mode = words[1];
    shared = words[2];
    if (!strcmp(mode, "calls")) return chdir(shared) || calls();
    if (!strcmp(mode, "young-calls")) return young_calls();
    if (!strcmp(mode, "calls-again")) return calls_again(shared);
    if (!strcmp(mode, "opens-of-threads")) return opens_of_threads();
    if (!strcmp(mode, "own-gs")) return own_gs();
    if (!strcmp(mode, "alarmed")) return chdir(shared) ? 1 : alarmed();
    if (!strcmp(mode, "threads")) return threads(3);
    if (!strcmp(mode, "many-threads")) return threads(200);
    if (!strcmp(mode, "late-threads")) return late_threads();
    if (!strcmp(mode, "exec-of-thread")) return exec_of_thread();
    if (!strcmp(mode, "own-filter")) return own_filter();
    if (!strcmp(mode, "refuse-filters")) return refuse_filters(words + 3);
    if (!strcmp(mode, "killed")) return killed();
    if (!strcmp(mode, "stopped")) return stopped();
    if (!strcmp(mode, "interrupted")) return interrupted();
    if (!strcmp(mode, "affinity")) return affinity();
    if (!strcmp(mode, "ring")) return ring();
    if (!strcmp(mode, "other-form")) return other_form();
    if (!strcmp(mode, "opens")) return opens(count > 3 ? atol(words[3]) : 1000);
    if (!strcmp(mode, "cold-page")) return cold_page();
    if (!strcmp(mode, "wait")) for (;;) pause();
    return 64;
}
