//! Everything that is said of the sample comparisons, in a short form, and what
//! holds for the blocks of any.

use super::*;
use crate::chart::Chart;
use crate::document::{Figure, Recipes, Table};
use crate::label::labels;
use crate::palette::Palette;
use fathom_model::Record;
use fathom_testkit::{all, explained, scans};
use std::collections::BTreeSet;
use std::fmt::Write;

fn each(record: &Record, mut look: impl FnMut(&str, &[Block])) {
    let palette = Palette::of(&[record]);
    let whole = Context::of(record, &palette, "r");
    for experiment in &record.experiments {
        for (number, comparison) in experiment.comparisons.iter().enumerate() {
            let context = whole.part(&format!("{} {number}", experiment.name));
            let labels = labels(record, comparison);
            let parts = [course, spread, blocks].map(|part| part(&context, comparison, &labels));
            look(&context.id, &parts.concat());
        }
    }
}

/// A line per item, row, strip, bar and line; of lines and flames only how many.
fn short(blocks: &[Block], depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    for block in blocks {
        match block {
            Block::Prose(prose) => writeln!(text, "{indent}{}", prose.text()).unwrap(),
            Block::List(items) => {
                for item in items {
                    let tone = format!("{:?}", item.tone).chars().next().unwrap();
                    writeln!(text, "{indent}{}{tone}· {}", "  ".repeat(item.depth), item.prose.text())
                        .unwrap();
                }
            }
            Block::Table(table) => short_table(table, &indent, text),
            Block::Figure(figure) => short_figure(figure, &indent, text),
            Block::Recipes(recipes) => short_recipes(recipes, &indent, text),
            Block::Fold(fold) => {
                writeln!(text, "{indent}fold: {}", fold.summary.text()).unwrap();
                short(&fold.blocks, depth + 1, text);
            }
            other => panic!("not among the blocks of an explanation: {other:?}"),
        }
    }
}

fn short_table(table: &Table, indent: &str, text: &mut String) {
    writeln!(text, "{indent}table: {}", table.caption.text()).unwrap();
    let headings: Vec<_> = table.columns.iter().map(|column| column.heading.as_str()).collect();
    writeln!(text, "{indent}  {}", headings.join(" | ")).unwrap();
    for row in &table.rows {
        let cells: Vec<_> = row.cells.iter().map(|cell| cell.prose.text()).collect();
        writeln!(text, "{indent}  {}{}", cells.join(" | "), if row.is_baseline { " *" } else { "" }).unwrap();
    }
}

fn short_figure(figure: &Figure, indent: &str, text: &mut String) {
    writeln!(text, "{indent}figure {}: {}", figure.id, figure.caption.text()).unwrap();
    writeln!(text, "{indent}  for who cannot see it: {}", figure.description).unwrap();
    match &figure.chart {
        Chart::Stacks(chart) => {
            for row in &chart.rows {
                let segments =
                    row.segments.iter().map(|s| format!("{:?} {} {:.1}", s.kind, s.label, s.value));
                writeln!(text, "{indent}  {}: {}", row.label, segments.collect::<Vec<_>>().join(", "))
                    .unwrap();
            }
        }
        Chart::Intervals(chart) => {
            for row in &chart.rows {
                writeln!(text, "{indent}  {}: {}", row.label, row.marks[0].hint).unwrap();
            }
        }
        Chart::Lines(chart) => {
            for line in &chart.lines {
                writeln!(text, "{indent}  {}: {} points", line.label, line.points.len()).unwrap();
            }
        }
        Chart::Scatter(chart) => writeln!(text, "{indent}  {} points", chart.points.len()).unwrap(),
        Chart::Timeline(chart) => writeln!(text, "{indent}  {} slices", chart.slices.len()).unwrap(),
        Chart::Flame(svg) => writeln!(text, "{indent}  {} frames", svg.matches("<rect").count()).unwrap(),
    }
}

fn short_recipes(recipes: &Recipes, indent: &str, text: &mut String) {
    writeln!(text, "{indent}recipes: {}", recipes.caption.text()).unwrap();
    for strip in &recipes.strips {
        let names: Vec<_> = strip.methods.iter().map(|(name, _)| name.as_str()).collect();
        writeln!(text, "{indent}  {}: {}", names.join(", "), strip.calls).unwrap();
        for step in &strip.steps {
            let waste = step.waste.map(|waste| format!(" [{waste:?}]")).unwrap_or_default();
            let (call, arguments, times) = (&step.call, &step.arguments, step.times);
            writeln!(text, "{indent}    {call}({arguments}) ×{times}{waste} | {}", step.hint).unwrap();
        }
    }
}

fn told(record: &Record) -> String {
    let mut text = String::new();
    each(record, |id, blocks| {
        writeln!(text, "== {id}").unwrap();
        short(blocks, 0, &mut text);
    });
    text
}

#[test]
fn explanations_read_as_recorded() {
    insta::assert_snapshot!("explained", told(&explained()));
    insta::assert_snapshot!("scans", told(&scans()));
}

/// Every number that is drawn, by looking at each chart.
fn numbers(chart: &Chart) -> Vec<f64> {
    let ends = |ends: &Option<(f64, f64)>| ends.map(|(low, high)| [low, high]).into_iter().flatten();
    match chart {
        Chart::Intervals(chart) => {
            let marks = chart.rows.iter().flat_map(|row| &row.marks);
            marks.flat_map(|mark| std::iter::once(mark.value).chain(ends(&mark.ends))).collect()
        }
        Chart::Stacks(chart) => {
            let segments = chart.rows.iter().flat_map(|row| &row.segments).map(|segment| segment.value);
            segments.chain(chart.rows.iter().flat_map(|row| ends(&row.ends))).collect()
        }
        Chart::Lines(chart) => {
            let points = chart.lines.iter().flat_map(|line| &line.points);
            points.flat_map(|point| [point.x, point.y].into_iter().chain(ends(&point.ends))).collect()
        }
        Chart::Scatter(chart) => chart.points.iter().flat_map(|point| [point.x, point.y]).collect(),
        Chart::Timeline(_) | Chart::Flame(_) => Vec::new(),
    }
}

fn check(blocks: &[Block], ids: &mut BTreeSet<String>) {
    for block in blocks {
        match block {
            Block::Figure(figure) => {
                assert!(ids.insert(figure.id.clone()), "{} twice", figure.id);
                assert!(!figure.caption.text().is_empty() && !figure.description.is_empty());
                assert!(numbers(&figure.chart).iter().all(|number| number.is_finite()), "{figure:?}");
            }
            Block::Table(table) => {
                assert!(!table.rows.is_empty() && !table.caption.text().is_empty());
                assert!(table.rows.iter().all(|row| row.cells.len() == table.columns.len()), "{table:?}");
            }
            Block::Fold(fold) => {
                assert!(!fold.blocks.is_empty());
                check(&fold.blocks, ids);
            }
            Block::Recipes(recipes) => assert!(!recipes.strips.is_empty()),
            _ => {}
        }
    }
}

#[test]
fn whatever_is_explained_has_ids_captions_and_finite_numbers() {
    for (name, record) in all() {
        let mut ids = BTreeSet::new();
        each(&record, |id, blocks| {
            check(blocks, &mut ids);
            let mut text = String::new();
            short(blocks, 0, &mut text);
            assert!(!text.contains("NaN") && !text.contains("inf "), "{name} {id}: {text}");
        });
        assert!(ids.iter().all(|id| id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')), "{ids:?}");
    }
}
