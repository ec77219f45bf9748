//! What strace counts of a driver program run by hand, by call and errno.

use crate::sandbox::Sandbox;
use fathom_model::DriverFacts;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// A call's name and, when it failed, the errno's.
pub(crate) type Key = (String, Option<String>);
/// How often each was made.
pub(crate) type Counts = BTreeMap<Key, i64>;

/// A file to run a driver on, and how.
pub(crate) struct Data<'a> {
    sandbox: &'a Sandbox,
    operation: &'a str,
    path: PathBuf,
    size: String,
    block: String,
}

impl<'a> Data<'a> {
    pub(crate) fn new(sandbox: &'a Sandbox, operation: &'a str, size_bytes: u64, block_bytes: u64) -> Self {
        let bytes: Vec<u8> =
            (0..size_bytes).map(|at| u8::try_from(at * 31 % 251).expect("below 251")).collect();
        let path = sandbox.file("data-for-strace");
        fs::write(&path, bytes).unwrap();
        Self { sandbox, operation, path, size: size_bytes.to_string(), block: block_bytes.to_string() }
    }

    /// All calls of a run of `length` operations, from exec to exit.
    pub(crate) fn count(&self, driver: &DriverFacts, method: &str, length: i64) -> Counts {
        let log = self.sandbox.file("strace.log");
        self.sandbox
            .command("strace")
            .args(["-f", "-qq", "-y", "-s", "0", "-e", "signal=none", "-o"])
            .arg(&log)
            .args(driver.program.split(' '))
            .args(["run", "--operation", self.operation, "--method", method, "--path"])
            .arg(&self.path)
            .args(["--size", &self.size, "--block", &self.block])
            .envs(&driver.environment)
            .write_stdin(format!("batch {length}\nquit\n"))
            .assert()
            .code(0)
            .stdout(predicates::str::contains(format!("done ops={length} ")));
        parse(&fs::read_to_string(log).unwrap())
    }
}

/// Counts the calls of a log: whole lines, and those that another thread cut in two.
fn parse(log: &str) -> Counts {
    let mut counts = Counts::new();
    for line in log.lines() {
        let text = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
        // The first half of a call says nothing yet of its result.
        if text.ends_with("<unfinished ...>") {
            continue;
        }
        let name = match text.strip_prefix("<... ") {
            Some(rest) => rest.split(' ').next(),
            None => text.split_once('(').map(|(name, _)| name),
        };
        // Go wakes its poller through an event descriptor, when a thread of its own sees fit.
        if text.contains("<anon_inode:[eventfd]>") {
            continue;
        }
        let Some((name, result)) = name.zip(text.rsplit_once(" = ").map(|(_, result)| result)) else {
            continue;
        };
        // A thread that is killed at the entry of a call has none yet: `???(`.
        if name.contains('?') {
            continue;
        }
        let errno = result.strip_prefix("-1 E").and_then(|rest| rest.split(' ').next());
        *counts.entry((name.to_owned(), errno.map(|rest| format!("E{rest}")))).or_default() += 1;
    }
    counts
}

#[test]
fn a_log_is_counted_by_call_and_errno() {
    let log = "\
12 openat(AT_FDCWD, \"\"..., O_RDONLY) = 3
12 futex(0x1, FUTEX_WAIT_PRIVATE, 0, NULL <unfinished ...>
13 epoll_ctl(4, EPOLL_CTL_ADD, 3, {events=EPOLLIN, data=0x1}) = -1 EPERM (Operation not permitted)
12 <... futex resumed>)          = -1 EAGAIN (Resource temporarily unavailable)
12 fcntl(3, F_GETFL) = 0x8000 (flags O_RDONLY|O_LARGEFILE)
14 write(4<anon_inode:[eventfd]>, \"\"..., 8) = 8
14 ???( <unfinished ...>
14 <... ??? resumed>) = ?
12 exit_group(0) = ?
";
    let key = |name: &str, errno: Option<&str>| (name.to_owned(), errno.map(str::to_owned));
    let expected = [
        (key("openat", None), 1),
        (key("epoll_ctl", Some("EPERM")), 1),
        (key("futex", Some("EAGAIN")), 1),
        (key("fcntl", None), 1),
        (key("exit_group", None), 1),
    ];
    assert_eq!(parse(log), Counts::from(expected));
}
