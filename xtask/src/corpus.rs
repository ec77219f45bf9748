//! `cargo xtask corpus`: runs the programs of tests/corpus under the audit, prints its
//! precision and recall, and writes docs/audit-corpus.md. With `--blind` they are the sets of which the
//! authors saw no rule.

mod again;
mod blind;
mod calls;
mod page;
mod real;

pub(crate) use blind::BlindSet;

use crate::calibrate::{note, programs};
use anyhow::Context;
use fathom_corpus::{Bench, Case, Part, Score, Verdict, examine, load};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// What became of a case.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It was run.
    Judged {
        /// What came out.
        verdict: Verdict,
        /// What the audit told, for each program.
        told: Vec<String>,
    },
    /// This machine cannot run it.
    Skipped(String),
    /// It could not be built or run.
    Broken(String),
}

/// Runs cases; all of them, unless the words say which.
pub(crate) fn run(arguments: &crate::Corpus) -> anyhow::Result<ExitCode> {
    if let Some(runs) = arguments.again {
        return again::run(arguments, runs);
    }
    if let (Some(capture), Some(turns)) = (&arguments.calls, arguments.real) {
        return real::run(arguments, capture, turns);
    }
    if let Some(capture) = &arguments.calls {
        return calls::run(arguments, capture);
    }
    if arguments.blind {
        return blind::run(arguments);
    }
    let mut cases = load(&Path::new(TOP).join("tests/corpus"))?;
    if !arguments.cases.is_empty() {
        cases.retain(|case| arguments.cases.iter().any(|begin| case.name.starts_with(begin.as_str())));
    }
    anyhow::ensure!(!cases.is_empty(), "there is no such case");
    let fathom = match &arguments.fathom {
        Some(fathom) => std::path::absolute(fathom)?,
        None => programs::build_fathom()?,
    };
    let outcomes = run_all(&fathom, &cases, arguments)?;
    let mut score = Score::default();
    for (case, outcome) in cases.iter().zip(&outcomes) {
        say(case, outcome, !arguments.cases.is_empty());
        if let Outcome::Judged { verdict, .. } = outcome {
            score.add(case, verdict);
        }
    }
    writeln!(std::io::stdout(), "{}", page::table(&score))?;
    let is_whole = outcomes.iter().all(|outcome| matches!(outcome, Outcome::Judged { .. }));
    if arguments.cases.is_empty() && arguments.capture == "ptrace" && !arguments.dry_run {
        anyhow::ensure!(is_whole, "not every case could be run here: docs/audit-corpus.md stays as it is");
        let path = Path::new(TOP).join("docs/audit-corpus.md");
        let before = std::fs::read_to_string(&path)?;
        std::fs::write(&path, page::text(&cases, &outcomes, &score, &before))
            .with_context(|| format!("failed to write {}", path.display()))?;
    }
    let is_clean = outcomes.iter().all(|outcome| match outcome {
        Outcome::Judged { verdict, .. } => verdict.problems.is_empty(),
        Outcome::Skipped(_) => true,
        Outcome::Broken(_) => false,
    });
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// In the order of the cases, several at a time.
fn run_all(fathom: &Path, cases: &[Case], arguments: &crate::Corpus) -> anyhow::Result<Vec<Outcome>> {
    // Some rules spare what lies in /tmp, which may be memory besides.
    let target = Path::new(TOP).join("target");
    let scratch = tempfile::Builder::new().prefix("corpus-").tempdir_in(target)?;
    let bench = Bench {
        fathom: fathom.to_owned(),
        capture: arguments.capture.clone(),
        scratch: scratch.path().to_owned(),
    };
    Ok(in_turn(cases, arguments.workers, |case| outcome(&bench, case)))
}

/// What came of each, in their order; several are run at a time.
pub(crate) fn in_turn<T: Sync, R: Send>(all: &[T], workers: usize, run: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((number, one)) = {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    all.get(number).map(|one| (number, one))
                } {
                    let result = run(one);
                    done.lock().expect("no worker panics").push((number, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no worker panics");
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

fn outcome(bench: &Bench, case: &Case) -> Outcome {
    if let Err(reason) = case.words.language.satisfies(case.words.needs.as_deref()) {
        return Outcome::Skipped(reason);
    }
    let (verdict, seen) = match examine(bench, case) {
        Ok(examined) => examined,
        Err(error) => return Outcome::Broken(error.to_string()),
    };
    let told = |(part, told): (&Part, &[String])| {
        told.iter().map(|told| format!("{}: {told}", part.stem())).collect::<Vec<_>>()
    };
    let all = Part::ALL.iter().zip(&seen).flat_map(|(part, seen)| told((part, &seen.told))).collect();
    Outcome::Judged { verdict, told: all }
}

fn say(case: &Case, outcome: &Outcome, is_long: bool) {
    match outcome {
        Outcome::Skipped(reason) => note(&format!("{}: skipped: {reason}", case.name)),
        Outcome::Broken(reason) => note(&format!("{}: BROKEN: {reason}", case.name)),
        Outcome::Judged { verdict, told } => {
            if verdict.problems.is_empty() {
                note(&format!("{}: as it should be", case.name));
            }
            for problem in &verdict.problems {
                note(&format!("{}: PROBLEM: {problem}", case.name));
            }
            if is_long {
                for told in told {
                    note(&format!("    {told}"));
                }
            }
        }
    }
}
