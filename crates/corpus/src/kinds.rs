//! How often a program made each kind of call, and what runs of one way of watching say beside runs of
//! another: a program that varies by itself is compared in what does not vary.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Calls that are counted together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallKind {
    /// The program that was running; all processes of it together.
    pub program: String,
    /// The kernel's name.
    pub call: String,
    /// The errno, of a call that failed.
    pub errno: Option<i32>,
    /// The paths that it names, or that of its descriptor; of the end of a process, its code.
    pub place: String,
}

impl fmt::Display for CallKind {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program.rsplit('/').next().unwrap_or_default();
        write!(text, "{program} {} {}", self.call, self.place)?;
        self.errno.map_or(Ok(()), |errno| write!(text, " (errno {errno})"))
    }
}

/// The calls of one run, by kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kinds(BTreeMap<CallKind, u64>);

/// What runs say beside each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KindsCompared {
    /// Whether all runs of both ways are the same.
    pub is_same: bool,
    /// Kinds of which each run of the first way has one count, and each run of the second the same one.
    pub steady: usize,
    /// Calls of these in a run.
    pub steady_calls: u64,
    /// Kinds whose count differs between runs of the first way; the ranges of both meet.
    pub varying: usize,
    /// Kinds that all runs of the first way have alike and not all of the second, with both ranges, which
    /// meet.
    pub looser: Vec<String>,
    /// Kinds whose ranges do not meet: what the second way alone explains. With both ranges.
    pub apart: Vec<String>,
}

impl Extend<CallKind> for Kinds {
    fn extend<I: IntoIterator<Item = CallKind>>(&mut self, kinds: I) {
        for kind in kinds {
            *self.0.entry(kind).or_default() += 1;
        }
    }
}

impl Kinds {
    /// How many calls there are.
    pub fn calls(&self) -> u64 {
        self.0.values().sum()
    }

    /// The runs of one way beside those of another.
    ///
    /// A name in a path that one run alone has was made for a moment (`sedXa3Kd0`): it counts as `*`.
    pub fn compare(first: &[Self], second: &[Self]) -> KindsCompared {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for run in first.iter().chain(second) {
            for name in run.0.keys().flat_map(|kind| kind.place.split('/')).collect::<BTreeSet<_>>() {
                *seen.entry(name).or_default() += 1;
            }
        }
        let (first, second) = (masked(first, &seen), masked(second, &seen));
        Self::compare_masked(&first, &second)
    }

    fn compare_masked(first: &[Self], second: &[Self]) -> KindsCompared {
        let all = || first.iter().chain(second);
        let kinds: BTreeSet<&CallKind> = all().flat_map(|run| run.0.keys()).collect();
        let mut compared =
            KindsCompared { is_same: all().all(|run| Some(run) == first.first()), ..Default::default() };
        for kind in kinds {
            let (ours, theirs) = (range(first, kind), range(second, kind));
            if ours == theirs && ours.0 == ours.1 {
                compared.steady += 1;
                compared.steady_calls += ours.0;
            } else if ours.0 > theirs.1 || theirs.0 > ours.1 {
                compared.apart.push(format!("{kind}: {} against {}", said(ours), said(theirs)));
            } else if ours.0 == ours.1 {
                compared.looser.push(format!("{kind}: {} against {}", said(ours), said(theirs)));
            } else {
                compared.varying += 1;
            }
        }
        compared
    }
}

/// With `*` for each name that is in one run alone.
fn masked(runs: &[Kinds], seen: &BTreeMap<&str, usize>) -> Vec<Kinds> {
    let mask = |name| if seen.get(name) == Some(&1) { "*" } else { name };
    let mut all = Vec::new();
    for run in runs {
        let mut kinds = BTreeMap::new();
        for (kind, count) in &run.0 {
            let place = kind.place.split('/').map(mask).collect::<Vec<_>>().join("/");
            *kinds.entry(CallKind { place, ..kind.clone() }).or_default() += count;
        }
        all.push(Kinds(kinds));
    }
    all
}

fn range(runs: &[Kinds], kind: &CallKind) -> (u64, u64) {
    let counts = || runs.iter().map(|run| run.0.get(kind).copied().unwrap_or(0));
    (counts().min().unwrap_or(0), counts().max().unwrap_or(0))
}

fn said((least, most): (u64, u64)) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(counts: &[(&str, u64)]) -> Kinds {
        let kind = |call: &str| CallKind {
            program: "/usr/bin/node".to_owned(),
            call: call.to_owned(),
            errno: None,
            place: "a".to_owned(),
        };
        Kinds(counts.iter().map(|(call, count)| (kind(call), *count)).collect())
    }

    #[test]
    fn what_varies_by_itself_is_no_difference_and_ranges_that_do_not_meet_are() {
        let first = [run(&[("read", 2), ("openat", 1), ("futex", 3)]), run(&[("read", 2), ("openat", 1)])];
        let second = [run(&[("read", 3), ("openat", 1), ("futex", 1)]), run(&[("read", 4), ("openat", 1)])];
        let compared = Kinds::compare(&first, &second);
        assert!(!compared.is_same);
        assert_eq!((compared.steady, compared.steady_calls, compared.varying), (1, 1, 1));
        assert_eq!(compared.apart, ["node read a: 2 against 3 to 4"]);
    }

    #[test]
    fn names_that_one_run_alone_has_are_no_difference() {
        let one = |name: &str| {
            let (program, call) = ("sed".to_owned(), "rename".to_owned());
            let mut run = Kinds::default();
            run.extend([CallKind { program, call, errno: None, place: format!("./{name} and ./a") }]);
            run
        };
        let compared = Kinds::compare(&[one("sedAb"), one("sedCd")], &[one("sedEf"), one("sedGh")]);
        assert!(compared.is_same, "{compared:?}");
        let compared = Kinds::compare(&[one("b"), one("b")], &[one("b"), one("sedGh")]);
        assert_eq!((compared.is_same, compared.varying), (false, 0));
        assert_eq!(compared.looser.len(), 2, "{compared:?}");
    }

    #[test]
    fn runs_that_are_all_alike_are_the_same() {
        let runs = [run(&[("read", 2)]), run(&[("read", 2)])];
        let compared = Kinds::compare(&runs, &runs);
        assert!(compared.is_same && compared.apart.is_empty());
        assert_eq!(compared.steady_calls, runs[0].calls());
    }
}
