//! Programs of which no estimate holds, because they notice that calls take longer, come again or are left out:
//! each is refused, with the reason. docs/what-if-limits.md has them as a table.

use crate::cost_of_calls::{answer, can_hook, refusal};
use crate::sandbox::Sandbox;

/// A folder with a file and this program of C's.
pub(crate) fn planted(body: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("one.json", "{}");
    let source = format!(
        "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <poll.h>\n#include <signal.h>\n#include <stdio.h>\n\
         #include <stdlib.h>\n#include <string.h>\n#include <sys/inotify.h>\n#include <sys/mman.h>\n#include <sys/stat.h>\n\
         #include <sys/time.h>\n#include <sys/wait.h>\n#include <time.h>\n#include <unistd.h>\n\
         static long now(void) {{ struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); \
         return t.tv_sec * 1000000000L + t.tv_nsec; }}\n\
         static void ask(void) {{ access(\"one.json\", R_OK); }}\n\
         static void asks(int times) {{ while (times--) ask(); }}\n\
         static struct stat s; static char b[4096];\n\
         int main(void) {{ {body} return 0; }}\n"
    );
    sandbox.write("app.c", &source);
    sandbox.command("gcc").args(["-w", "-o", "app", "app.c"]).assert().success();
    sandbox
}

fn assert_refused(body: &str, words: &[&str], reasons: &[&str]) {
    if !can_hook() {
        return;
    }
    let sandbox = planted(body);
    let refused = refusal(&answer(&sandbox, words, &[3]));
    assert!(reasons.iter().any(|reason| refused.contains(reason)), "{body}: {refused}");
}

const TWICE: [&str; 2] = ["--twice", "access"];
const OUTPUT: [&str; 1] = ["standard output was not the same"];
const OTHER_CALLS: [&str; 2] = ["from run to run", "other calls of its own"];

#[test]
fn what_prints_its_own_time_is_refused() {
    assert_refused("long begun = now(); asks(200); printf(\"%ld ns\\n\", now() - begun);", &TWICE, &OUTPUT);
}

#[test]
fn what_prints_how_far_it_came_in_a_time_is_refused() {
    let body = "long end = now() + 5000000, turns = 0; while (now() < end) ask(), turns++; printf(\"%ld\\n\", turns);";
    assert_refused(body, &TWICE, &OUTPUT);
}

#[test]
fn what_writes_another_file_is_refused_and_the_file_is_named() {
    let body = "asks(200); FILE *f = fopen(\"said.txt\", \"w\"); fprintf(f, \"%ld\\n\", now()); fclose(f);";
    assert_refused(body, &TWICE, &["said.txt, which it writes, was not the same after each run"]);
}

#[test]
fn what_appends_to_a_log_is_refused() {
    let body = "asks(200); FILE *f = fopen(\"log.txt\", \"a\"); fprintf(f, \"ran\\n\"); fclose(f);";
    assert_refused(body, &TWICE, &["log.txt, which it writes, was not the same after each run"]);
}

#[test]
fn what_writes_the_same_is_not() {
    if !can_hook() {
        return;
    }
    let sandbox =
        planted("asks(200); FILE *f = fopen(\"said.txt\", \"w\"); fprintf(f, \"ran\\n\"); fclose(f);");
    let answer = answer(&sandbox, &TWICE, &[0, 3]);
    assert_eq!(answer["written"]["compared"], 1, "{answer}");
    let reason = answer["answer"]["unavailable"].as_str().unwrap_or_default();
    assert!(!reason.contains("which it writes"), "{reason}");
}

#[test]
fn what_gives_up_after_a_time_is_refused() {
    // A third more than as many other calls took: on any machine too little for four times as many.
    let body = "for (int turn = 0; turn < 200; turn++) stat(\"one.json\", &s); \
                long begun = now(); for (int turn = 0; turn < 20000; turn++) stat(\"one.json\", &s); \
                long us = (now() - begun) / 770; \
                struct itimerval t = {{0, 0}, {us / 1000000, us % 1000000}}; setitimer(ITIMER_REAL, &t, 0); \
                asks(20000);";
    assert_refused(body, &TWICE, &["did not end alike"]);
}

#[test]
fn what_fails_at_random_is_refused() {
    assert_refused("asks(200); return now() % 1009 % 3;", &TWICE, &["did not end alike"]);
}

#[test]
fn what_polls_until_a_time_is_refused() {
    let body =
        "asks(50); long end = now() + 20000000; while (now() < end) { ask(); usleep(100 + now() % 400); }";
    assert_refused(body, &TWICE, &OTHER_CALLS);
}

#[test]
fn what_asks_again_when_it_was_slow_is_refused() {
    let body = "for (int turn = 0; turn < 200; turn++) { long begun = now(); ask(); \
                for (long more = (now() - begun) / 300 % 50; more > 0; more--) ask(); }";
    assert_refused(body, &TWICE, &OTHER_CALLS);
}

#[test]
fn what_watches_its_own_opens_is_refused_by_its_output() {
    let body = "int w = inotify_init1(IN_NONBLOCK); inotify_add_watch(w, \"one.json\", IN_OPEN | IN_CLOSE); \
                for (int turn = 0; turn < 100; turn++) close(open(\"one.json\", O_RDONLY)); \
                long all = 0, n; while ((n = read(w, b, sizeof b)) > 0) all += n; \
                printf(\"%ld\\n\", all);";
    assert_refused(body, &["--twice", "openat(*.json)"], &OUTPUT);
}

#[test]
fn what_makes_other_calls_later_is_refused() {
    let body = "int w = inotify_init1(IN_NONBLOCK); inotify_add_watch(w, \"one.json\", IN_OPEN | IN_CLOSE); \
                long all = 0, n; for (int turn = 0; turn < 100; turn++) { \
                close(open(\"one.json\", O_RDONLY)); while ((n = read(w, b, sizeof b)) > 0) all += n; } \
                for (; all > 0; all -= 16) stat(\"one.json\", &s);";
    assert_refused(body, &["--twice", "openat(*.json)"], &["other calls of its own", "or in another order"]);
}

#[test]
fn opens_of_what_holds_record_locks_are_never_made_again() {
    let body = "int l = open(\"one.json\", O_RDWR); struct flock f = {F_WRLCK}; fcntl(l, F_SETLK, &f); \
                for (int turn = 0; turn < 100; turn++) open(\"one.json\", O_RDONLY);";
    assert_refused(body, &["--twice", "openat(*.json)"], &["would change something"]);
}

const ELIDE: [&str; 3] = ["--without", "newfstatat", "--elide"];

#[test]
fn what_somebody_else_changes_is_no_answer_that_is_known() {
    let body = "pid_t child = fork(); if (!child) execl(\"/bin/sh\", \"sh\", \"-c\", \"while :; do echo x >> grows; done\", 0); \
                long before = -1, changes = 0; while (changes < 30) { if (stat(\"grows\", &s)) s.st_size = -1; \
                if (s.st_size != before) before = s.st_size, changes++; } \
                kill(child, SIGKILL); wait(0); unlink(\"grows\");";
    assert_refused(body, &ELIDE, &["turned out to be others"]);
}

#[test]
fn what_writes_through_memory_has_no_answers_that_are_known() {
    let body = "int f = open(\"one.json\", O_RDWR); char *m = mmap(0, 2, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0); \
                for (int turn = 0; turn < 100; turn++) { m[0] = '{'; stat(\"one.json\", &s); }";
    assert_refused(body, &ELIDE, &["maps a file to write to it"]);
}

#[test]
fn what_never_asks_twice_has_nothing_to_leave_out() {
    let body = "for (int turn = 0; turn < 100; turn++) { sprintf(b, \"none%d\", turn); stat(b, &s); }";
    assert_refused(body, &ELIDE, &["none had an answer that was known"]);
}

#[test]
fn what_is_left_out_is_counted_and_the_program_does_the_same() {
    if !can_hook() {
        return;
    }
    let sandbox = planted(
        "for (int turn = 0; turn < 200; turn++) { stat(\"one.json\", &s); if (turn % 10 == 9) { \
         close(open(\"made\", O_CREAT | O_WRONLY, 0600)); unlink(\"made\"); } }",
    );
    let answer = answer(&sandbox, &["--without", "newfstatat(*.json)", "--elide"], &[0, 3]);
    assert_eq!(answer["method"], "elided");
    let calls = &answer["reach"]["calls"][0];
    // Of ten, the first is asked after each change.
    let elided = calls["elided"].as_u64().unwrap();
    assert!((170..=180).contains(&elided), "{calls}");
    assert_eq!(answer["compared"]["differing"], 0, "{answer}");
    assert_eq!(answer["compared"]["known"].as_u64(), Some(elided));
    for run in answer["runs"].as_array().unwrap().iter().filter(|run| run["block"] != 0) {
        assert_eq!(run["times"].as_u64(), Some(run["amount"].as_u64().unwrap_or(0) * elided), "{run}");
    }
}
