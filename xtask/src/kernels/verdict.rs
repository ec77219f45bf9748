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
}

enum Cell {
    Holds(String),
    /// Fathom says that it cannot be had, and why.
    Unavailable(String),
    Fails(String),
}

const COLUMNS: [&str; 9] = [
    "kernel",
    "count = strace",
    "audit, ptrace = strace",
    "audit, ring = strace",
    "took",
    "doctor",
    "trace --pid",
    "bench native",
    "prices",
];
/// What a quick guest does: the first so many.
const QUICK: usize = 5;

impl Verdict {
    /// Judges what a guest printed. A quick one has a kernel that takes the ring.
    pub(super) fn new(name: &str, said: &Said, quick: bool) -> Self {
        let truth = said.parts.get("strace").map(|(log, _)| of_strace(log)).unwrap_or_default();
        let ring = match audited(said, "audit-ring", Some(&truth)) {
            Cell::Unavailable(reason) if quick => Cell::Fails(reason),
            cell => cell,
        };
        let mut cells = vec![
            said.parts.get("kernel").map_or_else(
                || Cell::Fails("did not boot in time".to_owned()),
                |(release, _)| Cell::Holds(release.trim().to_owned()),
            ),
            counted(said, &truth),
            audited(said, "audit-ptrace", Some(&truth)),
            ring,
            if said.parts.contains_key("all") {
                Cell::Holds(format!("{} s", said.took.as_secs()))
            } else {
                Cell::Fails(format!("cut off after {} s", said.took.as_secs()))
            },
        ];
        if !quick {
            cells.push(ran(said, "doctor"));
            cells.push(audited(said, "audit-pid", None));
            cells.push(ran(said, "bench"));
            cells.push(ran(said, "prices"));
        }
        Self { name: name.to_owned(), cells }
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
    text
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

fn counted(said: &Said, truth: &Counts) -> Cell {
    let (text, _) = match part(said, "counted") {
        Ok(part) => part,
        Err(cell) => return cell,
    };
    let Ok(count) = serde_json::from_str::<CommandCount>(text) else {
        let reason = said.parts.get("count").map_or("", |(said, _)| said);
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
        return if text.contains("error: ") && name != "audit-ptrace" {
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
