//! Where the time of each method goes: bars of parts, what limits each, and the
//! parts in full.

use super::sentences::sentences;
use crate::chart::{Axis, Chart, Scale, Segment, SegmentKind, StackChart, StackRow, Values};
use crate::columns;
use crate::document::context::Context;
use crate::document::{Block, Cell, Column, ColumnKind, Figure, Fold, Prose, Row, Table};
use crate::options::Details;
use crate::quantity::{per_operation, short_time};
use crate::standing::by_time;
use crate::text;
use crate::text::breakdown::{breakdown, share, table};
use fathom_model::{Breakdown, Comparison, Part, PartKind};

/// Parts that take less of the longest bar have no room of their own.
const DRAWN_FROM: f64 = 0.02;

/// The picture, what it says, and the parts in full.
pub(super) fn blocks(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Vec<Block> {
    let known: Vec<_> = by_time(comparison)
        .into_iter()
        .filter_map(|index| Some((index, breakdown(comparison, index)?)))
        .collect();
    let mut blocks = Vec::new();
    blocks.extend(figure(context, comparison, labels, &known).map(Block::Figure));
    blocks.extend(sentences(context, Details::Brief, |page| {
        text::breakdown::render(page, context.record, comparison, labels);
    }));
    if !known.is_empty() {
        let tables = known.iter().enumerate().flat_map(|(number, &(index, breakdown))| {
            let beside = table::Beside::of(comparison, index);
            parts(context, &labels[index], breakdown, beside, number == 0)
        });
        let summary = "The parts of each method, with counts, prices and what they may be off by".into();
        blocks.push(Block::Fold(Fold { summary, open: false, blocks: tables.collect() }));
    }
    blocks
}

fn figure(
    context: &Context<'_>,
    comparison: &Comparison,
    labels: &[String],
    known: &[(usize, &Breakdown)],
) -> Option<Figure> {
    let totals = known.iter().map(|(_, breakdown)| breakdown.total_ns.value);
    let longest = totals.filter(|total| total.is_finite()).fold(0.0, f64::max);
    if longest <= 0.0 {
        return None;
    }
    let row = |&(index, breakdown): &(usize, &Breakdown)| StackRow {
        label: labels[index].clone(),
        style: context.palette.style(Context::method(comparison, index)),
        segments: segments(breakdown, longest),
        ends: breakdown.total_ns.interval(),
    };
    let rows: Vec<_> = known.iter().map(row).collect();
    let below: Vec<_> =
        known.iter().filter_map(|(index, breakdown)| below_zero(&labels[*index], breakdown)).collect();
    let mut caption =
        "Where the time of one operation goes: counts times prices, waiting as it was observed, and \
                       the rest; the whisker is the measured time's interval"
            .to_owned();
    if !below.is_empty() {
        caption = format!("{caption}; not drawn, as below zero: {}", below.join(", "));
    }
    let largest = |&(index, breakdown): &(usize, &Breakdown)| {
        let part = breakdown.parts.iter().max_by(|a, b| a.ns.total_cmp(&b.ns))?;
        let whole = breakdown.total_ns.value;
        Some(format!("{}: {} of {}", labels[index], in_words(part, whole), short_time(whole)))
    };
    let description = format!(
        "Bars of the parts of each method's time. The largest part of each: {}.",
        known.iter().filter_map(largest).collect::<Vec<_>>().join("; ")
    );
    let axis = Axis { title: "time per operation".into(), scale: Scale::Linear, values: Values::Time };
    Some(Figure {
        id: format!("{}-breakdown", context.id),
        caption: context.prose(&caption),
        description,
        chart: Chart::Stacks(StackChart { axis, rows }),
    })
}

/// The parts kind by kind, the largest of a kind first, its small ones together. One
/// below zero is among them, as the sum is the measured time.
fn segments(breakdown: &Breakdown, longest: f64) -> Vec<Segment> {
    let whole = breakdown.total_ns.value;
    let of_kind = |kind: SegmentKind| {
        let is_it = |part: &&Part| segment_kind(part.kind) == kind && part.ns.is_finite() && part.ns != 0.0;
        let mut parts: Vec<_> = breakdown.parts.iter().filter(is_it).collect();
        parts.sort_by(|a, b| b.ns.total_cmp(&a.ns));
        let is_small = |part: &Part| (0.0..DRAWN_FROM * longest).contains(&part.ns);
        let (mut small, mut named): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| is_small(part));
        // One alone is named, however small.
        if small.len() == 1 {
            named.append(&mut small);
        }
        let one = |part: &&Part| Segment {
            kind,
            label: part.label().to_owned(),
            value: part.ns,
            hint: in_words(part, whole),
        };
        let mut segments: Vec<_> = named.iter().map(one).collect();
        if !small.is_empty() {
            let each: Vec<_> = small.iter().map(|part| in_words(part, whole)).collect();
            let value = small.iter().map(|part| part.ns).sum();
            segments.push(Segment { kind, label: "others".into(), value, hint: each.join("; ") });
        }
        segments
    };
    SegmentKind::ALL.into_iter().flat_map(of_kind).collect()
}

fn segment_kind(kind: PartKind) -> SegmentKind {
    match kind {
        PartKind::Call => SegmentKind::Call,
        PartKind::Fault | PartKind::PageCache => SegmentKind::Fault,
        PartKind::Wait => SegmentKind::Device,
        PartKind::RunQueue => SegmentKind::RunQueue,
        PartKind::Loop => SegmentKind::Loop,
        PartKind::Rest => SegmentKind::Runtime,
    }
}

/// `fcntl 4 × 158 ns = 634 ns ± 6.34 ns (18 %)`.
fn in_words(part: &Part, whole: f64) -> String {
    let times = match (part.count, part.price_ns) {
        (Some(count), Some(price)) if count.is_finite() && price.is_finite() => {
            format!("{} × {} = ", per_operation(count, true), short_time(price))
        }
        _ => String::new(),
    };
    let error = part.error_ns.filter(|error| error.is_finite());
    let error = error.map(|error| format!(" ± {}", short_time(error))).unwrap_or_default();
    format!("{} {times}{}{error} ({})", part.label(), short_time(part.ns), share(part.ns, whole))
}

/// What a bar leaves out, which is then longer than what was measured.
fn below_zero(label: &str, breakdown: &Breakdown) -> Option<String> {
    let below: Vec<_> = breakdown
        .parts
        .iter()
        .filter(|part| part.ns < 0.0)
        .map(|part| format!("{} {}", part.label(), short_time(part.ns)))
        .collect();
    (!below.is_empty()).then(|| format!("{label} ({})", below.join(", ")))
}

/// The parts of one method with all their figures, and what is to be known of them;
/// what the columns are is said once.
fn parts(
    context: &Context<'_>,
    label: &str,
    breakdown: &Breakdown,
    beside: Option<table::Beside<'_>>,
    explains_columns: bool,
) -> Vec<Block> {
    let figures = table::figures(breakdown, beside);
    let heading = |column: &columns::Column| {
        let column = Column::from(column);
        Column { meaning: column.meaning.filter(|_| explains_columns), ..column }
    };
    let columns = std::iter::once(Column::new("part", ColumnKind::Name)).chain(figures.iter().map(heading));
    let row = |(number, part): (usize, &Part)| {
        let name = Cell { prose: Prose::code(part.label()), hint: part.note.clone(), ..Cell::default() };
        let cells = figures.iter().map(|column| Cell::from(&column.cells[number]));
        Row { cells: std::iter::once(name).chain(cells).collect(), ..Row::default() }
    };
    let table = Table {
        caption: context.prose(&format!("{label}: {}", table::sum(breakdown, beside))),
        columns: columns.collect(),
        rows: breakdown.parts.iter().enumerate().map(row).collect(),
        interactive: false,
    };
    let notes = breakdown.parts.iter().filter_map(|part| Some((part, part.note.as_ref()?)));
    let notes: Vec<_> = notes.map(|(part, note)| format!("{}: {note}", part.label())).collect();
    let notes = (!notes.is_empty()).then(|| Block::Prose(context.prose(&notes.join(". "))));
    std::iter::once(Block::Table(table)).chain(notes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::labels;
    use crate::palette::Palette;
    use fathom_model::{Reading, Record};
    use fathom_testkit::{complete, explained};

    fn of(record: &Record, experiment: usize) -> Vec<Block> {
        let palette = Palette::of(&[record]);
        let context = Context::of(record, &palette, "r");
        let comparison = &record.experiments[experiment].comparisons[0];
        blocks(&context, comparison, &labels(record, comparison))
    }

    fn stacks(blocks: &[Block]) -> (&StackChart, &Figure) {
        let Some(Block::Figure(figure)) = blocks.first() else { panic!("no figure") };
        let Chart::Stacks(chart) = &figure.chart else { panic!("no stacks") };
        (chart, figure)
    }

    #[test]
    fn the_segments_of_a_bar_make_the_measured_time() {
        for experiment in 0..3 {
            let record = explained();
            let blocks = of(&record, experiment);
            let (chart, _) = stacks(&blocks);
            let comparison = &record.experiments[experiment].comparisons[0];
            assert!(!chart.rows.is_empty());
            for row in &chart.rows {
                let names = labels(&record, comparison);
                let index = names.iter().position(|label| *label == row.label).unwrap();
                let total = breakdown(comparison, index).unwrap().total_ns.value;
                let sum: f64 = row.segments.iter().map(|segment| segment.value).sum();
                assert!((sum - total).abs() < 1e-6, "{}: {sum} of {total}", row.label);
                assert!(row.segments.is_sorted_by_key(|segment| segment.kind), "{row:?}");
                assert!(row.segments.iter().all(|segment| !segment.hint.is_empty()));
            }
        }
    }

    #[test]
    fn a_hint_says_how_the_part_comes_about() {
        let blocks = of(&explained(), 0);
        let (chart, _) = stacks(&blocks);
        let row = chart.rows.iter().find(|row| row.label == "go:os.Open").unwrap();
        let hint = |label: &str| row.segments.iter().find(|s| s.label == label).unwrap().hint.as_str();
        assert_eq!(hint("fcntl"), "fcntl 4 × 158 ns = 634 ns ± 6.34 ns (18 %)");
        assert!(hint("unattributed").starts_with("unattributed 1399 ns ± "), "{}", hint("unattributed"));
    }

    #[test]
    fn small_parts_of_a_kind_are_one_segment() {
        let blocks = of(&explained(), 1);
        let (chart, _) = stacks(&blocks);
        let mapped = chart.rows.iter().find(|row| row.label == "native:mmap").unwrap();
        let others: Vec<_> = mapped.segments.iter().filter(|segment| segment.label == "others").collect();
        assert_eq!(others.len(), 1, "{mapped:?}");
        assert_eq!(others[0].kind, SegmentKind::Fault);
        assert!(others[0].hint.contains("minor faults, file") && others[0].hint.contains("; "), "{others:?}");
    }

    #[test]
    fn a_part_below_zero_is_said_as_it_is_not_drawn() {
        let mut record = explained();
        let explanation = &mut record.experiments[0].comparisons[0].explanations[1];
        let Some(Reading::Value(breakdown)) = &mut explanation.breakdown else { panic!() };
        let rest = breakdown.parts.last_mut().unwrap();
        rest.ns = -400.0;
        let blocks = of(&record, 0);
        let (chart, figure) = stacks(&blocks);
        let row = chart.rows.iter().find(|row| row.label == "go:os.Open").unwrap();
        let rest = row.segments.iter().find(|segment| segment.label == "unattributed").unwrap();
        assert!((rest.value + 400.0).abs() < 1e-9, "it counts for the sum");
        assert!(
            figure.caption.text().contains("below zero: go:os.Open (unattributed -400 ns)"),
            "{:?}",
            figure.caption
        );
    }

    #[test]
    fn the_sentences_of_the_text_stand_below_and_the_parts_in_a_fold() {
        let blocks = of(&explained(), 0);
        let Block::List(items) = &blocks[1] else { panic!("{blocks:?}") };
        let said: Vec<_> = items.iter().map(|item| item.prose.text()).collect();
        assert!(
            said.iter().any(|said| said.contains("more than go:syscall.Open: fcntl +634 ns")),
            "{said:?}"
        );
        let Block::Fold(fold) = &blocks[2] else { panic!("{blocks:?}") };
        let tables = fold.blocks.iter().filter(|block| matches!(block, Block::Table(_))).count();
        assert_eq!(tables, 5);
        assert!(of(&complete(), 0).is_empty());
    }
}
