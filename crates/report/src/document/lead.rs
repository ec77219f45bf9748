//! The picture of the first screen: the first one of the report, cut to what a screen holds beside
//! the answer; of several experiments, how far apart the methods of each lie.

use crate::chart::{
    Axis, Chart, IntervalChart, IntervalRow, LineChart, Mark, MarkKind, Scale, Sign, SignKind, Values,
};
use crate::document::comparison::RULES_NOTE;
use crate::document::context::Context;
use crate::document::{Block, Figure, Prose, Section, Span, experiment};
use crate::label::{labels, title};
use crate::palette::{Hue, SeriesStyle};
use crate::quantity::number;
use crate::standing::{is_faulty, summary};
use crate::summary::factor::by_ratio;
use fathom_model::{Comparison, ExperimentRecord, VariantSummary};
use std::collections::BTreeSet;

/// Rows, or lines, that a phone shows below an answer.
const ROWS_MAX: usize = 6;
/// Sections that the picture is not taken from.
const ELSEWHERE: [&str; 2] = ["machine", "data"];
/// How the ids of parts end that explain a result.
const EXPLAINING: [&str; 2] = ["-why", "-claims"];
/// The id of a picture that stands elsewhere too.
pub(crate) const ID: &str = "lead";
/// Where the widest gap is wider, equal ratios are equally wide.
const LOGARITHMIC_FROM: f64 = 12.0;

/// The picture; one that is small enough and stands for all of the report is taken out of its section.
/// Rows that the answer names are in it; `is_beside` of a report on an older record beside a newer.
pub(crate) fn figure(
    sections: &mut [Section],
    contexts: &[Context<'_>],
    answer: &[Prose],
    is_beside: bool,
) -> Option<Figure> {
    let experiments = || contexts.iter().flat_map(|context| &context.record.experiments);
    if experiments().count() > 1 && !is_beside {
        return gaps(contexts, Each::Experiment);
    }
    let is_alone = experiments().map(|experiment| experiment.comparisons.len()).sum::<usize>() == 1;
    let sections = sections.iter_mut().filter(|section| !ELSEWHERE.contains(&section.id.as_str()));
    let spans = answer.iter().flat_map(|sentence| &sentence.0);
    let named: Vec<&str> = spans
        .filter_map(|span| if let Span::Code(name) = span { Some(name.as_str()) } else { None })
        .collect();
    let found = sections.into_iter().find_map(|section| in_section(section, is_alone, &named));
    // Behind folds stand pictures of one comparison among many: all of them together tell more.
    found.or_else(|| gaps(contexts, Each::Comparison))
}

fn in_section(section: &mut Section, may_take: bool, named: &[&str]) -> Option<Figure> {
    let is_lead = |block: &Block| {
        matches!(block, Block::Figure(Figure { chart: Chart::Intervals(_) | Chart::Lines(_), .. }))
    };
    let Some(at) = section.blocks.iter().position(is_lead) else {
        let parts = section.sections.iter_mut();
        let mut parts = parts.filter(|part| !EXPLAINING.iter().any(|end| part.id.ends_with(end)));
        return parts.find_map(|part| in_section(part, false, named));
    };
    let Block::Figure(figure) = &section.blocks[at] else { return None };
    if !may_take || rows(&figure.chart) > ROWS_MAX {
        return Some(shortened(figure, named));
    }
    match section.blocks.remove(at) {
        Block::Figure(figure) => Some(figure),
        _ => None,
    }
}

fn rows(chart: &Chart) -> usize {
    match chart {
        Chart::Intervals(chart) => chart.rows.len(),
        Chart::Lines(chart) => chart.lines.len(),
        Chart::Stacks(chart) => chart.rows.len(),
        Chart::Scatter(_) | Chart::Timeline(_) | Chart::Flame(_) => 0,
    }
}

/// The same picture with as many rows as the screen holds; whole, it stands in its section.
fn shortened(figure: &Figure, named: &[&str]) -> Figure {
    let all = rows(&figure.chart);
    let chart = match &figure.chart {
        Chart::Intervals(chart) => Chart::Intervals(IntervalChart {
            rows: chosen(&chart.rows, named, |row| (row.label.as_str(), row.style)),
            // What the cheapest calls cost takes room; 1 of a ratio is what the others are read by.
            rules: if chart.rules.len() > 1 { Vec::new() } else { chart.rules.clone() },
            ..chart.clone()
        }),
        Chart::Lines(chart) => {
            let lines = chosen(&chart.lines, named, |line| (line.label.as_str(), line.style));
            Chart::Lines(LineChart { lines, ..chart.clone() })
        }
        other => other.clone(),
    };
    let mut caption = figure.caption.clone();
    let mut description = figure.description.clone();
    if all > ROWS_MAX {
        let more = format!("{} of {all} methods, all of them below", rows(&chart));
        // What is left out needs no explanation.
        caption.0.retain(|span| *span != Span::Plain(RULES_NOTE.to_owned()));
        caption.0.push(Span::Plain(format!("; {more}")));
        description = format!("{more}. {description}");
    }
    Figure { id: ID.to_owned(), caption, description, chart }
}

/// As many as the screen holds, in their order: what the answer names, the first, the last, what is
/// not shipped, the first of each language, and what lies evenly between.
fn chosen<'a, T: Clone>(
    all: &'a [T],
    named: &[&str],
    looks: impl Fn(&'a T) -> (&'a str, SeriesStyle),
) -> Vec<T> {
    if all.len() <= ROWS_MAX {
        return all.to_vec();
    }
    let last = all.len() - 1;
    let of_names = named.iter().filter_map(|name| all.iter().position(|each| looks(each).0 == *name));
    let mut hues = BTreeSet::new();
    let of_languages: Vec<usize> =
        (0..all.len()).filter(|index| hues.insert(looks(&all[*index]).1.hue)).collect();
    let own = (0..all.len()).filter(|index| looks(&all[*index]).1.hue == Hue::Other);
    let between = (1..ROWS_MAX).map(|step| step * last / (ROWS_MAX - 1));
    let mut picked = BTreeSet::new();
    for index in of_names.chain([0, last]).chain(own).chain(of_languages).chain(between) {
        if picked.len() < ROWS_MAX {
            picked.insert(index);
        }
    }
    picked.into_iter().map(|index| all[index].clone()).collect()
}

/// The comparison of an experiment whose methods lie farthest apart.
struct Gap<'a> {
    context: &'a Context<'a>,
    experiment: &'a ExperimentRecord,
    comparison: &'a Comparison,
    /// The fastest method, the slowest, and how many times as long each takes as the fastest.
    fastest: usize,
    slowest: usize,
    factors: Vec<f64>,
}

impl Gap<'_> {
    fn widest(&self) -> f64 {
        self.factors.last().copied().unwrap_or(1.0)
    }
}

/// What a row of gaps is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Each {
    Experiment,
    Comparison,
}

/// How many times as long as the fastest each method takes: the widest gap first.
fn gaps(contexts: &[Context<'_>], each: Each) -> Option<Figure> {
    let all =
        contexts.iter().flat_map(|context| context.record.experiments.iter().map(move |e| (context, e)));
    let all = all.filter(|(_, experiment)| !experiment::is_for_claims(experiment));
    let mut gaps: Vec<Gap<'_>> = all
        .flat_map(|(context, experiment)| {
            let of =
                experiment.comparisons.iter().filter_map(|comparison| gap(context, experiment, comparison));
            let mut gaps: Vec<Gap<'_>> = of.collect();
            gaps.sort_by(|a, b| b.widest().total_cmp(&a.widest()));
            gaps.truncate(if each == Each::Experiment { 1 } else { gaps.len() });
            gaps
        })
        .collect();
    gaps.sort_by(|a, b| b.widest().total_cmp(&a.widest()));
    let total = gaps.len();
    gaps.truncate(ROWS_MAX);
    let widest = gaps.first()?.widest();
    let scale = if widest > LOGARITHMIC_FROM { Scale::Logarithmic } else { Scale::Linear };
    let rows: Vec<IntervalRow> = gaps.iter().map(|gap| row(gap, each)).collect();
    let what = match each {
        Each::Experiment => "methods of each experiment lie apart, in its comparison with the widest gap",
        Each::Comparison => "methods of a comparison lie apart",
    };
    let left_out =
        if total > rows.len() { format!("; the widest {} of {total}", rows.len()) } else { String::new() };
    let word = |kind, word: &str| Sign { kind, word: word.to_owned() };
    let chart = IntervalChart {
        axis: Axis { title: "time over the fastest method's".to_owned(), scale, values: Values::Ratio },
        legend: vec![word(SignKind::Mark, "slowest"), word(SignKind::Dot, "each method")],
        rules: Vec::new(),
        rows,
    };
    Some(Figure {
        id: ID.to_owned(),
        caption: format!("How far the {what}: times over the fastest's{left_out}").into(),
        description: gaps.iter().map(in_words).collect::<Vec<_>>().join("; "),
        chart: Chart::Intervals(chart),
    })
}

fn gap<'a>(
    context: &'a Context<'a>,
    experiment: &'a ExperimentRecord,
    comparison: &'a Comparison,
) -> Option<Gap<'a>> {
    let ranked = by_ratio(comparison);
    let ratio = |(index, _): &(usize, &VariantSummary)| match summary(comparison, *index)?.ratio {
        Some(ratio) => Some(ratio.value),
        None => (*index == comparison.baseline).then_some(1.0),
    };
    let ratios: Vec<f64> = ranked.iter().map(ratio).collect::<Option<_>>()?;
    let least = ratios.first().copied().filter(|least| *least > 0.0)?;
    let factors: Vec<f64> = ratios.iter().map(|ratio| ratio / least).collect();
    let (fastest, slowest) = (ranked.first()?.0, ranked.last()?.0);
    let is_told = ranked.len() > 1 && !is_faulty(comparison);
    is_told.then_some(Gap { context, experiment, comparison, fastest, slowest, factors })
}

fn row(gap: &Gap<'_>, each: Each) -> IntervalRow {
    let mark = Mark { kind: MarkKind::Here, value: gap.widest(), ends: None, hint: in_words(gap) };
    IntervalRow {
        label: match each {
            Each::Experiment => gap.experiment.name.clone(),
            Each::Comparison => title(gap.comparison),
        },
        style: gap.context.palette.style(Context::method(gap.comparison, gap.slowest)),
        marks: vec![mark],
        dots: gap.factors.clone(),
    }
}

fn in_words(gap: &Gap<'_>) -> String {
    let labels = labels(gap.context.record, gap.comparison);
    format!(
        "{}, {}: {} takes about {} times as long as {}",
        gap.experiment.name,
        title(gap.comparison),
        labels[gap.slowest],
        number(gap.widest(), 1),
        labels[gap.fastest]
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::report::{ReportSource, document};
    use fathom_testkit::{complete, sweep};

    fn of(records: &[&fathom_model::Record]) -> crate::document::Document {
        let sources: Vec<_> = records.iter().map(|record| ReportSource { name: "a.json", record }).collect();
        document(&sources, None)
    }

    fn figures(section: &Section) -> usize {
        let own = section.blocks.iter().filter(|block| matches!(block, Block::Figure(_))).count();
        own + section.sections.iter().map(figures).sum::<usize>()
    }

    #[test]
    fn the_answer_has_a_picture_that_a_screen_holds() {
        let found = of(&[&complete()]);
        let lead = found.lead.unwrap();
        assert!((1..=ROWS_MAX).contains(&rows(&lead.chart)), "{lead:?}");
        let lines = of(&[&sweep()]).lead.unwrap();
        assert!(rows(&lines.chart) <= ROWS_MAX);
    }

    #[test]
    fn a_long_picture_is_cut_and_stays_whole_in_its_section() {
        let mut record = complete();
        record.experiments.truncate(1);
        record.experiments[0].comparisons.truncate(1);
        let comparison = &mut record.experiments[0].comparisons[0];
        for _ in 0..ROWS_MAX {
            comparison.variants.push(comparison.variants[1].clone());
            comparison.summaries.push(comparison.summaries[1].clone());
            comparison.counts.push(comparison.counts[1].clone());
        }
        let found = of(&[&record]);
        let lead = found.lead.unwrap();
        assert_eq!((lead.id.as_str(), rows(&lead.chart)), (ID, ROWS_MAX));
        assert!(lead.caption.text().contains(&format!("{ROWS_MAX} of ")), "{}", lead.caption.text());
        assert!(found.sections.iter().map(figures).sum::<usize>() > 0, "the whole one stands below");
    }

    #[test]
    fn several_experiments_show_how_far_their_methods_lie_apart() {
        let (one, two) = (complete(), sweep());
        let lead = of(&[&one, &two]).lead.unwrap();
        let Chart::Intervals(chart) = &lead.chart else { panic!("{lead:?}") };
        assert!(chart.rows.len() > 1, "{lead:?}");
        for row in &chart.rows {
            let most = row.dots.iter().copied().fold(0.0, f64::max);
            assert!((row.marks[0].value - most).abs() < 1e-9 && most >= 1.0, "{row:?}");
        }
    }

    #[test]
    fn pairs_without_a_picture_of_their_own_are_shown_by_their_gaps() {
        let mut record = complete();
        record.experiments.truncate(1);
        let experiment = &mut record.experiments[0];
        experiment.comparisons.truncate(1);
        let comparison = &mut experiment.comparisons[0];
        comparison.variants.truncate(2);
        comparison.summaries.truncate(2);
        comparison.counts.truncate(2);
        comparison.baseline = 0;
        let lead = of(&[&record]).lead.unwrap();
        let Chart::Intervals(chart) = &lead.chart else { panic!("{lead:?}") };
        assert_eq!(chart.rows.len(), 1);
        assert_eq!(chart.rows[0].dots.len(), 2, "{lead:?}");
    }

    #[test]
    fn each_language_has_its_first_row_and_the_answer_its_own() {
        let style = |hue| SeriesStyle { hue, shade: 0, marker: 0 };
        let all: Vec<_> = (0..30_usize)
            .map(|index| {
                style(if index == 17 {
                    Hue::Go
                } else if index > 20 {
                    Hue::Java
                } else {
                    Hue::Native
                })
            })
            .collect();
        let all: Vec<(String, SeriesStyle)> =
            all.into_iter().enumerate().map(|(index, style)| (format!("m{index}"), style)).collect();
        let picked = chosen(&all, &["m19", "m4"], |(label, style)| (label.as_str(), *style));
        let labels: Vec<&str> = picked.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(labels, ["m0", "m4", "m17", "m19", "m21", "m29"]);
    }

    #[test]
    fn functions_of_the_users_go_before_the_first_of_each_language() {
        let hue = |index| match index {
            5 | 6 | 9 => Hue::Other,
            index if index % 2 == 0 => Hue::Go,
            _ => Hue::Java,
        };
        let row = |index| (format!("m{index}"), SeriesStyle { hue: hue(index), shade: 0, marker: 0 });
        let all: Vec<(String, SeriesStyle)> = (0..30).map(row).collect();
        let picked = chosen(&all, &["m3"], |(label, style)| (label.as_str(), *style));
        let labels: Vec<&str> = picked.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(labels, ["m0", "m3", "m5", "m6", "m9", "m29"]);
    }
}
