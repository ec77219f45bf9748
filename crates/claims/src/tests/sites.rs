//! Where a check is made: in its own experiment, and once where it is counted.

use super::{check, claim, judged};
use crate::Verdict;
use fathom_model::{Check, Form, Metric, Outcome, OutcomeCount, Region, Subject};
use fathom_testkit::{duel, duel_of};

const FORKS: [f64; 8] = [1.0; 8];

/// How often openat is called: once.
fn one_openat() -> Check {
    check(Metric::Call("openat".into()), Form::Value, Region::between(1.0, 1.0))
}

#[test]
fn what_is_counted_beside_several_others_is_told_once_and_times_each_time() {
    let mut record = duel(&FORKS);
    record.experiments[0].comparisons.push(duel_of(&FORKS, "native:openat", "go:os.Open"));
    let counted = claim(vec![one_openat()]);
    let told = judged(&counted, &record);
    assert_eq!((told.verdict, told.checks[0].instances.len()), (Verdict::Supported, 1));
    let timed = claim(vec![check(Metric::Time, Form::Value, Region::at_least(1.0))]);
    assert_eq!(judged(&timed, &record).checks[0].instances.len(), 2, "two samples");
    let mut counted_only = record.experiments[0].comparisons[0].clone();
    counted_only.forks.clear();
    record.experiments[0].comparisons.push(counted_only);
    assert_eq!(judged(&timed, &record).checks[0].instances.len(), 2, "what was not timed is no sample");
    // One of the two was not counted: the other says it all.
    record.experiments[0].comparisons[0].counts.clear();
    let told = judged(&counted, &record);
    assert_eq!((told.verdict, told.checks[0].instances.len()), (Verdict::Supported, 1));
}

#[test]
fn what_another_experiment_measured_says_nothing() {
    let mut record = duel(&FORKS);
    let mut other = record.experiments[0].clone();
    other.name = "other".into();
    for variant in &mut other.comparisons[0].variants {
        variant.parameters.data.size_bytes = 1;
    }
    record.experiments.push(other);
    let counted = claim(vec![one_openat()]);
    assert_eq!(judged(&counted, &record).checks[0].instances.len(), 1);
    record.experiments.remove(0);
    let absent = judged(&counted, &record);
    assert_eq!((absent.verdict, absent.because.as_str()), (Verdict::Untestable, "no record holds duel"));
}

#[test]
fn the_share_of_resident_pages_is_that_of_the_time_pass() {
    let mut record = duel(&FORKS);
    let resident = |region| claim(vec![check(Metric::Resident, Form::Value, region)]);
    assert_eq!(judged(&resident(Region::between(1.0, 1.0)), &record).verdict, Verdict::Supported);
    assert_eq!(judged(&resident(Region::at_most(0.0)), &record).verdict, Verdict::Refuted);
    for evidence in &mut record.experiments[0].comparisons[0].cache {
        (evidence.resident_pages_before_min, evidence.resident_pages_before_max) = (None, None);
    }
    assert_eq!(judged(&resident(Region::at_most(0.0)), &record).verdict, Verdict::Untestable);
}

#[test]
fn a_mount_that_is_no_place_is_named_by_its_setting() {
    let mut record = duel(&FORKS);
    record.experiments[0].outcomes.push(Outcome {
        case: "open a directory".into(),
        setting: "proc /proc".into(),
        place: None,
        counts: vec![OutcomeCount { what: "EISDIR: O_WRONLY".into(), n: 1 }],
        figures: vec![],
        meaning: "It is refused.".into(),
        unavailable: None,
    });
    let subject = Subject::Outcome {
        case: "open a directory".into(),
        setting: String::new(),
        what: "EISDIR: O_WRONLY".into(),
        share_of: None,
    };
    let refused = Check { subject, region: Region::between(1.0, 1.0), usual_margin: false };
    assert_eq!(judged(&claim(vec![refused]), &record).because, "it holds in proc /proc");
}
