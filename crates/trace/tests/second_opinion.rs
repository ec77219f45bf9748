//! The tracer against strace: the same counts, and the refusal when strace got there first.

#![expect(clippy::print_stderr, reason = "skips are said")]

use fathom_trace::{Options, run};
use std::collections::BTreeMap;
use std::process::{Command, Stdio};

const SCRIPT: &str = "for i in 1 2 3 4 5 6 7; do : < /etc/passwd; done; (exit 0); test -e /no/such";
const EXPECT_REFUSAL: &str = "FATHOM_TEST_EXPECT_REFUSAL";

fn strace_works() -> bool {
    let tried = Command::new("strace").args(["-o", "/dev/null", "true"]).status();
    if !tried.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no strace that works");
        return false;
    }
    true
}

#[test]
fn strace_counts_the_same() {
    if !strace_works() {
        return;
    }
    let summary = Command::new("strace")
        .args(["-f", "-c", "-U", "name,calls,errors", "sh", "-c", SCRIPT])
        .output()
        .unwrap();
    let theirs = parse(&String::from_utf8(summary.stderr).unwrap());
    let traced = run(Command::new("sh").args(["-c", SCRIPT]), &Options::default()).unwrap();
    let mut ours: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (key, count) in &traced.between[0] {
        let (calls, errors) = ours.entry(key.call.name().into_owned()).or_default();
        *calls += count;
        *errors += if key.errno.is_some() { *count } else { 0 };
    }
    // strace sees the exec that starts the program, and leaves out calls that never return.
    ours.entry("execve".to_owned()).or_default().0 += 1;
    ours.remove("exit_group");
    // A wait that the child's SIGCHLD interrupts is made again, or not, as they race.
    ours.remove("wait4");
    assert!(theirs.get("openat").is_some_and(|(calls, _)| *calls >= 7), "{theirs:?}");
    assert_eq!(ours, theirs);
}

/// Expects a refusal when it runs below strace, which the next test arranges.
#[test]
fn availability_is_what_it_is_expected_to_be() {
    let available = fathom_trace::availability();
    if std::env::var_os(EXPECT_REFUSAL).is_some() {
        let reason = available.unwrap_err();
        assert!(reason.contains("already traced by pid"), "{reason}");
        let error = run(&mut Command::new("true"), &Options::default()).unwrap_err();
        assert!(matches!(&error, fathom_trace::TraceError::Forbidden { .. }), "{error}");
    } else {
        assert_eq!(available, Ok(()));
    }
}

#[test]
fn below_another_tracer_the_refusal_says_so() {
    if !strace_works() {
        return;
    }
    let status = Command::new("strace")
        .args(["-f", "-o", "/dev/null"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "availability_is_what_it_is_expected_to_be"])
        .env(EXPECT_REFUSAL, "1")
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
}

fn parse(summary: &str) -> BTreeMap<String, (u64, u64)> {
    let rows = summary.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (name, calls) = (words.next()?, words.next()?.parse().ok()?);
        let errors = words.next().map_or(Ok(0), str::parse).ok()?;
        (name != "total" && name != "wait4" && name != "exit_group")
            .then(|| (name.to_owned(), (calls, errors)))
    });
    rows.collect()
}
