/* Files and directories that ranks made before the clock are looked at or removed: each rank's own,
   or those of another, which its host has not seen yet. */
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool of_directories(void) {
    return plan->operation == OP_STAT_DIRECTORY || plan->operation == OP_REMOVE_DIRECTORY;
}

static void make_file(const char *name) {
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) {
        note("open", name, errno);
        return;
    }
    write_all(fd, buffer, plan->size, name);
    if (close(fd) != 0) note("close", name, errno);
}

void prepare_found(uint64_t operations) {
    make_batch_directory();
    bool named = make_names(operations, own_rank);
    for (uint64_t i = 0; named && i < operations && !has_failed(); i++) {
        if (!of_directories()) make_file(name_of(i));
        else if (mkdir(name_of(i), 0755) != 0) note("mkdir", name_of(i), errno);
    }
    wait_for_all(); /* every rank's are there */
    if (named && plan->rank_shift > 0) make_names(operations, other_rank());
}

/* A rank that sees another size than was written would measure something else. */
static void look_at(const char *name) {
    struct stat found;
    if (stat(name, &found) != 0) note("stat", name, errno);
    else if (of_directories() ? !S_ISDIR(found.st_mode) : (uint64_t)found.st_size != plan->size)
        note("stat", name, EIO);
}

void visit_found(uint64_t operations) {
    for (uint64_t i = 0; i < operations && !has_failed(); i++) {
        switch (plan->operation) {
        case OP_REMOVE:
            if (unlink(name_of(i)) != 0) note("unlink", name_of(i), errno);
            break;
        case OP_REMOVE_DIRECTORY: {
            /* What is inside of others comes first. */
            const char *name = name_of(operations - 1 - i);
            if (rmdir(name) != 0) note("rmdir", name, errno);
            break;
        }
        default:
            look_at(name_of(i));
        }
    }
}
