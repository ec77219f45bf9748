//! The calls of the commands, each counted in several runs under the tracer. Counts
//! that are the same in all of them are taken for exact; where any differs, from run to
//! run or from command to command, more runs say over what range.

use super::launch::end_of;
use super::rank_counting::count_round;
use super::tallies::Runs;
use super::{CommandError, CommandPlan, CommandWords, launch::Launcher};
use crate::observer::{Event, Observer};
use fathom_model::{Reading, RunCounts, Severity, Warning};
use fathom_trace::{CommandOptions, CountedCommand, TraceError, count_command};
use std::io;
use std::sync::atomic::Ordering;

/// Counted runs of each command.
const RUNS: usize = 2;
/// As many where any count differed: of equal commands whose count varies, all counts of
/// the new one lie above all of the old one's in one case of 252 at most.
const RUNS_OF_DIFFERING: usize = 5;

/// The counts of each, and what a reader must know of them.
type Counted = (Vec<Reading<RunCounts>>, Vec<Warning>);

/// Counts the commands, in turns.
pub(super) fn count_all(
    plan: &CommandPlan,
    launcher: &Launcher<'_>,
    observer: &mut dyn Observer,
) -> Result<Counted, CommandError> {
    let mut runs: Vec<Runs> = plan.commands.iter().map(|_| Runs::default()).collect();
    let (mut number, mut wanted) = (0, RUNS);
    while number < wanted {
        for (command, runs) in plan.commands.iter().zip(&mut runs) {
            observer.event(&Event::CountingCommand { command: &command.text, number, of: wanted });
            launcher.prepare()?;
            let counted = match &plan.starts {
                Some(starts) => count_round(command, starts, launcher)?.map(|all| runs.add_all(all)),
                None => count_once(command, launcher)?.map(|counted| runs.add(&counted)),
            };
            match counted {
                Ok(()) => {}
                Err(reason) => return Ok(uncounted(&reason, plan.commands.len())),
            }
        }
        number += 1;
        if number == wanted && !agree(&runs) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::tallies::Tally;

    /// The calls of one run.
    type Calls<'a> = &'a [(&'a str, u64)];

    fn runs(counts: &[Calls<'_>]) -> Runs {
        let tally = |run: &Calls<'_>| {
            run.iter().map(|(call, count)| (((*call).to_owned(), None), *count)).collect::<Tally>()
        };
        let mut runs = Runs::default();
        runs.tallies.extend(counts.iter().map(tally));
        runs
    }

    #[test]
    fn runs_agree_when_nothing_differs_in_any_of_them() {
        let pair = |old: &[Calls<'_>], new: &[Calls<'_>]| agree(&[runs(old), runs(new)]);
        let (three, four): (Calls<'_>, Calls<'_>) = (&[("openat", 3)], &[("openat", 4)]);
        assert!(pair(&[three, three], &[three, three]));
        assert!(!pair(&[three, three], &[four, four]));
        assert!(!pair(&[three, four], &[three, three]));
    }
}
