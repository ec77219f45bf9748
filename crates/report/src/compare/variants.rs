//! The variants of both records: calls, times, ratios; a block per comparison.

use super::{design, in_words, method_in_words};
use crate::columns::{Column, lines};
use crate::label::elided;
use crate::page::{Ink, Page};
use crate::quantity::{TimeUnit, number, per_operation, three_digits};
use crate::wrap::width;
use crate::written::{ratio, short_ratio, time_in_table};
use fathom_model::{Estimate, Reading};
use fathom_stats::{CallDifference, CallRange, Change, RecordComparison, TimeComparison, VariantComparison};
use std::collections::BTreeSet;

pub(crate) fn render(page: &mut Page, comparison: &RecordComparison) {
    if comparison.variants.is_empty() {
        page.blank();
        page.paragraph(0, Ink::Bad, design::nothing(comparison.design));
        return;
    }
    counts(page, &comparison.variants);
    allocations(page, &comparison.variants);
    page.blank();
    page.paragraph(0, Ink::Heading, "Times, new over old");
    if let Some(reason) = &comparison.times_withheld {
        let text = format!("Not compared: {reason}. --across-machines compares them all the same.");
        page.paragraph(0, Ink::Bad, &text);
        return;
    }
    let mut rest = comparison.variants.as_slice();
    while let Some(first) = rest.first() {
        let together = |variant: &&VariantComparison| {
            (&variant.name.experiment, &variant.name.label) == (&first.name.experiment, &first.name.label)
        };
        let count = rest.iter().take_while(together).count();
        let (block, others) = rest.split_at(count);
        times(page, block);
        rest = others;
    }
    legend(page, comparison);
}

fn counts(page: &mut Page, variants: &[VariantComparison]) {
    page.blank();
    page.paragraph(0, Ink::Heading, "Calls per operation, old → new");
    let (mut same, mut varied) = (0, Vec::new());
    for variant in variants {
        let calls = match &variant.calls {
            Reading::Value(calls) => calls,
            Reading::Unavailable(reason) => {
                let text = format!("{}: not compared: {reason}", in_words(&variant.name));
                page.hanging("  ", 6, Ink::Plain, &text);
                continue;
            }
        };
        if calls.differs() {
            let total = format!("{} → {} in all", range(calls.old), range(calls.new));
            let differing = calls.by_call.iter().filter(|call| call.differs).map(difference);
            let text = [total].into_iter().chain(differing).collect::<Vec<_>>().join("; ");
            page.hanging("  ", 6, Ink::Bad, &format!("{}: {text}", in_words(&variant.name)));
        } else {
            same += 1;
        }
        let unsure = calls.by_call.iter().filter(|call| !call.differs && is_varied(call));
        varied.extend(unsure.map(|call| format!("{}: {}", in_words(&variant.name), difference(call))));
    }
    let all = variants.len();
    if same == all {
        page.paragraph(2, Ink::Plain, &format!("No difference in any of {all}."));
    } else {
        page.paragraph(2, Ink::Plain, &format!("No difference in {same} of {all}."));
    }
    for text in varied {
        page.hanging("  ", 6, Ink::Plain, &format!("{text}: varied, which shows no difference"));
    }
}

/// What runtimes report of their memory, where it differs.
fn allocations(page: &mut Page, variants: &[VariantComparison]) {
    let mut differing = variants
        .iter()
        .map(|variant| (variant, variant.allocations.iter().filter(|one| one.differs()).collect::<Vec<_>>()))
        .filter(|(_, differing)| !differing.is_empty())
        .peekable();
    if differing.peek().is_none() {
        return;
    }
    page.blank();
    page.paragraph(0, Ink::Heading, "Allocations per operation, old → new, where they differ");
    for (variant, differing) in differing {
        let figures = differing.iter().map(|one| {
            let each = |value| three_digits(value);
            format!("{} {} → {}", one.figure, each(one.old), each(one.new))
        });
        let text = format!("{}: {}", in_words(&variant.name), figures.collect::<Vec<_>>().join("; "));
        page.hanging("  ", 6, Ink::Plain, &text);
    }
}

pub(crate) fn is_varied(call: &CallDifference) -> bool {
    !call.old.is_exact() || !call.new.is_exact()
}

pub(crate) fn difference(call: &CallDifference) -> String {
    let errno = call.errno.as_ref().map(|errno| format!(" {errno}")).unwrap_or_default();
    format!("{}{errno} {} → {}", call.call, range(call.old), range(call.new))
}

pub(crate) fn range(range: CallRange) -> String {
    if range.is_exact() {
        return exactly(range.median);
    }
    format!("{} ({}–{})", per_operation(range.median, false), number(range.least, 2), number(range.most, 2))
}

/// An exact count that is no whole number keeps its digits.
fn exactly(calls: f64) -> String {
    if calls.fract().abs() < 1e-9 { number(calls, 0) } else { number(calls, 4) }
}

fn times(page: &mut Page, variants: &[VariantComparison]) {
    let Some(first) = variants.first() else { return };
    page.blank();
    page.paragraph(
        0,
        Ink::Plain,
        &format!("{} · {} · {}", first.name.experiment, first.name.label, first.name.place),
    );
    let timed: Vec<(&VariantComparison, &TimeComparison)> =
        variants.iter().filter_map(|variant| Some((variant, variant.time.value()?))).collect();
    if !timed.is_empty() {
        tables(page, &timed);
    }
    let untimed: BTreeSet<_> = variants.iter().map(|variant| reason(&variant.time)).collect();
    if let (1, Some(Some(reason))) = (untimed.len(), untimed.first()) {
        page.hanging("  note: ", 8, Ink::Plain, reason);
        return;
    }
    let mut reasons: BTreeSet<String> = BTreeSet::new();
    for variant in variants {
        match &variant.time {
            Reading::Value(time) => reasons.extend(time.caveats.iter().cloned()),
            Reading::Unavailable(reason) => {
                reasons.insert(format!("{}: {reason}", variant.name.method));
            }
        }
    }
    for reason in reasons {
        page.hanging("  note: ", 8, Ink::Plain, &reason);
    }
}

fn reason<T>(reading: &Reading<T>) -> Option<&str> {
    match reading {
        Reading::Value(_) => None,
        Reading::Unavailable(reason) => Some(reason),
    }
}

/// Times, then the ratios to the baseline where both records have them.
fn tables(page: &mut Page, timed: &[(&VariantComparison, &TimeComparison)]) {
    let all: Vec<f64> = timed.iter().flat_map(|(_, time)| [time.old_ns.value, time.new_ns.value]).collect();
    let unit = TimeUnit::shared(&all);
    let rows = timed.iter().map(|(variant, time)| Row {
        sides: [&time.old_ns, &time.new_ns].map(|ns| time_in_table(ns, unit.ns()).value),
        ratio: &time.ratio_simultaneous,
        word: time_word(time.change),
        name: method_in_words(&variant.name),
    });
    table(page, unit.symbol(), "method", &rows.collect::<Vec<_>>());
    let rows: Vec<_> = timed
        .iter()
        .filter_map(|(variant, _)| {
            let found = variant.ratio.value()?;
            Some(Row {
                sides: [&found.old, &found.new].map(|side| short_ratio(side).value),
                ratio: &found.ratio_simultaneous,
                word: ratio_word(found.change),
                name: method_in_words(&variant.name),
            })
        })
        .collect();
    if !rows.is_empty() {
        page.blank();
        table(page, "ratio", "ratio to the baseline, paired", &rows);
    }
}

/// A figure of both records and its ratio.
struct Row<'a> {
    sides: [String; 2],
    ratio: &'a Estimate,
    word: &'static str,
    name: String,
}

fn table(page: &mut Page, what: &str, of: &str, rows: &[Row<'_>]) {
    let side = |name: &str, at: usize| {
        let cells = rows.iter().map(|row| row.sides[at].clone()).collect();
        Column::right(&format!("{name} {what}"), cells).aligned_at('.')
    };
    let ratios: Vec<_> = rows.iter().map(|row| ratio(row.ratio)).collect();
    let values: Vec<String> = ratios.iter().map(|ratio| ratio.value.clone()).collect();
    let ranges: Vec<String> = ratios.iter().map(crate::written::Written::range).collect();
    let mut columns = vec![
        side("old", 0),
        side("new", 1),
        Column::right("new/old", values).aligned_at('.'),
        Column::beside("interval", ranges).aligned_at('–'),
        Column { gap: 2, ..Column::beside("", rows.iter().map(|row| row.word.to_owned()).collect()) },
    ];
    let taken = lines(&columns).first().map_or(0, |line| width(line));
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    let names = elided(&names, page.width().saturating_sub(taken + 2)).unwrap_or(names);
    columns.push(Column { gap: 2, ..Column::beside(of, names) });
    for line in lines(&columns) {
        page.row(&line, "", Ink::Plain);
    }
}

pub(crate) fn time_word(change: Change) -> &'static str {
    match change {
        Change::Lower => "faster",
        Change::Higher => "slower",
        other => ratio_word(other),
    }
}

fn ratio_word(change: Change) -> &'static str {
    match change {
        Change::Lower => "lower",
        Change::Higher => "higher",
        Change::NotShown => "not shown",
        Change::TooFewForks => "too few forks",
        Change::ControlFault => "control at fault",
    }
}

fn legend(page: &mut Page, comparison: &RecordComparison) {
    let variants = &comparison.variants;
    let Some(time) = variants.iter().find_map(|variant| variant.time.value()) else { return };
    let timed = variants.iter().filter(|variant| variant.time.value().is_some()).count();
    let each = number(time.ratio_simultaneous.confidence * 100.0, 2);
    let share = match timed {
        1 => "Intervals cover at 95 %.".to_owned(),
        _ => format!("Intervals cover at {each} % each, at 95 % all {timed} together."),
    };
    page.blank();
    let text = format!(
        "{} \"Not shown\" is no proof of sameness: the interval says how large a difference may hide. {share}",
        design::intervals(comparison.design)
    );
    page.paragraph(0, Ink::Faint, &text);
}
