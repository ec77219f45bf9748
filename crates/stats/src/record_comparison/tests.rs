//! Scripted pairs of records: what differs, by how much, and what gates say.

use super::*;
use fathom_model::{CallCount, CountPass, Place};
use fathom_testkit::{add_call, call, complete, fault_controls, floors, keep_forks, later, slow_down};

fn compare(old: &Record, new: &Record, gates: &[&str]) -> RecordComparison {
    let gates: Vec<Gate> = gates.iter().map(|gate| gate.parse().unwrap()).collect();
    compare_records(old, new, CompareOptions { names: ["old", "new"], across_machines: false, gates: &gates })
}

fn of<'a>(comparison: &'a RecordComparison, method: &str) -> &'a VariantComparison {
    comparison.variants.iter().find(|variant| variant.name.method.to_string() == method).unwrap()
}

fn time(variant: &VariantComparison) -> &TimeComparison {
    variant.time.value().unwrap()
}

const ALL: [&str; 4] = ["calls > +0", "calls:fstat > +0", "time > +2%", "ratio > +2%"];

#[test]
fn a_record_beside_itself_has_no_difference() {
    let record = complete();
    let found = compare(&record, &record, &ALL);
    assert_eq!(found.variants.len(), 8);
    assert!(found.conditions.is_empty() && found.only_old.is_empty() && found.only_new.is_empty());
    for variant in &found.variants {
        assert!(!variant.calls.value().unwrap().differs());
        let time = time(variant);
        assert_eq!(time.change, Change::NotShown, "{:?}", variant.name);
        assert!((time.ratio.value - 1.0).abs() < 1e-12 && !time.ratio.excludes(1.0));
        assert_eq!(variant.ratio.value().is_none(), variant.name.is_baseline);
    }
    assert_eq!(found.verdict(), Some(GateVerdict::Holds), "{:#?}", found.gates);
    assert_eq!(compare(&record, &record, &[]).verdict(), None);
}

#[test]
fn one_call_more_is_a_difference_whatever_the_times() {
    let old = complete();
    let mut new = later(&old);
    add_call(&mut new, "go:os.Open", &call("fstat", 1));
    keep_forks(&mut new, 1);
    let found = compare(&old, &new, &["calls > +0", "calls:fstat > +1", "calls:openat > +0"]);
    let calls = of(&found, "go:os.Open").calls.value().unwrap();
    let differing: Vec<_> = calls.by_call.iter().filter(|call| call.differs).collect();
    assert_eq!(differing.len(), 1);
    assert_eq!(
        (differing[0].call.as_str(), differing[0].old.median, differing[0].new.median),
        ("fstat", 0.0, 1.0)
    );
    let verdicts: Vec<_> = found.gates.iter().map(|gate| gate.verdict).collect();
    assert_eq!(verdicts, [GateVerdict::Fails, GateVerdict::Holds, GateVerdict::Holds]);
    let failing: Vec<_> =
        found.gates[0].variants.iter().filter(|variant| variant.verdict == GateVerdict::Fails).collect();
    assert_eq!(failing.len(), 1);
    assert_eq!(failing[0].evidence, "+1 calls per operation");
}

#[test]
fn the_same_call_with_another_errno_is_another_call() {
    let mut old = complete();
    let mut new = later(&old);
    add_call(&mut old, "native:openat", &CallCount { errno: Some("ENOENT".into()), ..call("statx", 1) });
    add_call(&mut new, "native:openat", &CallCount { errno: Some("EACCES".into()), ..call("statx", 1) });
    let found = compare(&old, &new, &["calls > +0"]);
    assert!(of(&found, "native:openat").calls.value().unwrap().differs());
    assert_eq!(found.verdict(), Some(GateVerdict::Holds), "the sum did not grow");
}

#[test]
fn counts_that_varied_decide_only_where_their_ranges_do() {
    let varied = |differences: &[i64]| {
        let mut record = complete();
        let call = CallCount { differences: differences.to_vec(), ..call("futex", 1) };
        add_call(&mut record, "go:os.Open", &call);
        record
    };
    let verdict = |old: &[i64], new: &[i64]| {
        let found = compare(&varied(old), &varied(new), &["calls:futex > +0"]);
        (of(&found, "go:os.Open").calls.value().unwrap().differs(), found.gates[0].verdict)
    };
    assert_eq!(verdict(&[200, 220], &[210, 230]), (false, GateVerdict::Inconclusive));
    assert_eq!(verdict(&[200, 220], &[230, 240]), (true, GateVerdict::Fails));
    assert_eq!(verdict(&[230, 240], &[200, 220]), (true, GateVerdict::Holds));
}

#[test]
fn equal_counts_of_other_run_lengths_are_equal() {
    let old = complete();
    let mut new = old.clone();
    for pass in &mut new.experiments[0].comparisons[0].counts {
        let Reading::Value(CountPass { inside, .. }) = pass else { panic!() };
        for count in inside {
            count.operations *= 3;
            count.differences.iter_mut().for_each(|difference| *difference *= 3);
        }
    }
    assert!(compare(&old, &new, &[]).variants.iter().all(|v| !v.calls.value().unwrap().differs()));
}

#[test]
fn five_percent_more_time_with_tight_forks_is_shown() {
    let old = complete();
    let mut new = later(&old);
    slow_down(&mut new, "go:os.Open", 1.05);
    let found = compare(&old, &new, &["time > +2%", "ratio > +2%", "time > +8%"]);
    let slower = of(&found, "go:os.Open");
    let (low, high) = time(slower).ratio.interval().unwrap();
    assert!(low > 1.03 && low < 1.05 && high > 1.05 && high < 1.07, "{low} {high}");
    assert_eq!(time(slower).change, Change::Higher);
    assert_eq!(slower.ratio.value().unwrap().change, Change::Higher);
    assert_eq!(time(of(&found, "go:unix.Open")).change, Change::NotShown);
    let verdicts: Vec<_> = found.gates.iter().map(|gate| gate.verdict).collect();
    assert_eq!(verdicts, [GateVerdict::Fails, GateVerdict::Fails, GateVerdict::Holds]);
    assert_eq!(time(of(&compare(&new, &old, &[]), "go:os.Open")).change, Change::Lower);
}

#[test]
fn a_limit_inside_the_interval_is_inconclusive() {
    let old = complete();
    let mut new = later(&old);
    slow_down(&mut new, "go:os.Open", 1.05);
    let found = compare(&old, &new, &["time > +5%"]);
    assert_eq!(found.verdict(), Some(GateVerdict::Inconclusive), "{:#?}", found.gates);
}

#[test]
fn drift_of_the_whole_machine_leaves_the_ratios() {
    let old = complete();
    let mut new = later(&old);
    for method in
        ["go:syscall.Open", "go:os.Open", "go:os.OpenFile-O_DIRECT", "go:unix.Open", "native:openat"]
    {
        slow_down(&mut new, method, 1.3);
    }
    let found = compare(&old, &new, &["ratio > +2%"]);
    let variant = of(&found, "go:os.Open");
    assert_eq!(time(variant).change, Change::Higher);
    assert_eq!(variant.ratio.value().unwrap().change, Change::NotShown);
    assert_eq!(found.verdict(), Some(GateVerdict::Holds));
}

#[test]
fn too_few_forks_say_nothing_of_times() {
    let old = complete();
    let mut new = later(&old);
    slow_down(&mut new, "go:os.Open", 3.0);
    keep_forks(&mut new, 2);
    let found = compare(&old, &new, &["time > +2%"]);
    assert_eq!(time(of(&found, "go:os.Open")).change, Change::TooFewForks);
    assert_eq!(found.verdict(), Some(GateVerdict::Inconclusive));
}

#[test]
fn a_control_at_fault_withholds_every_verdict_on_time() {
    let old = complete();
    let mut new = later(&old);
    slow_down(&mut new, "go:os.Open", 3.0);
    fault_controls(&mut new);
    let found = compare(&old, &new, &["time > +2%", "calls > +0"]);
    let variant = time(of(&found, "go:os.Open"));
    assert_eq!(variant.change, Change::ControlFault);
    assert_eq!(variant.caveats, ["the new record's A/A control is at fault"]);
    let verdicts: Vec<_> = found.gates.iter().map(|gate| gate.verdict).collect();
    assert_eq!(verdicts, [GateVerdict::Inconclusive, GateVerdict::Holds]);
}

#[test]
fn another_kernel_is_said_and_another_machine_withholds_times() {
    let old = complete();
    let mut new = later(&old);
    new.environment.kernel = "6.19.1".into();
    let found = compare(&old, &new, &[]);
    assert_eq!(found.conditions[0].what, "kernel");
    assert_eq!((found.conditions[0].old.as_str(), found.conditions[0].new.as_str()), ("6.18.2", "6.19.1"));
    assert!(found.times_withheld.is_none() && found.variants.iter().all(|v| v.time.value().is_some()));

    new.environment.cpu_model = Reading::Value("another CPU".into());
    add_call(&mut new, "go:os.Open", &call("fstat", 1));
    let found = compare(&old, &new, &["time > +2%", "calls > +0"]);
    assert_eq!(found.conditions[0].weight, ConditionWeight::Machine, "the heaviest first");
    assert!(found.times_withheld.as_ref().unwrap().contains("CPU model"));
    assert!(found.variants.iter().all(|variant| variant.time.value().is_none()));
    let verdicts: Vec<_> = found.gates.iter().map(|gate| gate.verdict).collect();
    assert_eq!(verdicts, [GateVerdict::Inconclusive, GateVerdict::Fails], "counts are always compared");

    let options = CompareOptions { names: ["a", "b"], across_machines: true, gates: &[] };
    let found = compare_records(&old, &new, options);
    assert!(found.times_withheld.is_none() && found.variants.iter().all(|v| v.time.value().is_some()));
}

#[test]
fn software_places_and_floors_are_told_apart() {
    let mut old = complete();
    old.floors = Reading::Value(floors());
    let mut new = later(&old);
    let Reading::Value(beyond) = &mut new.floors else { panic!() };
    (beyond.null_call_ns.median, beyond.null_call_ns.least, beyond.null_call_ns.most) = (300.0, 290.0, 310.0);
    beyond.fstat_ns.median += 5.0;
    new.drivers[0].runtime = "go1.27".into();
    new.drivers[1].source_sha256 = Reading::Value("0".repeat(64));
    new.places[0].mount_options = Reading::Value(vec!["rw".into(), "noatime".into()]);
    let Reading::Value(device) = &mut new.places[0].device else { panic!() };
    device.read_ahead_kib = Reading::Value(4096);
    let found = compare(&old, &new, &[]);
    let what: Vec<_> = found.conditions.iter().map(|difference| difference.what.as_str()).collect();
    assert_eq!(
        what,
        [
            "lower bound: an empty call",
            "driver go: runtime",
            "driver native: source",
            "place /var/tmp: mount options",
            "place /var/tmp: read-ahead",
            "seed"
        ]
    );
    assert_eq!(found.conditions[4].old, "128 KiB");
}

#[test]
fn what_is_only_in_one_record_is_listed_with_its_reason() {
    let old = complete();
    let mut new = later(&old);
    new.experiments[0].comparisons[0].variants[1].method = "go:os.Create".parse().unwrap();
    new.experiments[0].unmeasured[0].method = "go:os.Open".parse().unwrap();
    let found = compare(&old, &new, &[]);
    assert_eq!(found.variants.len(), 7);
    assert_eq!(found.only_old[0].name.method.to_string(), "go:os.Open");
    assert_eq!(found.only_old[0].reason.as_deref(), Some("no javac on the search path"));
    assert_eq!(found.only_new[0].name.method.to_string(), "go:os.Create");
    new.experiments.iter_mut().for_each(|experiment| experiment.name.push('x'));
    let found = compare(&old, &new, &["calls > +0"]);
    assert!(found.variants.is_empty() && found.only_old.len() == 8 && found.only_new.len() == 8);
}

#[test]
fn parameters_and_labels_tell_variants_apart_and_places_may_move() {
    let old = complete();
    let mut moved = later(&old);
    moved.places.swap(0, 1);
    for comparison in moved.experiments.iter_mut().flat_map(|experiment| &mut experiment.comparisons) {
        for variant in &mut comparison.variants {
            variant.place = 1 - variant.place;
        }
        comparison.label.push_str(" · elsewhere");
    }
    moved.places[1].place = Place::Directory("/srv/build".into());
    let found = compare(&old, &moved, &[]);
    assert_eq!(found.variants.len(), 8, "{:#?}", found.only_old);
    assert!(found.conditions.iter().any(|difference| difference.what == "place /srv/build: path"));

    let mut resized = later(&old);
    for variant in &mut resized.experiments[0].comparisons[0].variants {
        variant.parameters.data.size_bytes += 1;
    }
    assert_eq!(compare(&old, &resized, &[]).only_new.len(), 5);
}

#[test]
fn another_baseline_leaves_no_ratio_of_ratios() {
    let old = complete();
    let mut new = later(&old);
    new.experiments[0].comparisons[0].baseline = 4;
    let found = compare(&old, &new, &["ratio > +2%"]);
    let variant = of(&found, "go:os.Open");
    assert!(variant.ratio.value().is_none() && variant.time.value().is_some());
    assert_eq!(found.verdict(), Some(GateVerdict::Inconclusive));
}

#[test]
fn the_json_form_has_its_version_and_gates_as_they_are_written() {
    let record = complete();
    let value = serde_json::to_value(compare(&record, &record, &["time > +2%"])).unwrap();
    assert_eq!(value["compare_version"], RECORD_COMPARISON_VERSION);
    assert_eq!(value["gates"][0]["gate"], "time > +2%");
    assert_eq!(value["gates"][0]["verdict"], "holds");
    assert_eq!(value["variants"][0]["method"], "go:syscall.Open");
    assert_eq!(value["variants"][0]["time"]["value"]["change"], "not-shown");
}
