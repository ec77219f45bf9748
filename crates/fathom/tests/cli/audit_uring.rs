//! Files that a program asks for, opens, reads and closes through `io_uring`: by the ring its requests are
//! calls with their paths; by ptrace they are not seen, which no budget passes over.

#![expect(clippy::unwrap_used, reason = "a test")]
#![expect(clippy::print_stderr, reason = "a test")]

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use predicates::prelude::{Predicate, PredicateBooleanExt};
use serde_json::Value;
use std::fs;

/// Looks at each of 40 files, opens it, reads and closes it, 20 times, one request at a time.
const PROGRAM: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static int ring;
static unsigned *tail, *mask, *order, *head, *answers_mask;
static struct io_uring_sqe *requests;
static struct io_uring_cqe *answers;
static int done(struct io_uring_sqe request) {
    unsigned at = *tail & *mask;
    requests[at] = request;
    order[at] = at;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0) < 0) return -1;
    int result = answers[*head & *answers_mask].res;
    __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
    return result;
}
int main(void) {
    struct io_uring_params p = {0};
    ring = syscall(SYS_io_uring_setup, 8, &p);
    if (ring < 0) return 77;
    int access = PROT_READ | PROT_WRITE;
    char *sent = mmap(0, p.sq_off.array + p.sq_entries * 4, access, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    char *came = mmap(0, p.cq_off.cqes + p.cq_entries * sizeof *answers, access, MAP_SHARED, ring, IORING_OFF_CQ_RING);
    requests = mmap(0, p.sq_entries * sizeof *requests, access, MAP_SHARED, ring, IORING_OFF_SQES);
    tail = (void *)(sent + p.sq_off.tail), mask = (void *)(sent + p.sq_off.ring_mask), order = (void *)(sent + p.sq_off.array);
    head = (void *)(came + p.cq_off.head), answers_mask = (void *)(came + p.cq_off.ring_mask), answers = (void *)(came + p.cq_off.cqes);
    for (int round = 0; round < 20; round++)
        for (int file = 0; file < 40; file++) {
            char path[32], bytes[4096];
            struct statx facts;
            sprintf(path, "data/%d", file);
            struct io_uring_sqe look = {.opcode = IORING_OP_STATX, .fd = AT_FDCWD, .addr = (long)path, .len = STATX_BASIC_STATS, .off = (long)&facts};
            if (done(look) < 0) return 1;
            struct io_uring_sqe open = {.opcode = IORING_OP_OPENAT, .fd = AT_FDCWD, .addr = (long)path, .open_flags = O_RDONLY};
            int descriptor = done(open);
            struct io_uring_sqe read = {.opcode = IORING_OP_READ, .fd = descriptor, .addr = (long)bytes, .len = sizeof bytes};
            if (done(read) < 0) return 1;
            struct io_uring_sqe close = {.opcode = IORING_OP_CLOSE, .fd = descriptor};
            if (done(close) < 0) return 1;
        }
    return 0;
}
"#;

/// With the program `./ring`; `None` where the machine has no compiler or no ring.
fn sandbox() -> Option<Sandbox> {
    if !has(Capability::C) {
        return None;
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    for number in 0..40 {
        fs::write(sandbox.file(&format!("data/{number}")), "some words\n").unwrap();
    }
    sandbox.write("ring.c", PROGRAM);
    let built = sandbox.shell("gcc -o ring ring.c && ./ring");
    let is_missing = built.status.code() == Some(77);
    assert!(is_missing || built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    if is_missing {
        eprintln!("skipped: no io_uring here");
    }
    (!is_missing).then_some(sandbox)
}

#[test]
fn what_ptrace_does_not_see_meets_no_budget() {
    let Some(sandbox) = sandbox() else { return };
    let mut command = sandbox.fathom("audit --no-config --capture ptrace");
    let done = command.args(["--assert", "open <= 500", "--", "./ring"]).assert().code(3);
    done.stdout(says("NOT KNOWN open <= 500").and(says("set up io_uring (1 ring)")));
}

#[test]
fn requests_are_calls_on_their_paths_with_prices_of_their_own_or_it_is_said() {
    let Some(sandbox) = sandbox().filter(|_| has(Capability::Ring)) else { return };
    sandbox.fathom("prices --seconds 1 --dir . -o prices.json").assert().code(0);
    // A list as older versions took them.
    let mut list: Value = serde_json::from_slice(&fs::read(sandbox.file("prices.json")).unwrap()).unwrap();
    let prices = list["prices"].as_array_mut().unwrap();
    let taken = prices.len();
    prices.retain(|price| !price["call"].as_str().is_some_and(|call| call.starts_with("io_uring:")));
    assert_eq!(taken - prices.len(), 15);
    sandbox.write("older.json", &list.to_string());
    let mut command = sandbox.fathom("audit --no-config --capture ring");
    let budgets = ["statx(data/*) == 800", "openat(data/*) == 800"];
    let told = command.args(budgets.iter().flat_map(|budget| ["--assert", *budget])).args(["--", "./ring"]);
    let told = told.assert();
    let text = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
    assert!(budgets.iter().all(|budget| says(&format!("met {budget}: 800")).eval(text.as_bytes())), "{text}");
    let of_plain_calls = says("at the prices of plain calls, not of io_uring");
    assert!(
        !of_plain_calls.eval(text.as_bytes()) && says(" µs (").or(says(" ms (")).eval(text.as_bytes()),
        "{text}"
    );
    let mut command = sandbox.fathom("audit --no-config --capture ring --prices older.json -- ./ring");
    command.assert().stdout(of_plain_calls);
    sandbox.fathom("audit --no-config --capture ring --format json -o a.json -- ./ring").output().unwrap();
    let audit: Value = serde_json::from_slice(&fs::read(sandbox.file("a.json")).unwrap()).unwrap();
    let pairs = audit["findings"].as_array().unwrap().iter().find(|finding| finding["rule"] == "R13");
    let pairs = pairs.unwrap_or_else(|| panic!("a look before each open: {audit:#}"));
    assert!(pairs["count"].as_u64() > Some(760), "{pairs:#}");
    assert!(pairs["example"].to_string().contains("io_uring:statx"), "{pairs:#}");
}
