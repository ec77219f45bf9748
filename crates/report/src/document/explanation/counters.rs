//! What the kernel counted of each method: which counters differ, and the table.

use super::sentences::{headed, sentences};
use crate::document::context::Context;
use crate::document::{Block, Cell, Column, ColumnKind, Fold, Item, Prose, Row, Table, Tone};
use crate::options::Details;
use crate::page::Page;
use crate::standing::by_time;
use crate::text;
use crate::text::kernel_counters::row::{Row as Counter, rows};
use crate::text::kernel_counters::{Seen, heading};
use crate::volume::is_fixed;
use fathom_model::{Comparison, Reading};

/// Counters that are named; more of them are read in the table.
const NAMED_MAX: usize = 5;
/// The most has to be so many times the least.
const APART_FROM: f64 = 1.1;
/// Less than this in one operation explains nothing.
const NAMED_FROM: f64 = 0.05;

/// Which counters differ, then the table and what else there is to say, on demand.
pub(super) fn blocks(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Vec<Block> {
    let passes = by_time(comparison).into_iter().filter_map(|index| {
        let reading = comparison.explanations.get(index)?.counters.as_ref()?;
        Some((index, reading.value()?))
    });
    let passes: Vec<_> = passes.collect();
    let seen: Vec<_> = passes.iter().map(|&(index, pass)| Seen { label: &labels[index], pass }).collect();
    let fixed = is_fixed(comparison);
    let shown = rows(&seen, false, fixed);
    let mut blocks = Vec::new();
    blocks.extend(differences(context, &seen, &shown));
    let mut folded = Vec::new();
    if !shown.is_empty() {
        folded.push(Block::Table(table(context, &seen, &shown, fixed)));
    }
    folded.extend(below(context, comparison, labels));
    if !folded.is_empty() {
        let summary = "What the kernel counted: faults, switches, block requests, page cache".into();
        blocks.push(Block::Fold(Fold { summary, open: false, blocks: folded }));
    }
    blocks
}

/// One sentence per counter in which methods differ by more than their repetitions do.
fn differences(context: &Context<'_>, seen: &[Seen<'_>], rows: &[Counter]) -> Option<Block> {
    let mut found: Vec<_> = rows
        .iter()
        .filter(|row| !row.is_time() && !row.is_wide())
        .filter_map(|row| difference(seen, row))
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let item = |(_, text): &(f64, String)| Item { depth: 1, tone: Tone::Plain, prose: context.prose(text) };
    let mut items = vec![Item {
        depth: 0,
        tone: Tone::Plain,
        prose: "counted by the kernel, per operation, where methods differ most:".into(),
    }];
    items.extend(found.iter().take(NAMED_MAX).map(item));
    (!found.is_empty()).then_some(Block::List(items))
}

/// How many times the least is in the most, and the two in words.
fn difference(seen: &[Seen<'_>], row: &Counter) -> Option<(f64, String)> {
    let known = || seen.iter().filter_map(|seen| Some((seen, row.each(seen.pass)?, row.ends(seen.pass)?)));
    let least = known().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let most = known().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let is_apart = least.2.1 < most.2.0 && most.1 > APART_FROM * least.1 && most.1 >= NAMED_FROM;
    let text = format!(
        "{}: {} for {}, {} for {}",
        row.name(),
        row.cell(least.0.pass),
        least.0.label,
        row.cell(most.0.pass),
        most.0.label
    );
    is_apart.then(|| (most.1 / least.1.max(1e-3), text))
}

fn table(context: &Context<'_>, seen: &[Seen<'_>], rows: &[Counter], fixed: bool) -> Table {
    let name = Column::new("counter", ColumnKind::Name);
    let method = |seen: &Seen<'_>| {
        let each = Column::new(seen.label, ColumnKind::Figure);
        let all = fixed.then(|| Column::new("in all", ColumnKind::Figure));
        std::iter::once(each).chain(all)
    };
    let row = |counter: &Counter| {
        let name = Cell {
            prose: Prose::code(&counter.name()),
            hint: Some(counter.source().into()),
            ..Cell::default()
        };
        let cells = seen.iter().flat_map(|seen| {
            let each = counter.each(seen.pass);
            let in_all = each.map(|each| each * seen.pass.operations() as f64);
            let hint = counter.range(seen);
            let first = Cell { hint, ..Cell::figure(counter.cell(seen.pass), each) };
            let second = fixed.then(|| Cell::figure(counter.cell_in_all(seen.pass), in_all));
            std::iter::once(first).chain(second)
        });
        Row { cells: std::iter::once(name).chain(cells).collect(), ..Row::default() }
    };
    Table {
        caption: context.prose(&heading(seen, fixed, rows)).capitalized(),
        columns: std::iter::once(name).chain(seen.iter().flat_map(method)).collect(),
        rows: rows.iter().map(row).collect(),
        interactive: false,
    }
}

/// What the text says below its table: predictions, sizes of requests, what could not be counted.
fn below(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Option<Block> {
    let render = |page: &mut Page| text::kernel_counters::render(page, comparison, labels);
    let has_table = comparison
        .explanations
        .iter()
        .any(|explanation| matches!(explanation.counters, Some(Reading::Value(_))));
    if has_table {
        // The heading is the table's caption here.
        return headed(context, Details::Brief, render).1;
    }
    sentences(context, Details::Brief, render)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::labels;
    use crate::palette::Palette;
    use fathom_model::Record;
    use fathom_testkit::{complete, explained};

    fn of(record: &Record, experiment: usize) -> Vec<Block> {
        let palette = Palette::of(&[record]);
        let context = Context::of(record, &palette, "r");
        let comparison = &record.experiments[experiment].comparisons[0];
        blocks(&context, comparison, &labels(record, comparison))
    }

    #[test]
    fn what_differs_is_said_and_everything_is_in_the_table() {
        let blocks = of(&explained(), 1);
        let [Block::List(items), Block::Fold(fold)] = blocks.as_slice() else { panic!("{blocks:?}") };
        let said: Vec<_> = items.iter().map(|item| item.prose.text()).collect();
        assert!(
            said.contains(&"read-bytes: 16 KiB for native:pread, 128 KiB for native:mmap".to_owned()),
            "{said:?}"
        );
        let Block::Table(table) = &fold.blocks[0] else { panic!("{fold:?}") };
        assert!(table.rows.iter().all(|row| row.cells.len() == table.columns.len()), "{table:?}");
        let headings: Vec<_> = table.columns.iter().map(|column| column.heading.as_str()).collect();
        assert_eq!(headings, ["counter", "native:pread", "in all", "native:mmap", "in all"]);
        let Block::List(items) = &fold.blocks[1] else { panic!("{fold:?}") };
        let said: Vec<_> = items.iter().map(|item| item.prose.text()).collect();
        assert!(said.iter().any(|said| said.contains("98,800 of 16 KiB")), "{said:?}");
        assert!(!said.iter().any(|said| said.starts_with("counted by the kernel")), "{said:?}");
    }

    #[test]
    fn repetitions_that_overlap_are_no_difference() {
        let mut record = explained();
        for explanation in &mut record.experiments[1].comparisons[0].explanations {
            let Some(Reading::Value(pass)) = &mut explanation.counters else { panic!() };
            for counter in &mut pass.counters {
                if let Reading::Value(differences) = &mut counter.differences {
                    *differences = vec![0, 50, 1_000_000];
                }
            }
        }
        assert!(matches!(of(&record, 1).as_slice(), [Block::Fold(_)]));
    }

    #[test]
    fn reasons_stand_where_nothing_was_counted() {
        let mut record = explained();
        for explanation in &mut record.experiments[0].comparisons[0].explanations {
            explanation.counters = Some(Reading::unavailable("refused"));
        }
        let blocks = of(&record, 0);
        let [Block::Fold(fold)] = blocks.as_slice() else { panic!("{blocks:?}") };
        let [Block::List(items)] = fold.blocks.as_slice() else { panic!("{fold:?}") };
        assert!(items[0].prose.text().contains("unavailable"), "{items:?}");
        assert!(of(&complete(), 0).is_empty());
    }
}
