//! How long calls took and how much of that their threads waited, by mount, directory and kind of call.

use super::about::About;
use super::attribution::UNATTRIBUTED;
use crate::moment::Moment;
use crate::waited::wait_kind;
use crate::world::{PlaceId, World};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Rows that are told; the others are one row.
const TOLD: usize = 100;
/// What stands in place of the directories of the others.
const OTHERS: &str = "other directories";

/// Calls of one kind on what lies in one directory, and how long they took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallTreeWait {
    /// The directory, or what it was on that is in none: `pipes`.
    pub directory: String,
    /// Where the file system of the directory is mounted, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mount: Option<String>,
    /// Its kind: `ext4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_system: Option<String>,
    /// What the calls do: `open`, `read`, `write`, `sync`, `lock` or `other`.
    pub kind: String,
    /// How many of them told how long they took.
    pub calls: u64,
    /// How long they took while they were watched, all threads together, in ns.
    pub took_ns: u64,
    /// How much of that their threads waited, off the CPU and not ready to run, in ns; `None` where the source of
    /// events does not tell.
    pub waited_ns: Option<u64>,
    /// The longest of them, in ns.
    pub longest_ns: u64,
}

/// How long calls of one kind took, of those that also say how long they waited: by a ring, which stops nobody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallLatencies {
    /// What the calls do, as in [`CallTreeWait`].
    pub kind: String,
    /// How many there were.
    pub calls: u64,
    /// Those that took at least half of a power of two and less than it, the shortest first; without those that
    /// have no call.
    pub buckets: Vec<LatencyBucket>,
}

/// Calls that took at least half as long as this and not as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyBucket {
    /// A power of two, in ns.
    pub below_ns: u64,
    /// How many.
    pub calls: u64,
}

/// One for each power of two that a number of 64 bits can have.
const BUCKETS: usize = 64;

/// What was counted so far.
#[derive(Debug, Default)]
pub(super) struct Waits {
    sums: FxHashMap<(Where, &'static str), Sums>,
    latencies: BTreeMap<&'static str, Vec<u64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Where {
    Directory(PlaceId),
    Word(&'static str),
}

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    calls: u64,
    took_ns: u64,
    waited_ns: Option<u64>,
    longest_ns: u64,
}

impl Waits {
    /// Takes in a call that tells how long it took.
    pub(super) fn observe(&mut self, moment: &Moment<'_>, about: About) {
        let Some(took_ns) = moment.event.took_ns else { return };
        let at = match about {
            About::Place(place, _) => Where::Directory(moment.world.places.parent(place).unwrap_or(place)),
            About::NoFile(word) => Where::Word(word),
            About::Unknown(_) => Where::Word(UNATTRIBUTED),
        };
        if moment.event.waited_ns.is_some() {
            let buckets =
                self.latencies.entry(wait_kind(moment.action())).or_insert_with(|| vec![0; BUCKETS]);
            buckets[(took_ns.checked_ilog2().map_or(0, |log| log as usize + 1)).min(BUCKETS - 1)] += 1;
        }
        let sums = self.sums.entry((at, wait_kind(moment.action()))).or_default();
        sums.add(&Sums { calls: 1, took_ns, waited_ns: moment.event.waited_ns, longest_ns: took_ns });
    }

    /// How long calls took, by kind.
    pub(super) fn latencies(&self) -> Vec<CallLatencies> {
        let of = |(kind, buckets): (&&str, &Vec<u64>)| CallLatencies {
            kind: (*kind).to_owned(),
            calls: buckets.iter().sum(),
            buckets: (0..)
                .zip(buckets)
                .filter(|(_, calls)| **calls > 0)
                .map(|(log, calls)| LatencyBucket { below_ns: 1 << log, calls: *calls })
                .collect(),
        };
        self.latencies.iter().map(of).collect()
    }

    /// Those that waited longest first, then those that took longest.
    pub(super) fn conclude(&self, world: &World) -> Vec<CallTreeWait> {
        let mut all: Vec<_> = self.sums.iter().collect();
        all.sort_unstable_by_key(|(key, sums)| (Reverse((sums.waited_ns, sums.took_ns)), **key));
        let (told, rest) = all.split_at(all.len().min(TOLD));
        let mut rows: Vec<_> = told.iter().map(|((at, kind), sums)| row(*at, kind, sums, world)).collect();
        if !rest.is_empty() {
            let mut sums = Sums::default();
            for (_, one) in rest {
                sums.add(one);
            }
            rows.push(row(Where::Word(OTHERS), "other", &sums, world));
        }
        rows
    }
}

impl Sums {
    fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.took_ns += other.took_ns;
        self.longest_ns = self.longest_ns.max(other.longest_ns);
        if let Some(waited_ns) = other.waited_ns {
            *self.waited_ns.get_or_insert(0) += waited_ns;
        }
    }
}

fn row(at: Where, kind: &str, sums: &Sums, world: &World) -> CallTreeWait {
    let (directory, mount) = match at {
        Where::Directory(place) => (world.places.path(place), world.places.mount(place)),
        Where::Word(word) => (word, None),
    };
    CallTreeWait {
        directory: directory.to_owned(),
        mount: mount.map(|mount| mount.point.clone()),
        file_system: mount.map(|mount| mount.file_system.clone()),
        kind: kind.to_owned(),
        calls: sums.calls,
        took_ns: sums.took_ns,
        waited_ns: sums.waited_ns,
        longest_ns: sums.longest_ns,
    }
}
