//! Two builds in one scripted record: pairs, their error, and what gates say.

use super::*;
use crate::record_comparison::{Change, ConditionWeight};
use fathom_model::Unmeasured;
use fathom_testkit::{complete, fault_controls, keep_forks, slow_down, two_builds};

fn compare(record: &Record, gates: &[&str]) -> RecordComparison {
    let gates: Vec<Gate> = gates.iter().map(|gate| gate.parse().unwrap()).collect();
    compare_builds(record, "r.json", &gates).unwrap()
}

fn verdicts(found: &RecordComparison) -> Vec<GateVerdict> {
    found.gates.iter().map(|gate| gate.verdict).collect()
}

#[test]
fn a_pair_is_one_variant_with_a_paired_ratio() {
    let found = compare(&two_builds(), &["calls > +0", "time > +60%", "time > +70%"]);
    assert_eq!(found.design, Design::Interleaved);
    assert_eq!(
        (found.old.name.as_str(), found.new.name.as_str()),
        ("go@1.26 (go1.26.8), in r.json", "go@1.27 (go1.27), in r.json")
    );
    let [variant] = found.variants.as_slice() else { panic!("{:?}", found.variants) };
    assert_eq!(variant.name.method.to_string(), "go:os.Open");
    let time = variant.time.value().unwrap();
    assert_eq!((time.change, time.ratio.forks), (Change::Higher, 15));
    assert!((time.ratio.value - 3621.0 / 2214.0).abs() < 0.01, "{time:?}");
    assert!(variant.calls.value().unwrap().differs() && variant.ratio.value().is_none());
    let allocations: Vec<_> =
        variant.allocations.iter().map(|one| (one.old, one.new, one.differs())).collect();
    assert_eq!(allocations, [(1.0, 3.0, true), (64.0, 200.0, true)]);
    assert_eq!(verdicts(&found), [GateVerdict::Fails, GateVerdict::Fails, GateVerdict::Holds]);
    let runtime: Vec<_> = found.conditions.iter().map(|c| (c.weight, c.what.as_str())).collect();
    assert_eq!(runtime, [(ConditionWeight::State, "runtime")]);
}

#[test]
fn what_drifts_in_both_builds_alike_is_in_no_ratio() {
    let mut record = two_builds();
    let width = |record: &Record| {
        let (low, high) = compare(record, &[]).variants[0].time.value().unwrap().ratio.interval().unwrap();
        high - low
    };
    let before = width(&record);
    for (index, fork) in record.experiments[0].comparisons[0].forks.iter_mut().enumerate() {
        for ns in fork.arms.iter_mut().flat_map(|arm| arm.ns.iter_mut().flatten()) {
            *ns *= 1 + index as u64;
        }
    }
    assert!((width(&record) - before).abs() < 1e-9);
}

#[test]
fn the_error_is_shared_among_the_pairs() {
    let mut record = two_builds();
    let confidence = |record: &Record| {
        compare(record, &[]).variants[0].time.value().unwrap().ratio_simultaneous.confidence
    };
    assert!((confidence(&record) - 0.95).abs() < 1e-12);
    let comparison = record.experiments[0].comparisons[0].clone();
    record.experiments[0].comparisons.extend(vec![comparison; 4]);
    assert!((confidence(&record) - 0.99).abs() < 1e-12);
}

#[test]
fn a_fault_and_a_lack_of_forks_decide_nothing() {
    let mut record = two_builds();
    fault_controls(&mut record);
    let found = compare(&record, &["time > +2%"]);
    assert_eq!(found.variants[0].time.value().unwrap().change, Change::ControlFault);
    assert_eq!(verdicts(&found), [GateVerdict::Inconclusive]);
    let mut record = two_builds();
    keep_forks(&mut record, 2);
    let found = compare(&record, &["time > +2%", "calls > +0"]);
    assert_eq!(found.variants[0].time.value().unwrap().change, Change::TooFewForks);
    assert_eq!(verdicts(&found), [GateVerdict::Inconclusive, GateVerdict::Fails]);
}

#[test]
fn a_ratio_that_moves_over_the_limit_decides_nothing() {
    let mut record = two_builds();
    let mut late = record.clone();
    slow_down(&mut late, "go@1.27:os.Open", 1.5);
    let late = late.experiments[0].comparisons[0].forks.clone();
    record.experiments[0].comparisons[0].forks.extend(late);
    let found = compare(&record, &["time > +100%", "time > +10%"]);
    assert!(found.variants[0].time.value().unwrap().drift.is_some());
    assert_eq!(verdicts(&found), [GateVerdict::Inconclusive, GateVerdict::Fails]);
}

#[test]
fn what_the_new_build_refused_holds_no_gate() {
    let mut record = two_builds();
    let experiment = &mut record.experiments[0];
    let mut alone = experiment.comparisons[0].clone();
    alone.variants.truncate(1);
    experiment.comparisons.push(alone);
    experiment.unmeasured.push(Unmeasured {
        method: MethodId::new("go@1.27", "os.Open"),
        scope: None,
        reason: "delivers the wrong bytes".into(),
    });
    let found = compare(&record, &["time > +90%", "calls > +100"]);
    assert_eq!(verdicts(&found), [GateVerdict::Inconclusive; 2]);
    assert_eq!(found.only_old[0].reason.as_deref(), Some("delivers the wrong bytes"));
    let evidence = &found.gates[0].variants.last().unwrap().evidence;
    assert_eq!(evidence, "the new build has no result: delivers the wrong bytes");
}

#[test]
fn a_record_of_one_build_is_none() {
    assert_eq!(compare_builds(&complete(), "r.json", &[]), Err(NotInterleaved));
    let unnamed = Record { builds: None, ..two_builds() };
    assert_eq!(compare(&unnamed, &[]), compare(&two_builds(), &[]), "a pair of `fathom bench` will do");
    let mut other = two_builds();
    other.experiments[0].comparisons[0].variants[1].parameters.data.files += 1;
    other.builds = None;
    assert_eq!(compare_builds(&other, "r.json", &[]), Err(NotInterleaved), "not the same but for the build");
}
