/* The words after `run`, and the answer to `describe`. */
#include "driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What this program performs, and the one method of each beside `null`. */
static const struct {
    const char *word, *method;
    bool writes; /* makes files or directories of its own */
} OPERATIONS[] = {
    [OP_NULL] = {"null", "null", false},
    [OP_OPEN_CLOSE] = {"open-close", "open", false},
    [OP_OPEN_MISSING] = {"open-missing", "open", false},
    [OP_READ_WHOLE] = {"read-whole", "read", false},
    [OP_READ_BLOCK] = {"read-block", "pread", false},
    [OP_CREATE] = {"create", "open+O_CREAT", true},
    [OP_WRITE_BLOCK] = {"write-block", "pwrite", true},
    [OP_STAT] = {"stat", "stat", true},
    [OP_REMOVE] = {"remove", "unlink", true},
    [OP_MAKE_DIRECTORY] = {"make-directory", "mkdir", true},
    [OP_STAT_DIRECTORY] = {"stat-directory", "stat", true},
    [OP_REMOVE_DIRECTORY] = {"remove-directory", "rmdir", true},
};
#define TREE_MOST 1000000

static bool complains;

static void fail(int code, const char *what, const char *word) {
    if (complains) fprintf(stderr, "%s: %s\n", what, word);
    exit(code);
}

static uint64_t number(const char *name, const char *word) {
    char *end;
    errno = 0;
    uint64_t value = strtoull(word, &end, 10);
    if (*word < '0' || *word > '9' || *end || errno) fail(2, name, word);
    return value;
}

/* The position of a word among those known. */
static int choose(const char *name, const char *word, const char *const *known) {
    for (int i = 0; known[i]; i++)
        if (strcmp(word, known[i]) == 0) return i;
    fail(2, name, word);
    return 0;
}
#define CHOICE(...) ((const char *const[]){__VA_ARGS__, NULL})

static void only(const char *name, const char *word, const char *usual) {
    if (strcmp(word, usual) != 0) fail(77, name, "the mpi driver does not do that");
}

/* Each path of the file ends with a zero byte; `others` have room already. */
static void read_paths(struct plan *plan, const char *list, size_t others) {
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(list, "r");
    ssize_t bytes = file ? getdelim(&text, &room, EOF, file) : -1;
    if (bytes < 1) fail(2, "--path-list", list);
    fclose(file);
    for (ssize_t i = 0; i < bytes; i++) others += text[i] == 0;
    plan->paths = realloc(plan->paths, others * sizeof *plan->paths);
    if (!plan->paths) fail(2, "--path-list", "no memory");
    for (char *path = text; path < text + bytes; path += strlen(path) + 1) plan->paths[plan->path_count++] = path;
}

void read_arguments(struct plan *plan, int argc, char **argv, bool is_first) {
    complains = is_first;
    memset(plan, 0, sizeof *plan);
    plan->block = 65536, plan->seed = 1, plan->random_access = plan->aligned = true;
    plan->tree_branch = 1;
    plan->paths = calloc((size_t)argc, sizeof *plan->paths);
    const char *method[METHODS_MAX];
    int operation = -1;
    for (int i = 2; i < argc; i++) {
        const char *name = argv[i];
        if (strcmp(name, "--marks") == 0) {
            plan->marks = true;
            continue;
        }
        if (strcmp(name, "--evict") == 0) {
            plan->evict = true;
            continue;
        }
        if (i + 1 == argc) fail(2, "no value", name);
        const char *word = argv[++i];
        if (strcmp(name, "--operation") == 0) {
            for (int k = 0; k < (int)(sizeof OPERATIONS / sizeof *OPERATIONS); k++)
                if (strcmp(word, OPERATIONS[k].word) == 0) operation = k;
            if (operation < 0) fail(2, name, word);
        } else if (strcmp(name, "--method") == 0) {
            if (plan->methods == METHODS_MAX) fail(2, "too many methods", word);
            method[plan->methods++] = word;
        } else if (strcmp(name, "--path") == 0) plan->paths[plan->path_count++] = word;
        else if (strcmp(name, "--path-list") == 0) read_paths(plan, word, (size_t)argc);
        else if (strcmp(name, "--size") == 0) plan->size = number(name, word);
        else if (strcmp(name, "--block") == 0) plan->block = number(name, word);
        else if (strcmp(name, "--seed") == 0) plan->seed = number(name, word);
        else if (strcmp(name, "--write") == 0) plan->write = number(name, word);
        else if (strcmp(name, "--directory") == 0) plan->directory = word;
        else if (strcmp(name, "--rank-shift") == 0) plan->rank_shift = number(name, word);
        else if (strcmp(name, "--tree-depth") == 0) plan->tree_depth = number(name, word);
        else if (strcmp(name, "--tree-branch") == 0) plan->tree_branch = number(name, word);
        else if (strcmp(name, "--nesting") == 0) plan->nesting = number(name, word);
        else if (strcmp(name, "--access") == 0) plan->random_access = choose(name, word, CHOICE("sequential", "random"));
        else if (strcmp(name, "--alignment") == 0) plan->aligned = choose(name, word, CHOICE("unaligned", "aligned"));
        else if (strcmp(name, "--content") == 0) plan->pattern_content = choose(name, word, CHOICE("random", "pattern"));
        else if (strcmp(name, "--sharing") == 0) plan->own = choose(name, word, CHOICE("common", "own"));
        else if (strcmp(name, "--existing") == 0) plan->existing = choose(name, word, CHOICE("fresh", "empty", "data"));
        else if (strcmp(name, "--close") == 0) plan->close = choose(name, word, CHOICE("each", "all", "none"));
        else if (strcmp(name, "--sync") == 0) plan->sync = choose(name, word, CHOICE("none", "fsync", "syncfs"));
        else if (strcmp(name, "--buffer") == 0) only(name, word, "reused");
        else if (strcmp(name, "--threads") == 0) only(name, word, "1");
        else if (strcmp(name, "--queue-depth") == 0) only(name, word, "1");
        else if (strcmp(name, "--latencies") == 0) only(name, word, "");
        else fail(2, "unknown argument", name);
    }
    if (operation < 0) fail(2, "missing", "--operation");
    if (plan->methods == 0) fail(2, "missing", "--method");
    plan->operation = (enum operation)operation;
    for (int slot = 0; slot < plan->methods; slot++) {
        plan->is_null[slot] = strcmp(method[slot], "null") == 0;
        if (!plan->is_null[slot] && strcmp(method[slot], OPERATIONS[operation].method) != 0) fail(2, "no such method", method[slot]);
    }
    bool writes = OPERATIONS[operation].writes;
    if ((writes || plan->rank_shift > 0) && !plan->directory) fail(2, "missing", "--directory");
    if (!writes && operation != OP_NULL && plan->path_count == 0) fail(2, "missing", "--path");
    if (plan->own && !writes) fail(77, "--sharing own", "of operations that write only");
    if (plan->rank_shift > 0 && operation == OP_OPEN_MISSING) fail(77, "--rank-shift", "not of files that are missing");
    plan->tree_size = 1;
    for (uint64_t level = 0; level < plan->tree_depth; level++) {
        if (plan->tree_size > TREE_MOST / (plan->tree_branch ? plan->tree_branch : 1))
            fail(2, "--tree-depth, --tree-branch", "more than a million directories");
        plan->tree_size = 1 + plan->tree_size * plan->tree_branch;
    }
    bool blocks = operation == OP_READ_BLOCK || operation == OP_WRITE_BLOCK;
    if (blocks && (plan->block == 0 || plan->block > plan->size)) fail(2, "--block", "more than --size, or nothing");
    if (blocks && !plan->aligned && plan->size < 2) fail(2, "--alignment", "the file is too small");
    if (operation == OP_WRITE_BLOCK && plan->block > (1u << 20)) fail(2, "--block", "more than 1 MiB");
    if (operation == OP_WRITE_BLOCK && plan->sync == SYNC_SYNCFS) fail(77, "--sync syncfs", "not with write-block");
}

void describe(const char *library) {
    char line[200];
    size_t used = 0;
    for (const char *c = library; *c && *c != '\n' && *c != ',' && used < sizeof line - 1; c++)
        if (*c >= ' ' && *c != '"' && *c != '\\') line[used++] = *c;
    line[used] = 0;
    printf("{\"protocol\": 1, \"driver\": \"mpi\", \"language\": \"C with MPI\", \"runtime\": \"%s\", \"methods\": [\n", line);
#define METHOD(name, operations, takes, does) \
    printf("{\"name\": \"" name "\", \"operations\": [" operations "], \"takes\": [" takes "], \"does\": \"" does ", on every rank\"},\n")
#define TREE "\"sharing\", \"tree-depth\", \"tree-branch\""
#define FOUND TREE ", \"rank-shift\""
    METHOD("open", "\"open-close\", \"open-missing\"", "\"rank-shift\"", "open(path, O_RDONLY), close");
    METHOD("read", "\"read-whole\"", "\"rank-shift\"", "open, fstat, read until the size is reached, close");
    METHOD("pread", "\"read-block\"", "\"rank-shift\"", "pread of an open file");
    METHOD("open+O_CREAT", "\"create\"", TREE, "open(path, O_WRONLY | O_CREAT | O_TRUNC), write, close");
    METHOD("pwrite", "\"write-block\"", "\"sharing\"", "pwrite to an open file");
    METHOD("stat", "\"stat\", \"stat-directory\"", FOUND ", \"nesting\"", "stat(path)");
    METHOD("unlink", "\"remove\"", FOUND, "unlink(path)");
    METHOD("mkdir", "\"make-directory\"", TREE ", \"nesting\"", "mkdir(path, 0755)");
    METHOD("rmdir", "\"remove-directory\"", FOUND ", \"nesting\"", "rmdir(path), in the reverse order of making");
    printf("{\"name\": \"null\", \"operations\": [");
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof *OPERATIONS; i++) printf("%s\"%s\"", i ? ", " : "", OPERATIONS[i].word);
    printf("], \"does\": \"nothing\"}]}\n");
}
