//! A/A: one method named twice must show no difference, and so must the control
//! arm of every other run.

use super::figures::Middle;
use super::finding::{Finding, Outcome};
use super::session::{Bench, Session};
use super::share::Share;
use fathom_model::{Estimate, Record};
use fathom_stats::{Interval, median};

const SITTING_S: f64 = 1.5;
/// The share of intervals that may exclude the truth.
const ALPHA: f64 = 0.05;
/// A ratio of one method to itself that is off by more, over all sessions, is a bias.
const BIAS: f64 = 0.001;

/// What is timed against itself; one in two sessions has the first.
const KINDS: [Kind; 3] = [
    Kind { name: "open", label: "native:open", operation: "open-close", methods: "native:open,native:open" },
    Kind {
        name: "go-open",
        label: "go:syscall.Open",
        operation: "open-close",
        methods: "go:syscall.Open,go:syscall.Open",
    },
    Kind {
        name: "read",
        label: "native:pread of whole files",
        operation: "read-whole",
        methods: "native:pread,native:pread",
    },
];

#[derive(Debug, Clone, Copy)]
struct Kind {
    name: &'static str,
    label: &'static str,
    operation: &'static str,
    methods: &'static str,
}

/// The kind of a session.
fn kind_of(sitting: u32) -> usize {
    [0, 1, 0, 2][sitting as usize % 4]
}

/// Sessions with one method named twice.
pub(super) fn check(session: &mut Session, sittings: u32) -> anyhow::Result<Vec<Finding>> {
    let mut ratios: [Vec<Estimate>; KINDS.len()] = Default::default();
    let mut reasons = Vec::new();
    for sitting in 0..sittings {
        let number = kind_of(sitting);
        let kind = KINDS[number];
        let name = format!("same-{}", kind.name);
        let bench = Bench {
            name: &name,
            operation: kind.operation,
            methods: kind.methods,
            seconds: SITTING_S,
            words: &[],
            cpu: None,
        };
        match session.bench(bench)? {
            Ok(comparison) => {
                let summaries = comparison.summaries.iter().filter_map(|summary| summary.value());
                ratios[number].extend(summaries.filter_map(|summary| summary.ratio));
            }
            Err(reason) => reasons.push(format!("{}: {reason}", kind.label)),
        }
    }
    reasons.dedup();
    Ok(findings(&ratios, &reasons))
}

/// The control arms of records of other checks.
pub(super) fn check_controls(records: &[Record]) -> Vec<Finding> {
    let comparisons = records.iter().flat_map(|record| &record.experiments).flat_map(|one| &one.comparisons);
    let controls: Vec<_> = comparisons.filter_map(|comparison| comparison.control.value()).collect();
    let ratios: Vec<Estimate> = controls.iter().map(|control| control.ratio).collect();
    if ratios.is_empty() {
        return Vec::new();
    }
    let faults = controls.iter().filter(|control| control.instrument_fault).count();
    let (share, without) = excluding(&ratios);
    let result = format!("{share}{without}; {faults} called an instrument fault");
    vec![
        Finding::reported(
            "A/A: control arms",
            "the control of every run of the other checks",
            ratios.len(),
            result,
        )
        .judged(accept_share(), Outcome::of_share(share, ALPHA)),
    ]
}

fn findings(ratios: &[Vec<Estimate>; KINDS.len()], reasons: &[String]) -> Vec<Finding> {
    let all: Vec<Estimate> = ratios.iter().flatten().copied().collect();
    let each = |text: fn(&[Estimate]) -> Option<String>| {
        let kinds = KINDS.iter().zip(ratios);
        let texts = kinds.filter_map(|(kind, ratios)| Some(format!("{} {}", kind.label, text(ratios)?)));
        texts.collect::<Vec<_>>().join(", ")
    };
    let (share, without) = excluding(&all);
    let skipped =
        if reasons.is_empty() { String::new() } else { format!("; not run: {}", reasons.join("; ")) };
    let done = format!(
        "one method named twice, {SITTING_S} s a session: {}",
        each(|ratios| Some(format!("×{}", ratios.len())))
    );
    let mut findings = vec![
        Finding::reported(
            "A/A: intervals that exclude 1",
            done,
            all.len(),
            format!("{share}{without}{skipped}"),
        )
        .judged(accept_share(), Outcome::of_share(share, ALPHA)),
        Finding::reported(
            "A/A: resolution",
            "median half width of those intervals",
            all.len(),
            each(half_width),
        ),
    ];
    let logarithms: Vec<f64> = all.iter().map(|ratio| ratio.value.ln()).collect();
    if let Some(middle) = Middle::of_logarithms(&logarithms) {
        let region = Interval::new(1.0 - BIAS, 1.0 + BIAS);
        findings.push(
            Finding::reported("A/A: bias", "median ratio over the sessions", middle.n, middle.text(5))
                .judged("within 1 ± 0.001", Outcome::of_interval(middle.interval, region, middle.n)),
        );
    }
    findings
}

fn accept_share() -> String {
    "not shown to be above 5 %".to_owned()
}

/// How many exclude 1, and words on those that have no interval.
fn excluding(ratios: &[Estimate]) -> (Share, String) {
    let with: Vec<_> = ratios.iter().filter(|ratio| ratio.interval().is_some()).collect();
    let share = Share::new(with.iter().filter(|ratio| ratio.excludes(1.0)).count(), with.len());
    let without = ratios.len() - with.len();
    (share, if without == 0 { String::new() } else { format!("; {without} without an interval") })
}

fn half_width(ratios: &[Estimate]) -> Option<String> {
    let halves: Vec<f64> =
        ratios.iter().filter_map(Estimate::interval).map(|(low, high)| (high - low) / 2.0).collect();
    median(&halves).map(|half| format!("±{:.2} %", 100.0 * half))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(low: f64, high: f64) -> Estimate {
        let value = f64::midpoint(low, high);
        Estimate { value, low: Some(low), high: Some(high), confidence: 0.95, forks: 9 }
    }

    #[test]
    fn an_instrument_that_sees_differences_where_there_are_none_fails() {
        let good = [vec![ratio(0.999, 1.001); 9], vec![ratio(0.99, 1.01); 3], Vec::new()];
        let bad = [vec![ratio(1.002, 1.004); 9], vec![ratio(1.001, 1.003); 3], Vec::new()];
        let outcomes = |ratios: &[Vec<Estimate>; 3]| -> Vec<_> {
            findings(ratios, &[]).into_iter().map(|finding| finding.outcome).collect()
        };
        assert_eq!(outcomes(&bad), [Outcome::Failed, Outcome::Reported, Outcome::Failed]);
        let spread: Vec<_> = (0..9).map(|i| ratio(0.9990 + 1e-5 * f64::from(i), 1.001)).collect();
        assert_eq!(
            outcomes(&[spread, Vec::new(), Vec::new()]),
            [Outcome::Passed, Outcome::Reported, Outcome::Passed]
        );
        assert_eq!(outcomes(&good)[0], Outcome::Passed);
    }

    #[test]
    fn an_absent_interval_is_no_success() {
        let none = Estimate { low: None, high: None, ..ratio(1.0, 1.0) };
        let (share, words) = excluding(&[none, ratio(0.9, 1.1)]);
        assert_eq!((share, words.as_str()), (Share::new(0, 1), "; 1 without an interval"));
    }

    #[test]
    fn half_of_the_sittings_open_natively() {
        let kinds: Vec<_> = (0..8).map(kind_of).collect();
        assert_eq!(kinds, [0, 1, 0, 2, 0, 1, 0, 2]);
    }

    #[test]
    fn the_control_arms_of_records_are_collected() {
        let records: Vec<_> = fathom_testkit::all().into_iter().map(|(_, record)| record).collect();
        let found = check_controls(&records);
        assert!(found.len() == 1 && found[0].n > 1, "{found:?}");
        assert_eq!(check_controls(&[]), []);
    }
}
