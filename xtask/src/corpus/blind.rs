//! `cargo xtask corpus --blind`: runs the programs of tests/corpus-blind, whose author saw no rule,
//! and installed programs under the audit, and writes the second part of docs/audit-corpus.md.

mod page;
mod sums;

use crate::calibrate::{note, programs};
use crate::section::replace_section;
use anyhow::Context;
use fathom_corpus::{
    Bench, BlindCase, BlindPart, BlindRun, Tool, ToolRun, blind_cases, blind_tools, judgements, wastes,
};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use sums::Sums;

/// Between these the page has what this command writes.
pub(super) const BEGIN: &str = "<!-- second corpus: begin -->";
/// Its end.
pub(super) const END: &str = "<!-- second corpus: end -->";

/// What came out, in the order of the cases and tools; a text says why there is nothing.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Results {
    cases: Vec<Vec<Result<BlindRun, String>>>,
    tools: Vec<Result<ToolRun, String>>,
}

/// Runs both, or takes what the last run kept, and writes the page.
pub(super) fn run(arguments: &crate::Corpus) -> anyhow::Result<ExitCode> {
    let corpus = Path::new(super::TOP).join("tests/corpus-blind");
    let is_part = !arguments.cases.is_empty();
    let is_asked =
        |name: &str| !is_part || arguments.cases.iter().any(|begin| name.starts_with(begin.as_str()));
    let (mut cases, mut tools) = (blind_cases(&corpus)?, blind_tools(&corpus)?);
    cases.retain(|case| is_asked(&case.name));
    tools.retain(|tool| is_asked(&tool.name));
    anyhow::ensure!(!cases.is_empty() || !tools.is_empty(), "there is no such case");
    let kept = Path::new(super::TOP).join(format!("target/corpus-blind-{}.json", arguments.capture));
    let results = if arguments.kept {
        serde_json::from_slice(&std::fs::read(&kept).with_context(|| kept.display().to_string())?)?
    } else {
        run_all(&cases, &tools, arguments)?
    };
    if !is_part {
        std::fs::write(&kept, serde_json::to_vec(&results)?)?;
    }
    let (wastes, judged) = (wastes(&corpus)?, judgements(&corpus)?);
    let sums = Sums::new(&cases, &tools, &results, &wastes, &judged);
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
        let document = replace_section(&document, BEGIN, END, &text)
            .with_context(|| format!("{} has no second part", path.display()))?;
        std::fs::write(&path, document).with_context(|| format!("failed to write {}", path.display()))?;
    }
    Ok(if sums.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
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
    let cases = super::in_turn(cases, arguments.workers, |case| {
        let runs =
            case.parts().iter().map(|part| bench.run_blind(case, *part).map_err(|error| error.to_string()));
        let runs: Vec<_> = runs.collect();
        note(&format!("{}: run", case.name));
        for (part, run) in case.parts().iter().zip(&runs).filter(|_| is_long) {
            say(*part, run.as_ref().map(|run| &run.whole));
        }
        runs
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
