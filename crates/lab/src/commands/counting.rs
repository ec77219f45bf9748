//! The calls of the commands, each counted in several runs under the tracer. Counts
//! that are the same in all of them are taken for exact; where any differs, from run to
//! run or from command to command, more runs say over what range.

use super::launch::end_of;
use super::{CommandError, CommandPlan, CommandWords, launch::Launcher};
use crate::observer::{Event, Observer};
use fathom_model::{
    CallOutcome, CountedProcess, ProcessEnd, Reading, RunCalls, RunCounts, Severity, Warning,
};
use fathom_trace::{CommandOptions, CountedCommand, TraceError, count_command};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::atomic::Ordering;

/// Counted runs of each command.
const RUNS: usize = 2;
/// As many where any count differed: of equal commands whose count varies, all counts of
/// the new one lie above all of the old one's in one case of 252 at most.
const RUNS_OF_DIFFERING: usize = 5;

/// The counts of each, and what a reader must know of them.
type Counted = (Vec<Reading<RunCounts>>, Vec<Warning>);

/// Calls by name and errno in one run.
type Tally = BTreeMap<(String, Option<String>), u64>;

/// What was counted of one command so far, run by run.
#[derive(Debug, Default)]
struct Runs {
    ends: Vec<ProcessEnd>,
    processes: Vec<u64>,
    tallies: Vec<Tally>,
}

/// Counts the commands, in turns.
pub(super) fn count_all(
    plan: &CommandPlan,
    launcher: &Launcher<'_>,
    observer: &mut dyn Observer,
) -> Result<Counted, CommandError> {
    let mut runs: Vec<Runs> = plan.commands.iter().map(|_| Runs::default()).collect();
    let mut wanted = RUNS;
    while runs[0].tallies.len() < wanted {
        for (command, runs) in plan.commands.iter().zip(&mut runs) {
            let number = runs.tallies.len();
            observer.event(&Event::CountingCommand { command: &command.text, number, of: wanted });
            launcher.prepare()?;
            match count_once(command, launcher)? {
                Ok(counted) => runs.add(&counted),
                Err(reason) => return Ok(uncounted(&reason, plan.commands.len())),
            }
        }
        if runs[0].tallies.len() == wanted && !agree(&runs) {
            wanted = RUNS_OF_DIFFERING;
        }
    }
    let warnings = runs.iter().zip(&plan.commands).filter_map(|(runs, command)| runs.io_uring(command));
    let warnings = warnings.collect();
    Ok((runs.into_iter().map(|runs| Reading::Value(runs.finish())).collect(), warnings))
}

/// True when every run of every command made the same calls.
fn agree(all: &[Runs]) -> bool {
    all.iter().all(|runs| runs.is_exact() && runs.tallies.first() == all[0].tallies.first())
}

/// One counted run; the inner error is a reason why nothing can be counted here.
fn count_once(
    words: &CommandWords,
    launcher: &Launcher<'_>,
) -> Result<Result<CountedCommand, String>, CommandError> {
    let signals = launcher.signals;
    if signals.is_stopped() {
        return Err(CommandError::Interrupted);
    }
    let mut command = launcher.command(&words.text, &words.words)?;
    let options = CommandOptions { signal: Some(signals.number), ..CommandOptions::default() };
    let counted = match count_command(&mut command, &options) {
        Ok(counted) => counted,
        Err(TraceError::Start { error, .. }) => {
            return Err(CommandError::Start { command: words.text.clone(), error });
        }
        Err(TraceError::Forbidden { reason, .. }) => return Ok(Err(reason)),
        Err(error) => {
            let error = io::Error::other(error.to_string());
            return Err(CommandError::Io { what: "failed to count calls", error });
        }
    };
    // The signal was the command's; the run ends with it.
    if counted.cut.is_some() || signals.number.load(Ordering::SeqCst) != 0 || signals.is_stopped() {
        return Err(CommandError::Interrupted);
    }
    launcher.check(&words.text, &end_of(counted.status))?;
    Ok(Ok(counted))
}

fn uncounted(reason: &str, commands: usize) -> Counted {
    let text = format!("calls were not counted: {reason}");
    let warning = Warning::new(Severity::Warning, "not-counted", text)
        .with_hint("`fathom doctor` says what this machine can measure");
    (vec![Reading::unavailable(reason); commands], vec![warning])
}

impl Runs {
    fn add(&mut self, counted: &CountedCommand) {
        self.ends.push(end_of(counted.status));
        self.processes.push(counted.processes.len() as u64);
        self.tallies.push(tally(&counted.processes));
    }

    fn is_exact(&self) -> bool {
        self.tallies.windows(2).all(|pair| pair[0] == pair[1])
    }

    fn finish(self) -> RunCounts {
        let keys: BTreeSet<_> = self.tallies.iter().flat_map(BTreeMap::keys).cloned().collect();
        let calls = keys.into_iter().map(|key| {
            let per_run = self.tallies.iter().map(|tally| tally.get(&key).copied().unwrap_or(0)).collect();
            RunCalls { call: key.0, errno: key.1, per_run }
        });
        let calls = calls.collect();
        RunCounts { ends: self.ends, processes: self.processes, calls }
    }

    /// What goes through a ring is no call.
    fn io_uring(&self, command: &CommandWords) -> Option<Warning> {
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
    fn runs_agree_when_nothing_differs_in_any_of_them() {
        let pair = |old: &[Calls<'_>], new: &[Calls<'_>]| agree(&[runs(old), runs(new)]);
        let (three, four): (Calls<'_>, Calls<'_>) = (&[("openat", 3)], &[("openat", 4)]);
        assert!(pair(&[three, three], &[three, three]));
        assert!(!pair(&[three, three], &[four, four]));
        assert!(!pair(&[three, four], &[three, three]));
    }

    #[test]
    fn a_ring_is_told() {
        let command = CommandWords { text: "x".to_owned(), words: vec!["x".to_owned()] };
        assert!(runs(&[&[("io_uring_setup", 1)]]).io_uring(&command).is_some());
        assert!(runs(&[&[("openat", 1)]]).io_uring(&command).is_none());
    }
}
