//! docs/what-if-pairs.md, from the kept records.

use super::Pair;
use fathom_audit::{CallCost, CallTime, CostAnswer};
use fathom_model::Reading;
use std::fmt::Write;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/what-if-pairs.md");

const HEAD: &str = "# `what-if --without` against the patch

Written by `cargo xtask what-if-pairs`. Each program of [tests/what-if](../tests/what-if) has calls that a patch removes. \
What `fathom what-if --without CALLS -- PROGRAM old` says of the old program alone stands beside what old takes more than \
new, in pairs of runs in random order without any instrument: by *leaving out* the calls (`--elide`), and by *making them \
again*. Where the program is somebody else's (Python, Node, the JDK), the patch is a library that both sides load and that \
takes away the system call alone ([without.c](../tests/what-if/patch/without.c)). Intervals are of 95 %, times in ms. \
**in**: the estimate's interval contains the median of the true gain; *overlaps*: the two intervals have something in \
common; **misses**: they have not. No program is left out of the table.

";

/// The eight pairs that were named before any was measured (issue 20), and which programs are of each.
const NAMED: [(&str, &[&str]); 8] = [
    ("fstat after an open for writing in the JDK", &["FstatAtWriting.java"]),
    ("lseek and isatty at each open of Python", &["lseek-at-open.py", "isatty-at-open.py"]),
    ("a repeated look of git: at packed-refs, for each ref", &["git-packed-refs.sh"]),
    ("a configuration that is read again", &["read-again-asked-whole.c"]),
    ("exists, then open", &["access-before-open.c", "exists-call-alone.py"]),
    ("readdir and a stat of each entry", &["stat-after-list.c"]),
    ("a search path with 30 misses", &["search-path.c"]),
    ("F_GETFL and F_SETFL in Go", &["flags-call-alone.go"]),
];

/// How an estimate stands to the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    In,
    Overlaps,
    Below,
    Above,
}

fn stand(estimate: CallTime, truth: CallTime) -> Stand {
    if (estimate.low..=estimate.high).contains(&truth.median) {
        Stand::In
    } else if estimate.low <= truth.high && truth.low <= estimate.high {
        Stand::Overlaps
    } else if estimate.high < truth.low {
        Stand::Below
    } else {
        Stand::Above
    }
}

type Time = fn(&CostAnswer) -> &Reading<CallTime>;

fn estimate(cost: &CallCost, of: Time, is_wall: bool) -> Option<CallTime> {
    // As the answer does since.
    let answer = cost.answer.value().filter(|answer| !is_wall || answer.held_up().is_none())?;
    of(answer).value().map(|time| time.scaled(answer.meant_share))
}

/// Why there is no time, in few words; the record has all of them.
fn why_not(cost: &CallCost, of: Time, is_wall: bool) -> String {
    match &cost.answer {
        Reading::Unavailable(reason) => reason.clone(),
        Reading::Value(answer) => match of(answer) {
            Reading::Unavailable(reason) => reason.clone(),
            Reading::Value(_) if is_wall => "the command waits for who watches it".to_owned(),
            Reading::Value(_) => String::new(),
        },
    }
}

pub(super) fn write(pairs: &[Pair]) -> anyhow::Result<()> {
    std::fs::write(PAGE, page(pairs))?;
    Ok(())
}

fn page(pairs: &[Pair]) -> String {
    let mut page = HEAD.to_owned();
    for (title, of, truth) in [
        ("CPU time", (|answer| &answer.cpu) as Time, (|pair: &Pair| pair.truth.cpu) as fn(&Pair) -> CallTime),
        ("Wall time", |answer| &answer.wall, |pair| pair.truth.wall),
    ] {
        let is_wall = title == "Wall time";
        let _ = writeln!(page, "## {title}\n\n| program | calls | true gain | left out | | made again | |");
        page.push_str("|---|---|---|---|---|---|---|\n");
        for pair in pairs {
            let truth = truth(pair);
            let cells = |cost: &CallCost| match estimate(cost, of, is_wall) {
                None => format!("none | refused: {}", why_not(cost, of, is_wall)),
                Some(estimate) => {
                    let word = match stand(estimate, truth) {
                        Stand::In => "**in**",
                        Stand::Overlaps => "overlaps",
                        Stand::Below => "**misses**, below",
                        Stand::Above => "**misses**, above",
                    };
                    format!("{} | {word}", shown(estimate))
                }
            };
            let (name, calls) = (&pair.name, &pair.calls);
            let _ = writeln!(
                page,
                "| [{name}](../tests/what-if/{name}) | `{calls}` | {} | {} | {} |",
                shown(truth),
                cells(&pair.elided),
                cells(&pair.repeated),
            );
        }
        page.push('\n');
        for (way, cost) in [
            ("left out", (|pair: &Pair| &pair.elided) as fn(&Pair) -> &CallCost),
            ("made again", |pair| &pair.repeated),
        ] {
            let stands: Vec<_> = pairs
                .iter()
                .filter_map(|pair| Some(stand(estimate(cost(pair), of, is_wall)?, truth(pair))))
                .collect();
            let count = |stand: Stand| stands.iter().filter(|one| **one == stand).count();
            let _ = writeln!(
                page,
                "- **{way}**: of {} programs {} had an answer; {} contain the true gain, {} more overlap it, {} lie below it \
                 and {} above",
                pairs.len(),
                stands.len(),
                count(Stand::In),
                count(Stand::Overlaps),
                count(Stand::Below),
                count(Stand::Above),
            );
        }
        page.push('\n');
    }
    named(&mut page, pairs);
    page.push_str("## Which calls, and why not\n\n");
    for pair in pairs {
        for (way, ending, cost) in
            [("left out", "elided.json", &pair.elided), ("made again", "json", &pair.repeated)]
        {
            let reach = &cost.reach;
            let said = match &cost.answer {
                Reading::Unavailable(reason) => format!("refused: {reason}"),
                Reading::Value(_) => format!("{} of {} calls", reach.reached(), reach.meant()),
            };
            let _ =
                writeln!(page, "- {}, [{way}](samples/what-if/{}.{ending}): {said}", pair.name, pair.name);
        }
    }
    if let (Some(first), Some(last)) = (pairs.first(), pairs.last()) {
        let _ = writeln!(
            page,
            "\nTrue gains are of {} pairs of runs each, on {} (first) to {} (last program).",
            first.truth.pairs, first.truth.machine, last.truth.machine
        );
    }
    for pair in pairs {
        if let Some((least, most)) = pair.truth.call_ns
            && super::is_slowed(least, most)
        {
            let _ = writeln!(
                page,
                "\n**{}**: a system call of no work took {least:.0} to {most:.0} ns meanwhile, as where somebody traces \
                 all calls of the machine: what is in its figures is not the program's alone.",
                pair.name
            );
        }
    }
    page
}

/// How the pairs stand that were named before: by leaving out, CPU time; a pair of two programs is in where both are.
fn named(page: &mut String, pairs: &[Pair]) {
    page.push_str(
        "## The eight pairs that were named before\n\nEach was named before it was measured, but Go's by the calls alone, which was \
         named after `set-nonblocking.go` had missed; it is *in* where CPU time by leaving out contains the true \
         gain in each of its programs.\n\n| pair | programs | |\n|---|---|---|\n",
    );
    let cpu: Time = |answer| &answer.cpu;
    let mut held = 0;
    for (what, programs) in NAMED {
        let word = |name: &str| {
            let Some(pair) = pairs.iter().find(|pair| pair.name == name) else { return "not measured" };
            match estimate(&pair.elided, cpu, false).map(|estimate| stand(estimate, pair.truth.cpu)) {
                None => "refused",
                Some(Stand::In) => "in",
                Some(Stand::Overlaps) => "overlaps",
                Some(Stand::Below) => "misses, below",
                Some(Stand::Above) => "misses, above",
            }
        };
        let words: Vec<_> = programs.iter().map(|name| word(name)).collect();
        let is_in = words.iter().all(|word| *word == "in");
        held += usize::from(is_in);
        let mark = if is_in { "**in**".to_owned() } else { words.join(", ") };
        let _ = writeln!(page, "| {what} | {} | {mark} |", programs.join(", "));
    }
    let _ = writeln!(page, "\n{held} of {} are in.\n", NAMED.len());
}

/// In ms.
fn shown(time: CallTime) -> String {
    let [median, low, high] = [time.median, time.low, time.high].map(|ns| format!("{:.2}", ns / 1e6));
    format!("{median} [{low}, {high}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_pairs_are_programs() {
        for program in NAMED.iter().flat_map(|(_, programs)| programs.iter()) {
            let path = std::path::Path::new(super::super::PROGRAMS).join(program);
            assert!(path.is_file(), "{program}");
        }
    }

    #[test]
    fn an_estimate_holds_where_its_interval_has_the_true_median() {
        let time = |median: f64, low: f64, high: f64| CallTime { median, low, high };
        let truth = time(10.0, 9.0, 11.0);
        assert_eq!(stand(time(9.5, 8.0, 10.5), truth), Stand::In);
        assert_eq!(stand(time(8.0, 7.0, 9.5), truth), Stand::Overlaps);
        assert_eq!(stand(time(8.0, 7.0, 8.9), truth), Stand::Below);
        assert_eq!(stand(time(12.0, 11.1, 13.0), truth), Stand::Above);
    }
}
