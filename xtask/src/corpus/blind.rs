//! `cargo xtask corpus --blind`: runs the programs of the sets whose authors saw no rule, and
//! installed programs under the audit, and writes their parts of docs/audit-corpus.md.

mod page;
mod set;
mod sums;

pub(crate) use set::BlindSet;

use crate::calibrate::{note, programs};
use crate::section::replace_section;
use anyhow::Context;
use fathom_corpus::{
    Bench, BlindCase, BlindPart, BlindRun, Language, Tool, ToolRun, blind_cases, blind_tools, judgements,
    wastes,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use sums::Sums;

/// What came out, in the order of the cases and tools; a text says why there is nothing.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Results {
    cases: Vec<CaseResult>,
    tools: Vec<Result<ToolRun, String>>,
}

/// What became of a case.
#[derive(Debug, Serialize, Deserialize)]
enum CaseResult {
    /// This machine has not its language, and why.
    Skipped(String),
    /// Its programs were run.
    Run(Vec<Result<BlindRun, String>>),
}

/// Runs the sets, or takes what the last run kept, and writes the page.
pub(super) fn run(arguments: &crate::Corpus) -> anyhow::Result<ExitCode> {
    let sets: Vec<_> = arguments.set.map_or_else(|| BlindSet::ALL.to_vec(), |set| vec![set]);
    let asked = sets.iter().map(|set| set.cases(arguments)).collect::<anyhow::Result<Vec<_>>>()?;
    anyhow::ensure!(
        asked.iter().any(|(cases, tools)| !cases.is_empty() || !tools.is_empty()),
        "there is no such case"
    );
    let mut is_clean = true;
    for (set, (cases, tools)) in sets.into_iter().zip(asked) {
        if !cases.is_empty() || !tools.is_empty() {
            is_clean &= run_set(set, &cases, &tools, arguments)?;
        }
    }
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

impl BlindSet {
    /// What of it is asked for.
    fn cases(self, arguments: &crate::Corpus) -> anyhow::Result<(Vec<BlindCase>, Vec<Tool>)> {
        let corpus = Path::new(super::TOP).join(self.folder());
        let begins = &arguments.cases;
        let is_asked =
            |name: &str| begins.is_empty() || begins.iter().any(|begin| name.starts_with(begin.as_str()));
        let (mut cases, mut tools) = (blind_cases(&corpus)?, blind_tools(&corpus)?);
        cases.retain(|case| is_asked(&case.name));
        tools.retain(|tool| is_asked(&tool.name));
        Ok((cases, tools))
    }
}

/// True when everything was run and judged.
fn run_set(
    set: BlindSet,
    cases: &[BlindCase],
    tools: &[Tool],
    arguments: &crate::Corpus,
) -> anyhow::Result<bool> {
    let corpus = Path::new(super::TOP).join(set.folder());
    let is_part = !arguments.cases.is_empty();
    let kept = set.kept(Path::new(super::TOP), &arguments.capture);
    let results: Results = if arguments.kept {
        serde_json::from_slice(&std::fs::read(&kept).with_context(|| kept.display().to_string())?)?
    } else {
        run_all(cases, tools, arguments)?
    };
    if !is_part {
        std::fs::write(&kept, serde_json::to_vec(&results)?)?;
    }
    let (wastes, judged) = (wastes(&corpus)?, judgements(&corpus)?);
    let sums = Sums::new(set, cases, tools, &results, &wastes, &judged);
    for problem in &sums.problems {
        note(&format!("PROBLEM: {problem}"));
    }
    let text = page::text(&sums);
    if is_part || arguments.dry_run || arguments.capture != "ptrace" {
        writeln!(std::io::stdout(), "{text}")?;
    } else {
        writeln!(std::io::stdout(), "{}", page::figures(&sums))?;
        let path = Path::new(super::TOP).join("docs/audit-corpus.md");
        let document = std::fs::read_to_string(&path)?;
        let document = replace_section(&document, &set.begin(), &set.end(), &text)
            .with_context(|| format!("{} has no {} part", path.display(), set.name()))?;
        std::fs::write(&path, document).with_context(|| format!("failed to write {}", path.display()))?;
    }
    Ok(sums.problems.is_empty())
}

fn run_all(cases: &[BlindCase], tools: &[Tool], arguments: &crate::Corpus) -> anyhow::Result<Results> {
    let fathom = match &arguments.fathom {
        Some(fathom) => std::path::absolute(fathom)?,
        None => programs::build_fathom()?,
    };
    // Where people have their projects: on a disk, in no other project, and not by a name that says
    // that files are built or temporary ones.
    let home = std::env::var_os("HOME").context("HOME is not set")?;
    let scratch = tempfile::Builder::new().prefix("corpus-").tempdir_in(home)?;
    let bench = Bench { fathom, capture: arguments.capture.clone(), scratch: scratch.path().to_owned() };
    let is_long = !arguments.cases.is_empty();
    let missing: BTreeMap<Language, String> =
        Language::ALL.into_iter().filter_map(|one| Some((one, one.version().err()?))).collect();
    let cases = super::in_turn(cases, arguments.workers, |case| {
        if let Some(reason) = missing.get(&case.language) {
            note(&format!("{}: skipped: {reason}", case.name));
            return CaseResult::Skipped(reason.clone());
        }
        let runs =
            case.parts().iter().map(|part| bench.run_blind(case, *part).map_err(|error| error.to_string()));
        let runs: Vec<_> = runs.collect();
        note(&format!("{}: run", case.name));
        for (part, run) in case.parts().iter().zip(&runs).filter(|_| is_long) {
            say(*part, run.as_ref().map(|run| &run.whole));
        }
        CaseResult::Run(runs)
    });
    let tools = super::in_turn(tools, arguments.workers, |tool| {
        let run = bench.run_tool(tool).map_err(|error| error.to_string());
        note(&format!("{}: run", tool.name));
        if is_long {
            say(BlindPart::Tool, run.as_ref().map(|run| &run.watched));
        }
        run
    });
    Ok(Results { cases, tools })
}

/// Everything that was found, with its calls.
fn say(part: BlindPart, run: Result<&fathom_corpus::Watched, &String>) {
    match run {
        Err(reason) => note(&format!("    {}: {reason}", part.name())),
        Ok(run) => {
            for found in &run.findings {
                let fails = if found.fails { "FAILS " } else { "" };
                let (rule, count, title) = (found.rule, found.count, &found.title);
                note(&format!(
                    "    {}: {fails}{rule} {:?} {count} times, {title}",
                    part.name(),
                    found.severity
                ));
                for call in &found.example {
                    note(&format!("            {call}"));
                }
            }
        }
    }
}
