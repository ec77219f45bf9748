/* What each operation does on one rank. Nothing here speaks to another rank between the two
   readings of the clock. */
#define _GNU_SOURCE
#include "work.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct plan *plan;
struct result *current;
unsigned char *buffer, *pool;
static uint64_t performed[METHODS_MAX];

/* How an operation is done: what it finds or makes before the clock, and within. */
enum kind { IS_NULL, READS, MAKES, VISITS, WRITES };

static enum kind kind_of(int slot) {
    if (plan->is_null[slot]) return IS_NULL;
    switch (plan->operation) {
    case OP_NULL:
        return IS_NULL;
    case OP_CREATE:
    case OP_MAKE_DIRECTORY:
        return MAKES;
    case OP_STAT:
    case OP_STAT_DIRECTORY:
    case OP_REMOVE:
    case OP_REMOVE_DIRECTORY:
        return VISITS;
    case OP_WRITE_BLOCK:
        return WRITES;
    default:
        return READS;
    }
}

static void fill_pool(void) {
    if (plan->pattern_content) fill_pattern(pool, POOL_BYTES);
    else
        for (uint64_t i = 0; i < POOL_BYTES / 8; i++) {
            uint64_t word = splitmix64(plan->seed + i);
            memcpy(pool + 8 * i, &word, 8); /* little-endian, as every host that MPI runs on here */
        }
}

void prepare(struct plan *asked, struct failure *failure) {
    plan = asked;
    note_into(failure);
    bool any_null = false;
    for (int slot = 0; slot < plan->methods; slot++) any_null |= plan->is_null[slot];
    uint64_t bytes = plan->operation == OP_CREATE ? plan->write : plan->size;
    if (bytes < EXISTING_BYTES) bytes = EXISTING_BYTES;
    switch (plan->operation) {
    case OP_OPEN_CLOSE:
    case OP_READ_WHOLE:
    case OP_READ_BLOCK:
        prepare_reading(any_null);
        break;
    case OP_CREATE:
    case OP_STAT:
    case OP_REMOVE:
        buffer = touched(bytes);
        if (buffer) fill_pattern(buffer, bytes);
        break;
    case OP_WRITE_BLOCK:
        pool = touched(POOL_BYTES);
        buffer = touched(plan->block);
        if (pool) fill_pool();
        break;
    default:
        break;
    }
    if (plan->operation == OP_CREATE && plan->close != CLOSE_EACH) {
        struct rlimit limit;
        getrlimit(RLIMIT_NOFILE, &limit);
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* The same loop without the I/O. */
static void perform_null(uint64_t k) {
    switch (plan->operation) {
    case OP_READ_WHOLE: {
        size_t path = k % plan->path_count;
        current->bytes += held_bytes[path];
        current->digest += digest(held[path], held_bytes[path]);
        break;
    }
    case OP_READ_BLOCK: {
        size_t path = k % plan->path_count;
        current->bytes += plan->block;
        current->digest += digest(held[path] + offset_of(k), plan->block);
        break;
    }
    case OP_WRITE_BLOCK:
        current->bytes += plan->block;
        current->digest += digest(pool + pool_offset(k), plan->block);
        break;
    case OP_CREATE:
        current->bytes += plan->write;
        break;
    default:
        __asm__ volatile("" ::"r"(plan->path_count ? plan->paths[k % plan->path_count] : NULL) : "memory");
    }
}

static void perform(int slot, uint64_t first, uint64_t operations) {
    switch (kind_of(slot)) {
    case IS_NULL:
        for (uint64_t k = first; k < first + operations; k++) perform_null(k);
        break;
    case READS:
        for (uint64_t k = first; k < first + operations && !has_failed(); k++) read_one(k);
        break;
    case MAKES:
        make(operations);
        break;
    case VISITS:
        visit_found(operations);
        break;
    case WRITES:
        write_blocks(first, operations);
    }
}

/* Everything a batch needs before its clock starts. Ranks wait for each other here, also for one that
   has failed. */
static void make_ready(int slot, uint64_t operations) {
    switch (kind_of(slot)) {
    case READS:
        if (plan->operation != OP_OPEN_MISSING) make_ready_to_read();
        break;
    case MAKES:
        prepare_making(operations);
        break;
    case VISITS:
        prepare_found(operations);
        break;
    case WRITES:
        prepare_writing();
        break;
    default:
        break;
    }
}

static void close_after(int slot, uint64_t operations) {
    if (kind_of(slot) == MAKES) close_made(operations);
}

/* Bytes that devices read for this process, its threads included. */
static uint64_t device_bytes(int *known) {
    char text[1024];
    int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[got > 0 ? got : 0] = 0;
    const char *line = strstr(text, "\nread_bytes: ");
    *known = line != NULL;
    return line ? strtoull(line + 13, NULL, 10) : 0;
}

static void mark(const char *name) {
    if (plan->marks) (void)!access(name, F_OK);
}

void run_batch(int slot, uint64_t operations, uint64_t preroll, struct result *result) {
    static struct result thrown_away;
    memset(result, 0, sizeof *result);
    current = &thrown_away;
    note_into(&result->failure);
    if (preroll > 0) {
        make_ready(slot, preroll);
        if (!has_failed()) perform(slot, performed[slot], preroll);
        close_after(slot, preroll);
    }
    make_ready(slot, operations);
    struct rusage before, after;
    int known[2];
    result->pages_known = !plan->evict || kind_of(slot) != READS || look_at_pages(&result->file_pages, &result->resident_pages);
    uint64_t read_before = device_bytes(&known[0]);
    current = result;
    start_together();
    getrusage(RUSAGE_THREAD, &before);
    mark("/fathom-mark/begin");
    result->start_ns = now_ns();
    if (!has_failed()) perform(slot, performed[slot] + preroll, operations);
    result->end_ns = now_ns();
    mark("/fathom-mark/end");
    getrusage(RUSAGE_THREAD, &after);
    result->read_bytes = device_bytes(&known[1]) - read_before;
    result->reads_known = known[0] && known[1];
    close_after(slot, operations);
#define SPENT(field) \
    (uint64_t)((after.field.tv_sec - before.field.tv_sec) * 1000000000ll + (after.field.tv_usec - before.field.tv_usec) * 1000ll)
    result->cpu_ns = SPENT(ru_utime) + SPENT(ru_stime);
    result->nivcsw = (uint64_t)(after.ru_nivcsw - before.ru_nivcsw);
    result->minflt = (uint64_t)(after.ru_minflt - before.ru_minflt);
    result->majflt = (uint64_t)(after.ru_majflt - before.ru_majflt);
    performed[slot] += preroll + operations;
}

/* The data of operation 0, by which its checksum is taken. */
void run_verify(int slot, struct result *result) {
    memset(result, 0, sizeof *result);
    current = result;
    note_into(&result->failure);
    make_ready(slot, 1);
    if (!has_failed()) perform(slot, 0, 1);
    close_after(slot, 1);
    if (has_failed()) return;
    const unsigned char *data = buffer;
    if (kind_of(slot) == MAKES) {
        verify_made(result);
        return;
    }
    if (kind_of(slot) == WRITES) verify_written();
    if (plan->is_null[slot]) {
        if (plan->operation == OP_READ_WHOLE) data = held[0];
        if (plan->operation == OP_READ_BLOCK) data = held[0] + offset_of(0);
        if (plan->operation == OP_WRITE_BLOCK) data = pool + pool_offset(0);
    }
    result->crc32 = data && result->bytes ? crc32_of(data, result->bytes) : 0;
}
