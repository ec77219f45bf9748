//! The count pass: the script a driver obeys, and the exact counts per
//! operation derived from its traced run. Pure.

use crate::call::CallKey;
use crate::classify::{Class, Differences, classify};
use crate::decode::DataPaths;
use crate::error::TraceError;
use crate::recipe::recipe;
use crate::region::{Counts, Region, TracedRun};
use crate::tracer::tail;
use fathom_model::{CallCount, CountPass};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How many operations a count pass runs, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountPlan {
    /// Operations run before anything is counted.
    pub warm_up: u64,
    /// n: the runs compared are of n and 2n operations. 96 by default, which
    /// periods of 2, 3, 4, 6, 8, 12, 16, 24, 32 and 48 operations divide, so
    /// that what happens once per period comes out exact.
    pub operations: u64,
    /// How often the pair of runs is repeated, 3 by default.
    pub repetitions: u32,
    /// The number of the method, when the driver was started with several.
    pub method: Option<usize>,
}

impl Default for CountPlan {
    fn default() -> Self {
        Self { warm_up: 96, operations: 96, repetitions: 3, method: None }
    }
}

impl CountPlan {
    /// The lines for the driver's standard input: a warm-up batch, the pairs
    /// of n and 2n operations, one single operation for the recipe, and `quit`.
    pub fn script(&self) -> String {
        let method = self.method.map(|number| format!(" method={number}")).unwrap_or_default();
        let mut script = String::new();
        for operations in self.batches() {
            writeln!(script, "batch {operations}{method}").expect("a String takes all");
        }
        script + "quit\n"
    }

    /// Operations of each batch of the script, in order; each makes one region.
    pub fn batches(&self) -> Vec<u64> {
        let pairs = (0..self.repetitions).flat_map(|_| [self.operations, 2 * self.operations]);
        std::iter::once(self.warm_up).chain(pairs).chain([1]).collect()
    }
}

/// Derives the counts per operation from the traced run of a plan's script.
/// `run` holds what the driver made of it, `data` the files it was given.
///
/// How calls of the operations are told from those of the runtime is written
/// in the module `classify`; a call that belongs to the operations and yet
/// varies keeps its differences, so that [`CallCount::is_exact`] tells.
pub fn count_pass(run: &TracedRun, plan: &CountPlan, data: &DataPaths) -> Result<CountPass, TraceError> {
    check_answers(run, plan)?;
    let (runs, last) = run.regions[1..].split_at(2 * plan.repetitions as usize);
    let keys: BTreeSet<_> =
        runs.iter().flat_map(|region| region.own.keys().chain(region.others.keys())).collect();
    let mut classes = BTreeMap::new();
    let (mut inside, mut background) = (Vec::new(), Vec::new());
    for key in keys {
        let differences = differences(*key, runs);
        let class = classify(*key, &differences, plan.operations);
        classes.insert(*key, class);
        let Differences { own, others, .. } = &differences;
        let count = |differences: &[i64]| call_count(*key, differences.to_vec(), plan.operations);
        match class {
            Class::Absent => {}
            Class::Inside => inside.push(count(&differences.total())),
            Class::InsideWhole(whole) => {
                let stray: Vec<_> = differences.total().iter().map(|total| total - whole).collect();
                inside.push(count(&vec![whole; stray.len()]));
                background.push(count(&stray));
            }
            Class::Background => background.push(count(&differences.total())),
            Class::InsideOwn => {
                inside.push(count(own));
                background.push(count(others));
            }
            Class::InsideOthers => {
                inside.push(count(others));
                background.push(count(own));
            }
        }
    }
    let belongs = |key: CallKey, other_thread: bool| match classes.get(&key) {
        Some(Class::Inside | Class::InsideWhole(_)) => true,
        Some(Class::InsideOwn) => !other_thread,
        Some(Class::InsideOthers) => other_thread,
        Some(Class::Absent | Class::Background) | None => false,
    };
    Ok(CountPass {
        run_lengths: [plan.operations, 2 * plan.operations],
        repetitions: plan.repetitions,
        inside: most_frequent_first(inside),
        background: most_frequent_first(background.into_iter().filter(is_seen).collect()),
        outside: most_frequent_first(outside(&run.between)),
        recipe: last.first().map(|region| recipe(region, data, belongs)).unwrap_or_default(),
        threads: run.threads,
    })
}

/// The driver must have ended well, have done every batch, and have marked each.
fn check_answers(run: &TracedRun, plan: &CountPlan) -> Result<(), TraceError> {
    let stdout = String::from_utf8_lossy(&run.stdout);
    if let Some(error) = stdout.lines().find(|line| line.starts_with("error ")) {
        return Err(TraceError::Driver(error.to_owned()));
    }
    if let Some(code) = run.status.code().filter(|code| *code != 0) {
        return Err(TraceError::Exited { code, stderr: tail(&run.stderr) });
    }
    let mut answers = stdout.lines().filter(|line| line.starts_with("done "));
    let batches = plan.batches();
    for operations in &batches {
        let answer = answers.next().unwrap_or("nothing");
        let expected = format!("ops={operations}");
        if !answer.split_whitespace().any(|word| word == expected) {
            return Err(TraceError::Answer { operations: *operations, answer: answer.to_owned() });
        }
    }
    if let Some(fault) = &run.mark_fault {
        return Err(TraceError::Marks(fault.clone()));
    }
    if run.regions.len() != batches.len() {
        let (found, expected) = (run.regions.len(), batches.len());
        return Err(TraceError::Marks(format!("{found} regions in {expected} batches; was --marks given?")));
    }
    Ok(())
}

fn differences(key: CallKey, runs: &[Region]) -> Differences {
    let of = |counts: fn(&Region) -> &Counts| {
        runs.chunks_exact(2)
            .map(|pair| frequency(counts(&pair[1]), key) - frequency(counts(&pair[0]), key))
            .collect()
    };
    let both = |region: &Region| frequency(&region.own, key) + frequency(&region.others, key);
    let shorter = runs.chunks_exact(2).map(|pair| both(&pair[0])).collect();
    Differences { own: of(|region| &region.own), others: of(|region| &region.others), shorter }
}

/// Median over the gaps between two batches; start-up and end are left out.
fn outside(between: &[Counts]) -> Vec<CallCount> {
    let gaps = between.get(1..between.len().saturating_sub(1)).unwrap_or_default();
    let keys: BTreeSet<_> = gaps.iter().flat_map(BTreeMap::keys).collect();
    let medians = keys.into_iter().map(|key| {
        let mut counts: Vec<_> = gaps.iter().map(|gap| frequency(gap, *key)).collect();
        counts.sort_unstable();
        call_count(*key, vec![counts[counts.len() / 2]], 1)
    });
    medians.filter(is_seen).collect()
}

fn frequency(counts: &Counts, key: CallKey) -> i64 {
    counts.get(&key).map_or(0, |count| i64::try_from(*count).unwrap_or(i64::MAX))
}

fn call_count(key: CallKey, differences: Vec<i64>, operations: u64) -> CallCount {
    CallCount { call: key.call.name().into_owned(), errno: key.errno_name(), differences, operations }
}

fn is_seen(count: &CallCount) -> bool {
    count.differences.iter().any(|difference| *difference != 0)
}

fn most_frequent_first(mut counts: Vec<CallCount>) -> Vec<CallCount> {
    counts.sort_by(|a, b| {
        let frequency = b.per_operation().total_cmp(&a.per_operation());
        frequency.then_with(|| (&a.call, &a.errno).cmp(&(&b.call, &b.errno)))
    });
    counts
}

#[cfg(test)]
mod tests;
