//! How far fresh processes of one method lie apart, and how their ratios went over
//! the session: what an interval over forks is made of.

use crate::chart::{
    Axis, Chart, IntervalChart, IntervalRow, Line, LineChart, Mark, MarkKind, Point, Scale, Values,
};
use crate::document::context::{Context, PICTURE_FROM};
use crate::document::{Block, Figure, Fold};
use crate::palette::SeriesStyle;
use crate::quantity::{percent, short_time};
use crate::standing::by_time;
use fathom_model::{ArmKind, Comparison};
use fathom_stats::{block_ln_ratios, fork_figures, median};

/// Fewer forks than this have no spread and no course.
const FORKS_MIN: usize = 4;
/// The baseline against itself.
const CONTROL: &str = "baseline again";
/// More lines than this cannot be told apart.
const LINES_MAX: usize = 10;

/// Behind a summary that says how far they lie apart.
pub(super) fn blocks(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Vec<Block> {
    let ranges: Vec<_> =
        by_time(comparison).into_iter().filter_map(|index| Range::of(comparison, index)).collect();
    let by_width = |a: &&Range, b: &&Range| a.width().total_cmp(&b.width());
    let Some((least, most)) = ranges.iter().min_by(by_width).zip(ranges.iter().max_by(by_width)) else {
        return Vec::new();
    };
    let apart = match (percent(least.width()), percent(most.width())) {
        (least, most) if least == most => most,
        (least, widest) => format!("{least} to {widest} ({})", labels[most.index]),
    };
    let summary = format!(
        "How far processes lie apart: the fastest of {} and the slowest by {apart}",
        comparison.forks.len()
    );
    // Each process run is a dot in the picture of the times already; in a report of many comparisons
    // a second picture of them makes a page that nobody can send.
    if context.is_long && ranges.len() >= PICTURE_FROM {
        return vec![Block::Prose(context.prose(&format!("{summary}; each process run is a dot above.")))];
    }
    let mut folded = vec![Block::Figure(ranges_figure(context, comparison, labels, &ranges))];
    folded.extend(course(context, comparison, labels).filter(|_| !context.is_long).map(Block::Figure));
    vec![Block::Fold(Fold { summary: context.prose(&summary), open: false, blocks: folded })]
}

/// How far the medians of one variant's processes reach.
#[derive(Debug, Clone, Copy)]
struct Range {
    index: usize,
    forks: usize,
    least_ns: f64,
    median_ns: f64,
    most_ns: f64,
}

impl Range {
    fn of(comparison: &Comparison, index: usize) -> Option<Self> {
        let arm = arm(comparison, ArmKind::Variant(index))?;
        let times = comparison.forks.iter().filter_map(|fork| Some(fork_figures(fork, arm)?.time_ns));
        let times: Vec<_> = times.filter(|ns| ns.is_finite() && *ns > 0.0).collect();
        let (least_ns, most_ns) =
            times.iter().fold((f64::INFINITY, 0.0_f64), |(least, most), &ns| (least.min(ns), most.max(ns)));
        let median_ns = median(&times)?;
        (times.len() >= FORKS_MIN).then_some(Self { index, forks: times.len(), least_ns, median_ns, most_ns })
    }

    fn width(&self) -> f64 {
        self.most_ns / self.least_ns - 1.0
    }
}

fn arm(comparison: &Comparison, kind: ArmKind) -> Option<usize> {
    comparison.arms.iter().position(|arm| arm.kind == kind)
}

/// The range of each method's processes around its own median.
fn ranges_figure(
    context: &Context<'_>,
    comparison: &Comparison,
    labels: &[String],
    ranges: &[Range],
) -> Figure {
    let row = |range: &Range| {
        let hint = format!(
            "{}: {} processes from {} to {}, {} apart",
            labels[range.index],
            range.forks,
            short_time(range.least_ns),
            short_time(range.most_ns),
            percent(range.width())
        );
        let of_median = |ns: f64| ns / range.median_ns - 1.0;
        let ends = Some((of_median(range.least_ns), of_median(range.most_ns)));
        IntervalRow {
            label: labels[range.index].clone(),
            style: context.palette.style(Context::method(comparison, range.index)),
            marks: vec![Mark { kind: MarkKind::Here, value: 0.0, ends, hint }],
            dots: Vec::new(),
        }
    };
    let axis = deviation("median of a process against that of all");
    let chart =
        IntervalChart { axis, rows: ranges.iter().map(row).collect(), rules: Vec::new(), legend: Vec::new() };
    let caption = "From the fastest to the slowest process of each method, against the median of all its \
                   processes: the range of its forks, no confidence interval";
    let widest = ranges.iter().max_by(|a, b| a.width().total_cmp(&b.width()));
    let widest =
        widest.map(|range| format!("; those of {} by {}", labels[range.index], percent(range.width())));
    Figure {
        id: format!("{}-forks", context.id),
        caption: caption.into(),
        description: format!(
            "How far the medians of fresh processes lie apart, for {} methods{}.",
            ranges.len(),
            widest.unwrap_or_default()
        ),
        chart: Chart::Intervals(chart),
    }
}

/// From 0 on to both sides: an axis of ratios would begin at 0 and hide what matters.
fn deviation(title: &str) -> Axis {
    Axis { title: title.to_owned(), scale: Scale::Linear, values: Values::Share }
}

/// Ratios to the baseline fork by fork, each against its own median, with the control:
/// what moves there moved on the machine.
fn course(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Option<Figure> {
    let reference = arm(comparison, ArmKind::Variant(comparison.baseline))?;
    let line = |label: String, style, arm: usize| {
        let ratios = comparison.forks.iter().filter_map(|fork| {
            let ratio = median(&block_ln_ratios(fork, arm, reference))?.exp();
            (fork.started_s.is_finite() && ratio.is_finite()).then_some((fork.started_s, ratio))
        });
        let ratios: Vec<_> = ratios.collect();
        let middle = median(&ratios.iter().map(|(_, ratio)| *ratio).collect::<Vec<_>>())?;
        // Without words on each: of every comparison of a report, they would be its largest part.
        let point = |&(started_s, ratio): &(f64, f64)| Point {
            x: started_s,
            y: ratio / middle - 1.0,
            ends: None,
            hint: String::new(),
        };
        let points: Vec<_> = ratios.iter().map(point).collect();
        (points.len() >= FORKS_MIN).then_some(Line { label, style, points })
    };
    let variant = |index: usize| {
        let style = context.palette.style(Context::method(comparison, index));
        line(labels[index].clone(), style, arm(comparison, ArmKind::Variant(index))?)
    };
    let others = by_time(comparison).into_iter().filter(|&index| index != comparison.baseline);
    let mut lines: Vec<_> = others.filter_map(variant).collect();
    let left_out = lines.len().saturating_sub(LINES_MAX);
    // A change of the machine shows in them first.
    lines.sort_by(|a, b| movement(b).total_cmp(&movement(a)));
    lines.truncate(LINES_MAX);
    let control = || line(CONTROL.to_owned(), SeriesStyle::MACHINE, arm(comparison, ArmKind::Control)?);
    lines.extend(control());
    let most = lines.first()?;
    let baseline = &labels[comparison.baseline];
    let description = format!(
        "Ratios to {baseline} over the session, {} lines; {} moves most, by {}.",
        lines.len(),
        most.label,
        percent(movement(most))
    );
    let mut caption = format!(
        "Ratio to {baseline} process by process over the session, each against its own median: a line that steps \
         tells of a machine that changed"
    );
    if left_out > 0 {
        caption = format!("{caption}; the {LINES_MAX} methods that moved most, {left_out} others left out");
    }
    let chart = LineChart {
        x: Axis {
            title: "time since the comparison began (s)".into(),
            scale: Scale::Linear,
            values: Values::Plain,
        },
        y: deviation("ratio against its own median"),
        lines,
        rules: Vec::new(),
        stepped: false,
    };
    Some(Figure {
        id: format!("{}-sitting", context.id),
        caption: context.prose(&caption),
        description,
        chart: Chart::Lines(chart),
    })
}

/// From a line's least to its most.
fn movement(line: &Line) -> f64 {
    let values = || line.points.iter().map(|point| point.y);
    values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::labels;
    use crate::palette::Palette;
    use fathom_model::Record;
    use fathom_testkit::complete;

    fn of(record: &Record) -> Vec<Block> {
        let palette = Palette::of(&[record]);
        let context = Context::of(record, &palette, "r");
        let comparison = &record.experiments[0].comparisons[0];
        blocks(&context, comparison, &labels(record, comparison))
    }

    #[test]
    fn ranges_lie_around_the_median_and_the_course_has_every_fork() {
        let blocks = of(&complete());
        let [Block::Fold(fold)] = blocks.as_slice() else { panic!("{blocks:?}") };
        assert!(fold.summary.text().contains(" apart: the fastest of 15 "), "{:?}", fold.summary);
        let [Block::Figure(ranges), Block::Figure(sitting)] = fold.blocks.as_slice() else {
            panic!("{fold:?}")
        };
        let Chart::Intervals(ranges) = &ranges.chart else { panic!() };
        assert_eq!(ranges.rows.len(), 5);
        for row in &ranges.rows {
            let (low, high) = row.marks[0].ends.unwrap();
            assert!(
                (-0.01..=0.0).contains(&low) && (0.0..0.01).contains(&high) && high - low > 0.005,
                "{row:?}"
            );
        }
        let Chart::Lines(chart) = &sitting.chart else { panic!() };
        assert!(chart.lines.len() >= 4, "{chart:?}");
        assert!(chart.lines.iter().any(|line| line.label == CONTROL));
        let os_open = chart.lines.iter().find(|line| line.label == "go:os.Open").unwrap();
        assert_eq!(os_open.points.len(), 15);
        assert!(os_open.points.is_sorted_by(|a, b| a.x < b.x));
        assert!(os_open.points.iter().all(|point| point.y.abs() < 0.05), "{os_open:?}");
    }

    #[test]
    fn in_a_long_report_the_dots_of_the_times_are_enough() {
        let record = complete();
        let palette = Palette::of(&[&record]);
        let context = Context { is_long: true, ..Context::of(&record, &palette, "r") };
        let comparison = &record.experiments[0].comparisons[0];
        let blocks = blocks(&context, comparison, &labels(&record, comparison));
        let [Block::Prose(prose)] = blocks.as_slice() else { panic!("{blocks:?}") };
        assert!(prose.text().ends_with("; each process run is a dot above."), "{}", prose.text());
    }

    #[test]
    fn too_few_forks_say_nothing() {
        let mut record = complete();
        record.experiments[0].comparisons[0].forks.truncate(FORKS_MIN - 1);
        assert!(of(&record).is_empty());
    }
}
