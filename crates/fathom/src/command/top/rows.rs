//! What the kernel counted, as rows: named, in an order, in all or since the look before.

use crate::arguments::TopOrder;
use fathom_events::MountTable;
use fathom_model::{LiveRow, LiveTarget};
use fathom_trace::{LiveCount, LiveCounts, LiveDirectory, LiveFile, LiveSubject, TraceError};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;

/// Calls by process, name and file.
type Key = (u32, &'static str, LiveFile);

/// So many rows of processes that have ended are kept apart.
const ENDED_MOST: usize = 8192;
/// The process that stands for all others that have ended.
const ENDED: u32 = 0;

/// The counts of before and of now.
pub(super) struct Rows {
    counts: LiveCounts,
    order: TopOrder,
    /// Of processes that live.
    living: HashMap<Key, LiveCount>,
    /// Of processes that have ended.
    ended: HashMap<Key, LiveCount>,
    /// What came between the last two looks.
    latest: Vec<LiveCount>,
    programs: HashMap<u32, String>,
    mounts: BTreeMap<u32, Mounted>,
}

/// A mount as a process sees it.
struct Mounted {
    point: String,
    file_system: String,
}

/// Whose calls are counted.
pub(super) fn in_words(subject: LiveSubject) -> String {
    match subject {
        LiveSubject::All => "all processes".to_owned(),
        LiveSubject::Process(process) => match program(process) {
            Some(name) => format!("process {process} ({name}) and its children"),
            None => format!("process {process} and its children"),
        },
    }
}

impl Rows {
    /// Nothing was looked at yet. The mounts of the process are known from the beginning, also where it
    /// ends before the first look.
    pub(super) fn new(counts: LiveCounts, subject: LiveSubject, order: TopOrder) -> Self {
        let whose = match subject {
            LiveSubject::All => "self".to_owned(),
            LiveSubject::Process(process) => process.to_string(),
        };
        let mounts = fs::read_to_string(format!("/proc/{whose}/mountinfo")).unwrap_or_default();
        Self {
            counts,
            order,
            living: HashMap::new(),
            ended: HashMap::new(),
            latest: Vec::new(),
            programs: HashMap::new(),
            mounts: mounts.lines().filter_map(mounted).collect(),
        }
    }

    /// True when the process that is looked at has ended, with all that it made.
    pub(super) fn is_over(&self) -> bool {
        self.counts.is_over()
    }

    pub(super) fn uncounted(&self) -> u64 {
        self.counts.uncounted()
    }

    pub(super) fn foreign(&self) -> u64 {
        self.counts.foreign()
    }

    /// Looks at the kernel's table.
    pub(super) fn read(&mut self) -> Result<(), TraceError> {
        let (living, ended) = self.counts.read()?;
        let before = std::mem::take(&mut self.living);
        self.latest =
            living.iter().chain(&ended).filter_map(|count| since(count, before.get(&key(count)))).collect();
        self.learn(&living);
        self.living = living.into_iter().map(|count| (key(&count), count)).collect();
        for count in ended {
            let count = self.named(count);
            add(&mut self.ended, count);
        }
        if self.ended.len() > ENDED_MOST {
            #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
            for (_, count) in std::mem::take(&mut self.ended) {
                add(&mut self.ended, LiveCount { process: ENDED, program: "(ended)".to_owned(), ..count });
            }
        }
        Ok(())
    }

    /// What came between the last two looks.
    pub(super) fn latest(&self) -> Vec<LiveRow> {
        self.rows(self.latest.iter())
    }

    /// Everything that was counted.
    pub(super) fn all(&self) -> Vec<LiveRow> {
        self.rows(self.living.values().chain(self.ended.values()))
    }

    /// The names of processes and their mounts, while they live: the kernel's table has the name of the
    /// first call, which may have been that of the shell that made the process.
    fn learn(&mut self, living: &[LiveCount]) {
        let processes: BTreeSet<u32> = living.iter().map(|count| count.process).collect();
        let names = processes.iter().filter_map(|process| Some((*process, program(*process)?)));
        self.programs.extend(names);
        let mut looked_into = BTreeSet::new();
        for count in living {
            let is_unknown = |directory: &LiveDirectory| !self.mounts.contains_key(&directory.mount);
            if matches!(&count.file, LiveFile::In(directory) if is_unknown(directory))
                && looked_into.insert(count.process)
                && let Ok(mountinfo) = fs::read_to_string(format!("/proc/{}/mountinfo", count.process))
            {
                self.mounts.extend(mountinfo.lines().filter_map(mounted));
            }
        }
    }

    /// A process that has ended keeps the name that it had last.
    fn named(&self, count: LiveCount) -> LiveCount {
        match self.programs.get(&count.process) {
            Some(name) => LiveCount { program: name.clone(), ..count },
            None => count,
        }
    }

    fn rows<'a>(&self, counts: impl Iterator<Item = &'a LiveCount>) -> Vec<LiveRow> {
        let mut rows: Vec<LiveRow> = counts.map(|count| self.row(count)).collect();
        let rank = |row: &LiveRow| match self.order {
            TopOrder::Wait => (row.waited_ns, row.took_ns),
            TopOrder::Time => (row.took_ns, row.calls),
            TopOrder::Calls => (row.calls, row.took_ns),
            TopOrder::Failed => (row.failed, row.calls),
        };
        rows.sort_by_cached_key(|row| {
            (std::cmp::Reverse(rank(row)), row.process, row.call.clone(), row.directory.clone())
        });
        rows
    }

    fn row(&self, count: &LiveCount) -> LiveRow {
        let (target, place) = match &count.file {
            LiveFile::In(directory) => (LiveTarget::File, Some(directory)),
            LiveFile::Socket => (LiveTarget::Socket, None),
            LiveFile::Pipe => (LiveTarget::Pipe, None),
            LiveFile::Device => (LiveTarget::Device, None),
            LiveFile::Anonymous => (LiveTarget::Anonymous, None),
            LiveFile::Unknown => (LiveTarget::Unknown, None),
        };
        let mounted = place.and_then(|place| Some((self.mounts.get(&place.mount)?, place)));
        LiveRow {
            process: count.process,
            program: self.programs.get(&count.process).unwrap_or(&count.program).clone(),
            call: count.call.to_owned(),
            target,
            directory: mounted.map(|(mount, place)| joined(&mount.point, &place.way)),
            mount: mounted.map(|(mount, _)| mount.point.clone()),
            file_system: mounted.map(|(mount, _)| mount.file_system.clone()),
            calls: count.calls(),
            failed: count.failed,
            untimed: count.untimed,
            took_ns: count.took_ns,
            waited_ns: count.waited_ns,
            p50_ns: count.latency.at_most_ns(0.5),
            p90_ns: count.latency.at_most_ns(0.9),
            p99_ns: count.latency.at_most_ns(0.99),
            longest_ns: count.latency.at_most_ns(1.0),
        }
    }
}

fn key(count: &LiveCount) -> Key {
    (count.process, count.call, count.file.clone())
}

/// What came since a look; `None` where nothing did.
fn since(now: &LiveCount, before: Option<&LiveCount>) -> Option<LiveCount> {
    let Some(before) = before else { return Some(now.clone()) };
    let came = LiveCount {
        failed: now.failed.saturating_sub(before.failed),
        untimed: now.untimed.saturating_sub(before.untimed),
        latency: now.latency.since(&before.latency),
        took_ns: now.took_ns.saturating_sub(before.took_ns),
        waited_ns: now.waited_ns.saturating_sub(before.waited_ns),
        ..now.clone()
    };
    (came.calls() > 0).then_some(came)
}

/// Adds counts of the same process, call and file: of a number that the kernel gave twice.
fn add(all: &mut HashMap<Key, LiveCount>, count: LiveCount) {
    match all.entry(key(&count)) {
        Entry::Vacant(entry) => {
            entry.insert(count);
        }
        Entry::Occupied(mut entry) => {
            let sum = entry.get_mut();
            sum.failed += count.failed;
            sum.untimed += count.untimed;
            sum.latency.add(&count.latency);
            sum.took_ns += count.took_ns;
            sum.waited_ns += count.waited_ns;
        }
    }
}

fn program(process: u32) -> Option<String> {
    let name = fs::read_to_string(format!("/proc/{process}/comm")).ok()?;
    Some(name.trim_end_matches('\n').to_owned())
}

/// A way that is deeper than is kept begins with `…`.
fn joined(point: &str, way: &str) -> String {
    match (point.trim_end_matches('/'), way) {
        ("", "") => "/".to_owned(),
        (point, "") => point.to_owned(),
        (point, way) => format!("{point}/{way}"),
    }
}

/// `36 35 98:0 /root /point rw,noatime master:1 - ext4 /dev/sda rw`: its number, and what it is.
fn mounted(line: &str) -> Option<(u32, Mounted)> {
    let number = line.split(' ').next()?.parse().ok()?;
    let table = MountTable::parse(line);
    let mount = table.get(0)?;
    Some((number, Mounted { point: mount.point.clone(), file_system: mount.file_system.clone() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_have_their_numbers() {
        let (number, mount) = mounted("36 35 98:0 / /mnt/a\\040b rw shared:1 - ext4 /dev/sda rw").unwrap();
        assert_eq!((number, mount.point.as_str(), mount.file_system.as_str()), (36, "/mnt/a b", "ext4"));
        assert!(mounted("nonsense").is_none());
    }

    #[test]
    fn ways_begin_at_their_mount() {
        for (point, way, whole) in
            [("/", "", "/"), ("/", "etc", "/etc"), ("/mnt", "", "/mnt"), ("/mnt", "a/b", "/mnt/a/b")]
        {
            assert_eq!(joined(point, way), whole);
        }
    }
}
