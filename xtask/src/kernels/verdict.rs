//! What held in a guest: a cell for each thing that was tried, true or false or unavailable with
//! the reason that Fathom gave.

use super::guest::Said;
use fathom_audit::Audit;
use fathom_model::CommandCount;
use std::collections::BTreeMap;

/// How often each call was made.
type Counts = BTreeMap<String, u64>;

/// The cells of one guest.
pub(super) struct Verdict {
    name: String,
    cells: Vec<Cell>,
    questions: Vec<Questions>,
}

/// What `what-if --as nfs` says of a command, and what a real client asked a real server for.
struct Questions {
    command: String,
    said: Counts,
    asked: Counts,
}

enum Cell {
    Holds(String),
    /// Fathom says that it cannot be had, and why.
    Unavailable(String),
    Fails(String),
}

const COLUMNS: [&str; 13] = [
    "kernel",
    "count = strace",
    "audit, ptrace = strace",
    "audit, ring = strace",
    "took",
    "doctor",
    "trace --pid",
    "bench native",
    "prices",
    "NFS: count = strace",
    "NFS: audit, ptrace = strace",
    "NFS: audit, ring = strace",
    "NFS: bench leaves nothing",
];
/// What a quick guest does: the first so many.
const QUICK: usize = 5;

impl Verdict {
    /// Judges what a guest printed. A quick one has a kernel that takes the ring.
    pub(super) fn new(name: &str, said: &Said, quick: bool) -> Self {
        let truth = |name| said.parts.get(name).map(|(log, _)| of_strace(log)).unwrap_or_default();
        let over_nfs = truth("nfs-strace");
        let truth = truth("strace");
        let ring = match audited(said, "audit-ring", Some(&truth)) {
            Cell::Unavailable(reason) if quick => Cell::Fails(reason),
            cell => cell,
        };
        let mut cells = vec![
            said.parts.get("kernel").map_or_else(
                || Cell::Fails("did not boot in time".to_owned()),
                |(release, _)| Cell::Holds(release.split_whitespace().collect::<Vec<_>>().join(" ")),
            ),
            counted(said, "", &truth),
            audited(said, "audit-ptrace", Some(&truth)),
            ring,
            if said.parts.contains_key("all") {
                Cell::Holds(format!("{} s", said.took.as_secs()))
            } else {
                // A kernel that panics says so last.
                Cell::Fails(format!("cut off after {} s: {}", said.took.as_secs(), last_line(&said.text)))
            },
        ];
        if !quick {
            cells.push(ran(said, "doctor"));
            cells.push(audited(said, "audit-pid", None));
            cells.push(ran(said, "bench"));
            cells.push(ran(said, "prices"));
            if let Cell::Fails(reason) = ran(said, "nfs") {
                cells.extend((0..4).map(|_| Cell::Unavailable(reason.clone())));
            } else {
                cells.push(counted(said, "nfs-", &over_nfs));
                cells.push(audited(said, "nfs-audit-ptrace", Some(&over_nfs)));
                cells.push(audited(said, "nfs-audit-ring", Some(&over_nfs)));
                cells.push(ran(said, "nfs-bench"));
            }
        }
        Self { name: name.to_owned(), cells, questions: questions(said) }
    }

    /// True when nothing failed.
    pub(super) fn holds(&self) -> bool {
        !self.cells.iter().any(|cell| matches!(cell, Cell::Fails(_)))
    }
}

/// All of them as a table of Markdown.
pub(super) fn table(verdicts: &[Verdict], quick: bool) -> String {
    let columns = if quick { &COLUMNS[..QUICK] } else { &COLUMNS };
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(
        &["guest".to_owned()].into_iter().chain(columns.iter().map(ToString::to_string)).collect::<Vec<_>>(),
    );
    text.push('|');
    text.push_str(&"---|".repeat(columns.len() + 1));
    text.push('\n');
    for verdict in verdicts {
        let cells = verdict.cells.iter().map(|cell| match cell {
            Cell::Holds(text) => text.clone(),
            Cell::Unavailable(reason) => format!("unavailable: {reason}"),
            Cell::Fails(reason) => format!("**fails**: {reason}"),
        });
        text.push_str(&line(&std::iter::once(verdict.name.clone()).chain(cells).collect::<Vec<_>>()));
    }
    text.push_str(&table_of_questions(verdicts));
    text
}

/// What was said and asked, as a table of its own; empty where nothing was.
fn table_of_questions(verdicts: &[Verdict]) -> String {
    if verdicts.iter().all(|verdict| verdict.questions.is_empty()) {
        return String::new();
    }
    let words = |counts: &Counts| {
        let each = counts.iter().map(|(name, count)| format!("{name} {count}"));
        format!("{}: {}", counts.values().sum::<u64>(), each.collect::<Vec<_>>().join(", "))
    };
    let mut text =
        "\n| guest | command | round trips by `what-if --as nfs` | requests of the client |\n|---|---|---|---|\n"
            .to_owned();
    for verdict in verdicts {
        for Questions { command, said, asked } in &verdict.questions {
            let line = format!("| {} | {command} | {} | {} |\n", verdict.name, words(said), words(asked));
            text.push_str(&line);
        }
    }
    text
}

fn questions(said: &Said) -> Vec<Questions> {
    let asked = said.parts.iter().filter_map(|(name, part)| Some((name.strip_prefix("asked-")?, part)));
    let each = asked.filter_map(|(command, (asked, _))| {
        let (text, _) = said.parts.get(&format!("said-{command}"))?;
        let what_if: WhatIf = serde_json::from_str(text).ok()?;
        let classes = what_if.estimate.by_class.into_iter().map(|class| (class.class, class.round_trips));
        let asked = asked.lines().filter_map(|line| {
            let (kind, count) = line.trim().split_once(' ')?;
            Some((kind.to_owned(), count.parse().ok()?))
        });
        Some(Questions { command: command.to_owned(), said: classes.collect(), asked: asked.collect() })
    });
    each.collect()
}

/// The part of an answer of `what-if` that is held against a server.
#[derive(serde::Deserialize)]
struct WhatIf {
    estimate: Estimate,
}

#[derive(serde::Deserialize)]
struct Estimate {
    by_class: Vec<Class>,
}

#[derive(serde::Deserialize)]
struct Class {
    class: String,
    round_trips: u64,
}

fn part<'a>(said: &'a Said, name: &str) -> Result<(&'a str, i32), Cell> {
    let (text, code) = said.parts.get(name).ok_or_else(|| Cell::Fails("not reached".to_owned()))?;
    Ok((text, *code))
}

/// A command that has to end with 0.
fn ran(said: &Said, name: &str) -> Cell {
    match part(said, name) {
        Ok((_, 0)) => Cell::Holds("yes".to_owned()),
        Ok((text, code)) => Cell::Fails(format!("exit {code}: {}", last_line(text))),
        Err(cell) => cell,
    }
}

fn counted(said: &Said, prefix: &str, truth: &Counts) -> Cell {
    let (text, _) = match part(said, &format!("{prefix}counted")) {
        Ok(part) => part,
        Err(cell) => return cell,
    };
    let Ok(count) = serde_json::from_str::<CommandCount>(text) else {
        let reason = said.parts.get(&format!("{prefix}count")).map_or("", |(said, _)| said);
        return Cell::Fails(last_line(reason));
    };
    let mut counts = Counts::new();
    for call in &count.conditions {
        *counts.entry(call.call.clone()).or_default() += call.count;
    }
    compared(&counts, truth, truth)
}

fn audited(said: &Said, name: &str, truth: Option<&Counts>) -> Cell {
    let (text, _) = match part(said, name) {
        Ok(part) => part,
        Err(cell) => return cell,
    };
    let Ok(audit) = serde_json::from_str::<Audit>(text) else {
        return if text.contains("error: ") && !name.ends_with("ptrace") {
            Cell::Unavailable(reason(said, text))
        } else {
            Cell::Fails(last_line(text))
        };
    };
    if let Some(gap) = audit.gaps.first() {
        return Cell::Fails(gap.text.clone());
    }
    let mut counts = Counts::new();
    for call in &audit.calls {
        *counts.entry(call.call.clone()).or_default() += call.count;
    }
    match truth {
        None if audit.events > 0 => Cell::Holds(format!("{} events", audit.events)),
        None => Cell::Fails("no event".to_owned()),
        Some(truth) => compared(&counts, truth, &counts),
    }
}

/// What `trace --pid` said before there was nothing to audit, or an audit itself.
fn reason(said: &Said, text: &str) -> String {
    let traced = said.parts.get("trace-pid").map_or("", |(said, _)| said);
    let from = if text.contains("/tmp/trace") { traced } else { text };
    from.lines()
        .find(|line| line.contains("error: "))
        .unwrap_or(from)
        .trim_start_matches("error: ")
        .to_owned()
}

/// Whether two counts agree on the calls of the third, but for the first exec, at which a tracer's
/// view begins.
fn compared(ours: &Counts, truth: &Counts, among: &Counts) -> Cell {
    let of = |counts: &Counts, call: &str| counts.get(call).copied().unwrap_or(0);
    let differing: Vec<_> = among
        .keys()
        .filter(|call| *call != "execve" && of(ours, call) != of(truth, call))
        .map(|call| format!("{call} {} for {}", of(ours, call), of(truth, call)))
        .collect();
    let calls: u64 = among.keys().map(|call| of(ours, call)).sum();
    match differing.as_slice() {
        [] if calls > 0 => Cell::Holds(format!("yes, {calls} calls")),
        [] => Cell::Fails("nothing was counted".to_owned()),
        _ => Cell::Fails(differing.join(", ")),
    }
}

/// Calls of a log of `strace -f -o`: each line is a process, a call and what came of it.
fn of_strace(log: &str) -> Counts {
    let mut counts = Counts::new();
    for line in log.lines() {
        let Some((_, rest)) = line.split_once(' ') else { continue };
        let Some((name, _)) = rest.trim_start().split_once('(') else { continue };
        if !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            *counts.entry(name.to_owned()).or_default() += 1;
        }
    }
    counts
}

fn last_line(text: &str) -> String {
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("said nothing").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_a_log_are_counted_where_they_begin() {
        let log = "7 execve(\"/bin/busybox\", [\"sh\"], 0x7ffd /* 3 vars */) = 0\n\
                   7 openat(AT_FDCWD, \"/x\", O_RDONLY <unfinished ...>\n\
                   8 read(3, \"a(b\", 3) = 3\n\
                   7 <... openat resumed>) = 3\n\
                   8 --- SIGCHLD {si_signo=SIGCHLD} ---\n\
                   8 +++ exited with 0 +++\n";
        let expected = ["execve", "openat", "read"].map(|name| (name.to_owned(), 1));
        assert_eq!(of_strace(log), Counts::from(expected));
    }

    #[test]
    fn a_quick_guest_without_a_ring_or_an_end_fails() {
        let part = |text: &str| (text.to_owned(), 0);
        let parts = |names: &[(&str, &str)]| {
            names.iter().map(|(name, text)| ((*name).to_owned(), part(text))).collect()
        };
        let took = std::time::Duration::from_secs(1);
        let refused = "error: the ring cannot be had";
        let said = Said {
            text: String::new(),
            took,
            parts: parts(&[("kernel", "6"), ("audit-ring", refused), ("all", "")]),
        };
        let failing = |quick| {
            let cells = Verdict::new("a", &said, quick).cells;
            (matches!(cells[3], Cell::Fails(_)), matches!(cells[4], Cell::Fails(_)))
        };
        assert_eq!(failing(true), (true, false));
        assert_eq!(failing(false), (false, false));
        let said = Said { text: String::new(), took, parts: parts(&[("kernel", "6")]) };
        assert!(matches!(Verdict::new("a", &said, true).cells[4], Cell::Fails(_)));
    }

    #[test]
    fn what_was_said_stands_beside_what_was_asked() {
        let answer = r#"{"estimate": {"by_class": [{"class": "open", "round_trips": 2}], "more": 1}}"#;
        let parts = [("asked-cat", "OPEN 2\nREAD 1"), ("said-cat", answer), ("asked-ls", "READDIR 1")];
        let parts = parts.map(|(name, text)| (name.to_owned(), (text.to_owned(), 0)));
        let said = Said { text: String::new(), took: std::time::Duration::from_secs(1), parts: parts.into() };
        let found = table(&[Verdict::new("a", &said, false)], false);
        assert!(found.ends_with("| a | cat | 2: open 2 | 3: OPEN 2, READ 1 |\n"), "{found}");
    }

    #[test]
    fn counts_agree_on_every_call_but_the_first_exec() {
        let counts = |pairs: &[(&str, u64)]| -> Counts {
            pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
        };
        let truth = counts(&[("execve", 2), ("openat", 5)]);
        let holds = |ours: &Counts| matches!(compared(ours, &truth, &truth), Cell::Holds(_));
        assert!(holds(&counts(&[("execve", 1), ("openat", 5)])));
        assert!(!holds(&counts(&[("openat", 4)])));
        assert!(!holds(&counts(&[])));
    }
}
