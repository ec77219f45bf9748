//! The words of a history.

use super::history::{ChangePoint, CountRow, TrackReport, WhatChanged, Work};
use crate::change::sentence::owner_word;
use crate::quantity::{grouped, percent, short_time, things};
use crate::wrap::shorten;
use fathom_audit::{CountRange, Owner};

/// Metrics that a line names.
const NAMED: usize = 4;
/// Letters of a subject in a line.
const SUBJECT: usize = 50;

/// Everything in one line.
pub(crate) fn verdict(report: &TrackReport) -> String {
    let is_count = |change: &&ChangePoint| matches!(change.what, WhatChanged::Counts { .. });
    let counts = report.changes.iter().filter(is_count).count();
    let times = report.changes.len() - counts;
    let is_alone = |change: &&ChangePoint| matches!(change.what, WhatChanged::Time { work: Work::Same, .. });
    let alone = report.changes.iter().filter(is_alone).count();
    let commits = things(report.commits.len() as u64, "commit");
    if report.commits.is_empty() {
        return "nothing is kept of this line of history".to_owned();
    }
    if report.commits.len() == 1 {
        return "one commit is kept: there is nothing to compare yet".to_owned();
    }
    let mut parts = Vec::new();
    if counts > 0 {
        parts.push(format!("counts changed {}", often(counts)));
    }
    if times > 0 {
        let alone = match alone {
            0 => String::new(),
            some if some == times => " while the work did not".to_owned(),
            some => format!(", {} of them while the work did not", grouped(some as u64)),
        };
        parts.push(format!("times moved {}{alone}", often(times)));
    }
    if parts.is_empty() {
        format!("no change in {commits}")
    } else {
        format!("{} in {commits}", parts.join("; "))
    }
}

fn often(times: usize) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{} times", grouped(more as u64)),
    }
}

/// Where it comes from.
pub(crate) fn store(report: &TrackReport) -> String {
    let runs: u64 = report.commits.iter().map(|commit| u64::from(commit.runs)).sum();
    let ends = match (report.commits.first(), report.commits.last()) {
        (Some(first), Some(last)) => format!(", {} to {}", first.commit.short(), last.commit.short()),
        _ => String::new(),
    };
    let commits = things(report.commits.len() as u64, "commit");
    format!("{}: {} of {commits}{ends}", report.store, things(runs, "run"))
}

/// `0123456789 Ann Other, subject`.
pub(crate) fn commit(change: &ChangePoint) -> String {
    let commit = &change.commit;
    format!("{} {}, {}", commit.short(), commit.author, shorten(&commit.subject, SUBJECT))
}

/// What changed, in one line.
pub(crate) fn change(change: &ChangePoint) -> String {
    match &change.what {
        WhatChanged::Counts { rows, .. } => {
            let mut named: Vec<_> = rows.iter().collect();
            // What a runtime makes for each call of the program follows from that: the cause first.
            named.sort_by_key(|row| {
                let is_yours = row.owner.starts_with(owner_word(Owner::Yours));
                std::cmp::Reverse((is_yours, row.to.high.abs_diff(row.from.high)))
            });
            let more = named.len().saturating_sub(NAMED);
            let mut parts: Vec<_> = named.into_iter().take(NAMED).map(count).collect();
            if more > 0 {
                parts.push(format!("and {}", things(more as u64, "more metric")));
            }
            format!("{}: {}", change.command, parts.join(", "))
        }
        WhatChanged::Time { metric, from_ns, to_ns, work, .. } => {
            let ratio = to_ns / from_ns - 1.0;
            let sign = if ratio < 0.0 { "-" } else { "+" };
            let work = match work {
                Work::Same => "time moved, work did not".to_owned(),
                Work::Changed => "counts changed there, too".to_owned(),
                Work::NotKnown(reason) => format!("whether the work moved is not known: {reason}"),
            };
            format!(
                "{}: {metric} {} → {} ({sign}{}): {work}",
                change.command,
                short_time(*from_ns),
                short_time(*to_ns),
                percent(ratio.abs())
            )
        }
    }
}

/// `openat 4 → 8 (yours, tool)`.
pub(crate) fn count(row: &CountRow) -> String {
    format!("{} {} → {} ({})", row.metric, range(row.from), range(row.to), row.owner)
}

/// `3 to 7`.
pub(crate) fn range(range: CountRange) -> String {
    if range.is_exact() {
        return grouped(range.low);
    }
    format!("{} to {}", grouped(range.low), grouped(range.high))
}

/// What else is known of a change: paths, commits between.
pub(crate) fn details(change: &ChangePoint, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if let WhatChanged::Counts { classes, .. } = &change.what {
        lines.extend(classes.iter().take(most).map(|row| {
            format!("{} at {}: {} → {} ({})", row.metric, row.path, range(row.from), range(row.to), row.owner)
        }));
        if lines.len() < classes.len() {
            lines.push(format!("and {}", things((classes.len() - lines.len()) as u64, "more row")));
        }
    }
    if !change.is_adjacent {
        lines.push(match change.what {
            WhatChanged::Counts { .. } => format!(
                "{} is the last commit before that was run: the change is at one after it, up to this one",
                change.previous.short()
            ),
            WhatChanged::Time { .. } => {
                format!("{} is the last commit before that was run", change.previous.short())
            }
        });
    }
    lines
}

/// What to do now.
pub(crate) fn next(report: &TrackReport) -> String {
    let Some(newest) = report.changes.first() else {
        return "`fathom track add` after each commit, as in CI".to_owned();
    };
    let id = newest.commit.short();
    let previous = newest.previous.short();
    match &newest.what {
        WhatChanged::Counts { rows, .. } if !newest.is_adjacent => {
            let metric = rows.first().map_or("calls", |row| row.metric.split('=').next().unwrap_or("calls"));
            format!(
                "fathom bisect --good {previous} --bad {id} --metric {metric} --named '{}'",
                newest.command
            )
        }
        WhatChanged::Time { work: Work::Same, .. } => format!(
            "the calls are the same: look at the machine first, then at what {id} computes (fathom compare --commands)"
        ),
        WhatChanged::Counts { .. } | WhatChanged::Time { .. } => format!("git show {id}"),
    }
}
