//! The calls of several runs of a command, run by run.

use super::CommandWords;
use super::launch::end_of;
use fathom_model::{CallOutcome, CountedProcess, ProcessEnd, RunCalls, RunCounts, Severity, Warning};
use fathom_trace::CountedCommand;
use std::collections::{BTreeMap, BTreeSet};

/// Calls by name and errno in one run.
pub(super) type Tally = BTreeMap<(String, Option<String>), u64>;

/// What was counted of one command so far, run by run.
#[derive(Debug, Default)]
pub(super) struct Runs {
    ends: Vec<ProcessEnd>,
    processes: Vec<u64>,
    pub(super) tallies: Vec<Tally>,
}

impl Runs {
    /// Takes in a round of starts that others counted.
    pub(super) fn add_all(&mut self, starts: Vec<RunCounts>) {
        for start in starts {
            self.ends.extend(start.ends);
            self.processes.extend(start.processes);
            let calls = start.calls.into_iter();
            self.tallies.push(calls.map(|one| ((one.call, one.errno), one.per_run.iter().sum())).collect());
        }
    }

    pub(super) fn add(&mut self, counted: &CountedCommand) {
        self.ends.push(end_of(counted.status));
        self.processes.push(counted.processes.len() as u64);
        self.tallies.push(tally(&counted.processes));
    }

    pub(super) fn is_exact(&self) -> bool {
        self.tallies.windows(2).all(|pair| pair[0] == pair[1])
    }

    pub(super) fn finish(self) -> RunCounts {
        let keys: BTreeSet<_> = self.tallies.iter().flat_map(BTreeMap::keys).cloned().collect();
        let calls = keys.into_iter().map(|key| {
            let per_run = self.tallies.iter().map(|tally| tally.get(&key).copied().unwrap_or(0)).collect();
            RunCalls { call: key.0, errno: key.1, per_run }
        });
        let calls = calls.collect();
        RunCounts { ends: self.ends, processes: self.processes, calls }
    }

    /// What goes through a ring is no call.
    pub(super) fn io_uring(&self, command: &CommandWords) -> Option<Warning> {
        let used =
            self.tallies.iter().flat_map(BTreeMap::keys).any(|(call, _)| call.starts_with("io_uring_"));
        used.then(|| {
            let text = format!(
                "`{}` used io_uring: what was opened, read and written through it is not in its counts",
                command.text
            );
            Warning::new(Severity::Warning, "io-uring", text)
        })
    }
}

fn tally(processes: &[CountedProcess]) -> Tally {
    let mut tally = Tally::new();
    for one in processes.iter().flat_map(|process| &process.threads).flat_map(|thread| &thread.calls) {
        let errno = match &one.outcome {
            CallOutcome::Failed(errno) => Some(errno.clone()),
            CallOutcome::Succeeded | CallOutcome::NeverReturned => None,
        };
        *tally.entry((one.call.clone(), errno)).or_default() += one.count;
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The calls of one run.
    type Calls<'a> = &'a [(&'a str, u64)];

    fn runs(counts: &[Calls<'_>]) -> Runs {
        let tally = |run: &Calls<'_>| {
            run.iter().map(|(call, count)| (((*call).to_owned(), None), *count)).collect::<Tally>()
        };
        Runs { tallies: counts.iter().map(tally).collect(), ..Runs::default() }
    }

    #[test]
    fn a_call_that_one_run_lacks_was_made_0_times_in_it() {
        let runs = runs(&[&[("openat", 3)], &[("openat", 3), ("futex", 2)]]);
        assert!(!runs.is_exact());
        let counts = runs.finish();
        let found: Vec<_> = counts.calls.iter().map(|c| (c.call.as_str(), c.per_run.clone())).collect();
        assert_eq!(found, [("futex", vec![0, 2]), ("openat", vec![3, 3])]);
        assert!(counts.calls[1].is_exact() && !counts.is_exact());
    }

    #[test]
    fn a_ring_is_told() {
        let command = CommandWords { text: "x".to_owned(), words: vec!["x".to_owned()], starts: 1 };
        assert!(runs(&[&[("io_uring_setup", 1)]]).io_uring(&command).is_some());
        assert!(runs(&[&[("openat", 1)]]).io_uring(&command).is_none());
    }
}
