//! The tree of a run's calls: what was asked for, by package, module, library or directory. Each call
//! is in one row, so rows add up to the total exactly. Which path belongs to what is data:
//! `call_tree.toml`.

mod about;
mod attribution;
mod courses;
mod tally;
#[cfg(test)]
mod tests;
mod timeline;
mod waits;

pub(crate) use tally::TreeTally;
pub use waits::{CallLatencies, CallTreeWait, LatencyBucket};

use crate::prices::Prices;
use fathom_model::CountedCalls;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Of calls that are together in one row, or of several rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallSums {
    /// How many calls there were.
    pub calls: u64,
    /// How many of them failed.
    pub failed: u64,
    /// Bytes that reads returned.
    pub bytes_read: u64,
    /// What the calls that have a unit cost cost together, untraced, in ns; `None` where none has one.
    pub unit_cost_ns: Option<f64>,
    /// Calls without a unit cost.
    pub calls_without_unit_cost: u64,
    /// When the first of them returned, in ns since the first call of the run; `None` where the source
    /// of events has no clock.
    pub first_seen_ns: Option<u64>,
}

/// A row of the tree: calls on one thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallTreeRow {
    /// What kind of thing it is: `Node packages`.
    pub group: String,
    /// Which: a package, module, library or directory.
    pub item: String,
    /// What of it: a package nested in it, a module of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Its calls.
    #[serde(flatten)]
    pub sums: CallSums,
    /// The same by what unit costs tell apart.
    #[serde(skip)]
    conditions: Vec<CountedCalls>,
}

/// Calls of one program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallTreeProgram {
    /// Its path; `None` of processes that ran before they were watched.
    pub program: Option<String>,
    /// Processes that ran it.
    pub processes: u64,
    /// Their calls.
    pub calls: u64,
    /// How many of those failed.
    pub failed: u64,
    /// Their calls slice by slice; empty where the source of events has no clock.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<u64>,
}

/// What was asked for in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallTree {
    /// All calls of the run.
    #[serde(flatten)]
    pub sums: CallSums,
    /// Calls that no row but those of the group `Unattributed` has.
    pub unattributed: u64,
    /// Rows, those with the most calls first. No call is in two of them, and each is in one.
    pub rows: Vec<CallTreeRow>,
    /// The same calls by the program that made them, those with the most first.
    pub programs: Vec<CallTreeProgram>,
    /// The same calls by the directory that their path is in, those with the most first. Calls on no file, or on
    /// what is not known, have a word in its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directories: Vec<CallTreeDirectory>,
    /// The same calls in slices of equal length, from the first call to the last; empty where the source of
    /// events has no clock.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<CallTreeSlice>,
    /// What the slices were for: a few items and groups of items, in the order in which they were asked for, that
    /// together have each call once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub courses: Vec<CallTreeCourse>,
    /// How long calls took and their threads waited, by directory and kind of call, those that waited longest
    /// first: at most 100, and one row of all others. Empty where no call tells how long it took.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<CallTreeWait>,
    /// How long calls took, by kind, in powers of two. Empty where no call tells how long it waited: a tracer's
    /// stops would be in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub latencies: Vec<CallLatencies>,
}

/// Calls on what lies in one directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallTreeDirectory {
    /// Its path.
    pub directory: String,
    /// How many calls there were.
    pub calls: u64,
    /// How many of them failed.
    pub failed: u64,
    /// Bytes that reads returned.
    pub bytes_read: u64,
}

/// The calls that returned in a stretch of time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallTreeSlice {
    /// When it begins, in ns since the first call of the run.
    pub from_ns: u64,
    /// When it ends; the last ends with the last call.
    pub to_ns: u64,
    /// How many calls returned in it.
    pub calls: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How long calls took in it while they were watched, all threads together: of a call that lasted longer, the
    /// part in this slice. `None` where no call of the run tells.
    pub took_ns: Option<u64>,
    /// How much of that their threads waited, off the CPU and not ready to run; of a call that lasted longer, as
    /// much as if it had waited evenly. `None` where the source of events does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_ns: Option<u64>,
    /// The group of the item that has the most calls of the slice; `None` where there is no call.
    pub most_group: Option<String>,
    /// That item.
    pub most_item: Option<String>,
    /// How many of the slice's calls it has.
    pub most_calls: u64,
}

/// Calls on something, slice by slice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallTreeCourse {
    /// The group; `None` of all that is in no other course.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// An item of it; `None` of all items of the group that have no course of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Its calls in each slice.
    pub calls: Vec<u64>,
}

/// Rows of one group.
#[derive(Debug, Clone, PartialEq)]
pub struct CallTreeGroup<'a> {
    /// Its name.
    pub name: &'a str,
    /// Calls of its items.
    pub sums: CallSums,
    /// True of a group that every program has, whatever it is for: the C library, memory.
    pub is_of_every_program: bool,
    /// Its items, those with the most calls first.
    pub items: Vec<CallTreeItem<'a>>,
}

/// Rows of one thing.
#[derive(Debug, Clone, PartialEq)]
pub struct CallTreeItem<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its calls, with those of its parts.
    pub sums: CallSums,
    /// Its rows, those with the most calls first.
    pub rows: Vec<&'a CallTreeRow>,
}

impl CallSums {
    /// Takes in those of other calls.
    pub fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.failed += other.failed;
        self.bytes_read += other.bytes_read;
        self.unit_cost_ns = match (self.unit_cost_ns, other.unit_cost_ns) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        self.calls_without_unit_cost += other.calls_without_unit_cost;
        self.first_seen_ns = match (self.first_seen_ns, other.first_seen_ns) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }

    /// Those of several.
    pub fn of<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut sum = Self::default();
        all.into_iter().for_each(|one| sum.add(one));
        sum
    }
}

impl CallTree {
    fn new(mut rows: Vec<CallTreeRow>, mut programs: Vec<CallTreeProgram>) -> Self {
        programs.sort_by(|one, other| {
            (Reverse(one.calls), &one.program).cmp(&(Reverse(other.calls), &other.program))
        });
        rows.sort_by(|one, other| {
            let key = |row: &CallTreeRow| (Reverse(row.sums.calls), row.group.clone());
            key(one).cmp(&key(other)).then_with(|| (&one.item, &one.part).cmp(&(&other.item, &other.part)))
        });
        let unattributed = rows.iter().filter(|row| row.group == attribution::UNATTRIBUTED);
        let unattributed = unattributed.map(|row| row.sums.calls).sum();
        let sums = CallSums::of(rows.iter().map(|row| &row.sums));
        Self {
            sums,
            unattributed,
            rows,
            programs,
            directories: Vec::new(),
            timeline: Vec::new(),
            courses: Vec::new(),
            waits: Vec::new(),
            latencies: Vec::new(),
        }
    }

    /// Gives rows what their calls cost.
    pub(crate) fn price(&mut self, prices: &dyn Prices) {
        for row in &mut self.rows {
            let (mut cost_ns, mut without) = (None, 0);
            for call in &row.conditions {
                match prices.price(call) {
                    Some(price) => {
                        *cost_ns.get_or_insert(0.0) += call.count as f64 * price.wall_ns.value;
                    }
                    None => without += call.count,
                }
            }
            (row.sums.unit_cost_ns, row.sums.calls_without_unit_cost) = (cost_ns, without);
        }
        self.sums = CallSums::of(self.rows.iter().map(|row| &row.sums));
    }

    /// The rows by group and item, those with the most calls first.
    pub fn groups(&self) -> Vec<CallTreeGroup<'_>> {
        let mut by_group: BTreeMap<&str, BTreeMap<&str, Vec<&CallTreeRow>>> = BTreeMap::new();
        for row in &self.rows {
            by_group.entry(&row.group).or_default().entry(&row.item).or_default().push(row);
        }
        let mut groups: Vec<_> = by_group
            .into_iter()
            .map(|(name, items)| {
                let mut items: Vec<_> = items
                    .into_iter()
                    .map(|(name, rows)| CallTreeItem {
                        name,
                        sums: CallSums::of(rows.iter().map(|row| &row.sums)),
                        rows,
                    })
                    .collect();
                items.sort_by_key(|item| (Reverse(item.sums.calls), item.name));
                let sums = CallSums::of(items.iter().map(|item| &item.sums));
                let is_of_every_program = attribution::OF_EVERY_PROGRAM.contains(&name);
                CallTreeGroup { name, sums, is_of_every_program, items }
            })
            .collect();
        groups.sort_by_key(|group| (Reverse(group.sums.calls), group.name));
        groups
    }
}
