/* Blocks are written into one file that all ranks share, or each into its own. */
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int written_file = -1;
static char previous_file[PATH_BYTES];

/* Where the part of this rank begins in a file that all share. */
static uint64_t part_of_rank(void) { return plan->own ? 0 : (uint64_t)own_rank * plan->size; }

void prepare_writing(void) {
    char path[PATH_BYTES];
    bool is_new = plan->existing != EXISTING_DATA || previous_file[0] == 0;
    if (written_file >= 0) close(written_file);
    written_file = -1;
    if (is_new) {
        wait_for_all(); /* nobody writes into it any more */
        if (previous_file[0] && (plan->own || own_rank == 0)) unlink(previous_file);
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

void write_blocks(uint64_t first, uint64_t operations) {
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

/* Reads the block of operation 0 back. */
void verify_written(void) {
    ssize_t got = pread(written_file, buffer, plan->block, (off_t)(part_of_rank() + offset_of(0)));
    if (got != (ssize_t)plan->block) note("pread", previous_file, got < 0 ? errno : EIO);
}
