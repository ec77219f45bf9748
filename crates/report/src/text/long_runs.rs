//! Watched runs: latencies of single operations, and the course of throughput,
//! dirty pages and writeback.

use super::times::rows;
use crate::columns::Column;
use crate::page::{Ink, Page};
use crate::quantity::{grouped, rounded_bytes, short_time};
use fathom_model::{Comparison, LongRun, TimelinePoint};

/// Levels of a small picture, from nothing to the most.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Columns of a picture.
const COLUMNS: usize = 48;

/// A table of latencies, and for each run three lines over its time.
pub(super) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let runs = &comparison.long_runs;
    if runs.is_empty() {
        return;
    }
    page.blank();
    page.paragraph(2, Ink::Plain, "one further run of each, every operation's own service time taken");
    let names: Vec<_> = runs.iter().map(|run| labels[run.variant].clone()).collect();
    let column = |heading: &str, value: &dyn Fn(&LongRun) -> String| {
        Column::right(heading, runs.iter().map(value).collect())
    };
    let columns = [
        column("ops", &|run| grouped(run.operations)),
        column("p50", &|run| short_time(run.latency.p50_ns as f64)),
        column("p90", &|run| short_time(run.latency.p90_ns as f64)),
        column("p99", &|run| short_time(run.latency.p99_ns as f64)),
        column("p99.9", &|run| short_time(run.latency.p999_ns as f64)),
        column("most", &|run| short_time(run.latency.most_ns as f64)),
    ];
    rows(page, &names, &columns, &[]);
    for (run, name) in runs.iter().zip(&names) {
        course(page, run, name);
    }
}

fn course(page: &mut Page, run: &LongRun, name: &str) {
    let Some(last) = run.points.last().filter(|_| run.points.len() > 2) else { return };
    page.blank();
    page.paragraph(4, Ink::Plain, &format!("{name}, over {:.0} ms", last.at_ms));
    let rates: Vec<f64> = run.points.windows(2).map(|pair| rate(&pair[0], &pair[1])).collect();
    line(page, "operations per second", &rates, &|most| grouped_rate(most));
    let gauge = |value: &dyn Fn(&TimelinePoint) -> Option<u64>| -> Vec<f64> {
        run.points.iter().filter_map(value).map(|bytes| bytes as f64).collect()
    };
    line(page, "dirty, machine-wide", &gauge(&|point| point.dirty_bytes), &rounded_bytes);
    line(page, "writeback, machine-wide", &gauge(&|point| point.writeback_bytes), &rounded_bytes);
    let written: Vec<f64> = run
        .points
        .windows(2)
        .filter_map(|pair| {
            let bytes = pair[1].device_written_bytes?.saturating_sub(pair[0].device_written_bytes?);
            Some(bytes as f64 * 1000.0 / (pair[1].at_ms - pair[0].at_ms).max(1.0))
        })
        .collect();
    line(page, "device writes per second", &written, &rounded_bytes);
}

fn rate(from: &TimelinePoint, to: &TimelinePoint) -> f64 {
    let operations = to.operations.saturating_sub(from.operations) as f64;
    operations * 1000.0 / (to.at_ms - from.at_ms).max(1.0)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is not negative")]
fn grouped_rate(rate: f64) -> String {
    grouped(rate.round() as u64)
}

fn line(page: &mut Page, what: &str, values: &[f64], most_in_words: &dyn Fn(f64) -> String) {
    let most = values.iter().copied().fold(0.0, f64::max);
    if values.is_empty() {
        return;
    }
    let drawn = if most > 0.0 { picture(values, most) } else { "nothing".to_owned() };
    page.row(&format!("      {what:<24}  {drawn}  at most {}", most_in_words(most)), "", Ink::Plain);
}

/// Each column is the mean of the values that fall into it.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 7")]
fn picture(values: &[f64], most: f64) -> String {
    let columns = COLUMNS.min(values.len());
    (0..columns)
        .map(|column| {
            let from = column * values.len() / columns;
            let to = ((column + 1) * values.len() / columns).max(from + 1);
            let mean = values[from..to].iter().sum::<f64>() / (to - from) as f64;
            LEVELS[((mean / most * 7.0).round() as usize).min(7)]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_shows_low_and_high_in_order() {
        assert_eq!(picture(&[0.0, 50.0, 100.0], 100.0), "▁▅█");
        let many: Vec<f64> = (0..480).map(f64::from).collect();
        let drawn = picture(&many, 479.0);
        assert_eq!(drawn.chars().count(), COLUMNS);
        assert!(drawn.starts_with('▁') && drawn.ends_with('█'), "{drawn}");
    }
}
