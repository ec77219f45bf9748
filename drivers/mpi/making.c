/* Each rank makes files, or directories. */
#define _GNU_SOURCE
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files that stay open. */
static int *open_files;
static size_t open_room;

void prepare_making(uint64_t operations) {
    make_batch_directory();
    if (!make_names(operations, own_rank) || plan->operation == OP_MAKE_DIRECTORY) return;
    if (plan->close != CLOSE_EACH && open_room < operations) {
        open_room = operations;
        free(open_files);
        open_files = malloc(open_room * sizeof *open_files);
    }
    if (plan->existing == EXISTING_FRESH) return;
    for (uint64_t i = 0; i < operations && !has_failed(); i++) {
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

void make(uint64_t operations) {
    if (plan->operation == OP_CREATE) {
        create(operations);
        return;
    }
    for (uint64_t i = 0; i < operations && !has_failed(); i++)
        if (mkdir(name_of(i), 0755) != 0) note("mkdir", name_of(i), errno);
}

void close_made(uint64_t operations) {
    if (plan->operation != OP_CREATE || plan->close != CLOSE_NONE || has_failed()) return;
    for (uint64_t i = 0; i < operations; i++) close(open_files[i]);
}

/* The data of the file of one operation, read back. */
void verify_made(struct result *result) {
    if (plan->write == 0) return;
    int fd = open(name_of(0), O_RDONLY | O_CLOEXEC);
    unsigned char *copy = touched(plan->write);
    if (fd < 0 || !copy) note("open", name_of(0), errno);
    else if (read_all(fd, copy, plan->write, name_of(0))) result->crc32 = crc32_of(copy, plan->write);
    if (fd >= 0) close(fd);
    free(copy);
}
