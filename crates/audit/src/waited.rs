//! Where threads waited in calls on files, by directory and kind of call: few calls do, so that it is counted in
//! each audit.

use crate::moment::Moment;
use crate::world::{PlaceId, World};
use fathom_events::{ControlCommand, FileAction};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// A call that took so long, in ns, is named where nobody knows how much of it its thread waited: a stop for a
/// tracer is shorter, unless the machine is very busy.
const LONG_NS: u64 = 100_000_000;
/// Waiting of less than this, in ns, is nothing that anybody waits for.
const LEAST_NS: u64 = 20_000_000;
/// Nor is less than one in so many of the run.
const NOTABLE_PART: u64 = 10;
/// The same of calls that took long: on a busy machine some do that wait for nothing.
const NOTABLE_PART_OF_LONG: u64 = 4;
/// What lies here is no file that is waited for: terminals, the kernel's messages.
const NO_FILES: [&str; 3] = ["/dev", "/proc", "/sys"];

/// How long threads waited in calls on files, where that is a notable part of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileWaits {
    /// By directory and kind of call, the longest first.
    pub rows: Vec<FileWait>,
    /// True where it was told how long threads waited; else `rows` are of calls that took long, with all that held
    /// them up, as stops by a tracer do.
    pub is_known: bool,
    /// From the first call of the run to the last, in ns.
    pub run_ns: u64,
}

/// Calls of one kind on what lies in one directory that waited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileWait {
    /// The directory.
    pub directory: String,
    /// The kind of its file system, where that is known: `ext4`.
    pub file_system: Option<String>,
    /// `open`, `read`, `write`, `sync`, `lock` or `other`.
    pub kind: &'static str,
    /// How many of them waited.
    pub calls: u64,
    /// How long, all threads together, in ns.
    pub ns: u64,
}

/// What was counted so far.
#[derive(Debug, Default)]
pub(crate) struct WaitTally {
    waited: FxHashMap<(PlaceId, &'static str), Sum>,
    long: FxHashMap<(PlaceId, &'static str), Sum>,
    is_known: bool,
    first_ns: Option<u64>,
    last_ns: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    calls: u64,
    ns: u64,
}

impl WaitTally {
    /// Takes in a call.
    pub(crate) fn observe(&mut self, moment: &Moment<'_>) {
        let event = moment.event;
        self.first_ns.get_or_insert(event.at_ns);
        self.last_ns = self.last_ns.max(event.at_ns);
        self.is_known |= event.waited_ns.is_some();
        let (sums, ns) = match (event.waited_ns, event.took_ns) {
            (Some(ns @ 1..), _) => (&mut self.waited, ns),
            (None, Some(ns @ LONG_NS..)) => (&mut self.long, ns),
            _ => return,
        };
        // What has no place is a pipe or a socket: who reads there waits for somebody's words, not for a file.
        let Some(place) = moment.any_place() else { return };
        let directory = moment.world.places.parent(place).unwrap_or(place);
        let sum = sums.entry((directory, wait_kind(moment.action()))).or_default();
        sum.calls += 1;
        sum.ns += ns;
    }

    /// What came of it; `None` where it is no notable part of the run.
    pub(crate) fn conclude(&self, world: &World) -> Option<FileWaits> {
        let sums = if self.is_known { &self.waited } else { &self.long };
        let mut rows: Vec<FileWait> = sums
            .iter()
            .map(|((place, kind), sum)| FileWait {
                directory: world.places.path(*place).to_owned(),
                file_system: world.places.mount(*place).map(|mount| mount.file_system.clone()),
                kind,
                calls: sum.calls,
                ns: sum.ns,
            })
            .filter(|row| !NO_FILES.iter().any(|top| is_below(&row.directory, top)))
            .collect();
        rows.sort_unstable_by(|one, other| {
            let key = |row: &FileWait| (Reverse(row.ns), row.kind);
            key(one).cmp(&key(other)).then_with(|| one.directory.cmp(&other.directory))
        });
        let run_ns = self.last_ns.saturating_sub(self.first_ns.unwrap_or(0));
        let all: u64 = rows.iter().map(|row| row.ns).sum();
        let part = if self.is_known { NOTABLE_PART } else { NOTABLE_PART_OF_LONG };
        let is_notable = all >= LEAST_NS && all.saturating_mul(part) >= run_ns;
        is_notable.then_some(FileWaits { rows, is_known: self.is_known, run_ns })
    }
}

fn is_below(path: &str, top: &str) -> bool {
    path.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What a call does, in the words of waits.
pub(crate) fn wait_kind(action: &FileAction) -> &'static str {
    match action {
        FileAction::Open { .. } => "open",
        FileAction::Read { .. } => "read",
        FileAction::Write { .. } => "write",
        FileAction::Sync { .. } => "sync",
        FileAction::Lock { .. } | FileAction::Control { command: ControlCommand::Lock, .. } => "lock",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use crate::Auditor;
    use crate::script::Script;

    /// A run of a second with calls that waited or took so long, in ms, on files in these directories.
    fn waits(calls: &[(&str, Option<u64>, Option<u64>)]) -> Option<super::FileWaits> {
        let mut script = Script::new();
        for (path, waited, took) in calls {
            let descriptor = script.open(path, 0);
            let event = script.events.last_mut().unwrap();
            (event.waited_ns, event.took_ns) =
                (waited.map(|ms| ms * 1_000_000), took.map(|ms| ms * 1_000_000));
            script.close(descriptor);
        }
        script.events.first_mut().unwrap().at_ns = 1;
        script.events.last_mut().unwrap().at_ns = 1_000_000_001;
        script.audited(Auditor::new()).waited
    }

    #[test]
    fn a_tenth_of_the_run_is_told_and_less_is_not() {
        let found =
            waits(&[("/srv/a", Some(60), None), ("/srv/b", Some(50), None), ("/var/c", Some(0), None)]);
        let found = found.unwrap();
        let rows = found.rows.iter().map(|row| (row.directory.as_str(), row.kind, row.calls, row.ns));
        let rows: Vec<_> = rows.collect();
        assert_eq!(rows, [("/srv", "open", 2, 110_000_000)]);
        assert!(found.is_known && found.run_ns == 1_000_000_000);
        assert_eq!(waits(&[("/srv/a", Some(60), None)]), None);
    }

    #[test]
    fn a_terminal_is_no_file_that_is_waited_for() {
        assert_eq!(waits(&[("/dev/tty", Some(900), None)]), None);
        assert!(waits(&[("/devices/a", Some(900), None)]).is_some());
    }

    #[test]
    fn under_a_tracer_long_calls_are_told_as_what_they_are() {
        let found = waits(&[("/srv/a", None, Some(300)), ("/srv/b", None, Some(90))]).unwrap();
        assert!(!found.is_known);
        assert_eq!((found.rows.len(), found.rows[0].ns), (1, 300_000_000));
        assert_eq!(waits(&[("/srv/a", None, Some(200))]), None, "a busy machine does that");
        let some = waits(&[("/srv/a", Some(0), Some(300)), ("/srv/b", None, Some(300))]);
        assert_eq!(some, None, "where some tell, the others are not made of how long they took");
    }
}
