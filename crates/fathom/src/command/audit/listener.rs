//! Who takes the events of a source: the auditor, or a file that keeps them.

use super::code::Stacks;
use super::watched_container::WatchedContainer;
use crate::kept_prices::Sought;
use fathom_audit::{AuditFact, AuditedCommand, Auditor, FactKind, Gap, PathFacts};
use fathom_events::{FileEvent, MountTable, PathTable, RunningProcess};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::time::UNIX_EPOCH;

/// What is known before the first event.
#[derive(Debug, Clone, Default)]
pub(in crate::command) struct Start {
    /// What is watched, in words: the command, the log.
    pub(in crate::command) subject: String,
    /// Where events come from: `ptrace`, `strace`.
    pub(in crate::command) capture: String,
    /// When, RFC 3339 in UTC.
    pub(in crate::command) created: Option<String>,
    /// The command with its words; empty where it is not known.
    pub(in crate::command) command: Vec<String>,
    /// The directory in which the first process starts.
    pub(in crate::command) directory: Option<String>,
    /// The user who starts it; 0 is root.
    pub(in crate::command) user: Option<u32>,
    /// What is mounted where, as `/proc/self/mountinfo` says it.
    pub(in crate::command) mounts: Option<String>,
    /// When, in ns since the epoch, where this machine's files are those that the command sees.
    pub(in crate::command) live_since_ns: Option<u64>,
    /// The process that ran already, with what it has open.
    pub(in crate::command) running: Option<RunningProcess>,
}

/// What is known after the last one.
#[derive(Debug, Default)]
pub(in crate::command) struct End {
    /// How it ended and how it was watched.
    pub(in crate::command) facts: Vec<AuditFact>,
    /// What was not seen, what cut it short.
    pub(in crate::command) gaps: Vec<Gap>,
    /// True when a signal to Fathom ended the command before its own end.
    pub(in crate::command) interrupted: bool,
    /// The status of the first process.
    pub(in crate::command) exit_code: Option<i32>,
    /// The signal that killed it.
    pub(in crate::command) signal: Option<i32>,
    /// Time on CPUs that the command took while it was watched, in ns.
    pub(in crate::command) cpu_ns: Option<u64>,
    /// Variables that the command inherited and that change how programs run.
    pub(in crate::command) variables: BTreeMap<String, String>,
    /// How long a process was watched that ran before, in ns.
    pub(in crate::command) window_ns: Option<u64>,
    /// The stacks that events have numbers of.
    pub(in crate::command) stacks: Stacks,
    /// The container or control group that was watched.
    pub(in crate::command) container: Option<WatchedContainer>,
}

/// Takes events.
pub(in crate::command) trait Listener {
    /// Whether anything is done with how long calls take: to know it makes the calls of all
    /// processes slower.
    fn wants_times(&self) -> bool {
        false
    }

    /// Whether anything is done with how long calls waited, which costs less.
    fn wants_waits(&self) -> bool {
        false
    }

    /// Before the first event.
    fn begin(&mut self, start: &Start) -> anyhow::Result<()>;

    /// A process that ran before, or came in.
    fn meet(&mut self, running: &RunningProcess);

    /// The next event, whose paths are of the same table for all.
    fn take(&mut self, event: FileEvent, paths: &PathTable);
}

/// Judges events as they come.
#[derive(Debug)]
pub(in crate::command) struct Judge<'a> {
    pub(in crate::command) auditor: Auditor,
    pub(in crate::command) start: Start,
    /// Prices that are looked for as soon as there is time.
    pub(in crate::command) prices: Option<&'a mut Sought>,
}

impl Listener for Judge<'_> {
    fn wants_times(&self) -> bool {
        self.auditor.uses_times()
    }

    fn wants_waits(&self) -> bool {
        true
    }

    fn begin(&mut self, start: &Start) -> anyhow::Result<()> {
        let mut auditor = std::mem::take(&mut self.auditor).started_with(&start.command);
        if let Some(directory) = &start.directory {
            auditor = auditor.starting_in(directory);
        }
        if let Some(user) = start.user {
            auditor = auditor.started_by(user);
        }
        if let Some(mounts) = &start.mounts {
            auditor = auditor.with_mounts(MountTable::parse(mounts));
        }
        if let Some(at_ns) = start.live_since_ns {
            auditor = auditor.started_at(at_ns, read_path);
        }
        if let Some(running) = &start.running {
            auditor = auditor.meeting(running);
        }
        self.auditor = auditor;
        self.start = start.clone();
        if let Some(prices) = &mut self.prices {
            prices.begin();
        }
        Ok(())
    }

    fn meet(&mut self, running: &RunningProcess) {
        self.auditor.meet(running);
    }

    fn take(&mut self, event: FileEvent, paths: &PathTable) {
        self.auditor.take(event, paths);
    }
}

/// What a path leads to by now.
fn read_path(path: &str) -> Option<PathFacts> {
    let facts = std::fs::metadata(path).ok()?;
    let made = facts.created().ok().and_then(|made| made.duration_since(UNIX_EPOCH).ok());
    let made_ns = made.and_then(|made| u64::try_from(made.as_nanos()).ok());
    Some(PathFacts { permissions: facts.permissions().mode() & 0o7777, made_ns })
}

impl Start {
    /// The command with how it ended; `None` where no command is known.
    pub(in crate::command) fn command(&self, end: &End) -> Option<AuditedCommand> {
        (!self.command.is_empty()).then(|| AuditedCommand {
            words: self.command.clone(),
            directory: self.directory.clone().unwrap_or_default(),
            exit_code: end.exit_code,
            signal: end.signal,
        })
    }
}

impl End {
    /// Says one more thing.
    pub(super) fn say(&mut self, kind: FactKind, text: impl Into<String>) {
        self.facts.push(AuditFact::new(kind, text));
    }

    /// Says which variables the command inherited, of those that may have changed something.
    pub(in crate::command) fn say_variables(&mut self, may_matter: impl Fn(&str) -> bool) {
        let set = self.variables.iter().filter(|(name, _)| may_matter(name));
        let set: Vec<_> = set.map(|(name, value)| format!("{name}={value}")).collect();
        if !set.is_empty() {
            self.say(FactKind::Variables, format!("set, and inherited by the command: {}", set.join(", ")));
        }
    }
}
