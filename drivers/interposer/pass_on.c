// What tools like tracers, sandboxes and profilers put before the C library by
// LD_PRELOAD: every file call is found once and passed on unchanged. It shows
// what such a library costs by being there.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

// The next definition of a function, looked up the first time.
#define NEXT(name) \
    static __typeof__(&name) next; \
    if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// open takes a mode only when it may make a file.
static mode_t mode_of(int flags, va_list arguments)
{
    return (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    NEXT(open);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return next(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    NEXT(open64);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return next(path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...)
{
    NEXT(openat);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return next(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...)
{
    NEXT(openat64);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return next(directory, path, flags, mode);
}

int close(int descriptor)
{
    NEXT(close);
    return next(descriptor);
}

ssize_t read(int descriptor, void *buffer, size_t size)
{
    NEXT(read);
    return next(descriptor, buffer, size);
}

ssize_t pread64(int descriptor, void *buffer, size_t size, off64_t offset)
{
    NEXT(pread64);
    return next(descriptor, buffer, size, offset);
}

int fstat(int descriptor, struct stat *status)
{
    NEXT(fstat);
    return next(descriptor, status);
}

int fstat64(int descriptor, struct stat64 *status)
{
    NEXT(fstat64);
    return next(descriptor, status);
}

// What fstat is in programs built against a glibc before 2.33, as most JDKs are;
// its headers tell of these functions no more.
#ifdef __GLIBC__
int __fxstat(int version, int descriptor, struct stat *status);
int __fxstat64(int version, int descriptor, struct stat64 *status);

int __fxstat(int version, int descriptor, struct stat *status)
{
    NEXT(__fxstat);
    return next(version, descriptor, status);
}

int __fxstat64(int version, int descriptor, struct stat64 *status)
{
    NEXT(__fxstat64);
    return next(version, descriptor, status);
}
#endif
