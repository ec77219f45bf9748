//! The tree of a run's calls on a page: who asked for how much, when, and in which directories.

use super::{fill_bars, meant, optional, part};
use crate::audit::timeline;
use crate::chart::Chart;
use crate::document::{
    Block, Cell, Column, ColumnKind, Figure, Fold, Prose, Row, Section, Span, Table, Tone,
};
use crate::quantity::{grouped, percent, rounded_bytes, short_time, things};
use fathom_audit::{CallSums, CallTree, CallTreeDirectory, CallTreeSlice};
use std::cmp::Reverse;

mod answer;
mod waits;

pub(super) use answer::{counts, time};

/// So many rows are shown before those behind a fold.
const SHOWN_ITEMS: usize = 12;
/// And so many directories.
const SHOWN_DIRECTORIES: usize = 15;
/// The column of shares.
const SHARE: usize = 2;
/// A smaller share is no bar that can be seen.
const BAR_FROM: f64 = 0.005;

/// The run over its time: what stands with the answer.
pub(super) fn figure(tree: &CallTree, id: &str) -> Option<Figure> {
    let chart = timeline::chart(tree)?;
    let lanes: Vec<_> = chart.lanes.iter().map(|lane| format!("{} {}", lane.label, lane.figure())).collect();
    let description = format!(
        "Bars: {} in {} slices of {}, {} failed, at most {} in one. Lanes below: {}.",
        things(tree.sums.calls, "call"),
        chart.slices.len(),
        short_time(chart.slice_ns),
        grouped(tree.sums.failed),
        grouped(chart.most_calls()),
        lanes.join(", ")
    );
    let caption =
        "Calls over the time of the run. Where there is no bar, it computes, or waits outside of file calls";
    Some(Figure { id: id.to_owned(), caption: caption.into(), description, chart: Chart::Timeline(chart) })
}

/// All that a page has of a tree; the first part says it in a screen.
pub(super) fn sections(tree: &CallTree, id: &str) -> Vec<Section> {
    let mut sections = vec![part(&format!("{id}-tree"), "What was asked for", asked(tree))];
    if !tree.timeline.is_empty() {
        sections.push(part(
            &format!("{id}-timeline"),
            "When: the run in slices of time",
            vec![Block::Fold(Fold {
                summary: "Slice by slice, what most of its calls were for".into(),
                open: false,
                blocks: vec![Block::Table(slices(tree))],
            })],
        ));
    }
    if !tree.waits.is_empty() {
        sections.push(part(&format!("{id}-waits"), "Time in calls, and what waited", waits::blocks(tree)));
    }
    if !tree.directories.is_empty() {
        sections.push(part(&format!("{id}-directories"), "Where: directories", directories(tree)));
    }
    sections
}

/// Groups with the total; the items with the most calls with the rest; behind a fold every row.
fn asked(tree: &CallTree) -> Vec<Block> {
    let groups = tree.groups();
    let of_groups = groups.iter().map(|group| row(Cell::words(group.name), None, &group.sums, tree));
    let mut blocks = vec![Block::Table(table(
        tree,
        format!("{} by what they are for; rows add up to the total", things(tree.sums.calls, "call")),
        false,
        false,
        of_groups.chain([total(tree, false)]).collect(),
    ))];
    let mut items: Vec<_> =
        groups.iter().flat_map(|group| group.items.iter().map(move |item| (group.name, item))).collect();
    items.sort_by_key(|(group, item)| (Reverse(item.sums.calls), *group, item.name));
    let (shown, rest) = items.split_at(items.len().min(SHOWN_ITEMS));
    let mut rows: Vec<Row> = shown
        .iter()
        .map(|(group, item)| row(Cell::words(Prose::code(item.name)), Some(group), &item.sums, tree))
        .collect();
    if !rest.is_empty() {
        let sums = CallSums::of(rest.iter().map(|(_, item)| &item.sums));
        let name = things(rest.len() as u64, "other");
        let mut others = row(Cell { tone: Tone::Faint, ..Cell::words(name) }, Some(""), &sums, tree);
        // It would dwarf each of those that have names.
        others.cells.iter_mut().for_each(|cell| cell.bar = None);
        rows.push(others);
    }
    rows.push(total(tree, true));
    blocks.push(Block::Table(table(
        tree,
        "Packages, modules, libraries and directories with the most calls".to_owned(),
        true,
        false,
        rows,
    )));
    if items.len() > SHOWN_ITEMS || tree.rows.iter().any(|row| row.part.is_some()) {
        let all = tree.rows.iter().map(|one| {
            let name = match &one.part {
                Some(part) => format!("{}: {part}", one.item),
                None => one.item.clone(),
            };
            row(Cell::words(Prose::code(&name)), Some(&one.group), &one.sums, tree)
        });
        let table = table(tree, "Every row; each call is in one".to_owned(), true, true, all.collect());
        let summary = format!("All {}, with their parts", things(tree.rows.len() as u64, "row"));
        blocks.push(Block::Fold(Fold {
            summary: summary.into(),
            open: false,
            blocks: vec![Block::Table(table)],
        }));
    }
    blocks
}

fn has_costs(tree: &CallTree) -> bool {
    tree.sums.unit_cost_ns.is_some()
}

fn table(tree: &CallTree, caption: String, with_group: bool, interactive: bool, mut rows: Vec<Row>) -> Table {
    fill_bars(&mut rows);
    let mut columns = vec![Column::new("for", ColumnKind::Name)];
    columns.push(meant("calls", ColumnKind::Figure, "bars are parts of the longest"));
    columns.push(meant("share", ColumnKind::Figure, "of all calls"));
    columns.push(meant(
        "failed",
        ColumnKind::Figure,
        "calls that returned an error, most often of a file that is not there",
    ));
    columns.push(meant("read", ColumnKind::Figure, "bytes that reads returned"));
    if has_costs(tree) {
        columns.push(meant(
            "unit costs",
            ColumnKind::Figure,
            "what the calls that have a unit cost take untraced",
        ));
    }
    if tree.sums.first_seen_ns.is_some() {
        columns.push(meant(
            "first at",
            ColumnKind::Figure,
            "time from the first call of the run to the first of these",
        ));
    }
    if with_group {
        columns.push(Column::new("kind", ColumnKind::Words));
    }
    Table { caption: caption.into(), columns, rows, interactive }
}

fn row(name: Cell, group: Option<&str>, sums: &CallSums, tree: &CallTree) -> Row {
    let share = sums.calls as f64 / tree.sums.calls.max(1) as f64;
    let calls = Cell { bar: Some(share).filter(|share| *share >= BAR_FROM), ..count(sums.calls) };
    let mut cells = vec![name, calls, Cell::figure(percent(share), Some(share)), count(sums.failed)];
    cells.push(optional(
        (sums.bytes_read > 0).then(|| (rounded_bytes(sums.bytes_read as f64), sums.bytes_read as f64)),
    ));
    if has_costs(tree) {
        cells.push(optional(sums.unit_cost_ns.map(|ns| (short_time(ns), ns))));
    }
    if tree.sums.first_seen_ns.is_some() {
        cells.push(optional(sums.first_seen_ns.map(|ns| (short_time(ns as f64), ns as f64))));
    }
    cells.extend(group.map(Cell::words));
    Row { cells, ..Row::default() }
}

fn total(tree: &CallTree, with_group: bool) -> Row {
    let mut row = row(Cell::words("total"), with_group.then_some(""), &tree.sums, tree);
    for cell in &mut row.cells {
        cell.bar = None;
        cell.tone = Tone::Strong;
    }
    // All of it, from the beginning.
    row.cells[SHARE] = Cell::default();
    if tree.sums.first_seen_ns.is_some() {
        let last = row.cells.len() - 1 - usize::from(with_group);
        row.cells[last] = Cell::default();
    }
    row
}

fn count(number: u64) -> Cell {
    optional((number > 0).then(|| (grouped(number), number as f64)))
}

/// One row a slice: how many calls, and what most of them are for.
fn slices(tree: &CallTree) -> Table {
    let has_times = tree.timeline.iter().any(|slice| slice.took_ns.is_some());
    let mut columns = vec![
        meant("from", ColumnKind::Name, "time since the first call of the run"),
        meant("calls", ColumnKind::Figure, "bars are parts of the longest"),
        Column::new("failed", ColumnKind::Figure),
    ];
    if has_times {
        columns.push(meant(
            "in calls",
            ColumnKind::Figure,
            "time that the calls took while they were watched, of all threads together: more than alone",
        ));
    }
    columns.push(meant(
        "most calls for",
        ColumnKind::Words,
        "what has the most calls of the slice, and how many",
    ));
    let most = tree.timeline.iter().map(|slice| slice.calls).max().unwrap_or(0).max(1) as f64;
    let row = |stretch: &[CallTreeSlice]| {
        let (slice, last) = (&stretch[0], &stretch[stretch.len() - 1]);
        let bar = Some(slice.calls as f64 / most).filter(|bar| *bar >= BAR_FROM);
        let from = slice.from_ns as f64;
        let mut cells = vec![
            Cell { sort: Some(from), ..Cell::words(short_time(from)) },
            Cell { bar, ..count(slice.calls) },
            count(slice.failed),
        ];
        if has_times {
            cells.push(optional(slice.took_ns.map(|ns| (short_time(ns as f64), ns as f64))));
        }
        cells.push(if let (Some(group), Some(item)) = (&slice.most_group, &slice.most_item) {
            Cell::words(Prose(vec![
                Span::Code(item.clone()),
                Span::Plain(format!(" ({group}), {}", grouped(slice.most_calls))),
            ]))
        } else {
            let length = short_time((last.to_ns - slice.from_ns) as f64);
            let words = format!("no file calls for {length}: the program computes or waits");
            Cell { tone: Tone::Faint, ..Cell::words(words) }
        });
        Row { cells, ..Row::default() }
    };
    let length = tree.timeline.iter().map(|slice| slice.to_ns).max().unwrap_or(0);
    let slices = things(tree.timeline.len() as u64, "slice");
    // A stretch without calls is one row.
    let is_quiet = |slice: &CallTreeSlice| slice.calls == 0;
    let stretches = tree.timeline.chunk_by(|one, next| is_quiet(one) && is_quiet(next));
    Table {
        caption: format!(
            "The run from its first file call to its last, {}, in {slices} of equal length",
            short_time(length as f64)
        )
        .into(),
        columns,
        rows: stretches.map(row).collect(),
        interactive: false,
    }
}

/// The directories with the most calls as a heat map; the others behind a fold.
fn directories(tree: &CallTree) -> Vec<Block> {
    let (shown, rest) = tree.directories.split_at(tree.directories.len().min(SHOWN_DIRECTORIES));
    let mut blocks = vec![Block::Table(heat_map(
        tree,
        shown,
        "Directories with the most calls; the deeper the ground, the larger the part of the column's largest",
    ))];
    if !rest.is_empty() {
        let table = heat_map(tree, rest, "The other directories");
        blocks.push(rest_behind_fold(rest.len(), tree.directories.len(), table));
    }
    blocks
}

fn rest_behind_fold(rest: usize, all: usize, table: Table) -> Block {
    let summary = format!("{} more of {}", grouped(rest as u64), grouped(all as u64)).into();
    Block::Fold(Fold { summary, open: false, blocks: vec![Block::Table(table)] })
}

fn heat_map(tree: &CallTree, directories: &[CallTreeDirectory], caption: &str) -> Table {
    let largest =
        |of: fn(&CallTreeDirectory) -> u64| tree.directories.iter().map(of).max().unwrap_or(0).max(1);
    let calls = largest(|one| one.calls);
    let failed = largest(|one| one.failed);
    let bytes = largest(|one| one.bytes_read);
    let heat = |value: u64, largest: u64, cell: Cell| Cell {
        heat: (value > 0).then(|| value as f64 / largest as f64),
        ..cell
    };
    let row = |one: &CallTreeDirectory| Row {
        cells: vec![
            Cell::words(Prose::code(&one.directory)),
            heat(one.calls, calls, count(one.calls)),
            heat(one.failed, failed, count(one.failed)),
            heat(
                one.bytes_read,
                bytes,
                optional(
                    (one.bytes_read > 0)
                        .then(|| (rounded_bytes(one.bytes_read as f64), one.bytes_read as f64)),
                ),
            ),
        ],
        ..Row::default()
    };
    Table {
        caption: caption.into(),
        columns: vec![
            Column::new("directory", ColumnKind::Name),
            Column::new("calls", ColumnKind::Figure),
            meant("failed", ColumnKind::Figure, "most often lookups of files that are not there"),
            meant("read", ColumnKind::Figure, "bytes that reads returned"),
        ],
        rows: directories.iter().map(row).collect(),
        interactive: directories.len() > SHOWN_DIRECTORIES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::tests::sample;

    fn tree() -> CallTree {
        let sums = |calls: u64, failed: u64| {
            serde_json::json!({
                "calls": calls, "failed": failed, "bytes_read": 0, "unit_cost_ns": null,
                "calls_without_unit_cost": calls, "first_seen_ns": 5
            })
        };
        let row = |group: &str, item: &str, calls: u64| {
            let mut row = sums(calls, 1);
            row["group"] = group.into();
            row["item"] = item.into();
            row
        };
        let packages = (0..20_u64).map(|one| row("Node packages", &format!("p{one}"), 10 + one));
        let rows: Vec<_> = packages.chain([row("C library", "locales", 900)]).collect();
        let slice = |from_ns: u64, calls: u64| {
            let item = (calls > 0).then_some("p1");
            serde_json::json!({
                "from_ns": from_ns, "to_ns": from_ns + 1000, "calls": calls, "failed": 0, "took_ns": null,
                "most_group": item, "most_item": item, "most_calls": calls
            })
        };
        let mut tree = sums(390 + 900, 21);
        tree["unattributed"] = 0.into();
        tree["rows"] = rows.into();
        tree["programs"] = Vec::<u8>::new().into();
        tree["timeline"] = vec![slice(0, 1289), slice(1000, 0), slice(2000, 0), slice(3000, 1)].into();
        serde_json::from_value(tree).unwrap()
    }

    #[test]
    fn rows_add_up_to_the_total_that_stands_below_them() {
        let sections = sections(&tree(), "a");
        let tables: Vec<&Table> = sections[0]
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Table(table) => Some(table),
                _ => None,
            })
            .collect();
        assert_eq!(tables.len(), 2);
        for table in tables {
            let (total, rows) = table.rows.split_last().unwrap();
            for column in [1, 3] {
                let sum: f64 = rows.iter().filter_map(|row| row.cells[column].sort).sum();
                assert_eq!(Some(sum), total.cells[column].sort, "column {column}");
            }
        }
    }

    #[test]
    fn the_answer_tells_the_largest_part_and_the_largest_of_its_own() {
        let said = counts(&tree()).text();
        let expected = "1,290 calls in 4000 ns, 21 (1.6 %) failed. Most by kind: C library, 900 (69.8 %), all for \
                        locales; most by packages and directories: Node packages, 390 (30.2 %), of these for p19 29.";
        assert_eq!(said, expected);
        let mut of_several = tree();
        let program = |name: &str, calls: u64, processes: u64| {
            let program = serde_json::json!({
                "program": name, "processes": processes, "calls": calls, "failed": 0
            });
            serde_json::from_value(program).unwrap()
        };
        of_several.programs = vec![program("/bin/sh", 1190, 7), program("/usr/bin/node", 100, 1)];
        let said = counts(&of_several).text();
        assert!(said.contains(" sh made 1,190 (92.2 %) in 7 processes, node 100 (7.8 %). Most"), "{said}");
    }

    #[test]
    fn time_outside_of_calls_is_said_where_calls_tell_their_time_and_are_the_smaller_part() {
        let with = |took_ns: u64, waited_ns: Option<u64>| {
            let mut tree = tree();
            let wait = serde_json::json!({
                "directory": "pipes", "kind": "read", "calls": 1280, "took_ns": took_ns, "waited_ns": waited_ns,
                "longest_ns": 9
            });
            tree.waits = vec![serde_json::from_value(wait).unwrap()];
            (counts(&tree).text(), time(&sample(), &tree).unwrap().text())
        };
        let (first, second) = with(1000, Some(400));
        assert!(first.contains("failed; at least 75.0 % of the time passes outside of them."), "{first}");
        let expected = "Calls took 1000 ns of the 4000 ns, all threads together, 400 ns of it waiting (400 ns of \
                        that: read on pipes); how long 10 calls took is not known.";
        assert!(second.starts_with(expected), "{second}");
        // Several threads may be in calls for longer than the run.
        let (first, second) = with(9000, Some(0));
        assert!(!first.contains("outside") && second.contains("9000 ns of the 4000 ns"), "{first} {second}");
        assert!(!second.contains("waiting"), "{second}");
        let (first, second) = with(1000, None);
        assert!(
            !first.contains("outside") && second.contains("is not known by this capture"),
            "{first} {second}"
        );
    }

    #[test]
    fn a_stretch_without_calls_is_one_row_and_says_how_long_it_is() {
        let table = slices(&tree());
        assert_eq!(table.rows.len(), 3);
        let words = table.rows[1].cells.last().unwrap().prose.text();
        assert_eq!(words, "no file calls for 2000 ns: the program computes or waits");
    }

    #[test]
    fn an_audit_without_a_tree_has_no_part_of_one() {
        let document = crate::document::audit::document(&sample());
        assert!(document.sections.iter().all(|section| !section.id.ends_with("-tree")));
    }
}
