//! What strace counts of a driver program run by hand without marks, by call
//! and errno: two runs of different lengths, subtracted.

use super::calls::{Calls, Key};
use super::setting::Setting;
use crate::sandbox::{Sandbox, workspace};
use fathom_model::{AnswerKind, DriverFacts, Operation, WorksOn};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// The lengths of the two runs; their difference is prime, so that a rate of
/// less than one per operation cannot look like a whole number.
const RUNS: [i64; 2] = [50, 151];
/// Operations by which the runs differ.
pub(crate) const OPERATIONS: i64 = RUNS[1] - RUNS[0];

/// What a runtime touches for itself: descriptors by which it wakes its event
/// loop, and files by which it learns of its machine.
const ASIDE: [&str; 5] = ["<anon_inode:[eventfd]>", "</proc/", "</sys/", "\"/proc/", "\"/sys/"];

/// How often each call was made.
pub(crate) type Counts = BTreeMap<Key, i64>;

/// Files to run a driver on, and how.
pub(crate) struct Data<'a> {
    sandbox: &'a Sandbox,
    setting: Setting,
    paths: Vec<PathBuf>,
    size_bytes: u64,
}

impl<'a> Data<'a> {
    /// Files of the size that Fathom's own data set had.
    pub(crate) fn new(sandbox: &'a Sandbox, setting: Setting, size_bytes: u64) -> Self {
        // A directory of their own, since some methods watch it.
        let directory = sandbox.file("data-for-strace");
        fs::create_dir_all(&directory).unwrap();
        let paths: Vec<_> =
            (0..setting.files()).map(|number| directory.join(format!("file-{number}"))).collect();
        if setting.operation.facts().works_on != WorksOn::MissingFiles {
            for path in &paths {
                fs::write(path, content(setting.operation, size_bytes)).unwrap();
            }
        }
        Self { sandbox, setting, paths, size_bytes }
    }

    /// By how much the calls of the longer run outnumber those of the shorter.
    pub(crate) fn differences(&self, driver: &DriverFacts, method: &str) -> Counts {
        let [shorter, longer] = RUNS.map(|length| self.count(driver, method, length));
        let keys: BTreeSet<&Key> = longer.keys().chain(shorter.keys()).collect();
        let of = |counts: &Counts, key: &Key| counts.get(key).copied().unwrap_or(0);
        keys.into_iter().map(|key| (key.clone(), of(&longer, key) - of(&shorter, key))).collect()
    }

    /// All calls of a run of `length` operations, from exec to exit.
    fn count(&self, driver: &DriverFacts, method: &str, length: i64) -> Counts {
        let log = self.sandbox.file("strace.log");
        let directory = tempfile::Builder::new().prefix("written-").tempdir_in(self.sandbox.path()).unwrap();
        if self.setting.finds_own_files() {
            // What the driver made itself would be counted.
            let prepared = directory.path().join("prepared");
            fs::create_dir(&prepared).unwrap();
            let content = content(self.setting.operation, self.size_bytes);
            for number in 0..length {
                fs::write(prepared.join(format!("f{number}")), &content).unwrap();
            }
        }
        let mut command = self.sandbox.command("strace");
        command.args(["-f", "-qq", "-y", "-s", "0", "-e", "signal=none", "-o"]).arg(&log);
        command.args(driver.program.split(' ')).arg("run").args(self.setting.driver_words());
        command.args(["--method", method, "--size", &self.size_bytes.to_string()]);
        for path in &self.paths {
            command.arg("--path").arg(path);
        }
        if self.setting.operation.writes() {
            command.arg("--directory").arg(directory.path());
        }
        command
            .envs(&driver.environment)
            .write_stdin(format!("batch {length}\nquit\n"))
            .assert()
            .code(0)
            .stdout(predicates::str::contains(format!("done ops={length} ")));
        parse(&fs::read_to_string(log).unwrap())
    }
}

/// Differences as calls per operation: as near as can be told to a whole
/// number or a half, without what is so rare that it is nobody's.
pub(crate) fn per_operation(differences: &Counts) -> Calls {
    let rate = |difference: i64| {
        let exact = difference as f64 / OPERATIONS as f64;
        let halves = (exact * 2.0).round() / 2.0;
        if (exact - halves).abs() < 0.1 { halves } else { exact }
    };
    let rates = differences.iter().map(|(key, difference)| (key.clone(), rate(*difference)));
    rates.filter(|(_, rate)| *rate > 0.0).collect()
}

/// Bytes that fit the operation.
fn content(operation: Operation, size_bytes: u64) -> Vec<u8> {
    let size = usize::try_from(size_bytes).expect("a small file");
    match operation.facts().answer {
        AnswerKind::Page => fs::read(workspace().join("drivers/page.template")).unwrap(),
        AnswerKind::Values => {
            let text = |padding: &str| {
                format!(
                    "{{\"name\": \"n\", \"port\": 80, \"ratio\": 0.25, \"enabled\": true, \
                     \"tags\": [\"a\", \"b\", \"c\"], \"limits\": {{\"open\": 1, \"read\": 2}}, \
                     \"padding\": \"{padding}\"}}"
                )
            };
            text(&"p".repeat(size - text("").len())).into_bytes()
        }
        _ => b"2026-01-01 ERROR a line like those of a log\n".iter().copied().cycle().take(size).collect(),
    }
}

/// Counts the calls of a log: whole lines, and those that another thread cut in
/// two, whose first half has the arguments and whose second the result.
fn parse(log: &str) -> Counts {
    let mut counts = Counts::new();
    let mut begun = BTreeMap::new();
    for line in log.lines() {
        let (tid, text) = line.split_once(' ').unwrap_or_default();
        let text = text.trim_start();
        let whole = if let Some(first) = text.strip_suffix("<unfinished ...>") {
            begun.insert(tid, first);
            continue;
        } else if let Some((_, second)) =
            text.strip_prefix("<... ").and_then(|text| text.split_once(" resumed>"))
        {
            begun.remove(tid).unwrap_or_default().to_owned() + second
        } else {
            text.to_owned()
        };
        if ASIDE.iter().any(|aside| whole.contains(aside)) {
            continue;
        }
        let Some((name, result)) = whole.split_once('(').zip(whole.rsplit_once(" = ")) else { continue };
        let (name, result) = (name.0, result.1);
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
12 write(4<anon_inode:[eventfd]>, \"\"..., 8 <unfinished ...>
15 write(5</data>, \"\"..., 8 <unfinished ...>
12 <... write resumed>)          = 8
15 <... write resumed>)          = 8
14 ???( <unfinished ...>
14 <... ??? resumed>) = ?
12 openat(AT_FDCWD</data>, \"/sys/fs/cgroup/memory.max\", O_RDONLY) = 7</sys/fs/cgroup/memory.max>
12 close(7</sys/fs/cgroup/memory.max>)   = 0
12 exit_group(0) = ?
";
    let key = |name: &str, errno: Option<&str>| (name.to_owned(), errno.map(str::to_owned));
    let expected = [
        (key("openat", None), 1),
        (key("epoll_ctl", Some("EPERM")), 1),
        (key("futex", Some("EAGAIN")), 1),
        (key("fcntl", None), 1),
        (key("write", None), 1),
        (key("exit_group", None), 1),
    ];
    assert_eq!(parse(log), Counts::from(expected));
}

#[test]
fn differences_become_whole_numbers_and_halves() {
    let key = |name: &str| (name.to_owned(), None);
    let differences = Counts::from([
        (key("a"), OPERATIONS),
        (key("b"), 50),
        (key("c"), 4),
        (key("d"), -3),
        (key("e"), 2 * OPERATIONS + 5),
        (key("f"), 25),
    ]);
    let rates: Vec<f64> = per_operation(&differences).into_values().collect();
    assert_eq!(rates, [1.0, 0.5, 2.0, 25.0 / OPERATIONS as f64]);
}
