//! One comparison: its picture, its table, and why both may be believed.

use crate::chart::{
    Axis, Chart, IntervalChart, IntervalRow, Mark, MarkKind, Rule, Scale, Sign, SignKind, Values,
};
use crate::document::context::{Context, PICTURE_FROM};
use crate::document::{
    Block, Cell, Column, ColumnKind, Figure, Fold, Note, Prose, Row, Span, Table, Tone, said,
};
use crate::document::{explanation, over_a_number, scatter};
use crate::floor::floors;
use crate::label::{labels, place_name, title};
use crate::published::{self, times as published_times};
use crate::quantity::short_time;
use crate::standing::{by_time, statement, summary};
use crate::statement::Statement;
use crate::text::context::Context as TableContext;
use crate::text::{
    answers, batches, beside, differences, evidence, ledger, legend, prediction, runtime, setting, spread,
    times, warnings,
};
use crate::written::{ratio, time_phrase};
use fathom_model::{ArmKind, Comparison, Floors, VariantSummary};
use fathom_stats::fork_figures;

/// Where the slowest takes more than so many times the fastest, equal ratios are equally wide.
const LOGARITHMIC_FROM: f64 = 12.0;
/// Floors are drawn where the fastest takes at most so many null calls: farther off they
/// would push it aside.
const FLOORS_WITHIN: f64 = 60.0;
/// The same where equal ratios are equally wide.
const FLOORS_WITHIN_LOGARITHMIC: f64 = 15.0;
/// What the dashed lines of a picture are; a span of its own in its caption.
pub(super) const RULES_NOTE: &str = "; dashed: what the cheapest calls cost on this machine";
/// One run alone lies where its median does.
const RUNS_MIN: usize = 2;
/// Rows of a table from which readers want to sort and to filter them.
const INTERACTIVE_FROM: usize = 4;

/// What a comparison is called among its experiment's: with its place, where others are called the same.
pub(crate) fn name_of(context: &Context<'_>, of: &TableContext<'_>, comparison: &Comparison) -> String {
    let name = title(comparison);
    let twins = of.comparisons.iter().filter(|other| title(other) == name).count();
    match comparison.variants.get(comparison.baseline) {
        Some(variant) if twins > 1 => format!("{name}, {}", place_name(context.record, variant.place)),
        _ => name,
    }
}

/// What is compared, in a sentence.
pub(crate) fn setting_of(context: &Context<'_>, comparison: &Comparison) -> Option<Prose> {
    let variant = comparison.variants.get(comparison.baseline)?;
    Some(context.prose(&setting::sentence(context.record, &[comparison], variant)))
}

/// The picture, the table, and what is to be known below it.
pub(crate) fn result(context: &Context<'_>, of: &TableContext<'_>, comparison: &Comparison) -> Vec<Block> {
    let labels = labels(context.record, comparison);
    let course = explanation::course(context, comparison, &labels);
    let (mut blocks, course): (Vec<Block>, Vec<Block>) =
        course.into_iter().partition(|block| matches!(block, Block::Figure(_)));
    let lines = over_a_number::lines(context, comparison);
    blocks.extend(lines.or_else(|| picture(context, of, comparison, &labels)).map(Block::Figure));
    blocks.push(Block::Table(table(context, of, comparison, &labels)));
    blocks.extend(course);
    // Of a hundred comparisons each has to be brief.
    if !context.is_long {
        blocks.extend(scatter::figure(context, comparison, &labels).map(Block::Figure));
    }
    blocks.extend(explanation::spread(context, comparison, &labels));
    blocks.extend(said::brief(context, |page| {
        times::missing(page, comparison, &labels);
        answers::render(page, of, comparison, &labels);
    }));
    blocks
}

/// Why it may be believed: cache evidence, the control, the loop, forks, warnings.
pub(crate) fn belief(context: &Context<'_>, comparison: &Comparison) -> Vec<Block> {
    let labels = labels(context.record, comparison);
    let mut blocks = said::brief(context, |page| {
        setting::differing(page, context.record, comparison, &labels);
        evidence::render(page, comparison, &labels);
        prediction::render(page, comparison, &labels, context.record.environment.page_bytes);
    });
    let more = said::full(context, |page| {
        batches::render(page, comparison, &labels);
        spread::render(page, comparison, &labels);
        runtime::render(page, comparison, &labels);
        differences::render(page, comparison, &labels);
        ledger::render(page, comparison, &labels);
    });
    blocks.extend(said::brief(context, |page| warnings::render(page, 0, &comparison.warnings)));
    if !more.is_empty() {
        let summary = "Spread, differences in ns, what runtimes report, calls outside the clock".into();
        blocks.push(Block::Fold(Fold { summary, open: false, blocks: more }));
    }
    blocks
}

/// Times with their intervals on one axis, the fastest first.
fn picture(
    context: &Context<'_>,
    of: &TableContext<'_>,
    comparison: &Comparison,
    labels: &[String],
) -> Option<Figure> {
    let order: Vec<usize> =
        by_time(comparison).into_iter().filter(|&index| summary(comparison, index).is_some()).collect();
    let times: Vec<f64> =
        order.iter().filter_map(|&index| Some(summary(comparison, index)?.time_ns.value)).collect();
    if times.len() < PICTURE_FROM {
        return None;
    }
    let row = |&index: &usize| {
        let mut marks: Vec<_> = summary(comparison, index)
            .map(|summary| here(summary, &labels[index], statement(comparison, index)))
            .into_iter()
            .collect();
        marks.extend(reported(of, comparison, index));
        let style = context.palette.style(Context::method(comparison, index));
        let dots = process_times(comparison, index);
        IntervalRow { label: labels[index].clone(), style, marks, dots }
    };
    let rows: Vec<_> = order.iter().map(row).collect();
    let drawn = rows.iter().flat_map(|row| &row.marks).map(|mark| mark.value);
    let (least, most) = drawn.fold((f64::INFINITY, 0.0_f64), |(l, m), v| (l.min(v), m.max(v)));
    let scale = if most > LOGARITHMIC_FROM * least { Scale::Logarithmic } else { Scale::Linear };
    let axis = Axis { title: "time per operation".to_owned(), scale, values: Values::Time };
    let within = if scale == Scale::Logarithmic { FLOORS_WITHIN_LOGARITHMIC } else { FLOORS_WITHIN };
    let rules = floors(context.record)
        .filter(|floors| least <= within * floors.null_call_ns.median)
        .map(rules)
        .unwrap_or_default();
    let names: Vec<_> = [order.first(), order.last()].into_iter().flatten().map(|&i| &labels[i]).collect();
    let description = format!(
        "Times per operation of {} methods with their intervals, from {} at {} to {} at {}; the table below has all figures.",
        rows.len(),
        names[0],
        short_time(times[0]),
        names[1],
        short_time(times[times.len() - 1]),
    );
    let mut caption = format!("{}: time per operation, fastest first", name_of(context, of, comparison));
    if scale == Scale::Logarithmic {
        caption.push_str("; logarithmic");
    }
    let mut caption = Prose::from(caption);
    if !rules.is_empty() {
        caption.0.push(Span::Plain(RULES_NOTE.to_owned()));
    }
    let legend = legend_of(&rows);
    let chart = Chart::Intervals(IntervalChart { axis, rows, rules, legend });
    Some(Figure { id: format!("{}-times", context.id), caption, description, chart })
}

/// What the signs of these rows stand for.
fn legend_of(rows: &[IntervalRow]) -> Vec<Sign> {
    let has = |kind| rows.iter().flat_map(|row| &row.marks).any(|mark| mark.kind == kind);
    let all = [
        (true, SignKind::Interval, "median and 95 % interval"),
        (rows.iter().any(|row| !row.dots.is_empty()), SignKind::Dot, "each process run"),
        (has(MarkKind::Reported), SignKind::Reported, "as published, another machine"),
    ];
    let shown = all.into_iter().filter(|(is_there, ..)| *is_there);
    shown.map(|(_, kind, word)| Sign { kind, word: word.to_owned() }).collect()
}

/// The median of each process run of a variant: what its interval is made of.
fn process_times(comparison: &Comparison, index: usize) -> Vec<f64> {
    let Some(arm) = comparison.arms.iter().position(|arm| arm.kind == ArmKind::Variant(index)) else {
        return Vec::new();
    };
    let times = comparison.forks.iter().filter_map(|fork| Some(fork_figures(fork, arm)?.time_ns));
    let times: Vec<f64> = times.filter(|ns| ns.is_finite() && *ns > 0.0).collect();
    if times.len() < RUNS_MIN { Vec::new() } else { times }
}

fn here(summary: &VariantSummary, label: &str, statement: Statement) -> Mark {
    let time = &summary.time_ns;
    let against = summary.ratio.as_ref().map(|found| format!(", ratio {}", ratio(found).phrase()));
    let words = match statement.words() {
        "" => String::new(),
        words => format!(" ({words})"),
    };
    let hint = format!(
        "{label}: {}{}{words}, n = {} forks",
        time_phrase(time),
        against.unwrap_or_default(),
        time.forks
    );
    Mark { kind: MarkKind::Here, value: time.value, ends: time.interval(), hint }
}

/// What was published of a variant, as marks of their own.
fn reported(of: &TableContext<'_>, comparison: &Comparison, index: usize) -> Vec<Mark> {
    let mark = |(number, figure): (usize, &fathom_model::Figure)| {
        let source = &of.reported[number].source;
        let hint = format!("reported by {source}: {}", published::value(figure));
        Some(Mark { kind: MarkKind::Reported, value: figure.ns_per_operation()?, ends: None, hint })
    };
    published_times(of.reported, &comparison.variants[index]).into_iter().filter_map(mark).collect()
}

/// The machine's floors.
fn rules(floors: &Floors) -> Vec<Rule> {
    let all = [("null call", floors.null_call_ns), ("fstat", floors.fstat_ns), ("pread", floors.pread_ns)];
    all.map(|(name, floor)| Rule { at: floor.median, label: format!("{name} {}", short_time(floor.median)) })
        .into()
}

/// Every variant with what was found, the fastest first.
fn table(context: &Context<'_>, of: &TableContext<'_>, comparison: &Comparison, labels: &[String]) -> Table {
    let order = by_time(comparison);
    let unit = times::unit(comparison);
    let mut found = times::columns(comparison, &order, unit);
    found.extend(beside::columns(of, comparison, &order, unit));
    let name = Column::new("method", ColumnKind::Name);
    let verdict = Column::new("against the baseline", ColumnKind::Words);
    let columns: Vec<_> =
        std::iter::once(name).chain(found.iter().map(Column::from)).chain(std::iter::once(verdict)).collect();
    let row = |(row, &index): (usize, &usize)| {
        let method = Cell { prose: Prose::code(&labels[index]), ..Cell::default() };
        let figures = found.iter().map(|column| column.cells.get(row).map(Cell::from).unwrap_or_default());
        let statement = statement(comparison, index);
        let verdict = Cell { tone: said::tone(statement.ink()), ..Cell::words(statement.words()) };
        Row {
            cells: std::iter::once(method).chain(figures).chain(std::iter::once(verdict)).collect(),
            style: Some(context.palette.style(Context::method(comparison, index))),
            is_baseline: index == comparison.baseline,
        }
    };
    let rows: Vec<_> = order.iter().enumerate().map(row).collect();
    let together = legend::shared(&[comparison])
        .map(|many| format!("; the last column holds for all {many} at once at 95 %{}", alone(comparison)));
    let caption = format!(
        "{}: times and calls of one operation{}",
        name_of(context, of, comparison),
        together.unwrap_or_default()
    );
    Table { caption: caption.into(), columns, interactive: rows.len() >= INTERACTIVE_FROM, rows }
}

/// What a statement means that is not of all together.
fn alone(comparison: &Comparison) -> &'static str {
    let any = (0..comparison.variants.len()).any(|index| statement(comparison, index) == Statement::Alone);
    if any {
        " (\"significant only without multiple-comparison correction\": the row's own interval excludes 1, the corrected one does not)"
    } else {
        ""
    }
}

/// A note on a faulty control, which is to be read before anything else.
pub(crate) fn fault(comparison: &Comparison) -> Option<Block> {
    let is_faulty = crate::standing::is_faulty(comparison);
    let text = "The baseline differs from itself in this session: the ratios are not to be used.";
    is_faulty.then(|| Block::Note(Note { tone: Tone::Bad, word: "fault".to_owned(), prose: text.into() }))
}
