//! The count pass: the script a driver obeys, and the exact counts per
//! operation derived from its traced run. Pure.

use crate::call::CallKey;
use crate::classify::{Class, Differences, classify, classify_once};
use crate::decode::DataPaths;
use crate::error::TraceError;
use crate::recipe::recipe;
use crate::region::{Counts, Region, RunCut, TracedRun};
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
    /// The operation may be a long one: batches of 1, 0 and 1 operations come first, and
    /// where these take long, or make many calls, they are all. Goes with
    /// [`crate::Options::brief`].
    pub brief: bool,
    /// The driver is one of several processes that perform the same batches, and another answers.
    pub silent: bool,
}

/// Batches that a brief plan begins with.
const BRIEF: [u64; 3] = [1, 0, 1];

impl Default for CountPlan {
    fn default() -> Self {
        Self { warm_up: 96, operations: 96, repetitions: 3, method: None, brief: false, silent: false }
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
        let first = if self.brief { BRIEF.as_slice() } else { &[] };
        first.iter().copied().chain([self.warm_up]).chain(pairs).chain([1]).collect()
    }
}

/// Derives the counts per operation from the traced run of a plan's script.
/// `run` holds what the driver made of it, `data` the files it was given.
///
/// How calls of the operations are told from those of the runtime is written
/// in the module `classify`; a call that belongs to the operations and yet
/// varies keeps its differences, so that [`CallCount::is_exact`] tells.
///
/// Of a run that was cut, what is left counts: as many repetitions as there are, else
/// one operation after another, else the first alone; [`CountPass::missing`] says so.
pub fn count_pass(run: &TracedRun, plan: &CountPlan, data: &DataPaths) -> Result<CountPass, TraceError> {
    check_answers(run, plan)?;
    let brief = if plan.brief { BRIEF.len() } else { 0 };
    let whole = &run.regions[brief.min(run.regions.len())..];
    let nothing = Region::new(0);
    match (whole.len().saturating_sub(1) / 2, run.regions.as_slice()) {
        // Equal in one repetition says nothing: one operation by itself says as much.
        (pairs, _) if pairs > usize::from(plan.brief) => {
            let repetitions = pairs.min(plan.repetitions as usize);
            let last =
                whole.get(1 + 2 * plan.repetitions as usize).or(run.regions.get(brief.saturating_sub(1)));
            let counted = Counted {
                runs: &whole[1..=2 * repetitions],
                last,
                n: plan.operations,
                first: plan.operations,
            };
            let left_out = plan.repetitions as usize - repetitions;
            let missing = (left_out > 0)
                .then(|| format!("{repetitions} of {} repetitions, {}", plan.repetitions, why(run.cut)));
            Ok(counted.pass(run, data, missing))
        }
        (_, [_, empty, second, ..]) => {
            let runs = [empty.clone(), second.clone()];
            let counted = Counted { runs: &runs, last: Some(second), n: 1, first: 0 };
            let missing =
                (run.cut != Some(RunCut::Enough)).then(|| format!("no repetitions, {}", why(run.cut)));
            Ok(counted.pass(run, data, missing))
        }
        (_, [first, ..]) => {
            let runs = [nothing, first.clone()];
            let counted = Counted { runs: &runs, last: Some(first), n: 1, first: 0 };
            let missing = format!(
                "of the first operation of its process alone, so what its runtime does once is among them: {}",
                why(run.cut)
            );
            Ok(counted.pass(run, data, Some(missing)))
        }
        (_, []) => Err(TraceError::CutShort(cut_short(run))),
    }
}

/// Why a run did not go to its end.
fn why(cut: Option<RunCut>) -> String {
    match cut {
        None | Some(RunCut::Enough) => "it is a long one".to_owned(),
        Some(RunCut::Interrupted) => "interrupted".to_owned(),
        Some(RunCut::TimedOut(limit)) => format!("its {} s were over", limit.as_secs()),
    }
}

/// What is known of an operation that was cut before its end.
fn cut_short(run: &TracedRun) -> String {
    let Some(region) = &run.unfinished else {
        return format!("before its first operation: {}", why(run.cut));
    };
    let mut calls: BTreeMap<CallKey, u64> = region.own.clone();
    region.others.iter().for_each(|(key, count)| *calls.entry(*key).or_default() += count);
    let mut calls: Vec<_> = calls.into_iter().collect();
    calls.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let named = calls.iter().take(3).map(|(key, count)| format!("{} {count}", key.call.name()));
    let named: Vec<_> = named.collect();
    format!("in its first operation, after {} calls ({}): {}", region.calls(), named.join(", "), why(run.cut))
}

/// Regions to be subtracted from each other, in pairs.
struct Counted<'a> {
    runs: &'a [Region],
    /// One operation, for the recipe.
    last: Option<&'a Region>,
    /// Operations that the longer of a pair has more.
    n: u64,
    /// Operations of the shorter.
    first: u64,
}

impl Counted<'_> {
    fn pass(&self, run: &TracedRun, data: &DataPaths, missing: Option<String>) -> CountPass {
        let runs = self.runs;
        let keys: BTreeSet<_> =
            runs.iter().flat_map(|region| region.own.keys().chain(region.others.keys())).collect();
        let mut classes = BTreeMap::new();
        let (mut inside, mut background) = (Vec::new(), Vec::new());
        for key in keys {
            let differences = differences(*key, runs);
            let class = if self.first == 0 {
                classify_once(*key, &differences)
            } else {
                classify(*key, &differences, self.n)
            };
            classes.insert(*key, class);
            let Differences { own, others, .. } = &differences;
            let count = |differences: &[i64]| call_count(*key, differences.to_vec(), self.n);
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
        CountPass {
            run_lengths: [self.first, self.first + self.n],
            repetitions: u32::try_from(runs.len() / 2).unwrap_or(u32::MAX),
            inside: most_frequent_first(inside),
            background: most_frequent_first(background.into_iter().filter(is_seen).collect()),
            outside: most_frequent_first(outside(&run.between)),
            recipe: self.last.map(|region| recipe(region, data, belongs)).unwrap_or_default(),
            threads: run.threads,
            missing,
        }
    }
}

/// The driver must have ended well, have done every batch, and have marked each.
fn check_answers(run: &TracedRun, plan: &CountPlan) -> Result<(), TraceError> {
    let stdout = String::from_utf8_lossy(&run.stdout);
    if let Some(error) = stdout.lines().find(|line| line.starts_with("error ")) {
        return Err(TraceError::Driver(error.to_owned()));
    }
    if let Some(code) = run.status.code().filter(|code| *code != 0 && run.cut.is_none()) {
        return Err(TraceError::Exited { code, stderr: tail(&run.stderr) });
    }
    let mut answers = stdout.lines().filter(|line| line.starts_with("done "));
    let batches = plan.batches();
    let expected = if run.cut.is_some() { run.regions.len() } else { batches.len() };
    let answered = if plan.silent { 0 } else { expected };
    for operations in batches.iter().take(answered) {
        let answer = answers.next().unwrap_or("nothing");
        let asked = format!("ops={operations}");
        // The last of a run that was cut may have had no time to say so.
        let is_silent = run.cut.is_some() && answer == "nothing";
        if !is_silent && !answer.split_whitespace().any(|word| word == asked) {
            return Err(TraceError::Answer { operations: *operations, answer: answer.to_owned() });
        }
    }
    if let Some(fault) = &run.mark_fault {
        return Err(TraceError::Marks(fault.clone()));
    }
    if run.regions.len() != expected {
        let found = run.regions.len();
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
