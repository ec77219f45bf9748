//! Watched runs: latencies of single operations, and the course of throughput,
//! dirty pages, writeback, the device and pressure. Which series there are lives
//! in `series`, their pictures in `picture`.

mod course;
mod picture;
pub(crate) mod series;

use super::latencies::{columns, too_few, unit};
use super::times::rows;
use crate::page::{Ink, Page};
use crate::quantity::{grouped, rounded_bytes, short_time};
use fathom_model::{CacheState, Comparison, LongRun};

/// Writeback works in steps of seconds: a shorter run says nothing of it.
const WRITEBACK_FROM_S: f64 = 1.0;
/// Fewer points than this are no course.
const POINTS_MIN: usize = 4;

/// A table of latencies, and the course of each run.
pub(crate) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let runs = &comparison.long_runs;
    if runs.is_empty() {
        return;
    }
    let latencies: Vec<_> = runs.iter().map(|run| &run.latency).collect();
    let names: Vec<_> = runs.iter().map(|run| labels[run.variant].clone()).collect();
    let unit = unit(&latencies);
    page.blank();
    let text = format!(
        "one further run of each, watched; every operation's own service time in {}, the clock included{}",
        unit.symbol(),
        too_few(&latencies)
    );
    page.paragraph(2, Ink::Plain, &text);
    rows(page, &names, &columns(&latencies, unit), &[]);
    for (run, name) in runs.iter().zip(&names) {
        let variant = &comparison.variants[run.variant];
        let writes = variant.operation.writes();
        page.blank();
        page.paragraph(2, Ink::Plain, &format!("{name}: {}", in_words(run, writes)));
        if run.points.len() >= POINTS_MIN {
            course::render(page, run, writes);
        }
        if variant.cache == CacheState::Cold {
            let text = "cold when it began; what it had read once stayed in the page cache";
            page.hanging("    ", 6, Ink::Plain, text);
        }
        for note in &run.notes {
            page.hanging("    ", 6, Ink::Faint, &format!("not watched: {note}"));
        }
    }
}

/// How much in what time, and what the device had done by its end.
fn in_words(run: &LongRun, writes: bool) -> String {
    let seconds = run.ns as f64 / 1e9;
    let volume = if run.bytes > 0 {
        let verb = if writes { "written" } else { "delivered" };
        let rate = rounded_bytes(run.bytes as f64 / seconds.max(1e-9));
        format!("{} {verb} in {} ({rate}/s)", rounded_bytes(run.bytes as f64), time(run.ns))
    } else {
        format!("{} operations in {}", grouped(run.operations), time(run.ns))
    };
    let Some(last) = run.points.last() else { return volume };
    let mut told = vec![volume];
    let device = if writes { ("wrote", last.device_written_bytes) } else { ("read", last.device_read_bytes) };
    if let (verb, Some(bytes)) = device {
        told.push(format!("meanwhile the device {verb} {}", rounded_bytes(bytes as f64)));
    }
    if let (true, Some(dirty)) = (writes, last.dirty_bytes) {
        told.push(format!("at the end {} were dirty, machine-wide", rounded_bytes(dirty as f64)));
    }
    if writes && seconds < WRITEBACK_FROM_S {
        told.push(
            "shorter than a second: writeback that the kernel starts by itself had no time to begin"
                .to_owned(),
        );
    }
    told.join("; ")
}

fn time(ns: u64) -> String {
    short_time(ns as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TextOptions;
    use fathom_model::{Latency, Operation, TimelinePoint};

    fn shown(ns: u64, change: impl FnOnce(&mut Comparison)) -> String {
        let mut comparison = fathom_testkit::complete().experiments[0].comparisons[0].clone();
        let labels: Vec<_> = comparison.variants.iter().map(|variant| variant.method.to_string()).collect();
        let point = |at_ms: f64| TimelinePoint {
            at_ms,
            operations: 4,
            dirty_bytes: Some(3 << 20),
            writeback_bytes: Some(0),
            device_written_bytes: Some(2 << 20),
            device_read_bytes: Some(1 << 20),
            cpu_pressure: None,
            io_pressure: None,
            memory_pressure: None,
        };
        let (p50_ns, p90_ns, p99_ns, p999_ns, p9999_ns, most_ns) = (10, 20, 30, 40, 50, 60);
        comparison.long_runs = vec![LongRun {
            variant: 0,
            operations: 4,
            bytes: 4 << 20,
            ns,
            latency: Latency { n: 4, p50_ns, p90_ns, p99_ns, p999_ns, p9999_ns, most_ns },
            points: vec![point(0.0), point(5.0)],
            notes: vec!["memory pressure: no such file".to_owned()],
        }];
        change(&mut comparison);
        let mut page = Page::new(&TextOptions::default());
        render(&mut page, &comparison, &labels);
        page.finish().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn writing(comparison: &mut Comparison) {
        comparison.variants[0].operation = Operation::WriteBlock;
    }

    #[test]
    fn a_run_of_writes_tells_the_device_and_what_is_left() {
        let text = shown(2_000_000_000, writing);
        let words = "4 MiB written in 2.00 s (2 MiB/s); meanwhile the device wrote 2 MiB; at the end 3 MiB were dirty";
        assert!(text.contains(words), "{text}");
        assert!(!text.contains("shorter than a second"), "{text}");
        assert!(shown(999_000_000, writing).contains("shorter than a second: writeback"), "{text}");
        assert!(text.contains("not watched: memory pressure: no such file"), "{text}");
    }

    #[test]
    fn a_run_of_reads_tells_what_the_device_read_and_that_it_began_cold() {
        let text = shown(500_000_000, |_| ());
        assert!(
            text.contains("4 MiB delivered in 500 ms (8 MiB/s); meanwhile the device read 1 MiB"),
            "{text}"
        );
        assert!(!text.contains("shorter than a second") && !text.contains("cold when"), "{text}");
        assert!(
            shown(1, |comparison| comparison.variants[0].cache = CacheState::Cold)
                .contains("cold when it began")
        );
    }

    #[test]
    fn a_percentile_takes_enough_operations() {
        let text = shown(1_000, writing);
        assert!(text.contains("p90 takes 10") && !text.contains(" p90 p99"), "{text}");
    }
}
