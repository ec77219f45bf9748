//! Many comparisons of the same variants: lines over what is varied, and one
//! table of all times in which warmer cells take longer.

use crate::chart::{Axis, Chart, Line, LineChart, Point, Rule, Scale, Values};
use crate::document::context::Context;
use crate::document::{
    Block, Cell, Column, ColumnKind, Figure, Fold, Prose, Row, Table, belief, result, said,
};
use crate::floor::floors;
use crate::label::title;
use crate::palette::SeriesStyle;
use crate::quantity::TimeUnit;
use crate::standing::summary;
use crate::statement::Statement;
use crate::text::context::Context as TableContext;
use crate::text::series::{self, Series};
use crate::text::{setting, times};
use crate::written::{short_ratio, time_in_table, time_phrase};
use fathom_model::{Comparison, Record, Setting, Variant};

/// More lines than these cannot be told apart.
const LINES_MAX: usize = 12;
/// A cell that takes so many times the fastest's time is as warm as can be.
const HOTTEST: f64 = 8.0;

/// From so many comparisons on, a line over what is varied tells more than a picture of each.
const LINES_FROM: usize = 3;

/// The series that comparisons are: where one number is varied, or where they are many.
pub(crate) fn of<'a>(record: &Record, compared: &'a [Comparison]) -> Option<Series<'a>> {
    let varied = series::of_at_least(LINES_FROM, record, compared)
        .filter(|series| Varied::of(&series.comparisons).is_some());
    varied.or_else(|| series::of(record, compared))
}

/// The picture, the table, and each comparison behind its label.
pub(crate) fn blocks(context: &Context<'_>, of: &TableContext<'_>, series: &Series<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let first = &series.comparisons[0];
    if let Some(variant) = first.variants.get(first.baseline) {
        let sentence = setting::sentence(context.record, &series.comparisons, variant);
        let at = format!("{sentence} (at {})", series.places[0]);
        blocks.push(Block::Prose(context.prose(&at)));
    }
    blocks.extend(lines(context, series).map(Block::Figure));
    blocks.push(Block::Table(table(context, series)));
    blocks.extend(said::brief(context, |page| {
        series::answers::render(page, of, series);
        setting::differing(page, context.record, first, &series.labels);
    }));
    for (comparison, place) in series.comparisons.iter().zip(&series.places) {
        let part = context.part(&title(comparison));
        let mut inside = table_alone(&part, of, comparison);
        inside.extend(belief(&part, comparison));
        let summary = format!("{place}: times, ratios, calls, and why they may be believed").into();
        blocks.push(Block::Fold(Fold { summary, open: false, blocks: inside }));
    }
    blocks
}

/// What is to be known of all comparisons together.
pub(crate) fn belief_of_all(context: &Context<'_>, series: &Series<'_>) -> Vec<Block> {
    said::brief(context, |page| {
        series::evidence::render(page, series);
        series::runtime::render(page, series);
        series::evidence::warnings(page, series);
    })
}

/// The picture is the series'; here stands the table only.
fn table_alone(context: &Context<'_>, of: &TableContext<'_>, comparison: &Comparison) -> Vec<Block> {
    result(context, of, comparison).into_iter().filter(|block| !matches!(block, Block::Figure(_))).collect()
}

/// What is varied, where it is one number: its axis and the number of each comparison.
struct Varied {
    axis: Axis,
    values: Vec<f64>,
}

impl Varied {
    fn of(comparisons: &[&Comparison]) -> Option<Self> {
        let variants: Vec<&Variant> =
            comparisons.iter().map(|comparison| &comparison.variants[comparison.baseline]).collect();
        let bytes = |title: &str| (title.to_owned(), Values::Bytes);
        let plain = |title: String| (title, Values::Plain);
        let data = variants.iter().map(|variant| variant.parameters.data.size_bytes).collect();
        let blocks = variants.iter().map(|variant| variant.parameters.block_bytes).collect();
        let files = variants.iter().map(|variant| u64::from(variant.parameters.data.files)).collect();
        let mut candidates: Vec<((String, Values), Vec<u64>)> = vec![
            (bytes("size of the file"), data),
            (bytes("size of a block"), blocks),
            (plain("files".to_owned()), files),
        ];
        for setting in Setting::ALL {
            let numbers =
                variants.iter().map(|variant| variant.parameters.settings.number(setting)).collect();
            candidates.push((plain(setting.word().to_owned()), numbers));
        }
        let ascends = |numbers: &Vec<u64>| numbers.windows(2).all(|pair| pair[0] < pair[1]);
        let ((title, values), numbers) = candidates.into_iter().find(|(_, numbers)| ascends(numbers))?;
        let wide = numbers.last()? > &(8 * numbers.first()?.max(&1));
        let scale = if wide && numbers[0] > 0 { Scale::Logarithmic } else { Scale::Linear };
        Some(Self {
            axis: Axis { title, scale, values },
            values: numbers.into_iter().map(|number| number as f64).collect(),
        })
    }
}

fn lines(context: &Context<'_>, series: &Series<'_>) -> Option<Figure> {
    let varied = Varied::of(&series.comparisons)?;
    let first = series.comparisons[0];
    let shown: Vec<usize> = series.order.iter().copied().take(LINES_MAX).collect();
    let line = |&index: &usize| {
        let point = |(comparison, x): (&&Comparison, &f64)| {
            let time = &summary(comparison, index)?.time_ns;
            let hint = format!("{} at {}: {}", series.labels[index], title(comparison), time_phrase(time));
            Some(Point { x: *x, y: time.value, ends: time.interval(), hint })
        };
        let points = series.comparisons.iter().zip(&varied.values).filter_map(point).collect();
        let style = context.palette.style(Context::method(first, index));
        Line { label: series.labels[index].clone(), style, points }
    };
    let lines: Vec<Line> = shown.iter().map(line).filter(|line| line.points.len() > 1).collect();
    let drawn = lines.iter().flat_map(|line| &line.points).map(|point| point.y);
    let (least, most) = drawn.fold((f64::INFINITY, 0.0_f64), |(l, m), v| (l.min(v), m.max(v)));
    if lines.is_empty() || !most.is_finite() {
        return None;
    }
    let scale = if most > 4.0 * least { Scale::Logarithmic } else { Scale::Linear };
    let y = Axis { title: "time per operation".to_owned(), scale, values: Values::Time };
    let null = floors(context.record).map(|floors| floors.null_call_ns.median);
    let rule = |at: f64| Rule { at, label: "null call".to_owned() };
    let rules = null.filter(|&at| scale == Scale::Logarithmic && least < 20.0 * at).map(rule);
    let more = series.order.len().saturating_sub(LINES_MAX);
    let left_out = if more > 0 { format!("; the {more} slowest are left out") } else { String::new() };
    let ends = [series.places.first(), series.places.last()].map(|place| place.map_or("", |p| p.as_str()));
    let caption = format!("Time per operation over the {}, with 95 % bands{left_out}", varied.axis.title);
    let description = format!(
        "{} lines, one per method, of the time per operation from {} to {}; the table below has every value.",
        lines.len(),
        ends[0],
        ends[1]
    );
    let chart = LineChart { x: varied.axis, y, lines, rules: rules.into_iter().collect(), stepped: false };
    Some(Figure {
        id: format!("{}-lines", context.id),
        caption: caption.into(),
        description,
        chart: Chart::Lines(chart),
    })
}

/// Times of every variant in every comparison; a warmer ground for longer
/// times, in the comparison's own terms.
fn table(context: &Context<'_>, series: &Series<'_>) -> Table {
    let mut columns = vec![Column::new("method", ColumnKind::Name)];
    let units: Vec<TimeUnit> = series.comparisons.iter().map(|comparison| times::unit(comparison)).collect();
    let headings = series.places.iter().zip(&units);
    let forks = |comparison: &Comparison| {
        let timed = (0..comparison.variants.len()).filter_map(|index| summary(comparison, index));
        timed.map(|summary| summary.time_ns.forks).max().unwrap_or(0)
    };
    columns.extend(headings.zip(&series.comparisons).map(|((place, unit), comparison)| Column {
        heading: format!("{place} ({}, n {})", unit.symbol(), forks(comparison)),
        kind: ColumnKind::Figure,
        meaning: None,
    }));
    let row = |&index: &usize| {
        let cells = series.comparisons.iter().zip(&units).map(|(c, unit)| cell(c, index, *unit));
        let name = Cell { prose: Prose::code(&series.labels[index]), ..Cell::default() };
        Row {
            cells: std::iter::once(name).chain(cells).collect(),
            style: Some(style(context, series, index)),
            is_baseline: index == series.comparisons[0].baseline,
        }
    };
    let rows: Vec<_> = series.order.iter().map(row).collect();
    let caption = "Time per operation, median over forks, and how far its 95 % interval reaches; the warmer the \
                   ground, the larger the paired ratio to the least of its column, up to 8. Against the baseline: \
                   ▾ faster, ▴ slower, = no difference shown, ? significant only without multiple-comparison correction. Ratios with their intervals \
                   stand in each comparison below";
    Table { caption: caption.into(), columns, interactive: rows.len() > 2, rows }
}

fn style(context: &Context<'_>, series: &Series<'_>, index: usize) -> SeriesStyle {
    context.palette.style(Context::method(series.comparisons[0], index))
}

fn cell(comparison: &Comparison, index: usize, unit: TimeUnit) -> Cell {
    let Some(found) = summary(comparison, index) else { return Cell::words("-") };
    let statement = crate::standing::statement(comparison, index);
    let mark = match statement {
        Statement::Baseline | Statement::Nothing => String::new(),
        Statement::Faster => " ▾".to_owned(),
        Statement::Slower => " ▴".to_owned(),
        judged => format!(" {}", judged.mark()),
    };
    let times = ratio_of(comparison, index) / least_ratio(comparison);
    let written = time_in_table(&found.time_ns, unit.ns());
    let against = found.ratio.as_ref().map(|ratio| {
        format!("; ratio to the baseline {} ({})", short_ratio(ratio).phrase(), statement.words())
    });
    let hint = format!(
        "{}{}; n = {} forks",
        time_phrase(&found.time_ns),
        against.unwrap_or_default(),
        found.time_ns.forks
    );
    let text = format!("{} {}{mark}", written.value, written.margin).replace("  ", " ");
    Cell {
        heat: times.is_finite().then(|| (times.ln() / HOTTEST.ln()).clamp(0.0, 1.0)),
        hint: Some(hint),
        ..Cell::figure(text.trim().to_owned(), Some(found.time_ns.value))
    }
}

/// The paired ratio to the baseline, which is 1 of the baseline itself.
fn ratio_of(comparison: &Comparison, index: usize) -> f64 {
    let ratio = summary(comparison, index).and_then(|summary| summary.ratio.as_ref());
    match ratio {
        Some(ratio) => ratio.value,
        None if index == comparison.baseline => 1.0,
        None => f64::NAN,
    }
}

fn least_ratio(comparison: &Comparison) -> f64 {
    let all = (0..comparison.variants.len()).map(|index| ratio_of(comparison, index));
    all.filter(|ratio| ratio.is_finite()).fold(f64::INFINITY, f64::min)
}
