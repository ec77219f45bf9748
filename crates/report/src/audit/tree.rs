//! What a run asked for, as a tree: groups, the packages, modules, libraries or directories in them,
//! and in full the parts of those. The rows of one level add up to the row above.

use super::timeline::{self, program_name};
use super::words;
use crate::columns::{self, Column};
use crate::export_error::ExportError;
use crate::options::{Details, TextOptions};
use crate::page::{Ink, LABEL_WIDTH, Page};
use crate::quantity::{NONE, grouped, number, rounded_bytes, short_time, things};
use crate::table_text::csv;
use crate::timeline_text;
use crate::visible::{visible, visible_lines};
use crate::wrap::{elide, fit};
use fathom_audit::{
    Audit, CallSums, CallTree, CallTreeGroup, CallTreeItem, CallTreeProgram, CallTreeRow, FactKind,
};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Lines of the summary.
const LINES: usize = 25;
/// Of those, at most: of what was watched.
const LINES_OF_FACTS: usize = 7;
/// The heading and the total, and the empty line below the table.
const LINES_AROUND: usize = 2 + 1;
/// Groups with less than one of so many calls are one line together.
const SMALL_GROUP: u64 = 200;
/// Waits that are named, each at least such a part of all.
const WAITS: usize = 2;
const WAITS_PART: u64 = 10;
/// What a row that has parts calls its own.
const ITSELF: &str = "(itself)";

/// A line of the table.
#[derive(Debug)]
struct Line {
    depth: usize,
    name: String,
    sums: CallSums,
}

/// The tree of an audit that has one, for a terminal: at most 25 lines, or all; and below it the run over its time,
/// at most 12. Pure.
pub fn render_call_tree(audit: &Audit, options: &TextOptions) -> String {
    let Some(tree) = &audit.tree else { return String::new() };
    let mut page = Page::new(options);
    let mut about = Page::new(options);
    facts(&mut about, audit, tree);
    page.append(&about, if page.is_full() { usize::MAX } else { LINES_OF_FACTS });
    page.blank();
    let groups = tree.groups();
    let mut below = Page::new(options);
    rest(&mut below, audit, tree);
    let lines = match options.details {
        Details::Full => all_lines(&groups),
        Details::Brief => {
            brief_lines(&groups, LINES.saturating_sub(page.line_count() + LINES_AROUND + below.line_count()))
        }
    };
    table(&mut page, tree, lines);
    page.blank();
    page.append(&below, usize::MAX);
    if let Some(chart) = timeline::chart(tree) {
        page.blank();
        for line in timeline_text::lines(&chart, page.width()) {
            page.row(&line, "", Ink::Plain);
        }
    }
    page.finish()
}

/// The rows of the tree of an audit that has one, as CSV. Pure.
///
/// # Errors
///
/// Those of writing CSV.
pub fn call_tree_csv(audit: &Audit) -> Result<String, ExportError> {
    const HEADER: [&str; 9] = [
        "group",
        "item",
        "part",
        "calls",
        "failed",
        "bytes_read",
        "unit_cost_ns",
        "calls_without_unit_cost",
        "first_seen_ns",
    ];
    let rows = audit.tree.iter().flat_map(|tree| &tree.rows).map(|row| {
        let sums = &row.sums;
        vec![
            row.group.clone(),
            row.item.clone(),
            row.part.clone().unwrap_or_default(),
            sums.calls.to_string(),
            sums.failed.to_string(),
            sums.bytes_read.to_string(),
            sums.unit_cost_ns.map(|ns| ns.to_string()).unwrap_or_default(),
            sums.calls_without_unit_cost.to_string(),
            sums.first_seen_ns.map(|ns| ns.to_string()).unwrap_or_default(),
        ]
    });
    // A name must not steer the terminal that shows it.
    Ok(visible_lines(&csv(&HEADER, rows)?))
}

fn facts(page: &mut Page, audit: &Audit, tree: &CallTree) {
    if let Some(subject) = audit.fact(FactKind::Subject) {
        page.line("audit", subject);
    }
    page.fact("watched", &words::briefly_watched_in_all(audit, tree.sums.calls));
    for gap in &audit.gaps {
        page.fact(gap.kind.word(), &gap.text);
    }
    if tree.unattributed > 0 {
        let attributed = tree.sums.calls - tree.unattributed;
        page.fact("rows", &format!("{} of these calls are attributed", grouped(attributed)));
    }
    if let Some(waited) = waits_in_words(tree) {
        page.fact("waited", &waited);
    }
    if tree.programs.len() > 1 {
        let room = page.width() - LABEL_WIDTH;
        page.fact("by", &fit(&programs(tree), ", ", room));
    }
}

/// How long threads waited in calls: `16.0 ms of 18.0 ms in calls, all threads: sync in /srv/data (xfs) 16.0 ms,
/// read in pipes 300 µs`. `None` where the source of events does not tell.
pub fn waits_in_words(tree: &CallTree) -> Option<String> {
    let waited = |ns: u64| short_time(ns as f64);
    let told: Vec<_> = tree.waits.iter().filter_map(|one| Some((one, one.waited_ns?))).collect();
    let all: u64 = told.iter().map(|(_, ns)| ns).sum();
    let took: u64 = told.iter().map(|(one, _)| one.took_ns).sum();
    let largest =
        told.iter().filter(|(_, ns)| ns * WAITS_PART >= all && *ns > 0).take(WAITS).map(|(one, ns)| {
            let kind = one.file_system.as_ref().map(|kind| format!(" ({kind})")).unwrap_or_default();
            format!("{} in {}{kind} {}", one.kind, visible(&one.directory), waited(*ns))
        });
    let run = tree.timeline.last().map(|slice| format!(", in a run of {}", waited(slice.to_ns)));
    let run = run.unwrap_or_default();
    match (told.is_empty(), all) {
        (true, _) => None,
        (_, 0) => Some(format!("nothing of {} in calls{run}", waited(took))),
        _ => {
            let largest: Vec<_> = largest.collect();
            let largest =
                if largest.is_empty() { String::new() } else { format!(": {}", largest.join(", ")) };
            Some(format!("{} of {} in calls, all threads{run}{largest}", waited(all), waited(took)))
        }
    }
}

/// `bash 4,411 in 30 processes`.
fn programs(tree: &CallTree) -> Vec<String> {
    let of = |program: &CallTreeProgram| {
        let name = program_name(program);
        match program.processes {
            1 => format!("{name} {}", grouped(program.calls)),
            many => format!("{name} {} in {} processes", grouped(program.calls), grouped(many)),
        }
    };
    tree.programs.iter().map(of).collect()
}

/// Every row.
fn all_lines(groups: &[CallTreeGroup<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for group in groups {
        lines.push(Line { depth: 0, name: group.name.to_owned(), sums: group.sums.clone() });
        for item in &group.items {
            lines.push(Line { depth: 1, name: item.name.to_owned(), sums: item.sums.clone() });
            lines.extend(lines_of_parts(2, item, if has_parts(item) { item.rows.len() } else { 0 }));
        }
    }
    lines
}

fn line_of_row(depth: usize, row: &CallTreeRow) -> Line {
    let name = row.part.clone().unwrap_or_else(|| ITSELF.to_owned());
    Line { depth, name, sums: row.sums.clone() }
}

/// Groups, and those of their items and of the items' parts with the most calls for which there is
/// room; what is left out of a group or an item is a line of its own.
fn brief_lines(groups: &[CallTreeGroup<'_>], room: usize) -> Vec<Line> {
    let all: u64 = groups.iter().map(|group| group.sums.calls).sum();
    let matter = groups.iter().filter(|group| group.sums.calls * SMALL_GROUP >= all).count();
    // A line that says that one group is left out says less than the group's.
    let shown = if matter + 1 >= groups.len() { groups.len() } else { matter };
    let shown = if shown > room { room.saturating_sub(1) } else { shown };
    let (groups, left) = groups.split_at(shown);
    let counts = shown_counts(groups, room.saturating_sub(usize::from(!left.is_empty())));
    let count = |group: usize, item: Option<usize>| counts.get(&(group, item)).copied().unwrap_or(0);
    let mut lines = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        lines.push(line_of_group(group, count(at, Some(0)) > 0));
        let (named, left) = group.items.split_at(count(at, None));
        for (number, item) in named.iter().enumerate() {
            let parts = count(at, Some(number));
            let name = if parts > 0 { item.name.to_owned() } else { named_with_parts(item) };
            lines.push(Line { depth: 1, name, sums: item.sums.clone() });
            lines.extend(lines_of_parts(2, item, parts));
        }
        if !named.is_empty() && !left.is_empty() {
            lines.push(left_out(1, left.len(), "more", left.iter().map(|item| &item.sums)));
        }
        if let [item] = group.items.as_slice() {
            lines.extend(lines_of_parts(1, item, count(at, Some(0))));
        }
    }
    if !left.is_empty() {
        lines.push(left_out(0, left.len(), "more groups", left.iter().map(|group| &group.sums)));
    }
    lines
}

/// So many parts of an item, and what is left out of them.
fn lines_of_parts(depth: usize, item: &CallTreeItem<'_>, count: usize) -> Vec<Line> {
    let (named, left) = item.rows.split_at(count);
    let mut lines: Vec<_> = named.iter().map(|row| line_of_row(depth, row)).collect();
    if !named.is_empty() && !left.is_empty() {
        lines.push(left_out(depth, left.len(), "more", left.iter().map(|row| &row.sums)));
    }
    lines
}

/// A list of lines below another: the items of a group, or the parts of an item of it.
type List = (usize, Option<usize>);

/// How many lines of each list are shown in so much room: those with the most calls, and last those
/// that every program has.
fn shown_counts(groups: &[CallTreeGroup<'_>], room: usize) -> BTreeMap<List, usize> {
    let mut lengths: BTreeMap<List, usize> = BTreeMap::new();
    let mut candidates = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let mut offer = |list: List, calls: &[u64]| {
            lengths.insert(list, calls.len());
            candidates.extend(calls.iter().map(|calls| (group.is_of_every_program, Reverse(*calls), list)));
        };
        // The only item of a group stands in the group's own line.
        if group.items.len() > 1 {
            offer((at, None), &group.items.iter().map(|item| item.sums.calls).collect::<Vec<_>>());
        }
        for (number, item) in group.items.iter().enumerate().filter(|(_, item)| has_parts(item)) {
            offer((at, Some(number)), &item.rows.iter().map(|row| row.sums.calls).collect::<Vec<_>>());
        }
    }
    candidates.sort_unstable();
    let lines_of = |list: &List, count: usize| match count {
        0 => 0,
        count => count + usize::from(count < lengths[list]),
    };
    let mut counts: BTreeMap<List, usize> = BTreeMap::new();
    let mut lines = groups.len();
    for (_, _, list) in candidates {
        let count = counts.get(&list).copied().unwrap_or(0);
        let is_below_shown = match list {
            (at, Some(number)) if groups[at].items.len() > 1 => {
                counts.get(&(at, None)).is_some_and(|shown| number < *shown)
            }
            _ => true,
        };
        // In the room of the line that says that one more is left out, that one has room.
        let wanted = if count > 0 && count + 2 == lengths[&list] { count + 2 } else { count + 1 };
        let with = lines - lines_of(&list, count) + lines_of(&list, wanted);
        if is_below_shown && wanted <= lengths[&list] && with <= room {
            counts.insert(list, wanted);
            lines = with;
        }
    }
    counts
}

/// A group, with its item where that is the only one, whose parts may follow.
fn line_of_group(group: &CallTreeGroup<'_>, has_lines_of_parts: bool) -> Line {
    let name = match group.items.as_slice() {
        [item] if has_lines_of_parts => format!("{}: {}", group.name, item.name),
        [item] => format!("{}: {}", group.name, named_with_parts(item)),
        items => format!("{} ({})", group.name, grouped(items.len() as u64)),
    };
    Line { depth: 0, name, sums: group.sums.clone() }
}

fn left_out<'a>(depth: usize, count: usize, what: &str, sums: impl Iterator<Item = &'a CallSums>) -> Line {
    Line { depth, name: format!("… {} {what}", grouped(count as u64)), sums: CallSums::of(sums) }
}

fn has_parts(item: &CallTreeItem<'_>) -> bool {
    item.rows.iter().any(|row| row.part.is_some())
}

fn named_with_parts(item: &CallTreeItem<'_>) -> String {
    let parts = item.rows.iter().filter(|row| row.part.is_some()).count() as u64;
    if parts == 0 { item.name.to_owned() } else { format!("{} (+ {})", item.name, things(parts, "part")) }
}

fn table(page: &mut Page, tree: &CallTree, lines: Vec<Line>) {
    let total = Line { depth: 0, name: "total".to_owned(), sums: tree.sums.clone() };
    let lines: Vec<_> = [total].into_iter().chain(lines).collect();
    let cells =
        |cell: &dyn Fn(&CallSums) -> String| lines.iter().map(|line| cell(&line.sums)).collect::<Vec<_>>();
    let nothing_for_zero = |count: u64| if count == 0 { NONE.to_owned() } else { grouped(count) };
    let mut columns = vec![
        Column { gap: 0, ..Column::right("calls", cells(&|sums| grouped(sums.calls))) },
        Column::right("failed", cells(&|sums| nothing_for_zero(sums.failed))),
        Column::right(
            "read",
            cells(&|sums| match sums.bytes_read {
                0 => NONE.to_owned(),
                bytes => rounded_bytes(bytes as f64),
            }),
        ),
    ];
    if tree.sums.unit_cost_ns.is_some() {
        let cost = |sums: &CallSums| sums.unit_cost_ns.map_or_else(|| NONE.to_owned(), short_time);
        columns.push(Column::right("cost", cells(&cost)));
    }
    if tree.sums.first_seen_ns.is_some() {
        let first = |sums: &CallSums| {
            sums.first_seen_ns.map_or_else(|| NONE.to_owned(), |ns| number(ns as f64 / 1e6, 1))
        };
        columns.push(Column::right("first ms", cells(&first)));
    }
    let figures = columns::lines(&columns);
    let taken = figures.first().map_or(0, |line| crate::wrap::width(line)) + 2;
    let names = lines.iter().map(|line| {
        let name = format!("{}{}", "  ".repeat(line.depth), visible(&line.name));
        elide(&name, page.width().saturating_sub(taken))
    });
    let names: Vec<_> = std::iter::once("what was asked for".to_owned()).chain(names).collect();
    for (at, (figures, name)) in figures.iter().zip(names).enumerate() {
        let ink = if at == 0 || at == 1 { Ink::Heading } else { Ink::Plain };
        page.row(&format!("{figures}  "), &name, ink);
    }
}

fn rest(page: &mut Page, audit: &Audit, tree: &CallTree) {
    let mut sentences = Vec::new();
    match (tree.sums.unit_cost_ns, tree.sums.calls_without_unit_cost) {
        (None, _) => {
            let reason = audit.fact(FactKind::Prices).unwrap_or("no prices were given");
            sentences.push(format!("Without unit costs: {reason}."));
        }
        (Some(_), 0) => {}
        (Some(_), without) => sentences.push(format!("{} have no unit cost.", things(without, "call"))),
    }
    let shown = if audit.findings.is_empty() { "" } else { ", shown without --tree" };
    sentences.push(format!("{}{shown}.", words::tally(audit)));
    if !page.is_full() {
        sentences.push("All rows: --full, or --format csv.".to_owned());
    }
    page.paragraph(0, Ink::Faint, &sentences.join(" "));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::tests::sample;
    use crate::wrap::width;
    use serde_json::json;

    /// A run that asked for packages, some with parts, for modules and what every program asks for.
    fn audit() -> Audit {
        let mut rows = Vec::new();
        let mut row = |group: &str, item: String, part: Option<String>, calls: u64| {
            rows.push(json!({
                "group": group, "item": item, "part": part, "calls": calls, "failed": calls / 2,
                "bytes_read": calls * 700, "unit_cost_ns": calls * 1100, "calls_without_unit_cost": 1,
                "first_seen_ns": 50_000_000 - calls * 1000,
            }));
        };
        row("Node packages", "jsdom".to_owned(), None, 9_000);
        row("Node packages", "jsdom".to_owned(), Some("whatwg-url > tr46".to_owned()), 1_868);
        for package in 0..40 {
            row("Node packages", format!("package-{package}"), None, 100 - package);
        }
        row("No file", "memory".to_owned(), None, 12_000);
        row("No file", "pipes".to_owned(), None, 11_000);
        row("Python standard library", "json".to_owned(), None, 300);
        row("Python standard library", "os".to_owned(), None, 200);
        row("Unattributed", "descriptors of which nothing is known".to_owned(), None, 3);
        row("Programs", "git".to_owned(), None, 1);
        let sum = |key: &str| rows.iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
        let tree = json!({
            "calls": sum("calls"), "failed": sum("failed"), "bytes_read": sum("bytes_read"),
            "unit_cost_ns": sum("unit_cost_ns"), "calls_without_unit_cost": sum("calls_without_unit_cost"),
            "first_seen_ns": 0, "unattributed": 3, "rows": rows,
            "programs": [
                { "program": "/usr/bin/node", "processes": 1, "calls": sum("calls") - 7, "failed": 1 },
                { "program": "/bin/sh", "processes": 2, "calls": 7, "failed": 0 },
            ],
        });
        Audit { tree: Some(serde_json::from_value(tree).unwrap()), ..sample() }
    }

    fn shown(details: Details, width: usize) -> String {
        render_call_tree(&audit(), &TextOptions { width, details, ..TextOptions::default() })
    }

    #[test]
    fn a_tree_reads_as_recorded() {
        insta::assert_snapshot!("audit-tree", shown(Details::Brief, 80));
        insta::assert_snapshot!("audit-tree-csv", call_tree_csv(&audit()).unwrap());
    }

    #[test]
    fn the_screen_has_one_number_of_all_calls() {
        let shown = |further: u64| {
            let mut audit = audit();
            let on_files = audit.file_calls();
            audit.tree.as_mut().unwrap().sums.calls = on_files + further;
            let options = TextOptions { width: 120, details: Details::Brief, ..TextOptions::default() };
            (on_files, render_call_tree(&audit, &options))
        };
        let (_, text) = shown(0);
        assert!(!text.contains("on memory"), "{text}");
        let (on_files, text) = shown(77);
        let all = grouped(on_files + 77);
        assert!(
            text.contains(&format!("{all} calls ({} on files, 77 on memory)", grouped(on_files))),
            "{text}"
        );
        let is_total = |line: &&str| line.ends_with("  total") && line.trim_start().starts_with(&all);
        assert_eq!(text.lines().filter(is_total).count(), 1, "{text}");
    }

    #[test]
    fn waits_are_named_where_they_are_a_large_part() {
        let of = |waits: &[(&str, Option<u64>)]| {
            let mut tree = audit().tree.unwrap();
            let wait = |(directory, waited_ns): &(&str, Option<u64>)| {
                serde_json::from_value(json!({
                    "directory": directory, "mount": "/", "file_system": "ext4", "kind": "sync", "calls": 1,
                    "took_ns": 2_000_000, "waited_ns": waited_ns, "longest_ns": 2_000_000,
                }))
                .unwrap()
            };
            tree.waits = waits.iter().map(wait).collect();
            waits_in_words(&tree)
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("/a", None)]), None, "by ptrace nobody knows");
        assert_eq!(of(&[("/a", Some(0))]).unwrap(), "nothing of 2.00 ms in calls");
        let two = of(&[("/a", Some(1_000_000)), ("/b", Some(10_000))]).unwrap();
        assert_eq!(two, "1.01 ms of 4.00 ms in calls, all threads: sync in /a (ext4) 1.00 ms");
        let many = of(&[("/a", Some(1_000_000)); 20]).unwrap();
        assert_eq!(many, "20.0 ms of 40.0 ms in calls, all threads");
    }

    /// Depth and calls of each row below the total.
    fn rows(text: &str) -> (u64, Vec<(usize, u64)>) {
        let mut lines = text.lines().skip_while(|line| !line.contains("what was asked for"));
        let at = lines.next().unwrap().find("what was asked for").unwrap();
        let calls =
            |line: &str| line.trim_start().split(' ').next().unwrap().replace(',', "").parse().unwrap();
        let total = calls(lines.next().unwrap());
        let depth = |line: &str| {
            let name: String = line.chars().skip(at).collect();
            (name.len() - name.trim_start().len()) / 2
        };
        (total, lines.take_while(|line| !line.is_empty()).map(|line| (depth(line), calls(line))).collect())
    }

    #[test]
    fn rows_of_a_level_add_up_to_the_row_above() {
        for details in [Details::Brief, Details::Full] {
            let text = shown(details, 80);
            let (total, rows) = rows(&text);
            let top: u64 = rows.iter().filter(|(depth, _)| *depth == 0).map(|(_, calls)| calls).sum();
            assert_eq!(top, total, "{text}");
            for (at, (depth, calls)) in rows.iter().enumerate() {
                let below = rows[at + 1..].iter().take_while(|(below, _)| below > depth);
                let children: Vec<_> = below.filter(|(below, _)| *below == depth + 1).collect();
                let sum: u64 = children.iter().map(|(_, calls)| calls).sum();
                assert!(children.is_empty() || sum == *calls, "{calls} of {children:?}\n{text}");
            }
        }
    }

    #[test]
    fn a_summary_fits_on_a_screen_and_packages_go_before_what_every_program_asks_for() {
        for columns in [80, 120] {
            let text = shown(Details::Brief, columns);
            assert!(text.lines().count() <= 25, "{text}");
            assert!(text.lines().all(|line| width(line) <= columns), "{text}");
        }
        let text = shown(Details::Brief, 80);
        assert!(text.contains("    whatwg-url > tr46\n") && text.contains("package-0\n"), "{text}");
        assert!(!text.contains("  memory\n"), "{text}");
        let full = shown(Details::Full, 80);
        for name in ["memory", "package-39", "whatwg-url > tr46", "(itself)"] {
            assert!(full.contains(name), "{name}: {full}");
        }
    }
}
