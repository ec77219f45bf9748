/* What each operation does on one rank. Nothing here speaks to another rank between the two
   readings of the clock. */
#define _GNU_SOURCE
#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define POOL_BYTES (1u << 20)
#define EXISTING_BYTES 4096
#define PAGE 4096

static struct plan *plan;
static int rank, ranks;
static uint64_t performed[METHODS_MAX];
static unsigned directories;
static unsigned char *buffer, *pool;
/* What `null` goes through: the data of each path. */
static unsigned char **held;
static uint64_t *held_bytes;
/* read-block: the files; write-block: the one file. */
static int *files;
static int written_file = -1;
/* create: the names of a batch, and its files where they stay open. */
static char *names;
static size_t name_bytes, name_room;
static int *open_files;
static size_t open_room;
static char batch_directory[PATH_BYTES - 64];
static char previous_file[PATH_BYTES];
static struct failure *noted;
static struct result *current;

static void note(const char *call, const char *path, int error) {
    if (noted->error) return;
    noted->error = error ? error : EIO;
    snprintf(noted->call, sizeof noted->call, "%s", call);
    snprintf(noted->path, sizeof noted->path, "%s", path);
}

const char *errno_name(int error) {
    const char *name = strerrorname_np(error);
    return name ? name : "EIO";
}

static uint64_t splitmix64(uint64_t x) {
    uint64_t z = x + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t digest(const unsigned char *data, uint64_t bytes) {
    uint64_t sum = 0;
    for (uint64_t at = 0; at < bytes; at += PAGE) sum += data[at];
    return sum;
}

static uint32_t crc32_of(const unsigned char *data, uint64_t bytes) {
    uint32_t crc = ~0u;
    for (uint64_t i = 0; i < bytes; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static uint64_t offset_of(uint64_t k) {
    uint64_t r = splitmix64(plan->seed + k), size = plan->size, block = plan->block;
    if (plan->random_access) return plan->aligned ? r % (size / block) * block : r % (size - block + 1);
    return plan->aligned ? k % (size / block) * block : k % ((size - 1) / block) * block + 1;
}

static uint64_t pool_offset(uint64_t k) {
    uint64_t blocks = POOL_BYTES / plan->block;
    return k % (blocks ? blocks : 1) * plan->block;
}

static unsigned char *touched(uint64_t bytes) {
    unsigned char *data = NULL;
    size_t room = (size_t)(bytes ? bytes : 1);
    if (posix_memalign((void **)&data, PAGE, room) != 0) {
        note("malloc", "", ENOMEM);
        return NULL;
    }
    memset(data, 0, room);
    return data;
}

static void fill_pattern(unsigned char *data, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++) data[i] = (unsigned char)"fathom pattern.\n"[i % 16];
}

static bool write_all(int fd, const unsigned char *data, uint64_t bytes, const char *path) {
    while (bytes > 0) {
        ssize_t wrote = write(fd, data, bytes);
        if (wrote <= 0) {
            note("write", path, wrote ? errno : ENOSPC);
            return false;
        }
        data += wrote, bytes -= (uint64_t)wrote;
    }
    return true;
}

/* Reads until `bytes` are there or the file ends. */
static bool read_all(int fd, unsigned char *data, uint64_t bytes, const char *path) {
    while (bytes > 0) {
        ssize_t got = read(fd, data, bytes);
        if (got <= 0) {
            note("read", path, got ? errno : EIO);
            return false;
        }
        data += got, bytes -= (uint64_t)got;
    }
    return true;
}

/* Whether this rank reaches what it shall work on: another host may not have it mounted. */
void check_reach(const struct plan *asked, struct failure *failure) {
    noted = failure;
    if (asked->directory) {
        int fd = open(asked->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0) note("open", asked->directory, errno);
        else close(fd);
    }
    if (asked->operation == OP_OPEN_MISSING || asked->operation == OP_NULL || asked->directory) return;
    for (size_t i = 0; i < asked->path_count; i++) {
        if (access(asked->paths[i], R_OK) != 0) note("access", asked->paths[i], errno);
    }
}

static void open_files_to_read(void) {
    for (size_t i = 0; i < plan->path_count; i++) {
        if (files[i] >= 0) continue;
        files[i] = open(plan->paths[i], O_RDONLY | O_CLOEXEC);
        if (files[i] < 0) note("open", plan->paths[i], errno);
    }
}

void release_files(void) {
    for (size_t i = 0; files && i < plan->path_count; i++) {
        if (files[i] >= 0) close(files[i]);
        files[i] = -1;
    }
}

static void hold_data(void) {
    held = calloc(plan->path_count, sizeof *held);
    held_bytes = calloc(plan->path_count, sizeof *held_bytes);
    for (size_t i = 0; held && held_bytes && i < plan->path_count; i++) {
        struct stat found;
        int fd = open(plan->paths[i], O_RDONLY | O_CLOEXEC);
        if (fd < 0 || fstat(fd, &found) != 0) {
            note("open", plan->paths[i], errno);
        } else {
            held_bytes[i] = (uint64_t)found.st_size;
            held[i] = touched(held_bytes[i]);
            if (held[i]) read_all(fd, held[i], held_bytes[i], plan->paths[i]);
        }
        if (fd >= 0) close(fd);
    }
}

void prepare(struct plan *asked, int own, int of, struct failure *failure) {
    plan = asked, rank = own, ranks = of, noted = failure;
    bool any_null = false;
    for (int slot = 0; slot < plan->methods; slot++) any_null |= plan->is_null[slot];
    switch (plan->operation) {
    case OP_READ_WHOLE:
        buffer = touched(plan->size);
        if (any_null) hold_data();
        break;
    case OP_READ_BLOCK:
        buffer = touched(plan->block);
        files = malloc(plan->path_count * sizeof *files);
        for (size_t i = 0; i < plan->path_count; i++) files[i] = -1;
        if (any_null) hold_data();
        open_files_to_read();
        break;
    case OP_CREATE:
        buffer = touched(plan->write > EXISTING_BYTES ? plan->write : EXISTING_BYTES);
        if (buffer) fill_pattern(buffer, plan->write > EXISTING_BYTES ? plan->write : EXISTING_BYTES);
        break;
    case OP_WRITE_BLOCK:
        pool = touched(POOL_BYTES);
        buffer = touched(plan->block);
        if (!pool) break;
        if (plan->pattern_content) fill_pattern(pool, POOL_BYTES);
        else
            for (uint64_t i = 0; i < POOL_BYTES / 8; i++) {
                uint64_t word = splitmix64(plan->seed + i);
                memcpy(pool + 8 * i, &word, 8); /* little-endian, as every host that MPI runs on here */
            }
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

/* A new directory for a batch, made by rank 0 for all, or by each rank for itself. */
static void make_batch_directory(void) {
    unsigned number = directories++;
    if (plan->own) {
        snprintf(batch_directory, sizeof batch_directory, "%s/%u.%d", plan->directory, number, rank);
        if (mkdir(batch_directory, 0755) != 0) note("mkdir", batch_directory, errno);
        return;
    }
    snprintf(batch_directory, sizeof batch_directory, "%s/%u", plan->directory, number);
    if (rank == 0 && mkdir(batch_directory, 0755) != 0) note("mkdir", batch_directory, errno);
    wait_for_all();
}

static const char *name_of(uint64_t i) { return names + i * name_bytes; }

static void prepare_create(uint64_t operations) {
    make_batch_directory();
    name_bytes = strlen(batch_directory) + 40;
    if (name_room < operations * name_bytes) {
        name_room = operations * name_bytes;
        free(names);
        names = malloc(name_room);
    }
    if (!names) {
        name_room = 0;
        note("malloc", batch_directory, ENOMEM);
        return;
    }
    for (uint64_t i = 0; i < operations; i++) {
        char *name = names + i * name_bytes;
        if (plan->own) snprintf(name, name_bytes, "%s/f%llu", batch_directory, (unsigned long long)i);
        else snprintf(name, name_bytes, "%s/r%d.f%llu", batch_directory, rank, (unsigned long long)i);
    }
    if (plan->close != CLOSE_EACH && open_room < operations) {
        open_room = operations;
        free(open_files);
        open_files = malloc(open_room * sizeof *open_files);
    }
    if (plan->existing == EXISTING_FRESH) return;
    for (uint64_t i = 0; i < operations && !noted->error; i++) {
        int fd = open(name_of(i), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (fd < 0) {
            note("open", name_of(i), errno);
            break;
        }
        if (plan->existing == EXISTING_DATA && write_all(fd, buffer, EXISTING_BYTES, name_of(i)) && fsync(fd) != 0)
            note("fsync", name_of(i), errno);
        close(fd);
    }
}

static void create(uint64_t operations) {
    bool keep = plan->close != CLOSE_EACH;
    for (uint64_t i = 0; i < operations; i++) {
        const char *name = name_of(i);
        int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (fd < 0) {
            note("open", name, errno);
            /* What was opened before is closed where the rest would be. */
            for (uint64_t j = 0; keep && j < i; j++) close(open_files[j]);
            return;
        }
        if (plan->write > 0) write_all(fd, buffer, plan->write, name);
        if (keep) {
            open_files[i] = fd;
            continue;
        }
        if (plan->sync == SYNC_FSYNC && fsync(fd) != 0) note("fsync", name, errno);
        if (close(fd) != 0) note("close", name, errno);
    }
    for (uint64_t i = 0; keep && plan->sync == SYNC_FSYNC && i < operations; i++)
        if (fsync(open_files[i]) != 0) note("fsync", name_of(i), errno);
    for (uint64_t i = 0; plan->close == CLOSE_ALL && i < operations; i++)
        if (close(open_files[i]) != 0) note("close", name_of(i), errno);
    if (plan->sync == SYNC_SYNCFS) {
        int fd = open(batch_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0 || syncfs(fd) != 0) note("syncfs", batch_directory, errno);
        if (fd >= 0) close(fd);
    }
    current->bytes += operations * plan->write;
}

/* Where the part of this rank begins in a file that all share. */
static uint64_t part_of_rank(void) { return plan->own ? 0 : (uint64_t)rank * plan->size; }

static void prepare_write_block(void) {
    char path[PATH_BYTES];
    bool is_new = plan->existing != EXISTING_DATA || previous_file[0] == 0;
    if (written_file >= 0) close(written_file);
    written_file = -1;
    if (is_new) {
        wait_for_all(); /* nobody writes into it any more */
        if (previous_file[0] && (plan->own || rank == 0)) unlink(previous_file);
        make_batch_directory();
        snprintf(previous_file, sizeof previous_file, "%s/f", batch_directory);
    }
    snprintf(path, sizeof path, "%s", previous_file);
    written_file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (written_file < 0) {
        note("open", path, errno);
        return;
    }
    if (!is_new || plan->existing != EXISTING_DATA) return;
    for (uint64_t at = 0; at < plan->size; at += POOL_BYTES) {
        uint64_t bytes = plan->size - at < POOL_BYTES ? plan->size - at : POOL_BYTES;
        if (pwrite(written_file, pool, bytes, (off_t)(part_of_rank() + at)) != (ssize_t)bytes) {
            note("pwrite", path, errno);
            return;
        }
    }
    if (fsync(written_file) != 0) note("fsync", path, errno);
}

static void write_blocks(uint64_t first, uint64_t operations) {
    for (uint64_t k = first; k < first + operations; k++) {
        const unsigned char *block = pool + pool_offset(k);
        ssize_t wrote = pwrite(written_file, block, plan->block, (off_t)(part_of_rank() + offset_of(k)));
        if (wrote != (ssize_t)plan->block) {
            note("pwrite", previous_file, wrote < 0 ? errno : ENOSPC);
            return;
        }
        current->bytes += plan->block;
        current->digest += digest(block, plan->block);
    }
    if (plan->sync == SYNC_FSYNC && fsync(written_file) != 0) note("fsync", previous_file, errno);
}

static void open_and_close(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) note("open", path, errno);
    else if (close(fd) != 0) note("close", path, errno);
}

static void open_missing(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        note("open", path, EEXIST);
        close(fd);
    } else if (errno != ENOENT) note("open", path, errno);
}

static uint64_t read_whole(const char *path) {
    struct stat found;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        note("open", path, errno);
        return 0;
    }
    uint64_t bytes = 0;
    if (fstat(fd, &found) != 0) note("fstat", path, errno);
    else if ((uint64_t)found.st_size > plan->size) note("read", path, EFBIG);
    else if (read_all(fd, buffer, (uint64_t)found.st_size, path)) bytes = (uint64_t)found.st_size;
    if (close(fd) != 0) note("close", path, errno);
    return bytes;
}

static void read_block(uint64_t k) {
    size_t path = k % plan->path_count;
    ssize_t got = pread(files[path], buffer, plan->block, (off_t)offset_of(k));
    if (got != (ssize_t)plan->block) {
        note("pread", plan->paths[path], got < 0 ? errno : EIO);
        return;
    }
    current->bytes += plan->block;
    current->digest += digest(buffer, plan->block);
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
    if (plan->is_null[slot]) {
        for (uint64_t k = first; k < first + operations; k++) perform_null(k);
        return;
    }
    switch (plan->operation) {
    case OP_CREATE:
        create(operations);
        return;
    case OP_WRITE_BLOCK:
        write_blocks(first, operations);
        return;
    default:
        break;
    }
    for (uint64_t k = first; k < first + operations && !noted->error; k++) {
        const char *path = plan->paths[k % plan->path_count];
        switch (plan->operation) {
        case OP_OPEN_CLOSE:
            open_and_close(path);
            break;
        case OP_OPEN_MISSING:
            open_missing(path);
            break;
        case OP_READ_WHOLE: {
            uint64_t bytes = read_whole(path);
            current->bytes += bytes;
            current->digest += digest(buffer, bytes);
            break;
        }
        case OP_READ_BLOCK:
            read_block(k);
            break;
        default:
            break;
        }
    }
}

/* Everything a batch needs before its clock starts. */
static void make_ready(int slot, uint64_t operations) {
    if (plan->is_null[slot]) return;
    if (plan->operation == OP_CREATE) prepare_create(operations);
    if (plan->operation == OP_WRITE_BLOCK) prepare_write_block();
    if (plan->operation == OP_READ_BLOCK) open_files_to_read();
}

static void close_after(int slot, uint64_t operations) {
    if (plan->is_null[slot] || plan->operation != OP_CREATE || plan->close != CLOSE_NONE || noted->error) return;
    for (uint64_t i = 0; i < operations; i++) close(open_files[i]);
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
    current = &thrown_away, noted = &result->failure;
    if (preroll > 0) {
        make_ready(slot, preroll);
        if (!noted->error) perform(slot, performed[slot], preroll);
        close_after(slot, preroll);
    }
    make_ready(slot, operations);
    struct rusage before, after;
    int known[2];
    uint64_t read_before = device_bytes(&known[0]);
    current = result;
    start_together();
    getrusage(RUSAGE_THREAD, &before);
    mark("/fathom-mark/begin");
    result->start_ns = now_ns();
    if (!noted->error) perform(slot, performed[slot] + preroll, operations);
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
    current = result, noted = &result->failure;
    make_ready(slot, 1);
    if (!noted->error) perform(slot, 0, 1);
    close_after(slot, 1);
    if (noted->error) return;
    const unsigned char *data = buffer;
    uint64_t bytes = result->bytes;
    if (plan->is_null[slot]) {
        if (plan->operation == OP_READ_WHOLE) data = held[0];
        if (plan->operation == OP_READ_BLOCK) data = held[0] + offset_of(0);
        if (plan->operation == OP_WRITE_BLOCK) data = pool + pool_offset(0);
    } else if (plan->operation == OP_CREATE && plan->write > 0) {
        int fd = open(name_of(0), O_RDONLY | O_CLOEXEC);
        unsigned char *copy = touched(plan->write);
        if (fd < 0 || !copy) note("open", name_of(0), errno);
        else if (read_all(fd, copy, plan->write, name_of(0))) result->crc32 = crc32_of(copy, plan->write);
        if (fd >= 0) close(fd);
        free(copy);
        return;
    } else if (plan->operation == OP_WRITE_BLOCK) {
        ssize_t got = pread(written_file, buffer, plan->block, (off_t)(part_of_rank() + offset_of(0)));
        if (got != (ssize_t)plan->block) note("pread", previous_file, got < 0 ? errno : EIO);
    }
    result->crc32 = data && bytes ? crc32_of(data, bytes) : 0;
}
