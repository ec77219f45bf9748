//! Figures of scenarios: a quantile in one setting, or beside another's.

use super::{claim, judged};
use crate::Verdict;
use fathom_model::{Check, FigureQuantile, Form, Outcome, OutcomeFigure, Record, Region, Subject};
use fathom_testkit::duel;

/// A row whose p99 lies between the ends, in ms.
fn row(setting: &str, value: f64, ends: Option<(f64, f64)>) -> Outcome {
    let quantile =
        FigureQuantile { share: 0.99, value, low: ends.map(|ends| ends.0), high: ends.map(|ends| ends.1) };
    let figure = OutcomeFigure {
        name: "the first read".into(),
        unit: "ms".into(),
        n: 400,
        least: value,
        median: value,
        most: value,
        quantiles: vec![quantile],
    };
    Outcome {
        case: "read first".into(),
        setting: setting.into(),
        place: Some(0),
        counts: vec![],
        figures: vec![figure],
        meaning: "A process each.".into(),
        unavailable: None,
    }
}

fn record(rows: Vec<Outcome>) -> Record {
    let mut record = duel(&[1.0; 8]);
    record.experiments[0].outcomes = rows;
    record
}

fn figure(to: Option<&str>, form: Form, region: Region) -> Check {
    let subject = Subject::Figure {
        case: "read first".into(),
        setting: "warm".into(),
        to: to.map(str::to_owned),
        figure: "the first read".into(),
        quantile: 0.99,
        form,
    };
    Check { subject, region, usual_margin: false }
}

#[test]
fn a_saving_is_judged_by_both_intervals_at_their_worst() {
    let record = record(vec![row("warm", 1.0, Some((0.9, 1.1))), row("cold", 10.0, Some((9.0, 11.0)))]);
    // 1 - 1.1 / 9 is 87.8 %, 1 - 0.9 / 11 is 91.8 %.
    for (region, verdict) in [
        (Region::at_least(0.87), Verdict::Supported),
        (Region::at_least(0.9), Verdict::Inconclusive),
        (Region::at_least(0.92), Verdict::Refuted),
    ] {
        let check = figure(Some("cold"), Form::Saving, region);
        assert_eq!(judged(&claim(vec![check]), &record).verdict, verdict, "{region:?}");
    }
}

#[test]
fn a_value_is_in_ns_and_open_without_an_upper_end() {
    let known = record(vec![row("warm", 1.0, Some((0.9, 1.1)))]);
    let in_ns = |record: &Record| {
        judged(&claim(vec![figure(None, Form::Value, Region::between(8e5, 1.2e6))]), record).verdict
    };
    assert_eq!(in_ns(&known), Verdict::Supported);
    assert_eq!(in_ns(&record(vec![row("warm", 1.0, None)])), Verdict::Inconclusive);
}

#[test]
fn too_few_tries_give_no_ratio_and_an_absent_row_no_verdict() {
    let few = record(vec![row("warm", 1.0, None), row("cold", 10.0, Some((9.0, 11.0)))]);
    let check = figure(Some("cold"), Form::Ratio, Region::at_most(1.0));
    let told = judged(&claim(vec![check.clone()]), &few);
    assert_eq!(told.verdict, Verdict::Untestable);
    assert!(told.checks[0].instances[0].doubts[0].contains("too few"), "{told:?}");
    let alone = record(vec![row("warm", 1.0, Some((0.9, 1.1)))]);
    assert_eq!(judged(&claim(vec![check]), &alone).verdict, Verdict::Untestable);
}
