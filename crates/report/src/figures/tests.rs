//! What each source gives a dashboard, as recorded, and what no form may break.

use super::of_record::record_figures;
use super::*;
use crate::audit::tests::sample;
use fathom_audit::{AuditDifference, Gap, GapKind, PriceList, Side};
use fathom_stats::{CompareOptions, compare_records};
use fathom_testkit::{all, complete, troubled};
use serde_json::Value;
use std::collections::BTreeSet;

fn entries(json: &str) -> Vec<Value> {
    serde_json::from_str(json).unwrap()
}

fn samples(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

#[test]
fn a_record_as_figures_reads_as_recorded() {
    let mut record = complete();
    record.experiments.truncate(1);
    insta::assert_snapshot!("record-openmetrics", record_figures(&record, FigureForm::OpenMetrics).unwrap());
    let json = record_figures(&record, FigureForm::GithubActionBenchmark).unwrap();
    insta::assert_snapshot!("record-github", json);
}

#[test]
fn an_audit_as_figures_reads_as_recorded() {
    let audit = sample();
    insta::assert_snapshot!("audit-openmetrics", audit_figures(&audit, FigureForm::OpenMetrics).unwrap());
    insta::assert_snapshot!(
        "audit-github",
        audit_figures(&audit, FigureForm::GithubActionBenchmark).unwrap()
    );
}

#[test]
fn two_audits_as_figures_read_as_recorded() {
    let before = Side::of_audit("a.json", sample());
    let mut after = Side::of_audit("b.json", sample());
    after.calls[0].count += 7;
    after.findings.as_mut().unwrap().remove(0);
    let found = AuditDifference::new(&before, &after, &PriceList(&[]), "none here");
    let text = audit_difference_figures(&found, FigureForm::OpenMetrics).unwrap();
    insta::assert_snapshot!("difference-openmetrics", text);
    let json = audit_difference_figures(&found, FigureForm::GithubActionBenchmark).unwrap();
    insta::assert_snapshot!("difference-github", json);
}

#[test]
fn a_comparison_as_figures_reads_as_recorded() {
    let (mut old, new) = (complete(), complete());
    old.experiments.truncate(1);
    let gates = ["calls > +0".parse().unwrap(), "time > +2%".parse().unwrap()];
    let options = CompareOptions { names: ["a.json", "b.json"], across_machines: false, gates: &gates };
    let found = compare_records(&old, &new, options);
    let text = record_comparison_figures(&found, FigureForm::OpenMetrics).unwrap();
    insta::assert_snapshot!("comparison-openmetrics", text);
    let json = record_comparison_figures(&found, FigureForm::GithubActionBenchmark).unwrap();
    let gates = entries(&json).into_iter().filter(|entry| entry["unit"] == "0 or 1");
    assert_eq!(gates.count(), 2, "{json}");
}

#[test]
fn every_record_has_names_and_labels_that_occur_once() {
    for (record_name, record) in all() {
        let Ok(json) = record_figures(&record, FigureForm::GithubActionBenchmark) else { continue };
        let entries = entries(&json);
        let names: BTreeSet<_> = entries.iter().map(|entry| entry["name"].as_str().unwrap()).collect();
        assert_eq!(names.len(), entries.len(), "{record_name}");
        assert!(entries.iter().all(|entry| entry["value"].is_f64()), "{record_name}");
        let text = record_figures(&record, FigureForm::OpenMetrics).unwrap();
        let series: BTreeSet<_> = samples(&text).map(|line| line.rsplit_once(' ').unwrap().0).collect();
        assert_eq!(series.len(), samples(&text).count(), "{record_name}");
        assert!(text.ends_with("\n# EOF\n"), "{record_name}");
    }
}

#[test]
fn what_was_not_measured_is_said_and_has_no_figure() {
    let record = troubled();
    let text = record_figures(&record, FigureForm::OpenMetrics).unwrap();
    let unmeasured =
        samples(&text).filter(|line| line.starts_with("fathom_measured{") && line.ends_with(" 0.0"));
    let measurements = crate::measurement::measurements(&record);
    let expected =
        measurements.iter().filter(|each| each.summary().is_none() && each.pass().is_none()).count();
    assert_eq!(unmeasured.count(), expected, "{text}");
    let faulty = measurements.iter().filter(|each| each.is_faulty()).count();
    let ratios = samples(&text).filter(|line| line.starts_with("fathom_time_ratio{")).count();
    assert!(faulty > 0 && ratios <= measurements.len() - faulty, "ratios of a fault are left out:\n{text}");
}

#[test]
fn an_audit_that_missed_something_has_names_of_its_own() {
    let mut audit = sample();
    audit.gaps.clear();
    let names = |audit: &_| -> BTreeSet<String> {
        let json = audit_figures(audit, FigureForm::GithubActionBenchmark).unwrap();
        entries(&json).iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    };
    let whole = names(&audit);
    audit.gaps.push(Gap::new(GapKind::Cut, "it was cut short"));
    let cut = names(&audit);
    assert!(!whole.is_empty() && whole.is_disjoint(&cut), "{whole:?} {cut:?}");
}

#[test]
fn labels_and_names_hold_any_text() {
    let figure = Figure::new(Quantity::Calls, "a\u{202e}\n\"b\\", 1.0).label("command", "x\r\n\"y\\{z}");
    let about = vec![("subject", "a\u{202e}\"".to_owned())];
    let figures = Figures { about, figures: vec![figure.clone(), figure] };
    let text = figures.written(FigureForm::OpenMetrics, "").unwrap();
    assert!(text.contains(r#"fathom_source_info{subject="a\\u{202e}\""} 1"#), "{text}");
    let lines: Vec<_> = samples(&text).filter(|line| line.starts_with("fathom_system_calls")).collect();
    let [first, second] = lines[..] else { panic!("{text}") };
    assert_eq!(first, r#"fathom_system_calls{command="x\\r\\n\"y\\{z}"} 1.0"#);
    assert!(second.contains(",nth=\"2\"}"), "{second}");
}
