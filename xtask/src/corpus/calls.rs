//! `cargo xtask corpus --calls CAPTURE`: each program of both corpora twice by ptrace and once by another
//! way, and whether the same calls and findings were seen.

use super::again::subjects;
use crate::calibrate::{note, programs};
use anyhow::Context;
use fathom_corpus::{Bench, BenchError, CallTable, Subject, blind_cases, blind_tools, load};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// How often a program is run again before a difference is taken for the capture's.
const MOST_RUNS: usize = 6;

/// What became of a program.
enum Compared {
    /// So many calls, in a run that was seen alike by both ways.
    Same(u64),
    /// By ptrace alone its runs differ, and none of them is like the other way's.
    Varies(Vec<String>),
    /// By ptrace its runs are alike, by the other way they are not like them.
    Differs(Vec<String>),
    /// It could not be run.
    LeftOut(String),
}

/// Runs them and tells.
pub(super) fn run(arguments: &crate::Corpus, capture: &str) -> anyhow::Result<ExitCode> {
    let tests = Path::new(super::TOP).join("tests");
    let cases = load(&tests.join("corpus"))?;
    let (blind, tools) =
        (blind_cases(&tests.join("corpus-blind"))?, blind_tools(&tests.join("corpus-blind"))?);
    let mut subjects = subjects(&cases, &blind, &tools);
    let is_asked = |name: &str| {
        arguments.cases.is_empty() || arguments.cases.iter().any(|begin| name.starts_with(begin.as_str()))
    };
    subjects.retain(|subject| is_asked(&subject.name()));
    anyhow::ensure!(!subjects.is_empty(), "there is no such case");
    let fathom = match &arguments.fathom {
        Some(fathom) => std::path::absolute(fathom)?,
        None => programs::build_fathom()?,
    };
    let home = std::env::var_os("HOME").context("HOME is not set")?;
    let scratch = tempfile::Builder::new().prefix("corpus-").tempdir_in(home)?;
    let bench = |capture: &str| Bench {
        fathom: fathom.clone(),
        capture: capture.to_owned(),
        scratch: scratch.path().to_owned(),
    };
    let benches = [bench("ptrace"), bench(capture)];
    let all = super::in_turn(&subjects, arguments.workers, |subject| {
        let compared = compare(&benches, *subject);
        let name = subject.name();
        match &compared {
            Compared::Same(calls) => note(&format!("{name}: the same {calls} calls")),
            Compared::Varies(how) => note(&format!("{name}: varies by ptrace alone: {}", how.join(", "))),
            Compared::Differs(how) => note(&format!("{name}: DIFFERS: {}", how.join(", "))),
            Compared::LeftOut(reason) => note(&format!("{name}: not run: {reason}")),
        }
        compared
    });
    let (mut same, mut calls, mut varies, mut differs, mut left_out) = (0, 0, 0, 0, 0);
    for compared in &all {
        match compared {
            Compared::Same(made) => (same, calls) = (same + 1, calls + made),
            Compared::Varies(_) => varies += 1,
            Compared::Differs(_) => differs += 1,
            Compared::LeftOut(_) => left_out += 1,
        }
    }
    writeln!(
        std::io::stdout(),
        "{} programs: {same} were seen alike by ptrace and by {capture} ({calls} calls), {varies} vary by ptrace alone, {differs} differ, {left_out} were not run",
        all.len()
    )?;
    Ok(if differs == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn compare(benches: &[Bench; 2], subject: Subject<'_>) -> Compared {
    if let Subject::Case(case, _) = subject
        && let Err(reason) = case.words.language.satisfies(case.words.needs.as_deref())
    {
        return Compared::LeftOut(reason);
    }
    compare_runs(|which, name| benches[which].calls(subject, name))
        .unwrap_or_else(|error| Compared::LeftOut(error.to_string()))
}

/// By runs of both ways, more of them while they differ: what varies by itself is met again.
fn compare_runs(run: impl Fn(usize, &str) -> Result<CallTable, BenchError>) -> Result<Compared, BenchError> {
    let (mut stopped, mut others): (Vec<CallTable>, Vec<CallTable>) = (Vec::new(), Vec::new());
    for turn in 0..MOST_RUNS {
        stopped.push(run(0, &format!("stopped-{turn}"))?);
        others.push(run(1, &format!("other-{turn}"))?);
        if let Some(both) = stopped.iter().find(|table| others.contains(table)) {
            return Ok(Compared::Same(both.calls()));
        }
    }
    let how = others[0].differences(&stopped[0]);
    let varies = stopped.iter().any(|table| *table != stopped[0]);
    Ok(if varies { Compared::Varies(how) } else { Compared::Differs(how) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::collections::BTreeMap;

    fn table(count: u64) -> CallTable {
        let calls = BTreeMap::from([(("openat".to_owned(), None), count)]);
        CallTable { processes: vec![(calls, Some(0))], findings: BTreeMap::new() }
    }

    #[test]
    fn a_difference_is_the_captures_only_where_ptrace_always_sees_the_same() {
        assert!(matches!(compare_runs(|_, _| Ok(table(3))), Ok(Compared::Same(3))));
        assert!(matches!(compare_runs(|which, _| Ok(table(which as u64))), Ok(Compared::Differs(_))));
        let runs = Cell::new(0);
        let always_other = |_, _: &str| {
            runs.set(runs.get() + 1);
            Ok(table(runs.get()))
        };
        assert!(matches!(compare_runs(always_other), Ok(Compared::Varies(_))));
    }
}
