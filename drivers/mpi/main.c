/* Starts the ranks and obeys the lines of the driver protocol on rank 0's standard input. */
#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static struct plan plan;
static struct result own, *all;
/* What libraries of an MPI print goes elsewhere: nothing but answers is on the standard output. */
static FILE *answers;

static void say(const char *form, ...) {
    if (own_rank != 0) return;
    va_list arguments;
    va_start(arguments, form);
    vfprintf(answers, form, arguments);
    va_end(arguments);
}

/* One line for the first rank that failed; false when none did. */
static bool say_failure(const struct result *results) {
    for (int rank = 0; rank < rank_count; rank++) {
        const struct failure *failure = &results[rank].failure;
        if (!failure->error) continue;
        say("error op=%s errno=%s path=%s (rank %d on %s)\n", failure->call, errno_name(failure->error),
            failure->path, rank, members[rank].host);
        return true;
    }
    return false;
}

/* Every rank did the same: what differs is an error, as nothing else would show it. */
static bool say_difference(void) {
    for (int rank = 1; rank < rank_count; rank++) {
        if (all[rank].bytes == all[0].bytes && all[rank].digest == all[0].digest && all[rank].crc32 == all[0].crc32)
            continue;
        say("error op=data errno=EIO path=rank %d on %s delivered other data than rank 0\n", rank, members[rank].host);
        return true;
    }
    return false;
}

/* Returns false on rank 0 when there was an error; other ranks do not know. */
static bool do_batch(int slot, uint64_t operations, uint64_t preroll) {
    run_batch(slot, operations, preroll, &own);
    gather_results(&own, all);
    if (own_rank != 0) return true;
    if (say_failure(all) || say_difference()) return false;
    uint64_t start, end, cpu = 0, nivcsw = 0, minflt = 0, majflt = 0, read = 0, pages = 0, resident = 0;
    bool reads_known = true, pages_known = plan.evict;
    whole_time(all, &start, &end);
    for (int rank = 0; rank < rank_count; rank++) {
        cpu += all[rank].cpu_ns, nivcsw += all[rank].nivcsw;
        minflt += all[rank].minflt, majflt += all[rank].majflt;
        read += all[rank].read_bytes, reads_known &= all[rank].reads_known != 0;
        pages += all[rank].file_pages, resident += all[rank].resident_pages;
        pages_known &= all[rank].pages_known != 0;
    }
    say("done ops=%llu ns=%llu bytes=%llu digest=%llu cpu_ns=%llu nivcsw=%llu minflt=%llu majflt=%llu",
        (unsigned long long)operations, (unsigned long long)(end - start), (unsigned long long)all[0].bytes,
        (unsigned long long)all[0].digest, (unsigned long long)cpu, (unsigned long long)nivcsw,
        (unsigned long long)minflt, (unsigned long long)majflt);
    if (reads_known) say(" read_bytes=%llu", (unsigned long long)read);
    if (pages_known)
        say(" file_pages=%llu resident_pages=%llu", (unsigned long long)pages, (unsigned long long)resident);
    for (int rank = 0; rank < rank_count; rank++)
        say(" rank%d_ns=%llu rank%d_start_ns=%llu", rank, (unsigned long long)(all[rank].end_ns - all[rank].start_ns),
            rank, (unsigned long long)(start_on_first_clock(all, rank) - start));
    say("\n");
    return true;
}

static bool keyed(const char *word, const char *key, uint64_t *value) {
    size_t length = strlen(key);
    char *end;
    if (strncmp(word, key, length) != 0 || word[length] < '0' || word[length] > '9') return false;
    *value = strtoull(word + length, &end, 10);
    return *end == 0;
}

static bool obey_batch(char *words) {
    uint64_t operations, slot = 0, preroll = 0;
    char *word = strtok(words, " ");
    if (!word || !keyed(word, "", &operations)) return false;
    while ((word = strtok(NULL, " ")))
        if (!keyed(word, "method=", &slot) && !keyed(word, "preroll=", &preroll)) return false;
    if (slot >= (uint64_t)plan.methods) return false;
    do_batch((int)slot, operations, preroll);
    return true;
}

static bool obey_blocks(const char *words) {
    /* Read twice, so that nothing is begun of a line that makes no sense. */
    for (int performing = 0; performing < 2; performing++) {
        const char *at = words;
        int parts = 0, used;
        unsigned long long slot, operations, preroll;
        bool failed = false;
        while (sscanf(at, " %llu:%llu:%llu%n", &slot, &operations, &preroll, &used) == 3) {
            if (slot >= (unsigned long long)plan.methods) return false;
            at += used, parts++;
            if (!performing || failed) continue;
            failed = !do_batch((int)slot, operations, preroll);
            /* All have to know whether the schedule goes on. */
            int stop = failed;
            MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
            failed = stop != 0;
        }
        if (*at || parts == 0) return false;
        if (performing && !failed) say("end\n");
    }
    return true;
}

static bool obey_verify(const char *words) {
    uint64_t slot = 0;
    if (*words && !keyed(words, "method=", &slot)) return false;
    if (slot >= (uint64_t)plan.methods) return false;
    run_verify((int)slot, &own);
    gather_results(&own, all);
    if (own_rank == 0 && !say_failure(all) && !say_difference())
        say("verified bytes=%llu crc32=%08x\n", (unsigned long long)all[0].bytes, all[0].crc32);
    return true;
}

static bool obey_start(char *words) {
    int starts = 0;
    if (!run_start(words, &starts, &own)) return false;
    gather_results(&own, all);
    if (own_rank != 0 || say_failure(all)) return true;
    uint64_t start = UINT64_MAX, end = 0;
    for (int rank = 0; rank < starts; rank++) {
        uint64_t own_start = start_on_first_clock(all, rank);
        uint64_t own_end = own_start + all[rank].end_ns - all[rank].start_ns;
        if (own_start < start) start = own_start;
        if (own_end > end) end = own_end;
    }
    say("done ops=%d ns=%llu bytes=0 digest=0", starts, (unsigned long long)(end - start));
    for (int rank = 0; rank < starts; rank++) {
        const struct result *one = &all[rank];
        say(" rank%d_ns=%llu rank%d_start_ns=%llu", rank, (unsigned long long)(one->end_ns - one->start_ns), rank,
            (unsigned long long)(start_on_first_clock(all, rank) - start));
        say(" rank%d_cpu_ns=%llu rank%d_system_ns=%llu rank%d_minflt=%llu rank%d_majflt=%llu", rank,
            (unsigned long long)one->cpu_ns, rank, (unsigned long long)one->system_ns, rank,
            (unsigned long long)one->minflt, rank, (unsigned long long)one->majflt);
        say(" rank%d_nvcsw=%llu rank%d_nivcsw=%llu rank%d_peak_bytes=%llu rank%d_status=%d rank%d_left=%d", rank,
            (unsigned long long)one->nvcsw, rank, (unsigned long long)one->nivcsw, rank,
            (unsigned long long)one->peak_bytes, rank, one->status, rank, one->left);
    }
    say("\n");
    return true;
}

static void say_members(void) {
    learn_members();
    for (int rank = 0; rank < rank_count; rank++)
        say("rank number=%d host=%s boot=%s pid=%d offset_ns=%lld error_ns=%llu\n", rank, members[rank].host,
            members[rank].boot, members[rank].pid, (long long)members[rank].offset_ns,
            (unsigned long long)members[rank].error_ns);
    say("end\n");
}

static bool obey(char *line) {
    if (strncmp(line, "batch ", 6) == 0) return obey_batch(line + 6);
    if (strncmp(line, "start ", 6) == 0) return obey_start(line + 6);
    if (strncmp(line, "blocks ", 7) == 0) return obey_blocks(line + 6);
    if (strcmp(line, "verify") == 0) return obey_verify("");
    if (strncmp(line, "verify ", 7) == 0) return obey_verify(line + 7);
    if (strcmp(line, "release") == 0) {
        release_files();
        wait_for_all();
        say("released\n");
        return true;
    }
    if (strcmp(line, "ranks") == 0) {
        say_members();
        return true;
    }
    return false;
}

int main(int argc, char **argv) {
    /* Nothing is left behind: a rank ends with the launcher's process that started it. */
    pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) return 3;
    if (argc == 2 && strcmp(argv[1], "describe") == 0) {
        char library[MPI_MAX_LIBRARY_VERSION_STRING];
        int length;
        MPI_Get_library_version(library, &length);
        describe(library);
        return 0;
    }
    if (argc < 2 || strcmp(argv[1], "run") != 0) {
        fprintf(stderr, "usage: %s describe | run ARGUMENTS (drivers/PROTOCOL.md)\n", argv[0]);
        return 2;
    }
    int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    answers = output < 0 ? NULL : fdopen(output, "w");
    if (!answers || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
    read_arguments(&plan, argc, argv, own_rank == 0);
    all = calloc((size_t)rank_count, sizeof *all);
    learn_members();
    check_reach(&plan, &own.failure);
    if (!own.failure.error) prepare(&plan, &own.failure);
    gather_results(&own, all);
    int is_ready = own_rank == 0 && !say_failure(all);
    MPI_Bcast(&is_ready, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (is_ready) say("ready\n");
    fflush(answers);
    /* The answer says why; an exit code would be drowned in what a launcher says of it. */
    if (!is_ready) return MPI_Finalize();
    char *line = NULL;
    size_t room = 0;
    while (share_line(&line, &room)) {
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, "quit") == 0) break;
        char *words = strdup(line);
        if (!words || !obey(words)) say("error op=protocol errno=EINVAL path=%s\n", line);
        free(words);
        fflush(answers);
    }
    MPI_Finalize();
    return 0;
}
