// Elides one call without touching the program that makes it: the fstat behind
// an open for writing, by which java.io finds out whether it opened a directory.
// The question is answered already, since open(2) refuses to open a directory for
// writing (EISDIR). Everything else is passed on.
//
// Loaded by LD_PRELOAD. A thread turns elision on and off for itself by asking
// access(2) for a path that is in no file system: "/fathom-elide/on" and
// "/fathom-elide/off" answer 0 and make no system call; without this library the
// kernel answers ENOENT, by which a driver knows.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

// The next definition of a function, looked up the first time.
#define NEXT(name) \
    static __typeof__(&name) next; \
    if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// Of the thread: no call to find it, as the model of shared libraries has it.
#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))

OF_THREAD int eliding;
// The descriptor whose fstat is to be elided next, and one more, so that 0 is none.
OF_THREAD int opened;

// A descriptor opened for writing is no directory's. O_PATH opens nothing.
static int remember(int descriptor, int flags)
{
    int writes = (flags & O_ACCMODE) != O_RDONLY && !(flags & O_PATH);
    opened = eliding && writes && descriptor >= 0 ? descriptor + 1 : 0;
    return descriptor;
}

// True at the first call about files behind the open, when it is an fstat of what that opened.
static int elides(int descriptor)
{
    int last = opened;
    opened = 0;
    return last != 0 && last == descriptor + 1;
}

// An answer of the kind that the caller asks for, and nothing else.
#define ANSWER(status) (memset(status, 0, sizeof *(status)), (status)->st_mode = S_IFREG, 0)

// open takes a mode only when it may make a file.
#define MODE(flags) \
    mode_t mode = 0; \
    if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) { \
        va_list arguments; \
        va_start(arguments, flags); \
        mode = va_arg(arguments, mode_t); \
        va_end(arguments); \
    }

int access(const char *path, int how)
{
    NEXT(access);
    static const char ours[] = "/fathom-elide/";
    if (strncmp(path, ours, sizeof ours - 1) != 0)
        return next(path, how);
    const char *word = path + sizeof ours - 1;
    int on = strcmp(word, "on") == 0;
    if (!on && strcmp(word, "off") != 0)
        return next(path, how);
    eliding = on;
    opened = 0;
    return 0;
}

int open(const char *path, int flags, ...)
{
    NEXT(open);
    MODE(flags)
    return remember(next(path, flags, mode), flags);
}

int openat(int directory, const char *path, int flags, ...)
{
    NEXT(openat);
    MODE(flags)
    return remember(next(directory, path, flags, mode), flags);
}

int close(int descriptor)
{
    NEXT(close);
    opened = 0;
    return next(descriptor);
}

int fstat(int descriptor, struct stat *status)
{
    NEXT(fstat);
    return elides(descriptor) ? ANSWER(status) : next(descriptor, status);
}

#ifdef __GLIBC__
int open64(const char *path, int flags, ...)
{
    NEXT(open64);
    MODE(flags)
    return remember(next(path, flags, mode), flags);
}

int openat64(int directory, const char *path, int flags, ...)
{
    NEXT(openat64);
    MODE(flags)
    return remember(next(directory, path, flags, mode), flags);
}

int fstat64(int descriptor, struct stat64 *status)
{
    NEXT(fstat64);
    return elides(descriptor) ? ANSWER(status) : next(descriptor, status);
}

// What fstat is in programs built against a glibc before 2.33, as most JDKs are;
// its headers tell of these functions no more.
int __fxstat(int version, int descriptor, struct stat *status);
int __fxstat64(int version, int descriptor, struct stat64 *status);

int __fxstat(int version, int descriptor, struct stat *status)
{
    NEXT(__fxstat);
    return elides(descriptor) ? ANSWER(status) : next(version, descriptor, status);
}

int __fxstat64(int version, int descriptor, struct stat64 *status)
{
    NEXT(__fxstat64);
    return elides(descriptor) ? ANSWER(status) : next(version, descriptor, status);
}
#endif
