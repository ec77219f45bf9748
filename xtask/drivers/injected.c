/*
 * A driver with known costs put in on purpose: it opens and closes a file, with
 * nothing, one extra system call, or a spin of a fixed number of steps in
 * between. The calibration compares what Fathom finds of the extra part inside
 * the operation with what the same part costs in a loop of its own (the methods
 * that end in -only). It speaks drivers/PROTOCOL.md, for open-close and null.
 *
 * The spin is a chain of multiplications, each of which needs the one before;
 * fences keep it from overlapping with the calls around it. Its length is a
 * number of steps, not of nanoseconds, so that every process injects the same.
 * What the fences cost, and what a mispredicted end of the loop costs amid calls
 * but not in a loop of its own, is part of the spin of 16 steps, which longer
 * ones are compared to: so the further steps alone are the effect.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#define FENCE() _mm_lfence()
#elif defined(__aarch64__)
#define FENCE() __asm__ volatile("isb" ::: "memory")
#else
#define FENCE() __asm__ volatile("" ::: "memory")
#endif

enum part { NOTHING, FSTAT, GETPPID, SPIN };

struct method {
    const char *name, *does;
    bool opens;
    enum part part;
    unsigned steps;
};

static const struct method METHODS[] = {
    {"null", "nothing", false, NOTHING, 0},
    {"open", "open, close", true, NOTHING, 0},
    {"open+fstat", "open, fstat, close", true, FSTAT, 0},
    {"open+getppid", "open, getppid, close", true, GETPPID, 0},
    {"open+spin-16", "open, a spin of 16 steps, close", true, SPIN, 16},
    {"open+spin-20", "open, a spin of 20 steps, close", true, SPIN, 20},
    {"open+spin-48", "open, a spin of 48 steps, close", true, SPIN, 48},
    {"open+spin-272", "open, a spin of 272 steps, close", true, SPIN, 272},
    {"fstat-only", "fstat of a file that stays open", false, FSTAT, 0},
    {"getppid-only", "getppid", false, GETPPID, 0},
    {"spin-16-only", "a spin of 16 steps", false, SPIN, 16},
    {"spin-20-only", "a spin of 20 steps", false, SPIN, 20},
    {"spin-48-only", "a spin of 48 steps", false, SPIN, 48},
    {"spin-272-only", "a spin of 272 steps", false, SPIN, 272},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS, SLOTS_MAX = 64, LINE_MAX_BYTES = 1 << 20 };

/* One --method argument: operations performed so far. */
struct slot {
    const struct method *method;
    uint64_t next;
};

static struct slot slots[SLOTS_MAX];
static size_t slot_count, path_count;
static const char **paths;
/* Files that methods without an open of their own hold; -1 when not open. */
static int *held;
static bool marks;
static FILE *latencies;
/* What failed last, for the error line. */
static const char *failed_call, *failed_path;
static uint64_t chain = 1;
static char stat_buffer[512] __attribute__((aligned(16)));

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool failed(const char *call, const char *path) {
    failed_call = call;
    failed_path = path;
    return false;
}

static void spin(unsigned steps) {
    uint64_t x = chain;
    FENCE();
    for (unsigned step = 0; step < steps; step++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        __asm__ volatile("" : "+r"(x));
    }
    FENCE();
    chain = x;
}

static bool inject(const struct method *method, int fd, const char *path) {
    switch (method->part) {
    case FSTAT:
        return syscall(SYS_fstat, fd, stat_buffer) == 0 || failed("fstat", path);
    case GETPPID:
        return syscall(SYS_getppid) >= 0 || failed("getppid", path);
    case SPIN:
        spin(method->steps);
        return true;
    default:
        return true;
    }
}

static bool perform(const struct method *method, size_t path) {
    if (!method->opens)
        return inject(method, held[path], paths[path]);
    int fd = open(paths[path], O_RDONLY);
    if (fd < 0)
        return failed("open", paths[path]);
    return inject(method, fd, paths[path]) && (close(fd) == 0 || failed("close", paths[path]));
}

/* Opens what a method without an open works on; before the clock starts. */
static bool take_up(const struct method *method) {
    for (size_t path = 0; method->part != NOTHING && !method->opens && path < path_count; path++)
        if (held[path] < 0 && (held[path] = open(paths[path], O_RDONLY)) < 0)
            return failed("open", paths[path]);
    return true;
}

static void release(void) {
    for (size_t path = 0; path < path_count; path++)
        if (held[path] >= 0) {
            close(held[path]);
            held[path] = -1;
        }
}

static bool perform_many(struct slot *slot, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        if (!perform(slot->method, path_count ? slot->next++ % path_count : 0))
            return false;
    return true;
}

/* One batch; its time goes to *ns. */
static bool batch(struct slot *slot, uint64_t count, uint64_t preroll, bool each, uint64_t *ns) {
    if (!take_up(slot->method) || !perform_many(slot, preroll))
        return false;
    uint64_t *ends = each ? malloc((count + 1) * sizeof *ends) : NULL;
    bool good = true;
    if (marks)
        access("/fathom-mark/begin", F_OK);
    uint64_t begin = now_ns();
    if (ends)
        for (uint64_t i = 0; good && i < count; i++) {
            good = perform_many(slot, 1);
            ends[i] = now_ns();
        }
    else
        good = perform_many(slot, count);
    uint64_t end = now_ns();
    int error = errno;
    if (marks)
        access("/fathom-mark/end", F_OK);
    *ns = end - begin;
    for (uint64_t i = 0, last = begin; ends && good && i < count; last = ends[i++]) {
        uint64_t own = ends[i] - last;
        fwrite(&own, sizeof own, 1, latencies);
    }
    if (ends)
        fflush(latencies);
    free(ends);
    errno = error;
    return good;
}

static void say_error(void) {
    const char *name = strerrorname_np(errno);
    printf("error op=%s errno=%s path=%s\n", failed_call, name ? name : "EIO", failed_path);
}

static void say_done(uint64_t count, uint64_t ns) {
    printf("done ops=%" PRIu64 " ns=%" PRIu64 " bytes=0 digest=0\n", count, ns);
}

static bool blocks(char *items) {
    size_t capacity = strlen(items) / 4 + 1, done = 0;
    struct { uint64_t count, ns; } *results = malloc(capacity * sizeof *results);
    size_t slot;
    uint64_t count, preroll;
    int length, used = 0;
    bool good = true, sense = results != NULL;
    for (char *item = items; sense && *item; item += used) {
        length = 0;
        sense = sscanf(item, " %zu:%" SCNu64 ":%" SCNu64 "%n", &slot, &count, &preroll, &length) == 3 && slot < slot_count;
        used = length;
    }
    for (char *item = items; sense && good && *item; item += used) {
        sscanf(item, " %zu:%" SCNu64 ":%" SCNu64 "%n", &slot, &count, &preroll, &used);
        results[done].count = count;
        good = batch(&slots[slot], count, preroll, false, &results[done].ns);
        done += good;
    }
    int error = errno;
    for (size_t i = 0; i < done; i++)
        say_done(results[i].count, results[i].ns);
    errno = error;
    if (sense && good)
        puts("end");
    else if (sense)
        say_error();
    free(results);
    return sense;
}

/* Obeys one line; false when it makes no sense. */
static bool obey(char *line) {
    uint64_t count = 0, preroll = 0, ns = 0;
    size_t slot = 0;
    /* scanf takes -1 for the largest number there is. */
    if (strchr(line, '-'))
        return false;
    if (strncmp(line, "blocks ", 7) == 0)
        return blocks(line + 6);
    char *save, *word = strtok_r(line, " ", &save);
    if (!word)
        return false;
    bool is_batch = strcmp(word, "batch") == 0, is_verify = strcmp(word, "verify") == 0;
    if (is_batch && (!(word = strtok_r(NULL, " ", &save)) || sscanf(word, "%" SCNu64, &count) != 1))
        return false;
    while ((is_batch || is_verify) && (word = strtok_r(NULL, " ", &save)))
        if (sscanf(word, "method=%zu", &slot) != 1 && sscanf(word, "preroll=%" SCNu64, &preroll) != 1)
            return false;
    if (slot >= slot_count)
        return false;
    if (is_batch) {
        if (batch(&slots[slot], count, preroll, latencies != NULL, &ns))
            say_done(count, ns);
        else
            say_error();
    } else if (is_verify) {
        if (take_up(slots[slot].method) && perform(slots[slot].method, 0))
            puts("verified bytes=0 crc32=00000000");
        else
            say_error();
    } else if (strcmp(line, "release") == 0) {
        release();
        puts("released");
    } else {
        return false;
    }
    return true;
}

static int describe(void) {
    printf("{\"protocol\": 1, \"driver\": \"injected\", \"language\": \"C\", \"runtime\": \"cc\", \"methods\": [");
    for (size_t i = 0; i < METHOD_COUNT; i++)
        printf("%s{\"name\": \"%s\", \"operations\": [%s\"open-close\"], \"does\": \"%s\"}", i ? ", " : "",
               METHODS[i].name, i ? "" : "\"null\", ", METHODS[i].does);
    puts("]}");
    return 0;
}

static int refuse(const char *what, const char *word) {
    fprintf(stderr, "injected: %s: %s\n", what, word);
    return 2;
}

static const struct method *find(const char *name) {
    for (size_t i = 0; i < METHOD_COUNT; i++)
        if (strcmp(METHODS[i].name, name) == 0)
            return &METHODS[i];
    return NULL;
}

int main(int argc, char **argv) {
    static const char *const IGNORED[] = {"--size", "--block", "--access", "--alignment", "--buffer", "--seed"};
    const char *operation = "";
    if (argc == 2 && strcmp(argv[1], "describe") == 0)
        return describe();
    if (argc < 2 || strcmp(argv[1], "run") != 0)
        return refuse("usage", "injected describe | injected run --operation NAME --method NAME --path FILE");
    paths = calloc((size_t)argc, sizeof *paths);
    held = malloc((size_t)argc * sizeof *held);
    for (int i = 2; i < argc; i++) {
        const char *name = argv[i], *value = NULL;
        bool known = false;
        if (strcmp(name, "--marks") == 0) {
            marks = true;
            continue;
        }
        if (++i < argc)
            value = argv[i];
        if (!value)
            return refuse("no value", name);
        for (size_t k = 0; k < sizeof IGNORED / sizeof *IGNORED; k++)
            known |= strcmp(name, IGNORED[k]) == 0;
        if (strcmp(name, "--operation") == 0)
            operation = value;
        else if (strcmp(name, "--path") == 0)
            paths[path_count++] = value;
        else if (strcmp(name, "--latencies") == 0)
            latencies = fopen(value, "ab");
        else if (strcmp(name, "--method") == 0 && find(value) && slot_count < SLOTS_MAX)
            slots[slot_count++].method = find(value);
        else if (!known)
            return refuse(name, value);
    }
    bool nothing = strcmp(operation, "null") == 0;
    if (!nothing && strcmp(operation, "open-close") != 0)
        return refuse("unknown operation", operation);
    for (size_t i = 0; i < slot_count; i++)
        if (nothing && strcmp(slots[i].method->name, "null") != 0)
            return refuse("cannot perform null", slots[i].method->name);
    if (!slot_count || (!nothing && !path_count))
        return refuse("missing", "--method or --path");
    for (size_t i = 0; i < path_count; i++)
        held[i] = -1;
    if (!path_count) {
        paths[0] = "";
        held[0] = -1;
    }
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    puts("ready");
    fflush(stdout);
    char *line = malloc(LINE_MAX_BYTES), *copy = malloc(LINE_MAX_BYTES);
    while (line && copy && fgets(line, LINE_MAX_BYTES, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, "quit") == 0)
            break;
        strcpy(copy, line);
        if (!obey(copy))
            printf("error op=protocol errno=EINVAL path=%s\n", line);
        fflush(stdout);
    }
    return 0;
}
