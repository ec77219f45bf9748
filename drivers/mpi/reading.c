/* Files are opened and read: those that all ranks are given, or copies that another rank has made. */
#define _GNU_SOURCE
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What `null` goes through, and copies are made of: the data of each path. */
unsigned char **held;
uint64_t *held_bytes;
/* read-block: the files. */
static int *files;
static bool has_copies;

static const char *path_of(uint64_t i) { return plan->rank_shift > 0 ? name_of(i) : plan->paths[i]; }

/* Whether this rank reaches what it shall work on: another host may not have it mounted. */
void check_reach(const struct plan *asked, struct failure *failure) {
    note_into(failure);
    if (asked->directory) {
        int fd = open(asked->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0) note("open", asked->directory, errno);
        else close(fd);
    }
    bool reads = asked->operation == OP_OPEN_CLOSE || asked->operation == OP_READ_WHOLE || asked->operation == OP_READ_BLOCK;
    for (size_t i = 0; reads && i < asked->path_count; i++) {
        if (access(asked->paths[i], R_OK) != 0) note("access", asked->paths[i], errno);
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

static void open_files_to_read(void) {
    for (size_t i = 0; i < plan->path_count; i++) {
        if (files[i] >= 0) continue;
        files[i] = open(path_of(i), O_RDONLY | O_CLOEXEC);
        if (files[i] < 0) note("open", path_of(i), errno);
    }
}

void release_files(void) {
    for (size_t i = 0; files && i < plan->path_count; i++) {
        if (files[i] >= 0) close(files[i]);
        files[i] = -1;
    }
}

void prepare_reading(bool any_null) {
    buffer = touched(plan->operation == OP_READ_BLOCK ? plan->block : plan->size);
    if ((any_null && plan->operation != OP_OPEN_CLOSE) || plan->rank_shift > 0) hold_data();
    if (plan->operation != OP_READ_BLOCK) return;
    files = malloc(plan->path_count * sizeof *files);
    for (size_t i = 0; i < plan->path_count; i++) files[i] = -1;
    if (plan->rank_shift == 0) open_files_to_read();
}

/* New files for each batch: what a host has read once is no longer strange to its cache. */
static void make_copies(void) {
    release_files();
    wait_for_all(); /* nobody reads the copies of the batch before */
    if (has_copies && make_names(plan->path_count, own_rank))
        for (size_t i = 0; i < plan->path_count; i++) unlink(name_of(i));
    make_batch_directory();
    has_copies = make_names(plan->path_count, own_rank);
    for (size_t i = 0; has_copies && i < plan->path_count && !has_failed(); i++) {
        int fd = open(name_of(i), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (fd < 0) {
            note("open", name_of(i), errno);
            break;
        }
        /* What was not written back stays in a cache, whoever asks it to go. */
        if (write_all(fd, held[i], held_bytes[i], name_of(i)) && plan->evict && fsync(fd) != 0)
            note("fsync", name_of(i), errno);
        if (close(fd) != 0) note("close", name_of(i), errno);
    }
    wait_for_all(); /* every rank's are there */
    if (has_copies) make_names(plan->path_count, other_rank());
}

/* Takes the files out of this host's cache. A page that was used a moment ago may need a second time. */
static void evict_files(void) {
    for (int time = 0; time < 2; time++) {
        for (size_t i = 0; i < plan->path_count; i++) {
            int fd = open(path_of(i), O_RDONLY | O_CLOEXEC);
            if (fd < 0) note("open", path_of(i), errno);
            else posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
            if (fd >= 0) close(fd);
        }
        wait_for_all();
    }
}

void make_ready_to_read(void) {
    if (plan->rank_shift > 0) make_copies();
    if (plan->evict) evict_files();
    if (plan->operation == OP_READ_BLOCK && !has_failed()) open_files_to_read();
}

/* How many pages the files have, and how many of them this host's cache holds. */
bool look_at_pages(uint64_t *pages, uint64_t *resident) {
    bool known = true;
    size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    *pages = *resident = 0;
    for (size_t i = 0; i < plan->path_count && known; i++) {
        struct stat found;
        int fd = open(path_of(i), O_RDONLY | O_CLOEXEC);
        known = fd >= 0 && fstat(fd, &found) == 0;
        size_t count = known ? ((size_t)found.st_size + page_bytes - 1) / page_bytes : 0;
        if (count > 0) {
            unsigned char *told = malloc(count);
            void *mapped = mmap(NULL, count * page_bytes, PROT_NONE, MAP_SHARED, fd, 0);
            known = told && mapped != MAP_FAILED && mincore(mapped, count * page_bytes, told) == 0;
            for (size_t page = 0; known && page < count; page++) *resident += told[page] & 1;
            if (mapped != MAP_FAILED) munmap(mapped, count * page_bytes);
            free(told);
            *pages += count;
        }
        if (fd >= 0) close(fd);
    }
    return known;
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
        note("pread", path_of(path), got < 0 ? errno : EIO);
        return;
    }
    current->bytes += plan->block;
    current->digest += digest(buffer, plan->block);
}

void read_one(uint64_t k) {
    const char *path = path_of(k % plan->path_count);
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
    default:
        read_block(k);
    }
}
