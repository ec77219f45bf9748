/* The MPI driver: one program that is many. Rank 0 speaks the driver protocol (drivers/PROTOCOL.md);
   every command goes to all ranks by broadcast. */
#ifndef FATHOM_MPI_DRIVER_H
#define FATHOM_MPI_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATH_BYTES 4096
#define METHODS_MAX 16

enum operation {
    OP_NULL,
    OP_OPEN_CLOSE,
    OP_OPEN_MISSING,
    OP_READ_WHOLE,
    OP_READ_BLOCK,
    OP_CREATE,
    OP_WRITE_BLOCK,
    OP_STAT,
    OP_REMOVE,
    OP_MAKE_DIRECTORY,
    OP_STAT_DIRECTORY,
    OP_REMOVE_DIRECTORY
};
enum existing { EXISTING_FRESH, EXISTING_EMPTY, EXISTING_DATA };
enum close_when { CLOSE_EACH, CLOSE_ALL, CLOSE_NONE };
enum sync_how { SYNC_NONE, SYNC_FSYNC, SYNC_SYNCFS };

/* What the arguments of `run` ask for. */
struct plan {
    enum operation operation;
    bool is_null[METHODS_MAX]; /* per method number: `null`, or the operation itself */
    int methods;
    const char **paths;
    size_t path_count;
    uint64_t size, block, seed, write;
    bool random_access, aligned, pattern_content, marks, own;
    bool evict;                             /* take files out of the cache before each batch, and say what stayed */
    uint64_t rank_shift;                    /* work on what the rank so many further made */
    uint64_t tree_depth, tree_branch;       /* levels of directories below that of a batch, and how many in each */
    uint64_t tree_size;                     /* all of them, the batch's own included */
    uint64_t nesting;                       /* directories made in each other, so many in each; 0: side by side */
    enum existing existing;
    enum close_when close;
    enum sync_how sync;
    const char *directory;
};

/* The first call that failed, or nothing where errno is 0. */
struct failure {
    int error;
    char call[32];
    char path[PATH_BYTES];
};

/* What one rank did in one batch. Plain data: it is gathered as bytes. */
struct result {
    uint64_t start_ns, end_ns; /* CLOCK_MONOTONIC of the rank's host */
    uint64_t bytes, digest, cpu_ns, nivcsw, minflt, majflt;
    uint64_t read_bytes; /* from devices, as /proc/self/io has it */
    int reads_known;
    uint64_t file_pages, resident_pages; /* of the files to be read, just before */
    int pages_known;
    uint64_t system_ns, nvcsw, peak_bytes; /* of a started command */
    int status, left;                      /* as wait4 gave it; whether processes of it go on */
    uint32_t crc32;
    struct failure failure;
};

/* Where a rank runs, and how its clock differs from that of rank 0. */
struct member {
    char host[256];
    char boot[40];
    int pid;
    int64_t offset_ns;
    uint64_t error_ns;
};

/* arguments.c: exits with 2 or 77 where they cannot be obeyed; `complains` is true on rank 0. */
void read_arguments(struct plan *plan, int argc, char **argv, bool complains);
void describe(const char *library);

/* operations.c */
void prepare(struct plan *plan, struct failure *failure);
void run_batch(int slot, uint64_t operations, uint64_t preroll, struct result *result);
void run_verify(int slot, struct result *result);

/* reading.c */
void check_reach(const struct plan *plan, struct failure *failure);
void release_files(void);

/* data.c */
const char *errno_name(int error);

/* starts.c: false where the line makes no sense */
bool run_start(char *line, int *starts, struct result *result);

/* ranks.c */
extern int own_rank, rank_count;
extern struct member *members;
uint64_t now_ns(void);
void start_together(void);
void wait_for_all(void);
void learn_members(void);
bool share_line(char **line, size_t *room);
void gather_results(const struct result *own, struct result *all);
void whole_time(const struct result *all, uint64_t *start_ns, uint64_t *end_ns);
uint64_t start_on_first_clock(const struct result *all, int rank);

#endif
