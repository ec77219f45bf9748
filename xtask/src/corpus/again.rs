//! `cargo xtask corpus --again RUNS`: each program of both corpora several times by each capture, and
//! whether all of its audits ended alike; the last part of docs/audit-corpus.md.

use crate::calibrate::{note, programs};
use crate::section::replace_section;
use anyhow::Context;
use fathom_corpus::{Bench, BlindCase, Case, Ending, Part, Subject, Tool, blind_cases, blind_tools, load};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Between these the page has what this command writes.
pub(super) const BEGIN: &str = "<!-- again: begin -->";
/// Its end.
pub(super) const END: &str = "<!-- again: end -->";

/// How often a program's audit ended in which way, by capture.
type ByCapture = BTreeMap<&'static str, BTreeMap<Ending, u32>>;

/// The same, or why it could not be run.
type Endings = Result<ByCapture, String>;

/// What was run.
#[derive(Debug, Default)]
struct Sums {
    programs: usize,
    audits: u32,
    captures: Vec<&'static str>,
    /// Exit codes differ.
    by_code: Vec<String>,
    /// Exit codes are alike, and the rules that fail the run are not.
    by_rule: Vec<String>,
    /// Not run here.
    left_out: Vec<String>,
}

/// Runs them and tells, or writes it into the page.
pub(super) fn run(arguments: &crate::Corpus, runs: u32) -> anyhow::Result<ExitCode> {
    let tests = Path::new(super::TOP).join("tests");
    let is_asked = |name: &str| {
        arguments.cases.is_empty() || arguments.cases.iter().any(|begin| name.starts_with(begin.as_str()))
    };
    let cases = load(&tests.join("corpus"))?;
    let (blind, tools) =
        (blind_cases(&tests.join("corpus-blind"))?, blind_tools(&tests.join("corpus-blind"))?);
    let mut subjects = subjects(&cases, &blind, &tools);
    subjects.retain(|subject| is_asked(&subject.name()));
    anyhow::ensure!(!subjects.is_empty(), "there is no such case");
    let fathom = match &arguments.fathom {
        Some(fathom) => std::path::absolute(fathom)?,
        None => programs::build_fathom()?,
    };
    let captures = captures(&fathom)?;
    // Where people have their projects: on a disk, in no other project.
    let home = std::env::var_os("HOME").context("HOME is not set")?;
    let scratch = tempfile::Builder::new().prefix("corpus-").tempdir_in(home)?;
    let bench = Bench { fathom, capture: String::new(), scratch: scratch.path().to_owned() };
    let endings = super::in_turn(&subjects, arguments.workers, |subject| {
        let endings = endings(&bench, *subject, &captures, runs);
        note(&format!("{}: {}", subject.name(), said(&endings)));
        endings
    });
    let mut sums = Sums { captures, ..Sums::default() };
    for (subject, endings) in subjects.iter().zip(&endings) {
        sums.add(*subject, endings);
    }
    let text = sums.text(runs);
    if arguments.cases.is_empty() && !arguments.dry_run {
        let path = Path::new(super::TOP).join("docs/audit-corpus.md");
        let document = std::fs::read_to_string(&path)?;
        let document = replace_section(&document, BEGIN, END, &text)
            .with_context(|| format!("{} has no part for it", path.display()))?;
        std::fs::write(&path, document).with_context(|| format!("failed to write {}", path.display()))?;
    }
    writeln!(std::io::stdout(), "{text}")?;
    let is_steady = sums.by_code.is_empty() && sums.by_rule.is_empty();
    Ok(if is_steady { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

pub(super) fn subjects<'a>(cases: &'a [Case], blind: &'a [BlindCase], tools: &'a [Tool]) -> Vec<Subject<'a>> {
    let parts = |case| Part::ALL.into_iter().map(move |part| Subject::Case(case, part));
    let of_blind = |case: &'a BlindCase| case.parts().iter().map(move |part| Subject::Blind(case, *part));
    let first = cases.iter().flat_map(parts);
    first.chain(blind.iter().flat_map(of_blind)).chain(tools.iter().map(Subject::Tool)).collect()
}

/// Those that can be had here: ptrace has to, the ring takes privilege.
fn captures(fathom: &Path) -> anyhow::Result<Vec<&'static str>> {
    let mut captures = Vec::new();
    for capture in ["ptrace", "ring"] {
        let mut command = Command::new(fathom);
        command.args(["audit", "--no-config", "--capture", capture, "--", "true"]);
        let output = command.output().with_context(|| fathom.display().to_string())?;
        if output.status.success() {
            captures.push(capture);
        } else {
            note(&format!("no {capture} here: {}", String::from_utf8_lossy(&output.stderr).trim()));
        }
    }
    anyhow::ensure!(!captures.is_empty(), "no program can be watched here");
    Ok(captures)
}

fn endings(bench: &Bench, subject: Subject<'_>, captures: &[&'static str], runs: u32) -> Endings {
    if let Subject::Case(case, _) = subject {
        case.words.language.satisfies(case.words.needs.as_deref())?;
    }
    let mut endings = BTreeMap::new();
    for capture in captures {
        let bench = Bench { capture: (*capture).to_owned(), ..bench.clone() };
        let ended = bench.endings(subject, runs).map_err(|error| error.to_string())?;
        let counts: &mut BTreeMap<Ending, u32> = endings.entry(*capture).or_default();
        for ending in ended {
            *counts.entry(ending).or_default() += 1;
        }
    }
    Ok(endings)
}

/// `ptrace: exit 1 (R54) 9 times, exit 0 once`.
fn said(endings: &Endings) -> String {
    let captures = match endings {
        Ok(captures) => captures,
        Err(reason) => return format!("not run: {reason}"),
    };
    let one = |(ending, count): (&Ending, &u32)| {
        let rules: Vec<_> = ending.failing.iter().map(ToString::to_string).collect();
        let rules = if rules.is_empty() { String::new() } else { format!(" ({})", rules.join(", ")) };
        format!("exit {}{rules} × {count}", ending.code)
    };
    let each = captures.iter().map(|(capture, counts)| {
        format!("{capture}: {}", counts.iter().map(one).collect::<Vec<_>>().join(", "))
    });
    each.collect::<Vec<_>>().join("; ")
}

impl Sums {
    fn add(&mut self, subject: Subject<'_>, endings: &Endings) {
        let Ok(captures) = endings else {
            return self.left_out.push(format!("`{}`: {}", subject.name(), said(endings)));
        };
        self.programs += 1;
        self.audits += captures.values().flat_map(BTreeMap::values).sum::<u32>();
        let all: Vec<&Ending> = captures.values().flat_map(BTreeMap::keys).collect();
        let told = || format!("`{}`: {}", subject.name(), said(endings));
        if all.iter().any(|ending| ending.code != all[0].code) {
            self.by_code.push(told());
        } else if all.iter().any(|ending| *ending != all[0]) {
            self.by_rule.push(told());
        }
    }

    fn text(&self, runs: u32) -> String {
        let Self { programs, audits, captures, by_code, by_rule, left_out } = self;
        let mut text = String::from("## The same verdict every time\n\n");
        let captures = captures.join(" and by ");
        let _infallible = writeln!(
            text,
            "`cargo run -p xtask -- corpus --again {runs}`: {programs} programs of both corpora and installed ones, {runs} times each by {captures}: {audits} audits, each with fresh data.\n"
        );
        let mut list = |words: &str, all: &[String]| {
            let _infallible = writeln!(text, "- {words}: {}.", all.len());
            for one in all {
                let _infallible = writeln!(text, "  - {one}");
            }
        };
        list("Programs whose audits did not all have one exit code", by_code);
        list("Programs with one exit code, and different rules that fail the run", by_rule);
        list("Not run", left_out);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_audit::RuleId;

    /// Exit codes, each with the rules that fail the run.
    type Ends = &'static [(i32, &'static [u16])];

    fn endings(by_capture: &[(&'static str, Ends)]) -> ByCapture {
        let ending = |(code, rules): &(i32, &[u16])| {
            (Ending { code: *code, failing: rules.iter().copied().map(RuleId).collect() }, 3)
        };
        let each = by_capture.iter().map(|(capture, ends)| (*capture, ends.iter().map(ending).collect()));
        each.collect()
    }

    #[test]
    fn what_differs_between_runs_or_captures_is_told() {
        let tool = Tool {
            name: "x".to_owned(),
            corpus: std::path::PathBuf::new(),
            setup: String::new(),
            command: Vec::new(),
        };
        let mut sums = Sums { captures: vec!["ptrace", "ring"], ..Sums::default() };
        let all: [Endings; 4] = [
            Ok(endings(&[("ptrace", &[(1, &[54])]), ("ring", &[(1, &[54])])])),
            Ok(endings(&[("ptrace", &[(1, &[54]), (0, &[])]), ("ring", &[(1, &[54])])])),
            Ok(endings(&[("ptrace", &[(1, &[54])]), ("ring", &[(1, &[54, 55])])])),
            Err("no compiler".to_owned()),
        ];
        for endings in &all {
            sums.add(Subject::Tool(&tool), endings);
        }
        assert_eq!((sums.programs, sums.audits), (3, 6 + 9 + 6));
        assert_eq!(sums.by_code, ["`x tool`: ptrace: exit 0 × 3, exit 1 (R54) × 3; ring: exit 1 (R54) × 3"]);
        assert_eq!(sums.by_rule, ["`x tool`: ptrace: exit 1 (R54) × 3; ring: exit 1 (R54, R55) × 3"]);
        assert_eq!(sums.left_out, ["`x tool`: not run: no compiler"]);
        assert!(sums.text(3).contains("did not all have one exit code: 1.\n  - `x tool`"));
    }
}
