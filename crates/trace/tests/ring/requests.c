/* Opens, reads and closes files through io_uring, without a library: `requests DIRECTORY TIMES`.
   77 where there is no io_uring. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned *head, *tail, *mask, *array, *answers_head, *answers_tail, *answers_mask;
static struct io_uring_sqe *requests;
static struct io_uring_cqe *answers;
static int ring;

/* One request and its answer. */
static int ask(struct io_uring_sqe request) {
    unsigned at = *tail & *mask;
    requests[at] = request;
    array[at] = at;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0) return -9999;
    unsigned next = *answers_head;
    if (next == __atomic_load_n(answers_tail, __ATOMIC_ACQUIRE)) return -9998;
    int result = answers[next & *answers_mask].res;
    __atomic_store_n(answers_head, next + 1, __ATOMIC_RELEASE);
    return result;
}

int main(int count, char **words) {
    struct io_uring_params p = {0};
    ring = syscall(SYS_io_uring_setup, 8, &p);
    if (ring < 0) return 77;
    char *s = mmap(0, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    char *c = mmap(0, p.cq_off.cqes + p.cq_entries * sizeof *answers, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_CQ_RING);
    requests = mmap(0, p.sq_entries * sizeof *requests, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
    head = (void *)(s + p.sq_off.head), tail = (void *)(s + p.sq_off.tail), mask = (void *)(s + p.sq_off.ring_mask);
    array = (void *)(s + p.sq_off.array), answers_head = (void *)(c + p.cq_off.head);
    answers_tail = (void *)(c + p.cq_off.tail), answers_mask = (void *)(c + p.cq_off.ring_mask);
    answers = (void *)(c + p.cq_off.cqes);
    char path[4096], buffer[100];
    snprintf(path, sizeof path, "%s/asked", words[1]);
    close(open(path, O_WRONLY | O_CREAT, 0600));
    for (int i = 0; i < atoi(words[2]); i++) {
        struct io_uring_sqe open = {.opcode = IORING_OP_OPENAT, .fd = AT_FDCWD, .addr = (unsigned long)path};
        int fd = ask(open);
        if (fd < 0) return 1;
        struct io_uring_sqe read = {.opcode = IORING_OP_READ, .fd = fd, .addr = (unsigned long)buffer, .len = 100, .off = 7};
        if (ask(read) != 0) return 2;
        struct io_uring_sqe close = {.opcode = IORING_OP_CLOSE, .fd = fd};
        if (ask(close) != 0) return 3;
    }
    struct io_uring_sqe missing = {.opcode = IORING_OP_OPENAT, .fd = AT_FDCWD, .addr = (unsigned long)"/no/such/file"};
    if (ask(missing) != -2) return 4;
    struct io_uring_sqe remove = {.opcode = IORING_OP_UNLINKAT, .fd = AT_FDCWD, .addr = (unsigned long)path};
    return ask(remove) == 0 ? 0 : 5;
}
