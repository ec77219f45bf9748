/* A patch of somebody else's program that takes away one system call and nothing else: what the C library
   would ask the kernel is answered from what it said before, where WITHOUT names that call; without WITHOUT
   everything goes on to the library. It is right for the programs of this folder alone: their files do not
   change. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *without;
static int (*real_fstat)(int, struct stat64 *), (*real_stat)(const char *, struct stat64 *), (*real_isatty)(int);
static off_t (*real_lseek)(int, off_t, int);
static long (*real_syscall)(long, ...);

__attribute__((constructor)) static void begin(void) {
    without = getenv("WITHOUT");
    real_fstat = dlsym(RTLD_NEXT, "fstat64");
    real_stat = dlsym(RTLD_NEXT, "stat64");
    real_isatty = dlsym(RTLD_NEXT, "isatty");
    real_lseek = dlsym(RTLD_NEXT, "lseek64");
    real_syscall = dlsym(RTLD_NEXT, "syscall");
}

static int is_without(const char *call) { return without && !strcmp(without, call); }

/* The first answer about app.conf; its name is not known here, its size is. */
enum { SIZE = 25 };

int fstat64(int file, struct stat64 *facts) {
    static __thread struct stat64 known;
    if (is_without("fstat") && known.st_size == SIZE) return *facts = known, 0;
    if (!real_fstat) begin();
    int end = real_fstat(file, facts);
    if (!end && facts->st_size == SIZE && S_ISREG(facts->st_mode)) known = *facts;
    return end;
}

/* What is asked for by its name: app.conf, and git's packed-refs, which has one name in a process. */
static int is_one_file(const char *path) {
    static const char refs[] = "/packed-refs";
    size_t length = strlen(path), of_refs = sizeof refs - 1;
    return !strcmp(path, "app.conf") || length > of_refs && !strcmp(path + length - of_refs, refs);
}

int stat64(const char *path, struct stat64 *facts) {
    static __thread struct stat64 known;
    static __thread int is_known;
    int is_ours = is_without("stat") && is_one_file(path);
    if (is_ours && is_known) return *facts = known, 0;
    if (!real_stat) begin();
    int end = real_stat(path, facts);
    if (is_ours && !end) known = *facts, is_known = 1;
    return end;
}

/* Programs that were not built for large files: the same structure on 64-bit machines. */
int stat(const char *path, struct stat *facts) { return stat64(path, (struct stat64 *)facts); }

int isatty(int file) {
    if (is_without("isatty") && file > 2) return errno = ENOTTY, 0;
    if (!real_isatty) begin();
    return real_isatty(file);
}

off_t lseek64(int file, off_t offset, int whence) {
    if (is_without("lseek") && file > 2 && !offset && whence == SEEK_CUR) return 0;
    if (!real_lseek) begin();
    return real_lseek(file, offset, whence);
}

/* libuv asks for a descriptor's facts by statx with an empty path. */
long syscall(long number, ...) {
    static __thread char known[256];
    static __thread int is_known;
    va_list words;
    va_start(words, number);
    long a = va_arg(words, long), b = va_arg(words, long), c = va_arg(words, long);
    long d = va_arg(words, long), e = va_arg(words, long), f = va_arg(words, long);
    va_end(words);
    int is_ours = number == SYS_statx && !*(const char *)b;
    if (is_ours && is_without("statx") && is_known) return memcpy((void *)e, known, sizeof known), 0;
    if (!real_syscall) begin();
    long end = real_syscall(number, a, b, c, d, e, f);
    /* stx_size stands at 40. */
    if (is_ours && !end && *(long *)((char *)e + 40) == SIZE) memcpy(known, (void *)e, sizeof known), is_known = 1;
    return end;
}
