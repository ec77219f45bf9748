//! How the times of single operations lie: a picture of the tail, and a table of
//! percentiles.

use super::sentences::{headed, sentences};
use crate::chart::{Axis, Chart, Line, LineChart, Point, Scale, Values};
use crate::columns::Column as TextColumn;
use crate::document::context::Context;
use crate::document::{Block, Cell, Column, ColumnKind, Figure, Prose, Row, Table};
use crate::options::Details;
use crate::page::Page;
use crate::quantity::{grouped, short_time, three_digits};
use crate::standing::by_time;
use crate::text;
use crate::text::latencies::distribution_columns;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fathom_model::{Comparison, Latency, LatencyDistribution};
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;

/// A further point of a line is so much further along one of the axes: a few pixels.
const TIME_STEP_LN: f64 = 0.04;
const SHARE_STEP_LN: f64 = 0.08;

/// The picture, the table, and what is to be known of both.
pub(super) fn blocks(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Vec<Block> {
    let found = by_time(comparison).into_iter().filter_map(|index| {
        let reading = comparison.explanations.get(index)?.latencies.as_ref()?;
        Some((index, reading.value()?))
    });
    let found: Vec<_> = found.collect();
    let render = |page: &mut Page| text::latencies::render(page, comparison, labels);
    let mut blocks = Vec::new();
    blocks.extend(figure(context, comparison, labels, &found).map(Block::Figure));
    if found.is_empty() {
        blocks.extend(sentences(context, Details::Brief, render));
    } else {
        let distributions: Vec<_> = found.iter().map(|(_, found)| *found).collect();
        let figures = distribution_columns(&distributions);
        let indices: Vec<_> = found.iter().map(|(index, _)| *index).collect();
        let (caption, rest) = headed(context, Details::Brief, render);
        blocks.push(Block::Table(percentiles(context, comparison, labels, &indices, &figures, caption)));
        blocks.extend(rest);
    }
    blocks
}

/// Percentiles of variants, a row each.
pub(super) fn percentiles(
    context: &Context<'_>,
    comparison: &Comparison,
    labels: &[String],
    indices: &[usize],
    figures: &[TextColumn],
    caption: Prose,
) -> Table {
    let name = Column::new("method", ColumnKind::Name);
    let row = |(row, &index): (usize, &usize)| {
        let name = Cell { prose: Prose::code(&labels[index]), ..Cell::default() };
        let cells = figures.iter().map(|column| Cell::from(&column.cells[row]));
        Row {
            cells: std::iter::once(name).chain(cells).collect(),
            style: Some(context.palette.style(Context::method(comparison, index))),
            is_baseline: index == comparison.baseline,
        }
    };
    Table {
        caption,
        columns: std::iter::once(name).chain(figures.iter().map(Column::from)).collect(),
        rows: indices.iter().enumerate().map(row).collect(),
        interactive: false,
    }
}

/// Shares of operations that take longer, both axes logarithmic: of a distribution
/// function from 0 to 1 the tail, for which times are taken one by one, would be a
/// line along the upper edge. Each further nine of a percentile is one decade below.
fn figure(
    context: &Context<'_>,
    comparison: &Comparison,
    labels: &[String],
    found: &[(usize, &LatencyDistribution)],
) -> Option<Figure> {
    let line = |&(index, found): &(usize, &LatencyDistribution)| {
        let points = tail(&shares(&found.histogram)?);
        let style = context.palette.style(Context::method(comparison, index));
        (points.len() > 1).then(|| Line { label: labels[index].clone(), style, points })
    };
    let lines: Vec<_> = found.iter().filter_map(line).collect();
    if lines.is_empty() {
        return None;
    }
    let each = found.iter().map(|(index, found)| {
        let Latency { p50_ns, p99_ns, most_ns, .. } = found.latency;
        let [median, p99, most] = [p50_ns, p99_ns, most_ns].map(|ns| short_time(ns as f64));
        format!("{} half within {median}, 99 % within {p99}, the slowest {most}", labels[*index])
    });
    let description = format!("Times of single operations: {}.", each.collect::<Vec<_>>().join("; "));
    let caption =
        "Share of single operations that take longer than a time: at 50 % the median, at 1 % the 99th \
                   percentile; both axes logarithmic"
            .into();
    let axis = |title: &str, values| Axis { title: title.to_owned(), scale: Scale::Logarithmic, values };
    // Between the few points that are kept a straight line is nearer to the truth than a step.
    let chart = LineChart {
        x: axis("time of one operation", Values::Time),
        y: axis("operations that take longer", Values::Share),
        lines,
        rules: Vec::new(),
        stepped: false,
    };
    Some(Figure { id: format!("{}-latencies", context.id), caption, description, chart: Chart::Lines(chart) })
}

/// What share of the operations took at most so long, time by time, in ns; `None`
/// where the histogram is not there or cannot be read.
fn shares(histogram: &str) -> Option<Vec<(f64, f64)>> {
    let bytes = STANDARD.decode(histogram).ok()?;
    let histogram: Histogram<u64> = Deserializer::new().deserialize(&mut bytes.as_slice()).ok()?;
    let all = histogram.len() as f64;
    let mut until = 0;
    let share = |value: hdrhistogram::iterators::IterationValue<u64>| {
        until += value.count_at_value();
        (value.value_iterated_to() as f64, until as f64 / all)
    };
    Some(histogram.iter_recorded().map(share).collect()).filter(|shares: &Vec<_>| !shares.is_empty())
}

/// Points of the share that took longer, down to the last but one; of times that lie
/// next to each other one.
fn tail(shares: &[(f64, f64)]) -> Vec<Point> {
    let Some(&(fastest, _)) = shares.iter().find(|(time, _)| *time > 0.0) else { return Vec::new() };
    let mut points: Vec<Point> = Vec::new();
    let mut before = 0.0;
    for &(time, until) in shares {
        // So many take this long or longer: at the slowest there is still one.
        let (longer, after) = (1.0 - before, 1.0 - until);
        before = until;
        if time <= 0.0 || longer <= 0.0 {
            continue;
        }
        let is_far = points.last().is_none_or(|last| {
            (time / last.x).ln() >= TIME_STEP_LN || (last.y / longer).ln() >= SHARE_STEP_LN
        });
        if is_far || after <= 0.0 {
            points.push(Point { x: time, y: longer, ends: None, hint: hint(time, longer) });
        }
    }
    debug_assert!(points.first().is_some_and(|first| first.x >= fastest));
    points
}

fn hint(time_ns: f64, longer: f64) -> String {
    let time = short_time(time_ns);
    if longer >= 0.01 {
        return format!("{} % take {time} or longer", three_digits(100.0 * longer));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most the number of operations"
    )]
    let one_in = (1.0 / longer).round() as u64;
    format!("one in {} takes {time} or longer", grouped(one_in))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::labels;
    use crate::palette::Palette;
    use fathom_model::{Reading, Record};
    use fathom_testkit::{complete, explained};
    use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};

    fn encoded(times_ns: impl Iterator<Item = u64>) -> String {
        let mut histogram = Histogram::<u64>::new(3).unwrap();
        times_ns.for_each(|time_ns| histogram.record(time_ns).unwrap());
        let mut bytes = Vec::new();
        V2DeflateSerializer::new().serialize(&histogram, &mut bytes).unwrap();
        STANDARD.encode(bytes)
    }

    fn of(record: &Record) -> Vec<Block> {
        let palette = Palette::of(&[record]);
        let context = Context::of(record, &palette, "r");
        let comparison = &record.experiments[0].comparisons[0];
        blocks(&context, comparison, &labels(record, comparison))
    }

    fn with_histogram(histogram: String) -> Record {
        let mut record = explained();
        let explanation = &mut record.experiments[0].comparisons[0].explanations[1];
        let Some(Reading::Value(found)) = &mut explanation.latencies else { panic!() };
        found.histogram = histogram;
        record
    }

    #[test]
    fn shares_rise_to_one_and_the_tail_falls_to_the_slowest() {
        let times = (0..20_000_u64).map(|n| 3_500 + n % 700 + if n % 1_000 == 0 { n * 10 } else { 0 });
        let shares = shares(&encoded(times)).unwrap();
        assert!(shares.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
        assert!((shares.last().unwrap().1 - 1.0).abs() < 1e-12);
        let tail = tail(&shares);
        assert!(tail.windows(2).all(|pair| pair[0].x < pair[1].x && pair[0].y > pair[1].y));
        assert!((tail[0].y - 1.0).abs() < 1e-12, "all take as long as the fastest, or longer");
        let last = tail.last().unwrap();
        assert!((last.y - 1.0 / 20_000.0).abs() < 1e-9 && last.x > 190_000.0, "{last:?}");
        assert!(
            tail.iter().all(|point| point.x.is_finite() && point.y.is_finite() && !point.hint.is_empty())
        );
        assert!(tail.len() < 200, "{}", tail.len());
        assert_eq!(last.hint, "one in 20,000 takes 194 µs or longer");
    }

    #[test]
    fn a_readable_histogram_has_a_picture_and_any_other_only_its_table() {
        let drawn = of(&with_histogram(encoded([0, 840, 850, 900, 40_000].into_iter())));
        assert!(matches!(drawn[0], Block::Figure(_)), "{drawn:?}");
        for unreadable in [String::new(), "!".into(), "AAAA".into(), encoded(std::iter::empty())] {
            let blocks = of(&with_histogram(unreadable));
            assert!(matches!(blocks[0], Block::Table(_)), "{blocks:?}");
        }
        assert!(of(&complete()).is_empty());
    }

    #[test]
    fn the_table_has_every_percentile_and_the_sentences_follow() {
        let blocks = of(&explained());
        let [Block::Table(table), Block::List(items)] = blocks.as_slice() else { panic!("{blocks:?}") };
        let headings: Vec<_> = table.columns.iter().map(|column| column.heading.as_str()).collect();
        assert_eq!(headings, ["method", "n", "p50", "p90", "p99", "p99.9", "p99.99", "max", "mean", "clock"]);
        let cells: Vec<_> = table.rows[0].cells.iter().map(|cell| cell.prose.text()).collect();
        assert_eq!(cells[..3], ["go:os.Open", "20,000", "3.59"]);
        assert!(items.iter().any(|item| item.prose.text().contains("service time of a closed loop")));
    }
}
