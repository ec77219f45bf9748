//! Golden text of comparisons, and what must stand in any.

use super::*;
use fathom_model::{CallCount, Reading, Record};
use fathom_stats::{CompareOptions, Gate, compare_builds, compare_records};
use fathom_testkit::{
    add_call, call, complete, fault_controls, floors, keep_forks, later, long_names, slow_down, two_builds,
};

fn text(old: &Record, new: &Record, gates: &[&str]) -> String {
    let gates: Vec<Gate> = gates.iter().map(|gate| gate.parse().unwrap()).collect();
    let options = CompareOptions { names: ["old.json", "new.json"], across_machines: false, gates: &gates };
    render_record_comparison(&compare_records(old, new, options), &TextOptions::default())
}

/// A call more, a varied one, a slower method, another kernel, a missing method.
fn changed() -> (Record, Record) {
    let mut old = complete();
    let varied = CallCount { differences: vec![3, 5, 4], ..call("futex", 1) };
    add_call(&mut old, "go:io.ReadAll", &varied);
    let mut new = later(&old);
    old.floors = Reading::Value(floors());
    new.floors = old.floors.clone();
    new.environment.kernel = "6.19.1".into();
    new.drivers[0].runtime = "go1.27".into();
    add_call(&mut new, "go:os.Open", &call("fstat", 1));
    slow_down(&mut new, "go:os.Open", 1.05);
    new.experiments[0].comparisons[0].variants[3].method = "go:os.Create".parse().unwrap();
    (old, new)
}

#[test]
fn a_changed_record_reads_as_recorded() {
    let (old, new) = changed();
    let gates = ["calls > +0", "time > +2%", "ratio > +5%", "calls:openat > +0"];
    insta::assert_snapshot!(text(&old, &new, &gates));
}

#[test]
fn the_same_record_reads_as_no_difference() {
    insta::assert_snapshot!(text(&complete(), &complete(), &["calls > +0"]));
}

#[test]
fn another_machine_has_counts_and_no_times() {
    let (old, mut new) = changed();
    new.environment.cpu_model = Reading::unavailable("no model name");
    let text = text(&old, &new, &["time > +2%"]);
    assert!(text.contains("Another machine:") && text.contains("--across-machines"), "{text}");
    assert!(text.contains("fstat 0 → 1") && !text.contains("slower"), "{text}");
    assert!(text.contains("INCONCLUSIVE"), "{text}");
}

#[test]
fn what_differs_is_said_before_any_figure() {
    let (old, new) = changed();
    let text = text(&old, &new, &[]);
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
    assert!(at("kernel: 6.18.2 → 6.19.1") < at("Calls per operation"));
    assert!(at("Calls per operation") < at("Times, new over old"));
}

#[test]
fn what_cannot_be_said_has_words() {
    let old = complete();
    let mut new = later(&old);
    keep_forks(&mut new, 2);
    assert!(text(&old, &new, &[]).contains("too few forks"));
    let mut new = later(&old);
    fault_controls(&mut new);
    let faulty = text(&old, &new, &[]);
    assert!(faulty.contains("control at fault") && faulty.contains("note: the new record's A/A control"));
    let mut new = later(&old);
    new.experiments.clear();
    assert!(text(&old, &new, &["calls > +0"]).contains("Nothing matched"));
}

#[test]
fn every_sample_record_fits_the_page_and_has_no_nan() {
    for (name, record) in fathom_testkit::all() {
        let text = text(&record, &later(&record), &["calls > +0", "time > +2%"]);
        assert!(!text.contains("NaN") && !text.contains("inf "), "{name}: {text}");
    }
    let long = text(&long_names(), &later(&long_names()), &[]);
    assert!(long.lines().all(|line| crate::wrap::width(line) <= 120), "{long}");
}

fn builds(record: &Record, gates: &[&str]) -> String {
    let gates: Vec<Gate> = gates.iter().map(|gate| gate.parse().unwrap()).collect();
    render_record_comparison(&compare_builds(record, "r.json", &gates).unwrap(), &TextOptions::default())
}

#[test]
fn two_builds_of_one_sitting_read_as_recorded() {
    insta::assert_snapshot!(builds(&two_builds(), &["calls > +0", "time > +2%", "calls:close > +0"]));
}

#[test]
fn no_pair_is_no_match() {
    let mut record = two_builds();
    record.experiments[0].comparisons.clear();
    let text = builds(&record, &["calls > +0"]);
    assert!(text.contains("Nothing was compared") && text.contains("INCONCLUSIVE"), "{text}");
}
