/* Asks what it has asked before, with and without changes between, and compares every answer with the
   right one: 0 is the end of a program that was told nothing but the truth. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define CHECK(what) do { if (!(what)) { fprintf(stderr, "line %d, turn %d: %s\n", __LINE__, turn, #what); exit(2); } } while (0)

enum { TURNS = 60 };
static __thread struct stat facts;
static __thread char bytes[64];

static off_t size_of(const char *path) { return stat(path, &facts) ? -1 : facts.st_size; }
static off_t size_at(int file) { return fstat(file, &facts) ? -1 : facts.st_size; }
static int begin(const char *path) { return open(path, O_RDONLY); }

static void same(void) {
    for (int turn = 0; turn < TURNS; turn++) {
        struct termios terminal;
        struct statx more;
        CHECK(size_of("one") == 10);
        CHECK(size_of("absent") == -1 && errno == ENOENT);
        CHECK(!lstat("link", &facts) && S_ISLNK(facts.st_mode));
        CHECK(!stat("link", &facts) && S_ISREG(facts.st_mode));
        CHECK(!statx(AT_FDCWD, "one", 0, STATX_SIZE, &more) && more.stx_size == 10);
        CHECK(!access("one", R_OK) && access("absent", R_OK) && errno == ENOENT);
        CHECK(readlink("link", bytes, sizeof bytes) == 3 && !memcmp(bytes, "one", 3));
        CHECK(begin("absent") == -1 && errno == ENOENT);
        int file = begin("one");
        CHECK(file >= 0 && size_at(file) == 10);
        CHECK(lseek(file, 0, SEEK_CUR) == 0);
        CHECK(tcgetattr(file, &terminal) == -1 && errno == ENOTTY);
        int flags = fcntl(file, F_GETFL);
        CHECK((flags & O_ACCMODE) == O_RDONLY && !(flags & O_NONBLOCK));
        CHECK(read(file, bytes, 4) == 4);
        CHECK(lseek(file, 0, SEEK_CUR) == 4 && lseek(file, 0, SEEK_CUR) == 4);
        CHECK(lseek(file, 1, SEEK_SET) == 1 && read(file, bytes, 2) == 2 && lseek(file, 0, SEEK_CUR) == 3);
        CHECK(read(file, (void *)1, 2) == -1 && lseek(file, -9, SEEK_SET) == -1 && lseek(file, 0, SEEK_CUR) == 3);
        CHECK(read(file, bytes, 100) == 7 && lseek(file, 0, SEEK_CUR) == 10);
        CHECK(!close(file));
    }
}

static void flags(void) {
    /* What the first open at a place made is not followed. */
    close(begin("two"));
    int file = begin("one"), watch = epoll_create1(0);
    struct epoll_event event = {0};
    for (int turn = 0; turn < TURNS; turn++) {
        CHECK(!fcntl(file, F_SETFL, O_NONBLOCK));
        CHECK(fcntl(file, F_GETFL) & O_NONBLOCK);
        CHECK(epoll_ctl(watch, EPOLL_CTL_ADD, file, &event) == -1 && errno == EPERM);
        if (turn < TURNS - 8) continue;
        CHECK(!fcntl(file, F_SETFL, 0));
        CHECK(!(fcntl(file, F_GETFL) & O_NONBLOCK));
        int other = dup(file);
        CHECK(!fcntl(other, F_SETFL, O_NONBLOCK) && fcntl(file, F_GETFL) & O_NONBLOCK);
        CHECK(!fcntl(file, F_SETFL, 0) && !(fcntl(other, F_GETFL) & O_NONBLOCK));
        close(other);
    }
}

/* All that changes an answer, in turn. */
static void changes(void) {
    int grown = open("grows", O_RDWR | O_CREAT | O_APPEND, 0600), there = begin(".");
    for (int turn = 0; turn < TURNS; turn++) {
        CHECK(size_of("grows") == turn && size_at(grown) == turn);
        CHECK(write(grown, "x", 1) == 1);
        CHECK(size_of("grows") == turn + 1 && size_at(grown) == turn + 1);
        CHECK(access("made", F_OK) == -1 && begin("made") == -1);
        CHECK(!close(open("made", O_CREAT | O_WRONLY, 0600)));
        CHECK(!access("made", F_OK) && size_of("made") == 0);
        CHECK(!truncate("made", 7) && size_of("made") == 7);
        CHECK(!chmod("made", 0640) && !stat("made", &facts) && (facts.st_mode & 0777) == 0640);
        CHECK(!rename("made", "moved") && size_of("made") == -1 && size_of("moved") == 7);
        CHECK(!symlink("one", "made") && !lstat("made", &facts) && S_ISLNK(facts.st_mode));
        CHECK(!unlink("made") && !unlink("moved") && size_of("moved") == -1);
        CHECK(!mkdir("inner", 0700) && !chdir("inner") && size_of("one") == -1);
        CHECK(!fchdir(there) && size_of("one") == 10);
        CHECK(!rmdir("inner") && size_of("inner") == -1);
        /* The same path is another file, by which a descriptor is open still. */
        int old = begin("one");
        CHECK(size_at(old) == 10);
        CHECK(!rename("one", "kept") && !symlink("two", "one"));
        CHECK(size_at(old) == 10);
        int new = begin("one");
        CHECK(size_at(new) == 3 && size_at(old) == 10 && size_of("one") == 3);
        CHECK(!rename("kept", "one"));
        close(old), close(new);
    }
    close(grown), close(there);
    unlink("grows");
}

/* Hundreds of questions in turn, before anything has changed. */
static void many(void) {
    for (int turn = 0; turn < TURNS; turn++) {
        for (int at = 0; at < 200; at++) {
            char path[32];
            snprintf(path, sizeof path, "absent%d", at);
            CHECK(access(path, F_OK) == -1 && errno == ENOENT);
        }
    }
}

/* An open that may make a file makes none where it is there. */
static void opens_to_write(void) {
    for (int turn = 0; turn < TURNS; turn++) {
        int file = open("one", O_RDWR | O_CREAT, 0600);
        CHECK(file >= 0 && size_at(file) == 10 && size_of("one") == 10);
        close(file);
    }
}

/* And one where it is not. */
static void opens_that_make(void) {
    for (int turn = 0; turn < TURNS; turn++) {
        CHECK(size_of("fresh") == -1 && access("fresh", F_OK) == -1);
        for (int again = 0; again < 3; again++) {
            int file = open("fresh", O_RDWR | O_CREAT, 0600);
            CHECK(file >= 0 && size_at(file) == again && size_of("fresh") == again);
            CHECK(open("fresh", O_RDWR | O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST);
            int same = open("fresh", O_RDWR | O_CREAT, 0600);
            CHECK(size_at(same) == again && size_of("fresh") == again);
            close(open("fresh", O_RDWR | O_CREAT, 0600));
            CHECK(size_of("fresh") == again && size_at(file) == again);
            CHECK(pwrite(file, "x", 1, again) == 1 && size_at(same) == again + 1);
            close(same), close(file);
        }
        CHECK(!close(open("fresh", O_RDWR | O_CREAT | O_TRUNC, 0600)) && size_of("fresh") == 0);
        CHECK(!rename("fresh", "gone") && size_of("fresh") == -1 && size_of("gone") == 0);
        int file = open("fresh", O_RDWR | O_CREAT, 0600);
        CHECK(size_of("fresh") == 0 && write(file, "12", 2) == 2 && size_of("fresh") == 2 && size_of("gone") == 0);
        CHECK(!close(file) && !unlink("fresh") && !unlink("gone"));
        CHECK(open("absent/fresh", O_RDWR | O_CREAT, 0600) == -1 && errno == ENOENT);
    }
}

/* A number is another descriptor. */
static void descriptors(void) {
    close(open("grows", O_WRONLY | O_CREAT, 0600));
    for (int turn = 0; turn < TURNS; turn++) {
        int one = begin("one"), two = begin("two");
        CHECK(size_at(one) == 10 && size_at(two) == 3);
        CHECK(read(one, bytes, 5) == 5 && lseek(one, 0, SEEK_CUR) == 5);
        int copy = dup(one);
        CHECK(read(copy, bytes, 1) == 1 && lseek(one, 0, SEEK_CUR) == 6);
        CHECK(dup2(two, one) == one && size_at(one) == 3 && lseek(one, 0, SEEK_CUR) == 0);
        close(copy), close(two);
        int made = socket(AF_UNIX, SOCK_STREAM, 0);
        CHECK(made >= 0 && !fstat(made, &facts) && S_ISSOCK(facts.st_mode));
        CHECK(lseek(made, 0, SEEK_CUR) == -1 && errno == ESPIPE);
        close(made), close(one);
        int kept = begin("one");
        CHECK(lseek(kept, 2, SEEK_SET) == 2 && lseek(kept, 0, SEEK_CUR) == 2);
        pid_t child = fork();
        if (!child) {
            int mine = begin("two");
            if (size_at(mine) != 3 || read(kept, bytes, 3) != 3 || truncate("grows", 5000 + turn)) _exit(1);
            _exit(0);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && !status);
        CHECK(lseek(kept, 0, SEEK_CUR) == 5 && size_of("grows") == 5000 + turn);
        close(kept);
        int inner = open("folder", O_RDONLY | O_DIRECTORY);
        CHECK(!fstatat(inner, "one", &facts, 0) && facts.st_size == 4);
        close(inner);
        inner = begin(".");
        CHECK(!fstatat(inner, "one", &facts, 0) && facts.st_size == 10);
        CHECK(!fstatat(inner, "", &facts, AT_EMPTY_PATH) && S_ISDIR(facts.st_mode));
        close(inner);
        CHECK(fstat(900, &facts) == -1 && errno == EBADF);
        CHECK(stat((char *)8, &facts) == -1 && errno == EFAULT);
    }
    int turn = 0;
    for (; turn < TURNS; turn++) {
        CHECK(size_of("one") == 10);
        /* The kernel says no, and so does who answers for it. */
        CHECK(syscall(4, "one", (struct stat *)8) == -1 && errno == EFAULT);
    }
}

static void *asking(void *which) {
    const char *path = which ? "two" : "one";
    off_t size = which ? 3 : 10;
    for (int turn = 0; turn < 20 * TURNS; turn++) {
        int file = begin(path);
        CHECK(file >= 0 && size_at(file) == size && lseek(file, 0, SEEK_CUR) == 0 && size_of(path) == size);
        CHECK(read(file, bytes, 2) == 2 && lseek(file, 0, SEEK_CUR) == 2);
        close(file);
    }
    return NULL;
}

static void threads(void) {
    pthread_t all[4];
    for (long at = 0; at < 4; at++) pthread_create(&all[at], NULL, asking, (void *)(at % 2));
    for (int at = 0; at < 4; at++) pthread_join(all[at], NULL);
}

/* Somebody else changes it, whom nobody watches. */
static void others(void) {
    for (int turn = 0; turn < TURNS; turn++) {
        CHECK(size_of("one") == 10);
        close(open("two", O_RDONLY));
        access("go", F_OK);
    }
    close(open("fifo", O_WRONLY));
    while (access("go", F_OK)) usleep(1000);
    printf("%d\n", (int)size_of("one"));
}

static void nothing(int signal) {}

/* So many different names; as many of them as are said have a file. */
static void crowd(int names, int files) {
    for (int turn = 0; turn < files; turn++) {
        snprintf(bytes, sizeof bytes, "file%d", turn);
        int file = open(bytes, O_WRONLY | O_CREAT, 0600);
        CHECK(file >= 0 && write(file, "0123456789", turn % 10) == turn % 10 && !close(file));
    }
    for (int round = 0; round < 4; round++)
        for (int turn = 0; turn < names; turn++) {
            snprintf(bytes, sizeof bytes, "file%d", turn);
            CHECK(size_of(bytes) == (turn < files ? turn % 10 : -1));
        }
}

int main(int argc, char **argv) {
    if (chdir(argv[1])) return 1;
    if (strchr(argv[2], 'a')) {
        /* Most come while a call is made, and find it made. */
        struct sigaction action = {.sa_handler = nothing, .sa_flags = SA_RESTART};
        struct itimerval often = {{0, 150}, {0, 150}};
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &often, NULL);
        for (int again = 0; again < 20; again++) same(), changes(), opens_that_make();
    }
    if (strchr(argv[2], 's')) same();
    if (strchr(argv[2], 'f')) flags();
    if (strchr(argv[2], 'c')) changes();
    if (strchr(argv[2], 'n')) many();
    if (strchr(argv[2], 'w')) opens_to_write();
    if (strchr(argv[2], 'm')) opens_that_make();
    if (strchr(argv[2], 'd')) descriptors();
    if (strchr(argv[2], 't')) threads();
    if (strchr(argv[2], 'o')) others();
    if (strchr(argv[2], 'y')) crowd(2000, 2000);
    if (strchr(argv[2], 'z')) crowd(8000, 100);
    return 0;
}
