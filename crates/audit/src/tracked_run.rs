//! What is kept of one run of a project's commands, to follow counts and times over commits.

use crate::change::{CountRange, LEVELS};
use crate::classed_calls::{CallClass, RunCalls};
use crate::commit::Commit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of this form. It rises when a reader of the older form would misread the newer one.
pub const TRACKED_RUN_VERSION: u32 = 1;

/// One line of the file of a run: what it is, each count, each time, and at the end how many there are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TrackedLine {
    /// The first line.
    Run(Box<RunFacts>),
    /// Calls of one class.
    Count(TrackedCount),
    /// A time.
    Time(TrackedTime),
    /// The last line.
    End(TrackedEnd),
}

/// What a run is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunFacts {
    /// The form of the file.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// Its name in the store: time, commit, and something of its own.
    pub id: String,
    /// When it was begun, RFC 3339 in UTC.
    pub created: String,
    /// The commit that was run.
    pub commit: Commit,
    /// The commits before it.
    pub parents: Vec<String>,
    /// True where the work tree had changes that were not committed.
    pub has_changes: bool,
    /// Kernel and processor.
    pub machine: String,
    /// What it was taken from, where nothing was run: a trace, a record, a comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Every command.
    pub commands: Vec<TrackedCommand>,
    /// What was replaced in it before it was written, where something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
}

/// A command of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrackedCommand {
    /// What it is called in all runs.
    pub name: String,
    /// Its words.
    pub words: Vec<String>,
    /// Counted runs; 0 where its calls were not counted.
    pub runs: u32,
    /// All counted calls of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<CountRange>,
    /// True where every class of its calls has a line: a class without one was not called.
    pub is_complete: bool,
    /// How it ended.
    pub ended: String,
    /// How its calls were captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<String>,
    /// What was not seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<String>,
}

/// Calls of one class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrackedCount {
    /// The command's name.
    pub command: String,
    /// What the calls have in common.
    pub class: CallClass,
    /// The least in any run.
    pub low: u64,
    /// The most.
    pub high: u64,
}

/// A time, in ns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrackedTime {
    /// The command's name.
    pub command: String,
    /// `wall`, `cpu`, or the variant of an experiment.
    pub metric: String,
    /// The median of its runs.
    pub median_ns: f64,
    /// Where its noise ends below: the first quartile of runs, or the end of a record's interval.
    pub low_ns: f64,
    /// Where it ends above.
    pub high_ns: f64,
    /// How many runs; of a record, processes.
    pub runs: u32,
}

/// The end of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrackedEnd {
    /// Lines of counts and times.
    pub lines: u64,
}

/// A run with all of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrackedRun {
    /// What it is.
    pub facts: RunFacts,
    /// Counts, by command and class.
    pub counts: Vec<TrackedCount>,
    /// Times.
    pub times: Vec<TrackedTime>,
    /// True where lines of its file are lost: what has no line is then not known.
    pub is_damaged: bool,
}

/// The ranges of all classes over several runs of a command. Where names vary from run to run, what has
/// one is kept by directory and ending, then by the call alone: the sum may vary less.
pub fn tracked_counts(command: &str, runs: &[RunCalls]) -> Vec<TrackedCount> {
    let mut rest: Vec<BTreeMap<&CallClass, u64>> =
        runs.iter().map(|run| run.iter().map(|(class, calls)| (class, calls.count)).collect()).collect();
    let mut counts = Vec::new();
    for (number, level) in LEVELS.iter().enumerate() {
        let is_last = number + 1 == LEVELS.len();
        let mut sums: BTreeMap<CallClass, Vec<u64>> = BTreeMap::new();
        for (number, run) in rest.iter().enumerate() {
            for (class, count) in run {
                sums.entry(level(class)).or_insert_with(|| vec![0; runs.len()])[number] += count;
            }
        }
        sums.retain(|_, counts| is_last || !counts.contains(&0));
        for run in &mut rest {
            run.retain(|class, _| !sums.contains_key(&level(class)));
        }
        counts.extend(sums.into_iter().map(|(class, counts)| TrackedCount {
            command: command.to_owned(),
            class,
            low: counts.iter().min().copied().unwrap_or(0),
            high: counts.iter().max().copied().unwrap_or(0),
        }));
    }
    counts.sort_by(|one, other| one.class.cmp(&other.class));
    counts
}

/// The range of all calls of a run.
pub fn all_calls(runs: &[RunCalls]) -> CountRange {
    let sums = runs.iter().map(|run| run.values().map(|calls| calls.count).sum::<u64>());
    let sums: Vec<u64> = sums.collect();
    CountRange { low: sums.iter().min().copied().unwrap_or(0), high: sums.iter().max().copied().unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classed_calls::{CallTarget, ClassedCalls, OutcomeClass};
    use crate::finding::Owner;

    #[test]
    fn a_class_that_a_run_lacks_was_not_called_there() {
        let class = |path: &str| CallClass {
            call: "openat".to_owned(),
            target: CallTarget::Path,
            outcome: OutcomeClass::Succeeded,
            path: path.to_owned(),
            owner: Owner::Yours,
            program: "tool".to_owned(),
        };
        let run = |counts: &[(&str, u64)]| -> RunCalls {
            let calls = |count| ClassedCalls { count, ..ClassedCalls::default() };
            counts.iter().map(|(path, count)| (class(path), calls(*count))).collect()
        };
        let runs = [run(&[("/a", 3), ("/b", 1)]), run(&[("/a", 5)])];
        let found: Vec<_> = tracked_counts("tool", &runs)
            .into_iter()
            .map(|count| (count.class.path, count.low, count.high))
            .collect();
        assert_eq!(found, [("(various)".to_owned(), 0, 1), ("/a".to_owned(), 3, 5)]);
        let runs = [run(&[("/t/1.o", 1), ("/t/2.o", 1)]), run(&[("/t/3.o", 2)])];
        let found: Vec<_> = tracked_counts("tool", &runs)
            .into_iter()
            .map(|count| (count.class.path, count.low, count.high))
            .collect();
        assert_eq!(found, [("/t/*.o".to_owned(), 2, 2)], "names vary, their number does not");
        let runs = [run(&[("/a", 3), ("/b", 1)]), run(&[("/a", 5)])];
        assert_eq!(all_calls(&runs), CountRange { low: 4, high: 5 });
    }
}
