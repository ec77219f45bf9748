//! The course of long runs: throughput, and what the machine did meanwhile.

use super::distribution::percentiles;
use super::sentences::headed;
use crate::chart::{Axis, Chart, Line, LineChart, Point, Scale, Values};
use crate::document::context::Context;
use crate::document::{Block, Figure, Fold};
use crate::label::title;
use crate::options::Details;
use crate::palette::{MARKERS, SeriesStyle};
use crate::text;
use crate::text::long_runs::series::{SERIES, Series};
use fathom_model::{Comparison, LongRun};

/// Fewer points than this are no course.
const POINTS_MIN: usize = 4;

/// Series that are read together, by the heads of their columns in the text.
struct Group {
    name: &'static str,
    title: &'static str,
    values: Values,
    headings: &'static [&'static str],
}

const BYTES: Group =
    Group { name: "throughput", title: "bytes per second", values: Values::Bytes, headings: &["bytes/s"] };
const OPERATIONS: Group =
    Group { name: "throughput", title: "operations per second", values: Values::Plain, headings: &["ops/s"] };
const MEANWHILE: [Group; 3] = [
    Group {
        name: "dirty pages and writeback, the whole machine's",
        title: "bytes",
        values: Values::Bytes,
        headings: &["dirty", "writeback"],
    },
    Group {
        name: "what the device moved, for everybody",
        title: "bytes per second",
        values: Values::Bytes,
        headings: &["dev. wr/s", "dev. rd/s"],
    },
    Group {
        name: "pressure: the share of the time in which some task of the machine waited",
        title: "share of the time",
        values: Values::Share,
        headings: &["cpu", "io", "mem"],
    },
];

/// Throughput over time, latencies of the runs, what the text says of them, and the rest on demand.
pub(super) fn blocks(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Vec<Block> {
    let runs = &comparison.long_runs;
    if runs.is_empty() {
        return Vec::new();
    }
    let moves = runs.iter().any(|run| run.bytes > 0);
    let throughput = if moves { &BYTES } else { &OPERATIONS };
    let mut blocks = Vec::new();
    blocks.extend(figure(context, comparison, labels, throughput).map(Block::Figure));
    let latencies: Vec<_> = runs.iter().map(|run| &run.latency).collect();
    let figures = text::latencies::columns(&latencies, text::latencies::unit(&latencies));
    let indices: Vec<_> = runs.iter().map(|run| run.variant).collect();
    let (caption, rest) = headed(context, Details::Brief, |page| {
        text::long_runs::render(page, comparison, labels);
    });
    let table = percentiles(context, comparison, labels, &indices, &figures, caption);
    blocks.push(Block::Table(table));
    blocks.extend(rest);
    let meanwhile = MEANWHILE.iter().filter_map(|group| figure(context, comparison, labels, group));
    let meanwhile: Vec<_> = meanwhile.map(Block::Figure).collect();
    if !meanwhile.is_empty() {
        let summary = "What the machine did during these runs: dirty pages, the device, pressure".into();
        blocks.push(Block::Fold(Fold { summary, open: false, blocks: meanwhile }));
    }
    blocks
}

/// The lines of a group over the runs' seconds; `None` where nothing of it ever happened.
fn figure(
    context: &Context<'_>,
    comparison: &Comparison,
    labels: &[String],
    group: &Group,
) -> Option<Figure> {
    let runs: Vec<_> = comparison.long_runs.iter().filter(|run| run.points.len() >= POINTS_MIN).collect();
    let series: Vec<_> = SERIES.iter().filter(|series| group.headings.contains(&series.heading)).collect();
    let mut lines = Vec::new();
    let mut told = Vec::new();
    for run in &runs {
        let style = context.palette.style(Context::method(comparison, run.variant));
        for (number, series) in (0..).zip(&series) {
            let points = points(run, series);
            let most = points.iter().map(|point| point.y).fold(0.0, f64::max);
            if most <= 0.0 {
                continue;
            }
            let label = &labels[run.variant];
            let label =
                if group.headings.len() == 1 { label.clone() } else { format!("{label}: {}", word(series)) };
            told.push(format!("{label} up to {}", (series.written)(most)));
            // Told apart by their dashes: the hue is the method's.
            let style = SeriesStyle { marker: (style.marker + number) % MARKERS, ..style };
            lines.push(Line { label, style, points });
        }
    }
    if lines.is_empty() {
        return None;
    }
    let chart = LineChart {
        x: Axis { title: "time since the run began (s)".into(), scale: Scale::Linear, values: Values::Plain },
        y: Axis { title: group.title.into(), scale: Scale::Linear, values: group.values },
        lines,
        rules: Vec::new(),
        stepped: false,
    };
    let slug: String = group.headings[0].chars().filter(char::is_ascii_alphanumeric).collect();
    Some(Figure {
        id: format!("{}-run-{slug}", context.id),
        caption: format!("{}: {} over one further, watched run of each", title(comparison), group.name)
            .into(),
        description: format!("Lines over the seconds of a run: {}.", told.join("; ")),
        chart: Chart::Lines(chart),
    })
}

/// A series' name without what the caption says.
fn word(series: &Series) -> &'static str {
    let name = series.name.trim_start_matches("pressure: ");
    name.split(',').next().unwrap_or(name)
}

/// A value for each span between two points, at its end.
fn points(run: &LongRun, series: &Series) -> Vec<Point> {
    let point = |span: &[fathom_model::TimelinePoint]| {
        let (x, y) = (span.last()?.at_ms / 1000.0, (series.value)(run, span)?);
        (x.is_finite() && y.is_finite()).then(|| Point { x, y, ends: None, hint: String::new() })
    };
    run.points.windows(2).filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::labels;
    use crate::palette::Palette;
    use fathom_model::{Latency, Operation, Record, TimelinePoint};
    use fathom_testkit::batches;

    fn of(run: impl Fn(usize) -> LongRun) -> Vec<Block> {
        let mut record: Record = batches();
        let comparison = &mut record.experiments[2].comparisons[0];
        assert_eq!(comparison.variants[0].operation, Operation::WriteBlock);
        comparison.long_runs = (0..2).map(run).collect();
        let palette = Palette::of(&[&record]);
        let context = Context::of(&record, &palette, "r");
        let comparison = &record.experiments[2].comparisons[0];
        blocks(&context, comparison, &labels(&record, comparison))
    }

    /// Ten operations a second, dirtying 1 MiB each second.
    fn run(variant: usize, seconds: u32) -> LongRun {
        let point = |second: u32| TimelinePoint {
            at_ms: f64::from(second) * 1000.0,
            operations: u64::from(second) * 10,
            dirty_bytes: Some(u64::from(second) << 20),
            writeback_bytes: Some(0),
            device_written_bytes: None,
            device_read_bytes: None,
            cpu_pressure: None,
            io_pressure: (second > 0).then_some(0.25),
            memory_pressure: None,
        };
        let latency =
            Latency { n: 200, p50_ns: 1, p90_ns: 1, p99_ns: 1, p999_ns: 1, p9999_ns: 1, most_ns: 1 };
        let operations = u64::from(seconds) * 10;
        LongRun {
            variant,
            operations,
            bytes: operations << 20,
            ns: u64::from(seconds) * 1_000_000_000,
            latency,
            points: (0..=seconds).map(point).collect(),
            notes: Vec::new(),
        }
    }

    fn lines(block: &Block) -> &LineChart {
        let Block::Figure(Figure { chart: Chart::Lines(chart), .. }) = block else { panic!("{block:?}") };
        chart
    }

    #[test]
    fn throughput_is_drawn_from_differences_and_what_happened_meanwhile_is_folded() {
        let blocks = of(|variant| run(variant, 5));
        let throughput = lines(&blocks[0]);
        assert_eq!(throughput.lines.len(), 2);
        let line = &throughput.lines[0];
        assert_eq!(line.points.len(), 5);
        assert!(line.points.iter().all(|point| (point.y - f64::from(10 << 20)).abs() < 1e-6), "{line:?}");
        assert!((line.points[4].x - 5.0).abs() < 1e-9);
        let Some(Block::Fold(fold)) = blocks.last() else { panic!("{blocks:?}") };
        assert_eq!(fold.blocks.len(), 2, "dirty pages and pressure, and no device");
        let dirty = lines(&fold.blocks[0]);
        let names: Vec<_> = dirty.lines.iter().map(|line| line.label.as_str()).collect();
        assert_eq!(names, ["native:pwrite: dirty", "go:os.File.WriteAt: dirty"], "nothing was in writeback");
        assert_eq!(lines(&fold.blocks[1]).y.values, Values::Share);
    }

    #[test]
    fn where_no_bytes_move_operations_are_drawn_and_short_runs_are_not() {
        let blocks = of(|variant| LongRun { bytes: 0, ..run(variant, 5) });
        let chart = lines(&blocks[0]);
        assert_eq!(chart.y.title, "operations per second");
        assert!((chart.lines[0].points[0].y - 10.0).abs() < 1e-9);
        let blocks = of(|variant| run(variant, 2));
        assert!(matches!(blocks.as_slice(), [Block::Table(_), Block::List(_)]), "{blocks:?}");
    }
}
