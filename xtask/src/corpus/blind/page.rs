//! The part of a blind set in docs/audit-corpus.md.

use super::sums::Beside::{Clean, CleanOther, Innocent, InnocentOther};
use super::sums::{FailingVerdict, Outcome, Sums, Wasteful};
use fathom_audit::Severity;
use fathom_corpus::{Agreement, BlindPart};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// All of it.
pub(super) fn text(sums: &Sums<'_>) -> String {
    [
        sums.set.introduction(),
        figures(sums) + &skipped(sums),
        recall_by_waste(sums),
        recall_by_language(sums),
        counts(sums),
        beside(sums),
        failing(sums),
    ]
    .join("\n")
}

/// The sums.
pub(super) fn figures(sums: &Sums<'_>) -> String {
    let wasteful = sums.wasteful.len();
    let [reported, negligible, failing, same] = [reported, negligible, fails, same]
        .map(|is_asked| sums.wasteful.iter().filter(|one| is_asked(&one.outcome)).count());
    let innocents = sums.exits.iter().filter(|((part, _), _)| *part == BlindPart::Innocent);
    let innocents: u64 = innocents.map(|(_, count)| count).sum();
    let tools: u64 =
        sums.exits.iter().filter(|((part, _), _)| *part == BlindPart::Tool).map(|(_, count)| count).sum();
    let exit_1 = |part| sums.exits.get(&(part, 1)).copied().unwrap_or_default();
    let (right, wrong) = sums.precision(|part| part != BlindPart::Tool);
    let (tool_right, tool_wrong) = sums.precision(|part| part == BlindPart::Tool);
    let found_wastes = sums.wasteful.iter().filter(|one| self::reported(&one.outcome)).map(|one| one.number);
    let found_wastes = found_wastes.collect::<BTreeSet<_>>().len();
    let all_wastes = sums.wasteful.iter().map(|one| one.number).collect::<BTreeSet<_>>().len();
    format!(
        "- Recall: **{}** ({reported} of {wasteful} programs; {negligible} more are found and set apart as negligible). At least one program is found of {found_wastes} of {} wastes. {failing} of the {reported} fail the run; the count of {same} is what strace counted.\n\
         - Findings that fail a run, in the programs of this corpus: precision **{}** ({right} right, {wrong} wrong). Exit code 1: {} of {wasteful} wasteful programs, {} of {wasteful} clean ones, {} of {innocents} innocent ones.\n\
         - Installed programs: exit code 1 for {} of {tools}; findings that fail a run: precision **{}** ({tool_right} right, {tool_wrong} wrong). Output other than without an audit: {}.\n",
        percent(reported, wasteful),
        all_wastes,
        percent(right, right + wrong),
        exit_1(BlindPart::Waste),
        exit_1(BlindPart::Clean),
        exit_1(BlindPart::Innocent),
        exit_1(BlindPart::Tool),
        percent(tool_right, tool_right + tool_wrong),
        if sums.other_output.is_empty() { "none".to_owned() } else { sums.other_output.join(", ") },
    )
}

/// Programs of which nothing is known, on a machine without their language.
fn skipped(sums: &Sums<'_>) -> String {
    let lines = sums.skipped.iter().map(|((language, reason), count)| {
        format!("- Not run, and in no figure above: {count} cases in {}: {reason}.\n", language.name())
    });
    lines.collect()
}

fn reported(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Reported { .. })
}

fn negligible(outcome: &Outcome) -> bool {
    *outcome == Outcome::Negligible
}

fn fails(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Reported { fails: true, .. })
}

fn same(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Reported { agreement: Agreement::Same, .. })
}

fn recall_by_waste(sums: &Sums<'_>) -> String {
    let mut text = String::from(
        "### By waste\n\nA program that is not reported is named.\n\n| no. | waste | rules that may report it | programs | reported | fail the run | not reported |\n|---:|---|---|---:|---:|---:|---|\n",
    );
    for waste in sums.wastes.values() {
        let programs: Vec<_> = sums.wasteful.iter().filter(|one| one.number == waste.number).collect();
        if programs.is_empty() {
            // What innocent programs alone look like.
            continue;
        }
        let count =
            |is_asked: fn(&Outcome) -> bool| programs.iter().filter(|one| is_asked(&one.outcome)).count();
        let rules: Vec<_> = waste.rules.iter().map(ToString::to_string).collect();
        let missed = programs.iter().filter(|one| !reported(&one.outcome)).map(|one| {
            let why = if negligible(&one.outcome) { " (negligible)" } else { "" };
            format!("`{}` ({}){why}", one.name, one.language.name())
        });
        let missed: Vec<_> = missed.collect();
        let _infallible = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            waste.number,
            waste.words,
            rules.join(", "),
            programs.len(),
            count(reported),
            count(fails),
            missed.join(", ")
        );
    }
    text
}

fn recall_by_language(sums: &Sums<'_>) -> String {
    let mut languages: BTreeMap<&str, Vec<&Wasteful>> = BTreeMap::new();
    for one in &sums.wasteful {
        languages.entry(one.language.name()).or_default().push(one);
    }
    let mut text = String::from(
        "### By language\n\n| language | programs | reported | recall |\n|---|---:|---:|---:|\n",
    );
    for (language, programs) in languages {
        let count = programs.iter().filter(|one| reported(&one.outcome)).count();
        let _infallible = writeln!(
            text,
            "| {language} | {} | {count} | {} |",
            programs.len(),
            percent(count, programs.len())
        );
    }
    text
}

fn counts(sums: &Sums<'_>) -> String {
    let mut text = String::from(
        "### Counts\n\nWhat is reported is compared with what strace counted in the wasteful program, and with by how much that is more than in the clean one. It agrees within two calls or 5 %, except here:\n\n| program | rule | count |\n|---|---|---:|\n",
    );
    for one in &sums.wasteful {
        if let Outcome::Reported { rule, count, agreement: Agreement::Other | Agreement::Unknown, .. } =
            one.outcome
        {
            let _infallible = writeln!(text, "| `{}` | {rule} | {count} |", one.name);
        }
    }
    text
}

fn beside(sums: &Sums<'_>) -> String {
    let mut text = String::from(
        "### Findings in programs without the waste\n\nOn their own files. A rule of the waste that the clean partner lacks, or that the innocent program only looks like, is wrong there. What other rules report may well be true: programs have more than one waste.\n\n| finding | high | warning | info |\n|---|---:|---:|---:|\n",
    );
    for (beside, words) in [
        (Clean, "clean program, a rule of its waste"),
        (Innocent, "innocent program, a rule of the waste that it looks like"),
        (CleanOther, "clean program, another rule"),
        (InnocentOther, "innocent program, another rule"),
    ] {
        let [high, warn, info] = [Severity::High, Severity::Warn, Severity::Info]
            .map(|severity| sums.beside.get(&(beside, severity)).copied().unwrap_or_default());
        let _infallible = writeln!(text, "| {words} | {high} | {warn} | {info} |");
    }
    text
}

fn failing(sums: &Sums<'_>) -> String {
    let mut text = format!(
        "### Findings that fail a run\n\nBy the default settings, without those that report the waste that the program was written for; each was judged by one reader, a language model (`{}/judged.toml`).\n\n| program | part | rule | finding | right | why |\n|---|---|---|---|---|---|\n",
        sums.set.folder()
    );
    for one in &sums.failing {
        let (right, reason) = match &one.verdict {
            FailingVerdict::Meant => continue,
            FailingVerdict::Judged { right, reason } => {
                (if *right { "yes" } else { "**no**" }, reason.as_str())
            }
            FailingVerdict::Open => ("not judged", ""),
        };
        let (name, part, rule, title) = (&one.name, one.part.name(), one.rule, &one.title);
        let _infallible = writeln!(text, "| `{name}` | {part} | {rule} | {title} | {right} | {reason} |");
    }
    text
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}
