//! `cargo xtask corpus --calls CAPTURE`: each program of both corpora by ptrace and by another way, and
//! whether the same calls and findings were seen.
//!
//! It goes on in portions: what was compared with one build of `fathom` is kept in target/, and not done again.

use super::again::subjects;
use crate::calibrate::{note, programs};
use anyhow::Context;
use fathom_corpus::{
    Bench, BenchError, CallTable, Kinds, KindsCompared, Subject, blind_cases, blind_tools, load,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How often a program is run again before a difference is taken for the capture's.
const MOST_RUNS: usize = 6;

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Compared {
    /// So many calls, in a run that was seen alike by both ways.
    Same(u64),
    /// By ptrace alone its runs differ, and none of them is like the other way's.
    Varies {
        /// In the first run of each.
        how: Vec<String>,
        /// Calls of a run whose kind all runs of both ways have alike.
        steady_calls: u64,
        /// Kinds that vary by ptrace, with ranges that meet.
        varying: usize,
        /// Kinds that vary by the other way alone, with ranges that meet.
        looser: Vec<String>,
        /// Kinds whose ranges do not meet.
        apart: Vec<String>,
    },
    /// By ptrace its runs are alike, by the other way they are not like them.
    Differs(Vec<String>),
    /// It could not be run.
    LeftOut(String),
}

/// A line of what is kept: the build, the program, what became of it.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    fathom: String,
    program: String,
    compared: Compared,
}

/// What was compared with this build before, and where more is added.
struct Kept {
    file: PathBuf,
    fathom: String,
    before: BTreeMap<String, Compared>,
}

/// Runs those that no portion before has, and tells of all.
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
    let kept = Kept::read(&Path::new(super::TOP).join(format!("target/calls-{capture}.jsonl")), &fathom)?;
    let home = std::env::var_os("HOME").context("HOME is not set")?;
    let scratch = tempfile::Builder::new().prefix("corpus-").tempdir_in(home)?;
    let bench = |capture: &str| Bench {
        fathom: fathom.clone(),
        capture: capture.to_owned(),
        scratch: scratch.path().to_owned(),
    };
    let benches = [bench("ptrace"), bench(capture)];
    let begun = Instant::now();
    let limit = arguments.seconds.map(Duration::from_secs);
    let all = super::in_turn(&subjects, arguments.workers, |subject| -> anyhow::Result<Option<Compared>> {
        let name = subject.name();
        if let Some(before) = kept.before.get(&name) {
            return Ok(Some(before.clone()));
        }
        if limit.is_some_and(|limit| begun.elapsed() > limit) {
            return Ok(None);
        }
        let compared = compare(&benches, *subject);
        note(&format!("{name}: {}", said(&compared)));
        kept.add(&name, &compared)?;
        Ok(Some(compared))
    });
    let all = all.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    let names = || subjects.iter().map(|subject| subject.name());
    for (name, compared) in names().zip(&all) {
        if let Some(compared) = compared.as_ref().filter(|compared| !matches!(compared, Compared::Same(_))) {
            writeln!(std::io::stdout(), "{name}: {}", said(compared))?;
        }
    }
    writeln!(std::io::stdout(), "{}", sums(&all, capture))?;
    let is_clean = !all.iter().any(|compared| matches!(compared, Some(Compared::Differs(_))));
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn said(compared: &Compared) -> String {
    match compared {
        Compared::Same(calls) => format!("the same {calls} calls"),
        Compared::Varies { how, steady_calls, varying, looser, apart } => format!(
            "varies by ptrace alone: {}; {steady_calls} calls the same in all runs, {varying} kinds vary by ptrace, {} not by it [{}], {} apart [{}]",
            how.join(", "),
            looser.len(),
            looser.join("; "),
            apart.len(),
            apart.join("; ")
        ),
        Compared::Differs(how) => format!("DIFFERS: {}", how.join(", ")),
        Compared::LeftOut(reason) => format!("not run: {reason}"),
    }
}

fn sums(all: &[Option<Compared>], capture: &str) -> String {
    let (mut same, mut calls, mut varies, mut differs, mut left_out, mut missing) = (0, 0, 0, 0, 0, 0);
    let (mut steady, mut kinds_apart) = (0, 0);
    for compared in all {
        match compared {
            Some(Compared::Same(made)) => (same, calls) = (same + 1, calls + made),
            Some(Compared::Varies { steady_calls, apart, .. }) => {
                (varies, steady) = (varies + 1, steady + steady_calls);
                kinds_apart += usize::from(!apart.is_empty());
            }
            Some(Compared::Differs(_)) => differs += 1,
            Some(Compared::LeftOut(_)) => left_out += 1,
            None => missing += 1,
        }
    }
    format!(
        "{} programs: {same} were seen alike by ptrace and by {capture} ({calls} calls), {varies} vary by ptrace alone ({steady} calls of a run are the same in all their runs, and {kinds_apart} of them have calls that {capture} alone explains), {differs} differ, {left_out} could not be run, {missing} are still to be compared",
        all.len()
    )
}

impl Kept {
    fn read(file: &Path, fathom: &Path) -> anyhow::Result<Self> {
        let program = fs::read(fathom).with_context(|| format!("failed to read {}", fathom.display()))?;
        let digest = Sha256::digest(&program);
        let first: [u8; 8] = std::array::from_fn(|at| digest[at]);
        let fathom = format!("{:016x}", u64::from_be_bytes(first));
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| format!("failed to read {}", file.display())),
        };
        // A line that was cut off by a kill is compared again.
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
        let ours = lines.filter(|line| line.fathom == fathom);
        let before = ours.map(|line| (line.program, line.compared)).collect();
        Ok(Self { file: file.to_owned(), fathom, before })
    }

    fn add(&self, program: &str, compared: &Compared) -> anyhow::Result<()> {
        let line =
            Line { fathom: self.fathom.clone(), program: program.to_owned(), compared: compared.clone() };
        // In one write, since others add to it, and on a line of its own whatever was cut off before.
        let line = format!("\n{}\n", serde_json::to_string(&line)?);
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file)?;
        file.write_all(line.as_bytes()).with_context(|| format!("failed to write {}", self.file.display()))
    }
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

/// By runs of both ways, more of them while they differ: what varies by itself is met again. Their folders
/// have names of one length, that differ in digits alone: compilers write them down, and what reads such a
/// file makes more calls.
fn compare_runs(
    run: impl Fn(usize, &str) -> Result<(CallTable, Kinds), BenchError>,
) -> Result<Compared, BenchError> {
    let (mut stopped, mut others): (Vec<CallTable>, Vec<CallTable>) = (Vec::new(), Vec::new());
    let mut kinds: [Vec<Kinds>; 2] = [Vec::new(), Vec::new()];
    for turn in 0..MOST_RUNS {
        for (which, (tables, kinds)) in [&mut stopped, &mut others].into_iter().zip(&mut kinds).enumerate() {
            let (table, of_run) = run(which, &format!("run-{}", 10 + 2 * turn + which))?;
            tables.push(table);
            kinds.push(of_run);
        }
        if let Some(both) = stopped.iter().find(|table| others.contains(table)) {
            return Ok(Compared::Same(both.calls()));
        }
    }
    let how = others[0].differences(&stopped[0]);
    if stopped.iter().all(|table| *table == stopped[0]) {
        return Ok(Compared::Differs(how));
    }
    let KindsCompared { steady_calls, varying, looser, apart, .. } = Kinds::compare(&kinds[0], &kinds[1]);
    Ok(Compared::Varies { how, steady_calls, varying, looser, apart })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn table(count: u64) -> CallTable {
        let calls = BTreeMap::from([(("openat".to_owned(), None), count)]);
        CallTable { processes: vec![(calls, Some(0))], findings: BTreeMap::new() }
    }

    #[test]
    fn what_was_compared_with_a_build_is_not_compared_again() {
        let folder = tempfile::tempdir().unwrap();
        let (file, fathom) = (folder.path().join("kept"), folder.path().join("fathom"));
        fs::write(&fathom, "one build").unwrap();
        let kept = Kept::read(&file, &fathom).unwrap();
        assert!(kept.before.is_empty());
        kept.add("first", &Compared::Same(7)).unwrap();
        fs::write(&file, fs::read_to_string(&file).unwrap() + "{\"fathom\": \"cut o").unwrap();
        kept.add("second", &Compared::Differs(vec!["openat 1 against 2".to_owned()])).unwrap();
        let again = Kept::read(&file, &fathom).unwrap();
        assert_eq!(again.before.len(), 2);
        assert_eq!(again.before["first"], Compared::Same(7));
        fs::write(&fathom, "another build").unwrap();
        assert!(Kept::read(&file, &fathom).unwrap().before.is_empty());
        let all = [Some(Compared::Same(7)), Some(again.before["second"].clone()), None];
        assert!(sums(&all, "hook").ends_with("1 differ, 0 could not be run, 1 are still to be compared"));
    }

    #[test]
    fn a_difference_is_the_captures_only_where_ptrace_always_sees_the_same() {
        let one = |count| Ok((table(count), Kinds::default()));
        assert!(matches!(compare_runs(|_, _| one(3)), Ok(Compared::Same(3))));
        assert!(matches!(compare_runs(|which, _| one(which as u64)), Ok(Compared::Differs(_))));
        let runs = Cell::new(0);
        let always_other = |_, _: &str| {
            runs.set(runs.get() + 1);
            one(runs.get())
        };
        assert!(matches!(compare_runs(always_other), Ok(Compared::Varies { .. })));
    }
}
