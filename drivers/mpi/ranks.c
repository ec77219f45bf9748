/* What the ranks say to each other. A rank that waits for work or for the others' results sleeps
   between looks: MPI's own waiting keeps a CPU busy, which on a machine with fewer CPUs than ranks
   is taken from those that still work. */
#include "driver.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EXCHANGES 64
#define NAP_LEAST_NS 20000
#define NAP_MOST_NS 1000000
/* From the agreement on a moment to that moment: longer than the longest nap and a message. */
#define START_NS 5000000

int own_rank, rank_count;
struct member *members;

uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void wait_asleep(MPI_Request *request) {
    long nap_ns = NAP_LEAST_NS;
    int done = 0;
    for (;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done) return;
        nanosleep(&(struct timespec){0, nap_ns}, NULL);
        if (nap_ns < NAP_MOST_NS) nap_ns *= 2;
    }
}


void wait_for_all(void) {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    wait_asleep(&request);
}

/* How the clock of `rank` differs from that of rank 0: of some exchanges the shortest counts, whose
   half is the most by which the middle can be wrong. */
static void compare_clocks(int rank) {
    uint64_t theirs = 0;
    if (own_rank == 0) {
        uint64_t shortest = UINT64_MAX;
        for (int i = 0; i < EXCHANGES; i++) {
            uint64_t before = now_ns();
            MPI_Send(&before, 1, MPI_UINT64_T, rank, 1, MPI_COMM_WORLD);
            MPI_Recv(&theirs, 1, MPI_UINT64_T, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            uint64_t took = now_ns() - before;
            if (took >= shortest) continue;
            shortest = took;
            members[rank].offset_ns = (int64_t)(theirs - (before + took / 2));
            members[rank].error_ns = took / 2 + 1;
        }
    } else if (own_rank == rank) {
        for (int i = 0; i < EXCHANGES; i++) {
            MPI_Recv(&theirs, 1, MPI_UINT64_T, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            theirs = now_ns();
            MPI_Send(&theirs, 1, MPI_UINT64_T, 0, 1, MPI_COMM_WORLD);
        }
    }
}

void learn_members(void) {
    struct member self;
    memset(&self, 0, sizeof self);
    gethostname(self.host, sizeof self.host - 1);
    for (char *c = self.host; *c; c++)
        if (*c <= ' ') *c = '_';
    self.pid = (int)getpid();
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, self.boot, 36);
    if (got != 36) strcpy(self.boot, "unknown");
    if (fd >= 0) close(fd);
    if (!members) members = calloc((size_t)rank_count, sizeof *members);
    MPI_Request request;
    MPI_Iallgather(&self, sizeof self, MPI_BYTE, members, sizeof self, MPI_BYTE, MPI_COMM_WORLD, &request);
    wait_asleep(&request);
    for (int rank = 1; rank < rank_count; rank++) {
        compare_clocks(rank);
        wait_for_all();
    }
}

/* Gives rank 0's line to all; false when there is no more. */
bool share_line(char **line, size_t *room) {
    int64_t length = -1;
    if (own_rank == 0) length = (int64_t)getline(line, room, stdin);
    MPI_Request request;
    MPI_Ibcast(&length, 1, MPI_INT64_T, 0, MPI_COMM_WORLD, &request);
    wait_asleep(&request);
    if (length < 0) return false;
    if (own_rank != 0 && *room < (size_t)length + 1) {
        *room = (size_t)length + 1;
        *line = realloc(*line, *room);
        if (!*line) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Ibcast(*line, (int)length + 1, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_asleep(&request);
    return true;
}

void gather_results(const struct result *own, struct result *all) {
    MPI_Request request;
    MPI_Igather(own, sizeof *own, MPI_BYTE, all, sizeof *own, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_asleep(&request);
}

/* Ranks of one running kernel share its clock, unless one is in a time namespace of its own: then the
   offset is more than the measuring can be wrong by. Of others it is what was measured. */
static int64_t clock_offset(int rank) {
    bool is_same = strcmp(members[rank].boot, members[0].boot) == 0 && strcmp(members[0].boot, "unknown") != 0;
    uint64_t distance = (uint64_t)llabs(members[rank].offset_ns);
    return is_same && distance <= members[rank].error_ns ? 0 : members[rank].offset_ns;
}

/* Starts all ranks in one moment of rank 0's clock, in which nobody keeps a CPU busy: who spins in a
   barrier takes it from those that it waits for, where there are fewer CPUs than ranks. */
void start_together(void) {
    wait_for_all();
    uint64_t start_ns = now_ns() + START_NS;
    MPI_Request request;
    MPI_Ibcast(&start_ns, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request);
    wait_asleep(&request);
    start_ns += (uint64_t)clock_offset(own_rank);
    struct timespec moment = {(time_t)(start_ns / 1000000000u), (long)(start_ns % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL) != 0) {
    }
}

uint64_t start_on_first_clock(const struct result *all, int rank) {
    return all[rank].start_ns - (uint64_t)clock_offset(rank);
}

void whole_time(const struct result *all, uint64_t *start_ns, uint64_t *end_ns) {
    *start_ns = UINT64_MAX, *end_ns = 0;
    for (int rank = 0; rank < rank_count; rank++) {
        uint64_t start = start_on_first_clock(all, rank);
        uint64_t end = all[rank].end_ns - (uint64_t)clock_offset(rank);
        if (start < *start_ns) *start_ns = start;
        if (end > *end_ns) *end_ns = end;
    }
}
