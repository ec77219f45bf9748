//! What was added against what the program then took: a picture for wall time, and one for time on CPUs.

use crate::chart::{
    Axis, Chart, IntervalChart, IntervalRow, Mark, MarkKind, Rule, Scale, Sign, SignKind, Values,
};
use crate::document::Figure;
use crate::palette::{Hue, SeriesStyle};
use crate::quantity::{capitalized, short_time, things};
use fathom_audit::{
    CallCost, CallTime, CostAnswer, CostMethod, CostQuestion, CostRun, CostWindows, GroupTime,
};
use fathom_model::Reading;
use fathom_stats::{median, quantile_interval};
use std::collections::{BTreeMap, BTreeSet};

const CONFIDENCE: f64 = 0.95;

/// The pictures, as far as the runs bear them.
pub(super) fn figures(cost: &CallCost) -> Vec<Figure> {
    // A time that bears no answer is not shown. A sleep takes none on a CPU.
    let bears = |of: fn(&CostAnswer) -> &Reading<CallTime>| {
        cost.answer.value().is_none_or(|answer| of(answer).value().is_some())
    };
    let wall = bears(|answer| &answer.wall)
        .then(|| figure(cost, "wall time", "added-wall", GroupTime::Wall, CostRun::own_wall_ns))
        .flatten();
    let cpu = (cost.question != CostQuestion::Slower && bears(|answer| &answer.cpu))
        .then(|| figure(cost, "CPU time", "added-cpu", GroupTime::Cpu, |run| run.cpu_ns))
        .flatten();
    [wall, cpu].into_iter().flatten().collect()
}

fn figure(
    cost: &CallCost,
    time: &str,
    id: &str,
    of_groups: GroupTime,
    of: impl Fn(&CostRun) -> u64,
) -> Option<Figure> {
    let windows = cost.toggling.as_ref().and_then(|toggling| toggling.windows.as_ref());
    let differences = match windows {
        Some(windows) => of_windows(cost, windows, of_groups),
        None => differences(cost, of),
    };
    let (one, against) = match windows {
        Some(_) => ("group of pairs", "the windows beside them"),
        None => ("block", "the runs of the same block"),
    };
    let amounts: BTreeSet<u64> = differences.keys().copied().collect();
    let row = |(amount, values): (&u64, &Vec<f64>)| {
        let value = median(values)?;
        let (low, high) = quantile_interval(values, 0.5, CONFIDENCE);
        let ends = low.zip(high);
        let label = label(cost, *amount);
        let interval = ends.map_or_else(
            || "too few for an interval".to_owned(),
            |(low, high)| format!("[{}, {}] at 95 %", short_time(low), short_time(high)),
        );
        let blocks = things(values.len() as u64, one);
        let hint = format!("{label}: {}, {interval}, {blocks}", short_time(value));
        let hue = if *amount == 0 { Hue::Machine } else { Hue::Native };
        Some(IntervalRow {
            label,
            style: SeriesStyle { hue, shade: 0, marker: 0 },
            marks: vec![Mark { kind: MarkKind::Here, value, ends, hint }],
            dots: values.clone(),
        })
    };
    let rows: Vec<_> = differences.iter().filter_map(row).collect();
    // The control alone shows no effect.
    if amounts.len() < 2 || rows.len() < 2 {
        return None;
    }
    let blocks = differences.values().map(Vec::len).max().unwrap_or(0) as u64;
    // What it adds is measured apart and subtracted from the answer alone.
    let filter =
        if cost.question == CostQuestion::Slower { "" } else { ", the instrument's own filter included" };
    let done = if cost.method == CostMethod::Elided { "left out" } else { "added" };
    let caption = format!(
        "{} added against {against} with nothing {done}{filter}: median and its interval at 95 % over {}",
        capitalized(time),
        if windows.is_some() { format!("{blocks} groups of pairs") } else { things(blocks, one) }
    );
    let description = format!(
        "{} of added {time}, one for each amount and one for two {} with nothing added; the rows say each.",
        things(rows.len() as u64, "interval"),
        if windows.is_some() { "windows" } else { "runs" }
    );
    let chart = Chart::Intervals(IntervalChart {
        axis: Axis { title: format!("{time} added"), scale: Scale::Linear, values: Values::Time },
        rows,
        rules: vec![Rule { at: 0.0, label: "nothing".to_owned() }],
        legend: vec![
            Sign { kind: SignKind::Interval, word: "median and its interval".to_owned() },
            Sign { kind: SignKind::Dot, word: format!("one {one}") },
        ],
    });
    Some(Figure { id: id.to_owned(), caption: caption.into(), description, chart })
}

/// By amount: what each group of pairs says of a whole run.
fn of_windows(cost: &CallCost, windows: &CostWindows, time: GroupTime) -> BTreeMap<u64, Vec<f64>> {
    let mut by_amount: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for group in windows.groups.iter().filter(|group| group.time == time) {
        // Two sets of windows in which the same is done.
        let is_same = cost.method == CostMethod::Elided && group.amount > 0;
        let amount = if is_same { 1 } else { group.amount.into() };
        by_amount.entry(amount).or_default().push(group.more_ns);
    }
    by_amount
}

/// By amount: of each block, the run's time less the mean of its two runs with nothing added; for the amount 0,
/// the second of these less the first.
fn differences(cost: &CallCost, of: impl Fn(&CostRun) -> u64) -> BTreeMap<u64, Vec<f64>> {
    let mut blocks: BTreeMap<u32, Vec<&CostRun>> = BTreeMap::new();
    for run in &cost.runs {
        blocks.entry(run.block).or_default().push(run);
    }
    let mut by_amount: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for runs in blocks.values() {
        let never: Vec<f64> =
            runs.iter().filter(|run| run.amount == Some(0)).map(|run| of(run) as f64).collect();
        // The last block may have been left in the middle.
        let [first, second] = never[..] else { continue };
        by_amount.entry(0).or_default().push(second - first);
        for run in runs {
            if let Some(amount) = run.amount.filter(|amount| *amount > 0) {
                by_amount.entry(amount).or_default().push(of(run) as f64 - first.midpoint(second));
            }
        }
    }
    by_amount
}

fn label(cost: &CallCost, amount: u64) -> String {
    match (cost.question, amount) {
        (_, 0) => "nothing, twice".to_owned(),
        (CostQuestion::Slower, amount) => format!("{} behind each", short_time(amount as f64)),
        (_, 1) if cost.method == CostMethod::Elided => "known answers left out".to_owned(),
        (_, 1) => "each once more".to_owned(),
        (_, amount) => format!("each {amount} times more"),
    }
}
