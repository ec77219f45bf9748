//! The words of a change.

use super::short;
use crate::audit::words;
use crate::quantity::{grouped, short_time, things};
use fathom_audit::{
    CallChange, CallTarget, ChangeReport, ChangeVerdict, CommandChange, ComparedSide, CountRange,
    FindingChange, FindingDifference, OutcomeClass, Owner, RunsDifference,
};
use fathom_events::{Shape, family_of, shape_of};
use std::collections::BTreeMap;

/// Kinds of calls that a verdict names.
const NAMED: usize = 4;
/// Commands that it names.
const COMMANDS: usize = 3;
/// Of a commit, so that it is one of the repository.
const DIGITS: usize = 10;

/// How the calls of one kind changed: in sum, in number, and in number by the program's own code.
#[derive(Debug, Default)]
struct Moved {
    sum: i64,
    count: i64,
    yours: i64,
}

/// Everything in one line.
pub(crate) fn verdict(report: &ChangeReport) -> String {
    let is = |wanted: fn(&ChangeVerdict) -> bool| {
        report.commands.iter().filter(move |command| wanted(&command.verdict))
    };
    let changed: Vec<_> = is(|verdict| *verdict == ChangeVerdict::Changed).collect();
    let unknown: Vec<_> = is(|verdict| matches!(verdict, ChangeVerdict::NotKnown(_))).collect();
    let mut parts: Vec<String> = changed.iter().take(COMMANDS).map(|command| of_command(command)).collect();
    if changed.len() > COMMANDS {
        parts.push(format!("{} changed too", things((changed.len() - COMMANDS) as u64, "more command")));
    }
    parts.extend(unknown.iter().take(COMMANDS).map(|command| of_command(command)));
    if unknown.len() > COMMANDS {
        parts.push(format!("{} not known either", things((unknown.len() - COMMANDS) as u64, "more command")));
    }
    match (report.commands.as_slice(), parts.is_empty()) {
        ([], _) => "not known: no command was run".to_owned(),
        ([_], true) => "no system call on the file path changed".to_owned(),
        (all, true) => {
            format!("no system call on the file path changed in {}", things(all.len() as u64, "command"))
        }
        (_, false) => parts.join("; "),
    }
}

/// One command in one line.
pub(crate) fn of_command(command: &CommandChange) -> String {
    let name = short(&command.name);
    match &command.verdict {
        ChangeVerdict::Same => format!("no change: {name}"),
        ChangeVerdict::NotKnown(reason) => format!("not known: {name}: {reason}"),
        ChangeVerdict::Changed => {
            let mut sums: BTreeMap<String, Moved> = BTreeMap::new();
            for row in &command.calls.changes {
                let moved = sums.entry(call(row)).or_default();
                moved.sum += row.least();
                moved.count += row.least().abs();
                moved.yours += if row.class.owner == Owner::Yours { row.least().abs() } else { 0 };
            }
            let mut sums: Vec<_> = sums.into_iter().collect();
            // What a runtime makes for each call of the program follows from that: the cause first.
            sums.sort_by_key(|(_, moved)| std::cmp::Reverse((moved.yours, moved.count)));
            let word = |(call, Moved { sum, count, .. }): &(String, Moved)| match sum {
                0 => format!("{} {call} elsewhere", grouped((count / 2).unsigned_abs())),
                sum => format!("{}{} {call}", if *sum > 0 { "+" } else { "-" }, grouped(sum.unsigned_abs())),
            };
            let named: Vec<_> = sums.iter().take(NAMED).map(word).collect();
            let rest = match sums.len().saturating_sub(NAMED) {
                0 if command.gaps.is_empty() => "nothing else changed".to_owned(),
                0 => "of what was seen nothing else changed".to_owned(),
                more => format!("and {}", things(more as u64, "more kind")),
            };
            let varies = command.calls.changes.iter().any(|row| !row.base.is_exact() || !row.head.is_exact());
            let least = if varies { "at least " } else { "" };
            format!("{least}{} per run of {name}; {rest}", named.join(", "))
        }
    }
}

/// How often it was run, and what varies by itself.
pub(crate) fn runs(command: &CommandChange) -> String {
    let runs = things(u64::from(command.runs), "run");
    let calls = &command.calls;
    let varying = match calls.varying {
        0 => "every count the same in all runs of a side".to_owned(),
        some => format!("{} of calls vary by themselves", things(some, "kind")),
    };
    if command.runs == 0 {
        return "nothing was compared".to_owned();
    }
    format!("{runs} of each side; {} → {} file calls; {varying}", range(calls.base), range(calls.head))
}

/// `main (0123456)`, and what of the files here is not in it.
pub(crate) fn side(side: &ComparedSide) -> String {
    let commit = side.commit.as_ref().map(|commit| commit.chars().take(DIGITS).collect::<String>());
    let commit = commit.map_or_else(String::new, |commit| format!(" ({commit})"));
    let without = side.uncommitted_files.map_or_else(String::new, |files| {
        format!(", without the uncommitted changes of {} here", things(files, "file"))
    });
    format!("{}{commit}{without}", side.name)
}

/// `openat=ENOENT`, `newfstatat of a descriptor`.
pub(crate) fn call(row: &CallChange) -> String {
    let class = &row.class;
    let outcome = match &class.outcome {
        OutcomeClass::Succeeded => String::new(),
        OutcomeClass::Failed(errno) => format!("={errno}"),
        OutcomeClass::NeverReturned => " (never returned)".to_owned(),
    };
    let takes_both = shape_of(&class.call).is_some_and(Shape::is_below_directory);
    let target = match class.target {
        CallTarget::Descriptor if takes_both => " of a descriptor",
        _ => "",
    };
    format!("{}{outcome}{target}", class.call)
}

/// `/data/*.txt (30 paths)`.
pub(crate) fn path(row: &CallChange) -> String {
    match row.paths {
        0 | 1 => row.class.path.clone(),
        more => format!("{} ({})", row.class.path, things(more, "path")),
    }
}

/// `yours, tool`.
pub(crate) fn owner(row: &CallChange) -> String {
    let program = &row.class.program;
    let word = owner_word(row.class.owner);
    if program.is_empty() { word.to_owned() } else { format!("{word}, {program}") }
}

/// Whose code it is.
pub(crate) fn owner_word(owner: Owner) -> &'static str {
    match owner {
        Owner::Yours => "yours",
        Owner::Runtime => "runtime",
        Owner::Libc => "C library",
        Owner::Loader => "loader",
    }
}

/// How a call names its file.
pub(crate) fn target(target: CallTarget) -> &'static str {
    match target {
        CallTarget::Path => "path",
        CallTarget::Descriptor => "descriptor",
        CallTarget::Nothing => "nothing",
    }
}

/// `succeeded`, `ENOENT`.
pub(crate) fn outcome(outcome: &OutcomeClass) -> String {
    match outcome {
        OutcomeClass::Succeeded => "succeeded".to_owned(),
        OutcomeClass::Failed(errno) => errno.clone(),
        OutcomeClass::NeverReturned => "never returned".to_owned(),
    }
}

/// `main (tool.c:12)`.
pub(crate) fn line(row: &CallChange) -> Option<String> {
    let line = row.line.as_ref()?;
    let at = match (&line.file, line.line) {
        (Some(file), Some(number)) => Some(format!("{}:{number}", file.trim_start_matches("{checkout}/"))),
        (Some(file), None) => Some(file.clone()),
        (None, _) => None,
    };
    match (&line.function, at) {
        (Some(function), Some(at)) => Some(format!("{function} ({at})")),
        (Some(function), None) => Some(function.clone()),
        (None, at) => at,
    }
}

/// The same, with words where there is none.
pub(crate) fn line_or_not_known(row: &CallChange) -> String {
    line(row).unwrap_or_else(|| "not known".to_owned())
}

/// What to do about it, where something changed.
pub(crate) fn next(report: &ChangeReport) -> Option<String> {
    if !report.commands.iter().any(|command| command.verdict == ChangeVerdict::Changed) {
        return None;
    }
    let meant = "a change that is meant needs nothing; budgets in .fathom.toml and --fail-on make a check fail \
                 by one that is not";
    let search = search(report).map(|search| format!("; which of several commits did it: {search}"));
    Some(format!("{meant}{}", search.unwrap_or_default()))
}

/// How the commit is found that changed a count, where both sides are commits: it lies behind where both
/// came from.
pub(crate) fn search(report: &ChangeReport) -> Option<String> {
    let (base, head) = report.base.commit.as_deref().zip(report.head.commit.as_deref())?;
    let good = report.base.ancestor.as_deref().unwrap_or(base);
    if good == head {
        return None;
    }
    let mut changed = report.commands.iter().filter(|command| command.verdict == ChangeVerdict::Changed);
    let (command, metric) = changed.find_map(|one| metric(&one.calls).map(|metric| (one, metric)))?;
    let short = |commit: &str| commit.chars().take(DIGITS).collect::<String>();
    Some(format!(
        "fathom bisect --good {} --bad {} --metric {metric} -- {}",
        short(good),
        short(head),
        whole_command(&command.command)
    ))
}

/// What a search would count: the first call of which there are more or fewer in all, with the loader's where
/// those changed. Calls that are only at other paths are as many as before.
fn metric(calls: &RunsDifference) -> Option<String> {
    let is_loaders = |change: &CallChange| change.class.owner == Owner::Loader;
    let sum = |call: &str, with_loader: bool| {
        let of_call = calls.changes.iter().filter(|change| change.class.call == call);
        of_call.filter(|change| with_loader || !is_loaders(change)).map(CallChange::least).sum::<i64>()
    };
    calls.changes.iter().find_map(|change| {
        let call = change.class.call.as_str();
        match (is_loaders(change), sum(call, false), sum(call, true)) {
            (false, own, _) if own != 0 => Some(call.to_owned()),
            (true, _, all) if all != 0 => Some(format!("'{call} including loader'")),
            _ => None,
        }
    })
}

/// A command that can be typed: a shortened one could not.
fn whole_command(words: &[String]) -> String {
    const COLUMNS: usize = 60;
    let command = shell_words::join(words);
    if command.chars().count() <= COLUMNS { command } else { "COMMAND".to_owned() }
}

/// `12 → 24`, `3 to 7 → 9`.
pub(crate) fn range_change(row: &CallChange) -> String {
    format!("{} → {}", range(row.base), range(row.head))
}

fn range(range: CountRange) -> String {
    if range.is_exact() {
        return grouped(range.low);
    }
    format!("{} to {}", grouped(range.low), grouped(range.high))
}

/// What one costs.
pub(crate) fn unit_cost(row: &CallChange) -> String {
    row.unit_ns.map_or_else(|| "no price".to_owned(), short_time)
}

/// Calls that took the place of others, each in one line.
pub(crate) fn replacements(changes: &[CallChange]) -> Vec<String> {
    let is_exact = |row: &CallChange| row.base.is_exact() && row.head.is_exact();
    let mut taken = vec![false; changes.len()];
    let mut sentences = Vec::new();
    for (old_at, old) in changes.iter().enumerate().filter(|(_, row)| row.least() < 0 && is_exact(row)) {
        let fits = |new: &CallChange| {
            is_exact(new) && new.least() == -old.least() && new.class.path == old.class.path
        };
        let same_owner =
            |new: &CallChange| (new.class.owner, &new.class.program) == (old.class.owner, &old.class.program);
        let free = |at: usize| !taken[at];
        let find = |is: &dyn Fn(&CallChange) -> bool| {
            (0..changes.len()).find(|at| free(*at) && fits(&changes[*at]) && is(&changes[*at]))
        };
        let replaced = find(&|new| same_owner(new) && kin(&old.class.call) == kin(&new.class.call));
        let moved = find(&|new| !same_owner(new) && call(new) == call(old));
        let count = grouped(old.least().unsigned_abs());
        if let Some(at) = replaced {
            let new = call(&changes[at]);
            sentences.push(format!("replaced: - {} {count}, + {new} {count}, at {}", call(old), path(old)));
            (taken[at], taken[old_at]) = (true, true);
        } else if let Some(at) = moved {
            let (from, to) = (owner(old), owner(&changes[at]));
            sentences.push(format!("moved: {count} {} at {} from {from} to {to}", call(old), path(old)));
            (taken[at], taken[old_at]) = (true, true);
        }
    }
    sentences
}

/// Calls that answer the same question are kin.
fn kin(call: &str) -> &str {
    family_of(call).filter(|family| matches!(*family, "stat" | "open" | "read" | "write")).unwrap_or(call)
}

/// `new finding R13 warning: … (30 times, at …)`.
pub(crate) fn finding(finding: &FindingDifference) -> String {
    let word = match finding.change {
        FindingChange::New => "new finding",
        FindingChange::More => "finding more often",
        FindingChange::Fewer => "finding less often",
        FindingChange::Gone => "finding gone",
        FindingChange::Same => "finding as before",
    };
    let place =
        finding.paths.as_ref().map(|paths| format!(", at {}", words::paths(paths))).unwrap_or_default();
    let suppressed = if finding.suppressed { ", suppressed" } else { "" };
    format!(
        "{word}: {} {}: {} ({} → {}{place}{suppressed})",
        finding.rule,
        words::severity(finding.severity),
        finding.title,
        grouped(finding.before),
        grouped(finding.after),
    )
}
