//! The system calls of one command, counted one by one: by call, errno, process
//! and thread. No time is in it but prices, which were taken untraced.

use crate::{Environment, Estimate, KernelCounter, PlaceFacts, Reading, Warning};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The version of this form. It rises when a reader of the older form would
/// misread the newer one.
pub const COMMAND_COUNT_VERSION: u32 = 1;

/// Everything that `fathom count` found out about a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandCount {
    /// The form of this file.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// When the command was started, RFC 3339 in UTC.
    pub created: String,
    /// The machine.
    pub environment: Environment,
    /// The words of the command.
    pub command: Vec<String>,
    /// The directory it was started in.
    pub directory: Reading<PathBuf>,
    /// The one CPU that it was bound to; `None` where it was left free.
    pub cpu: Option<u32>,
    /// Seconds from its start to the end of its last process, traced: many times
    /// what the command takes by itself.
    pub traced_seconds: f64,
    /// What ended the counting before the command's own end.
    pub cut: Option<Cut>,
    /// What these counts are, in one sentence.
    pub exactness: String,
    /// Its processes in the order of their beginning; the first is the command's own.
    pub processes: Vec<CountedProcess>,
    /// The calls of all processes by what they were made with, which prices depend on.
    pub conditions: Vec<CountedCalls>,
    /// What its calls cost untraced, or why that is not known.
    pub prices: Reading<CommandPrices>,
    /// What the kernel counted meanwhile, of the command from its exec to the end of its last
    /// process, where that was asked for; one difference each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<KernelCounter>,
    /// What could not be seen, and what tracing changed.
    pub warnings: Vec<Warning>,
}

/// What ended the counting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// A signal to Fathom, which it passed on to the command; the signal's name.
    Interrupted(String),
    /// The limit, in seconds; every process was killed.
    TimeLimit(f64),
}

/// One process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CountedProcess {
    /// Its id; another process may have had the same before or after.
    pub pid: i32,
    /// The index of the process that made it; `None` for the first, and where it is not known.
    pub parent: Option<usize>,
    /// The programs it executed, in order; none where it stayed what its parent was.
    pub programs: Vec<ExecutedProgram>,
    /// How it ended.
    pub end: ProcessEnd,
    /// Its threads in the order of their beginning.
    pub threads: Vec<CountedThread>,
}

/// A program that a process executed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExecutedProgram {
    /// Its file; of a script, its interpreter's.
    pub path: Reading<PathBuf>,
    /// Its words.
    pub arguments: Vec<String>,
    /// `setuid`, `setgid` or `file capabilities`, where its file gives privileges
    /// and the process did not get them, which tracing prevents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub privilege_lost: Option<String>,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProcessEnd {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal; its name.
    Killed(String),
    /// Nobody saw its end.
    Unknown,
}

/// One thread and its calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CountedThread {
    /// Its id.
    pub tid: i32,
    /// The name it had last, as the kernel keeps it: 15 bytes at most.
    pub name: String,
    /// Its calls, by name.
    pub calls: Vec<CallTally>,
}

/// How often a call was made and ended in one way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallTally {
    /// The kernel's name of the call.
    pub call: String,
    /// How it ended.
    pub outcome: CallOutcome,
    /// How often.
    pub count: u64,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CallOutcome {
    /// It succeeded.
    Succeeded,
    /// It failed; the errno's name.
    Failed(String),
    /// It did not return: `exit_group`, or the thread was killed in it.
    NeverReturned,
}

impl CallOutcome {
    /// The errno's name where it failed.
    pub fn errno(&self) -> Option<&str> {
        match self {
            Self::Failed(errno) => Some(errno),
            Self::Succeeded | Self::NeverReturned => None,
        }
    }
}

/// Calls that were made in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CountedCalls {
    /// The kernel's name of the call.
    pub call: String,
    /// How it ended.
    pub outcome: CallOutcome,
    /// Flags that bear on its price, as the kernel names them: `O_WRONLY|O_CREAT`, `AT_EMPTY_PATH`.
    /// Where audits know it, of a sync `dirty` or `clean`, and of an open that may create its file or
    /// empty it `new`, `existing`, `empty` or `unwritten` (made by the run itself, and not synced); and
    /// [`OTHER_FILE_SYSTEM`]. Devices are opened without `O_CREAT` and `O_TRUNC`, which
    /// do nothing there.
    pub flags: String,
    /// Components of the path as it was given, for calls that take one.
    pub path_components: Option<u32>,
    /// The least power of two that is not below the bytes moved; for calls that move any.
    pub size_class_bytes: Option<u64>,
    /// What their descriptor stood for, of calls whose price depends on it. `None` for
    /// the others, and where it could not be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<FileKind>,
    /// Bytes moved by all of them together.
    pub bytes: u64,
    /// How often.
    pub count: u64,
}

/// Among a call's flags: its file lies on another file system than the directory in which the command was
/// started, and what it costs depends on that.
pub const OTHER_FILE_SYSTEM: &str = "other-file-system";

/// What a descriptor stands for, as far as prices tell it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// A regular file of a file system that keeps it.
    Regular,
    /// A directory.
    Directory,
    /// An eventfd.
    Eventfd,
    /// An epoll instance.
    Epoll,
    /// Anything else: a pipe, a socket, a terminal or another device, and a file that the
    /// kernel makes up as it is read, as those of `/proc` are.
    Other,
}

/// What calls cost by a list of prices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandPrices {
    /// The file that holds the list.
    pub file: PathBuf,
    /// When the list was begun, RFC 3339 in UTC.
    pub created: String,
    /// Where it was taken.
    pub place: PlaceFacts,
    /// Calls that have a price, by condition.
    pub calls: Vec<PricedCalls>,
}

/// Calls with the price of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PricedCalls {
    /// The kernel's name of the call.
    pub call: String,
    /// How it ended.
    pub outcome: CallOutcome,
    /// How often.
    pub count: u64,
    /// The price that was used, in words: `ENOENT, O_RDONLY`.
    pub price: String,
    /// At which depth or size it was read off: `depth 4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// How the price's condition differs from the calls'.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Time that passes in one, in ns.
    pub wall_ns: Estimate,
    /// Time on a CPU in one, in ns.
    pub cpu_ns: Estimate,
}

/// A call of several threads, or of all, in sum.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallSum {
    /// How often it was made.
    pub calls: u64,
    /// How often it failed.
    pub errors: u64,
    /// How often it did not return.
    pub never_returned: u64,
    /// The failures by errno.
    pub by_errno: BTreeMap<String, u64>,
}

impl CommandCount {
    /// The calls of all processes, by name.
    pub fn sums(&self) -> BTreeMap<&str, CallSum> {
        sums(self.processes.iter().flat_map(|process| &process.threads))
    }

    /// Threads of all processes.
    pub fn threads(&self) -> usize {
        self.processes.iter().map(|process| process.threads.len()).sum()
    }

    /// What a process runs: its own last program, else that of the nearest ancestor.
    pub fn program_of(&self, process: usize) -> Option<&ExecutedProgram> {
        let mut at = Some(process);
        // A parent always begins before its child, so this ends.
        while let Some(process) = at.and_then(|index| self.processes.get(index)) {
            if let Some(program) = process.programs.last() {
                return Some(program);
            }
            at = process.parent.filter(|parent| Some(*parent) < at);
        }
        None
    }
}

impl CountedProcess {
    /// The calls of all its threads, by name.
    pub fn sums(&self) -> BTreeMap<&str, CallSum> {
        sums(&self.threads)
    }

    /// How many calls it made.
    pub fn calls(&self) -> u64 {
        self.threads.iter().map(CountedThread::calls_made).sum()
    }
}

impl CountedThread {
    /// Its calls, by name.
    pub fn sums(&self) -> BTreeMap<&str, CallSum> {
        sums([self])
    }

    /// How many calls it made.
    pub fn calls_made(&self) -> u64 {
        self.calls.iter().map(|tally| tally.count).sum()
    }
}

fn sums<'a>(threads: impl IntoIterator<Item = &'a CountedThread>) -> BTreeMap<&'a str, CallSum> {
    let mut sums: BTreeMap<&str, CallSum> = BTreeMap::new();
    for tally in threads.into_iter().flat_map(|thread| &thread.calls) {
        let sum = sums.entry(&tally.call).or_default();
        sum.calls += tally.count;
        match &tally.outcome {
            CallOutcome::Succeeded => {}
            CallOutcome::NeverReturned => sum.never_returned += tally.count,
            CallOutcome::Failed(errno) => {
                sum.errors += tally.count;
                *sum.by_errno.entry(errno.clone()).or_default() += tally.count;
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(call: &str, outcome: CallOutcome, count: u64) -> CallTally {
        CallTally { call: call.to_owned(), outcome, count }
    }

    #[test]
    fn sums_are_by_call_over_threads_and_outcomes() {
        let thread = |tid, calls| CountedThread { tid, name: "t".to_owned(), calls };
        let failed = |errno: &str| CallOutcome::Failed(errno.to_owned());
        let process = CountedProcess {
            pid: 7,
            parent: None,
            programs: Vec::new(),
            end: ProcessEnd::Exited(0),
            threads: vec![
                thread(
                    7,
                    vec![tally("openat", CallOutcome::Succeeded, 3), tally("openat", failed("ENOENT"), 2)],
                ),
                thread(
                    8,
                    vec![tally("openat", failed("ENOENT"), 1), tally("futex", CallOutcome::NeverReturned, 1)],
                ),
            ],
        };
        let sums = process.sums();
        let by_errno = BTreeMap::from([("ENOENT".to_owned(), 3)]);
        assert_eq!(sums["openat"], CallSum { calls: 6, errors: 3, never_returned: 0, by_errno });
        assert_eq!((sums["futex"].calls, sums["futex"].never_returned), (1, 1));
        assert_eq!((process.calls(), process.threads[1].calls_made()), (7, 2));
    }
}
