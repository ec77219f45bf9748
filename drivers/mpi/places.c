/* Where a batch makes its files: a new directory for each, in it a tree of directories where one is
   asked for, and names in them. */
#include "work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char batch_directory[PATH_BYTES - 64];
static unsigned directories;
static char *names;
static size_t name_bytes, name_room;

/* The directory of this batch in which the files of one rank are. */
static void name_directory(char *path, size_t room, int maker) {
    if (plan->own) snprintf(path, room, "%s/%u.%d", plan->directory, directories - 1, maker);
    else snprintf(path, room, "%s/%u", plan->directory, directories - 1);
}

/* Directory `number` of the tree below `path`, which is number 0; its parent has a smaller number. */
static void extend_path(char *path, size_t room, uint64_t number) {
    if (number == 0) return;
    extend_path(path, room, (number - 1) / plan->tree_branch);
    size_t used = strlen(path);
    snprintf(path + used, room - used, "/t%llu", (unsigned long long)number);
}

static void make_directory(const char *path) {
    if (mkdir(path, 0755) != 0) note("mkdir", path, errno);
}

/* Made by rank 0 for all, or by each rank for itself. */
void make_batch_directory(void) {
    directories++;
    name_directory(batch_directory, sizeof batch_directory, own_rank);
    if (plan->own || own_rank == 0) {
        make_directory(batch_directory);
        for (uint64_t number = 1; number < plan->tree_size && !has_failed(); number++) {
            char path[PATH_BYTES];
            snprintf(path, sizeof path, "%s", batch_directory);
            extend_path(path, sizeof path, number);
            make_directory(path);
        }
    }
    if (!plan->own) wait_for_all();
}

const char *name_of(uint64_t i) { return names + i * name_bytes; }

/* Whose files this rank visits. */
int other_rank(void) { return (int)(((uint64_t)own_rank + plan->rank_shift) % (uint64_t)rank_count); }

/* Names of what one rank makes in this batch: spread evenly over the tree, directory after directory;
   or, where directories are nested, so many in each. False where they are too long or too many. */
bool make_names(uint64_t operations, int maker) {
    char base[PATH_BYTES], path[PATH_BYTES + 64];
    name_directory(base, sizeof base, maker);
    size_t levels = 2 + plan->tree_depth;
    for (uint64_t i = operations; plan->nesting && i > 1; i = (i - 2) / plan->nesting + 1) levels++;
    name_bytes = strlen(base) + 32 + 12 * levels;
    if (name_bytes > PATH_BYTES) {
        note("mkdir", base, ENAMETOOLONG);
        return false;
    }
    if (name_room < operations * name_bytes) {
        name_room = operations * name_bytes;
        free(names);
        names = malloc(name_room);
    }
    if (!names) {
        name_room = 0;
        note("malloc", base, ENOMEM);
        return false;
    }
    char by[16] = "";
    if (!plan->own) snprintf(by, sizeof by, "r%d.", maker);
    for (uint64_t i = 0; i < operations; i++) {
        bool is_inside = plan->nesting && i > 0;
        snprintf(path, sizeof path, "%s", is_inside ? name_of((i - 1) / plan->nesting) : base);
        /* The product stays below 2^64: both are bounded by the arguments. */
        if (!plan->nesting) extend_path(path, sizeof path, i * plan->tree_size / operations);
        snprintf(names + i * name_bytes, name_bytes, "%s/%sf%llu", path, is_inside ? "" : by, (unsigned long long)i);
    }
    return true;
}
