//! Two records beside each other: what became of calls and of times.

use crate::chart::{
    Axis, Chart, IntervalChart, IntervalRow, Mark, MarkKind, Rule, Scale, Sign, SignKind, Values,
};
use crate::compare::{self, variants::range};
use crate::document::context::Context;
use crate::document::{Block, Cell, Column, ColumnKind, Figure, Fold, Prose, Row, Section, Table, said};
use crate::quantity::TimeUnit;
use crate::written::{ratio, time_in_table, time_phrase};
use fathom_model::Reading;
use fathom_stats::{Change, RecordComparison, TimeComparison, VariantComparison};

/// More methods than these are counted.
const NAMED_MAX: usize = 4;

/// What became of calls and times, in two sentences.
pub(crate) fn lead(context: &Context<'_>, comparison: &RecordComparison) -> Vec<Prose> {
    let all = comparison.variants.len();
    if all == 0 {
        return vec!["The two records have no variant in common.".into()];
    }
    let counted: Vec<_> =
        comparison.variants.iter().filter_map(|variant| Some((variant, variant.calls.value()?))).collect();
    let changed: Vec<String> = counted
        .iter()
        .filter(|(_, calls)| calls.differs())
        .map(|(variant, _)| compare::method_in_words(&variant.name))
        .collect();
    let calls = match (counted.len(), changed.len()) {
        (0, _) => "No calls were counted in both records".to_owned(),
        (counted, 0) => {
            format!("Before and after, the calls of one operation are the same in all of {counted}")
        }
        (counted, n) if n <= NAMED_MAX => {
            format!(
                "Before and after, the calls of one operation differ in {n} of {counted}: {}",
                changed.join(", ")
            )
        }
        (counted, n) => format!("Before and after, the calls of one operation differ in {n} of {counted}"),
    };
    let times: Vec<&TimeComparison> =
        comparison.variants.iter().filter_map(|variant| variant.time.value()).collect();
    let of = |change| times.iter().filter(|time| time.change == change).count();
    let told: Vec<String> = [
        (Change::Lower, "faster"),
        (Change::Higher, "slower"),
        (Change::NotShown, "with no change shown"),
        (Change::TooFewForks, "with too few forks to tell"),
        (Change::ControlFault, "with a control at fault"),
    ]
    .into_iter()
    .filter(|(change, _)| of(*change) > 0)
    .map(|(change, words)| format!("{} {words}", of(change)))
    .collect();
    let times = match (&comparison.times_withheld, told.is_empty()) {
        (Some(reason), _) => format!("Times are not compared: {reason}."),
        (None, true) => "No times were taken in both records.".to_owned(),
        (None, false) => {
            format!("Of {} times {} (intervals that hold together at 95 %).", times.len(), told.join(", "))
        }
    };
    vec![context.prose(&format!("{calls}.")), context.prose(&times)]
}

/// The whole section. `context` is of the new record.
pub(crate) fn section(context: &Context<'_>, comparison: &RecordComparison) -> Section {
    let context = context.part("before-after");
    let mut blocks = said::brief(&context, |page| compare::around(page, comparison));
    for group in comparison.variants.chunk_by(|a, b| together(a) == together(b)) {
        let part = context.part(&format!("{} {}", group[0].name.experiment, group[0].name.label));
        blocks.extend(picture(&part, group).map(Block::Figure));
        blocks.push(Block::Table(table(&part, group)));
    }
    let said = said::brief(&context, |page| compare::variants::render(page, comparison));
    let summary =
        "The same as fathom compare says it: calls that differ, notes, what the intervals mean".into();
    blocks.push(Block::Fold(Fold { summary, open: false, blocks: said }));
    Section { id: context.id, title: "Before and after".to_owned(), blocks, sections: Vec::new() }
}

fn together(variant: &VariantComparison) -> (&str, &str) {
    (&variant.name.experiment, &variant.name.label)
}

fn heading(group: &[VariantComparison]) -> String {
    let name = &group[0].name;
    format!("{}, {}, {}", name.experiment, name.label, name.place)
}

/// Ratios of the times, new over old, with what they hold together.
fn picture(context: &Context<'_>, group: &[VariantComparison]) -> Option<Figure> {
    let row = |variant: &VariantComparison| {
        let time = variant.time.value()?;
        let found = &time.ratio_simultaneous;
        let label = compare::method_in_words(&variant.name);
        let hint =
            format!("{label}: {}, {}", ratio(found).phrase(), compare::variants::time_word(time.change));
        let mark = Mark { kind: MarkKind::Here, value: found.value, ends: found.interval(), hint };
        let style = context.palette.style(&variant.name.method);
        Some(IntervalRow { label, style, marks: vec![mark], dots: Vec::new() })
    };
    let mut rows: Vec<_> = group.iter().filter_map(row).collect();
    rows.sort_by(|a, b| a.marks[0].value.total_cmp(&b.marks[0].value));
    if rows.is_empty() {
        return None;
    }
    let axis = Axis { title: "time, new over old".to_owned(), scale: Scale::Linear, values: Values::Ratio };
    let caption = format!(
        "{}: time of the new record over that of the old one, with intervals that hold together; left of 1 is faster now",
        heading(group)
    );
    let description =
        format!("{} ratios of times, new over old; the table below has all figures.", rows.len());
    let word = "ratio of the medians and its interval".to_owned();
    let legend = vec![Sign { kind: SignKind::Interval, word }];
    let rules = vec![Rule { at: 1.0, label: "no change".to_owned() }];
    let chart = Chart::Intervals(IntervalChart { axis, rows, rules, legend });
    Some(Figure { id: format!("{}-ratios", context.id), caption: caption.into(), description, chart })
}

fn table(context: &Context<'_>, group: &[VariantComparison]) -> Table {
    let times: Vec<&TimeComparison> = group.iter().filter_map(|variant| variant.time.value()).collect();
    let all: Vec<f64> = times.iter().flat_map(|time| [time.old_ns.value, time.new_ns.value]).collect();
    let unit = TimeUnit::shared(&all);
    let per = format!("{}/op", unit.symbol());
    let columns = vec![
        Column::new("method", ColumnKind::Name),
        Column::new("calls before", ColumnKind::Figure),
        Column::new("after", ColumnKind::Figure),
        Column::new(&format!("{per} before"), ColumnKind::Figure),
        Column::new("after", ColumnKind::Figure),
        Column {
            meaning: Some("interval that holds together with those of all matched variants".to_owned()),
            ..Column::new("after/before", ColumnKind::Figure)
        },
        Column::new("95 %", ColumnKind::Beside),
        Column::new("time", ColumnKind::Words),
    ];
    let rows = group.iter().map(|variant| row(context, variant, unit)).collect();
    let caption = format!("{}: calls and times of one operation before and after", heading(group)).into();
    Table { caption, columns, rows, interactive: group.len() > 3 }
}

fn row(context: &Context<'_>, variant: &VariantComparison, unit: TimeUnit) -> Row {
    let mut cells =
        vec![Cell { prose: Prose::code(&compare::method_in_words(&variant.name)), ..Cell::default() }];
    match &variant.calls {
        Reading::Value(calls) => {
            let differing: Vec<String> =
                calls.by_call.iter().filter(|call| call.differs).map(compare::variants::difference).collect();
            for side in [calls.old, calls.new] {
                let mut cell = Cell::figure(range(side), Some(side.median));
                cell.hint = (!differing.is_empty()).then(|| differing.join("; "));
                cells.push(cell);
            }
            if calls.differs()
                && let Some(cell) = cells.last_mut()
            {
                cell.tone = crate::document::Tone::Strong;
            }
        }
        Reading::Unavailable(reason) => {
            cells.extend([absent(reason), absent(reason)]);
        }
    }
    match &variant.time {
        Reading::Value(time) => {
            for side in [&time.old_ns, &time.new_ns] {
                let mut cell = Cell::figure(time_in_table(side, unit.ns()).value, Some(side.value));
                cell.hint = Some(format!("{}, n = {} forks", time_phrase(side), side.forks));
                cells.push(cell);
            }
            let found = ratio(&time.ratio_simultaneous);
            let word = compare::variants::time_word(time.change);
            cells.push(Cell::figure(found.value.clone(), Some(time.ratio_simultaneous.value)));
            cells.push(Cell::words(found.range()));
            cells.push(Cell { tone: tone(time.change), ..Cell::words(word) });
        }
        Reading::Unavailable(reason) => {
            cells.extend([absent(reason), absent(reason), Cell::default(), Cell::default(), absent(reason)]);
        }
    }
    Row { cells, style: Some(context.palette.style(&variant.name.method)), is_baseline: false }
}

fn absent(reason: &str) -> Cell {
    Cell { hint: Some(reason.to_owned()), ..Cell::words("-") }
}

fn tone(change: Change) -> crate::document::Tone {
    match change {
        Change::Lower => crate::document::Tone::Good,
        Change::Higher | Change::ControlFault => crate::document::Tone::Bad,
        Change::NotShown | Change::TooFewForks => crate::document::Tone::Faint,
    }
}
