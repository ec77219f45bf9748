//! The operations' own times: percentiles, and what the clock adds. Also the
//! columns of percentiles that long runs show.

use super::times::rows;
use crate::columns::{Cell, Column};
use crate::page::{Ink, Page};
use crate::quantity::{NONE, TimeUnit, grouped, percent, short_time, three_digits};
use crate::standing::by_time;
use fathom_model::{Comparison, Latency, LatencyDistribution, Reading};

/// A clock that adds more than this share of the median hides what is measured.
const CLOCK_SHARE_MAX: f64 = 0.2;

/// A percentile: its name, how many operations it takes to say anything of it, its value, what it means.
type Percentile = (&'static str, u64, fn(&Latency) -> u64, &'static str);

/// Of n operations the slowest one stands for 1/n of them.
const PERCENTILES: [Percentile; 5] = [
    ("p50", 2, |latency| latency.p50_ns, "the median"),
    ("p90", 10, |latency| latency.p90_ns, "one operation in 10 takes longer"),
    ("p99", 100, |latency| latency.p99_ns, "one operation in 100 takes longer"),
    ("p99.9", 1_000, |latency| latency.p999_ns, "one in 1,000 takes longer"),
    ("p99.99", 10_000, |latency| latency.p9999_ns, "one in 10,000 takes longer"),
];

/// A line per method whose operations were timed one by one.
pub(crate) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let asked = by_time(comparison)
        .into_iter()
        .filter_map(|index| Some((&labels[index], comparison.explanations.get(index)?.latencies.as_ref()?)));
    let asked: Vec<_> = asked.collect();
    if asked.is_empty() {
        return;
    }
    let taken: Vec<_> =
        asked.iter().filter_map(|(label, reading)| Some((*label, reading.value()?))).collect();
    page.blank();
    if !taken.is_empty() {
        table(page, &taken);
    }
    for (label, reading) in &asked {
        if let Reading::Unavailable(reason) = reading {
            page.hanging("  ", 4, Ink::Plain, &format!("no latencies of {label}: {reason}"));
        }
    }
}

fn table(page: &mut Page, taken: &[(&String, &LatencyDistribution)]) {
    let latencies: Vec<_> = taken.iter().map(|(_, found)| &found.latency).collect();
    let unit = unit(&latencies);
    page.hanging(
        "  ",
        2,
        Ink::Plain,
        &format!("latencies in {}: each operation's own time, in a run of its own", unit.symbol()),
    );
    let found: Vec<_> = taken.iter().map(|(_, found)| *found).collect();
    let columns = distribution_columns(&found);
    let names: Vec<_> = taken.iter().map(|(label, _)| (*label).clone()).collect();
    rows(page, &names, &columns, &[]);
    let text = "service time of a closed loop: nothing waits for its turn, so these are no response times \
                under load; clock: what an operation that does nothing takes, timed the same way"
        .to_owned();
    page.hanging("  ", 4, Ink::Faint, &(text + &too_few(&latencies)));
    for (label, found) in taken {
        let share = found.clock_ns / found.latency.p50_ns as f64;
        if share > CLOCK_SHARE_MAX {
            let text = format!(
                "warning: {} of the {} that {label} takes are the clock's and the loop's own: its time in the \
                 table above is the better one",
                percent(share.min(1.0)),
                short_time(found.latency.p50_ns as f64),
            );
            page.hanging("  ", 4, Ink::Bad, &text);
        }
    }
}

/// The unit in which medians and the slowest read well.
pub(crate) fn unit(latencies: &[&Latency]) -> TimeUnit {
    let shown = latencies.iter().flat_map(|latency| [latency.p50_ns, latency.most_ns]);
    TimeUnit::shared(&shown.map(|ns| ns as f64).collect::<Vec<_>>())
}

/// Number, percentiles and the slowest. A percentile that nobody's number
/// supports has no column.
pub(crate) fn columns(latencies: &[&Latency], unit: TimeUnit) -> Vec<Column> {
    let time = |ns: u64| time_cell(ns as f64, unit);
    let most = latencies.iter().map(|latency| latency.n).max().unwrap_or(0);
    let n = latencies.iter().map(|latency| Cell::figure(grouped(latency.n), latency.n as f64)).collect();
    let mut columns = vec![Column::right("n", n).meaning("operations")];
    for (heading, least, value, meaning) in PERCENTILES.iter().filter(|(_, least, ..)| most >= *least) {
        let cell = |latency: &&Latency| {
            if latency.n >= *least { time(value(latency)) } else { NONE.to_owned().into() }
        };
        columns.push(Column::right(heading, latencies.iter().map(cell).collect()).meaning(meaning));
    }
    let max = latencies.iter().map(|latency| time(latency.most_ns)).collect();
    columns.push(Column::right("max", max).meaning("the slowest"));
    columns
}

/// The same of whole distributions, with their means and what the clock takes.
pub(crate) fn distribution_columns(found: &[&LatencyDistribution]) -> Vec<Column> {
    let latencies: Vec<_> = found.iter().map(|found| &found.latency).collect();
    let unit = unit(&latencies);
    let time = |heading: &str, ns: fn(&LatencyDistribution) -> f64| {
        Column::right(heading, found.iter().map(|found| time_cell(ns(found), unit)).collect())
    };
    let mut columns = columns(&latencies, unit);
    columns.push(time("mean", |found| found.mean_ns));
    columns.push(
        time("clock", |found| found.clock_ns)
            .meaning("what an operation that does nothing takes, timed the same way"),
    );
    columns
}

fn time_cell(ns: f64, unit: TimeUnit) -> Cell {
    Cell::figure(three_digits(ns / unit.ns()), ns)
}

/// Why percentiles are missing, when some are.
pub(crate) fn too_few(latencies: &[&Latency]) -> String {
    let least_n = latencies.iter().map(|latency| latency.n).min().unwrap_or(0);
    let missing = PERCENTILES.iter().filter(|(_, least, ..)| least_n < *least);
    let needs: Vec<_> =
        missing.map(|(name, least, ..)| format!("{name} takes {}", grouped(*least))).collect();
    if needs.is_empty() {
        return String::new();
    }
    format!("; too few operations for some percentiles: {} at least", needs.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TextOptions;
    use fathom_model::Explanation;

    fn latency(n: u64) -> Latency {
        let (p50_ns, p90_ns, p99_ns, p999_ns, p9999_ns) = (840, 910, 1_200, 9_800, 21_400);
        Latency { n, p50_ns, p90_ns, p99_ns, p999_ns, p9999_ns, most_ns: 3_180_000 }
    }

    fn distribution(n: u64, clock_ns: f64) -> Reading<LatencyDistribution> {
        let found =
            LatencyDistribution { latency: latency(n), mean_ns: 861.0, clock_ns, histogram: String::new() };
        Reading::Value(found)
    }

    fn shown(found: Vec<Option<Reading<LatencyDistribution>>>) -> String {
        let mut comparison = fathom_testkit::complete().experiments[0].comparisons[0].clone();
        let labels: Vec<_> = comparison.variants.iter().map(|variant| variant.method.to_string()).collect();
        comparison.explanations =
            found.into_iter().map(|latencies| Explanation { latencies, ..Explanation::default() }).collect();
        let mut page = Page::new(&TextOptions::default());
        render(&mut page, &comparison, &labels);
        // As one line: where lines break is not the matter here.
        page.finish().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn percentiles_that_n_cannot_support_are_not_shown() {
        let many = shown(vec![Some(distribution(10_000, 40.0))]);
        assert!(many.contains("p99.99") && many.contains("21.4") && many.contains("3180"), "{many}");
        assert!(!many.contains("too few"), "{many}");
        let few = shown(vec![Some(distribution(9_999, 40.0))]);
        assert!(few.contains("p99.9 ") && !few.contains("21.4"), "{few}");
        assert!(few.contains("p99.99 takes 10,000"), "{few}");
        let mixed = shown(vec![Some(distribution(30, 40.0)), Some(distribution(2_000, 40.0))]);
        assert_eq!(mixed.matches("9.80").count(), 1, "{mixed}");
        assert!(mixed.contains(" - "), "{mixed}");
    }

    #[test]
    fn it_is_service_time_and_a_heavy_clock_is_warned_of() {
        let light = shown(vec![Some(distribution(10_000, 168.0))]);
        assert!(light.contains("service time of a closed loop") && !light.contains("warning"), "{light}");
        let heavy = shown(vec![Some(distribution(10_000, 420.0))]);
        assert!(heavy.contains("warning: 50.0 % of the 840 ns"), "{heavy}");
    }

    #[test]
    fn what_could_not_be_taken_is_said_and_what_was_not_asked_for_is_not() {
        assert_eq!(shown(vec![]), "");
        assert_eq!(shown(vec![None, None]), "");
        let text = shown(vec![Some(Reading::unavailable("no room")), Some(distribution(50, 1.0))]);
        assert!(text.contains("no latencies of") && text.contains(": no room"), "{text}");
    }

    #[test]
    fn one_operation_and_no_time_divide_by_nothing() {
        let mut found = distribution(1, 40.0);
        if let Reading::Value(found) = &mut found {
            found.latency =
                Latency { n: 1, p50_ns: 0, p90_ns: 0, p99_ns: 0, p999_ns: 0, p9999_ns: 0, most_ns: 0 };
        }
        let text = shown(vec![Some(found)]);
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}
