//! `fathom compare`: two records of this machine beside each other, gates and
//! their exit codes, and what is no record.

use crate::sandbox::{Sandbox, says};
use fathom_model::{CallCount, Reading, Record};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::is_empty;
use serde_json::Value;
use std::fs;

/// Counts and a few forks of two methods, old and new.
fn two_records(sandbox: &Sandbox) {
    for name in ["old", "new"] {
        let words = "bench open-close --methods native:open,native:openat --time 0.3 --size 4KiB";
        sandbox.fathom(&format!("{words} -o {name}.json")).assert().code(0);
    }
}

fn change(sandbox: &Sandbox, from: &str, to: &str, change: impl FnOnce(&mut Record)) {
    let mut record = sandbox.record(from);
    change(&mut record);
    sandbox.write(to, &serde_json::to_string(&record).unwrap());
}

fn add_call(record: &mut Record, call: &str) {
    for counts in &mut record.experiments[0].comparisons[0].counts {
        let Reading::Value(pass) = counts else { continue };
        let like = pass.inside[0].clone();
        let differences = vec![like.operations.cast_signed(); like.differences.len()];
        pass.inside.push(CallCount { call: call.to_owned(), errno: None, differences, ..like });
    }
}

/// The same times in every record: 15 forks of about `ns` per operation, whatever was measured.
fn script_times(record: &mut Record, ns: u64) {
    let comparison = &mut record.experiments[0].comparisons[0];
    let fork = comparison.forks[0].clone();
    comparison.forks = vec![fork; 15];
    for (index, fork) in comparison.forks.iter_mut().enumerate() {
        let per_operation = ns * 1000 + (index as u64 * 7) % 15 * 20;
        for arm in &mut fork.arms {
            arm.divisor = 1;
            let operations = fork.operations.iter().map(|&operations| u64::from(operations));
            arm.ns = operations.map(|operations| Some(operations * per_operation)).collect();
        }
    }
    if let Reading::Value(control) = &mut comparison.control {
        control.instrument_fault = false;
    }
}

#[test]
fn two_runs_of_one_program_make_the_same_calls() {
    let sandbox = Sandbox::new();
    two_records(&sandbox);
    let words = "compare old.json new.json";
    let calls = sandbox
        .command(crate::sandbox::program())
        .args(words.split(' '))
        .args(["--fail-on", "calls > +0"])
        .assert();
    calls.code(0).stdout(
        says("No difference in any of 2.").and(says("fail on calls > +0: holds for 2 of 2 variants")),
    );
    sandbox.fathom("compare old.json old.json").assert().code(0).stdout(
        says("Machine, programs and places are the same").and(says("slower").not()).and(says("faster").not()),
    );

    // Counts alone: what is said of times is that there are none.
    let alone =
        "bench open-close --methods native:open,native:openat --size 4KiB --counts-only -o counts.json";
    sandbox.fathom(alone).assert().code(0);
    let mut time = sandbox.fathom("compare counts.json counts.json");
    time.args(["--fail-on", "time > +2%"]).assert().code(3).stdout(says("neither record has a time of it"));
}

#[test]
fn gates_end_with_their_codes() {
    let sandbox = Sandbox::new();
    two_records(&sandbox);
    change(&sandbox, "new.json", "more.json", |record| add_call(record, "fstat"));
    change(&sandbox, "new.json", "other.json", |record| {
        record.environment.cpu_model = Reading::Value("another".to_owned());
    });
    change(&sandbox, "new.json", "renamed.json", |record| record.experiments[0].name.push('x'));
    for (name, ns) in [("steady.json", 500), ("slow.json", 525)] {
        change(&sandbox, "old.json", name, |record| script_times(record, ns));
    }
    for (files, gate, code, said) in [
        ("old.json more.json", "calls > +0", 1, "FAILS for 2 of 2 variants"),
        ("old.json more.json", "calls:fstat > +1", 0, "holds"),
        ("more.json old.json", "calls > +0", 0, "holds"),
        ("old.json other.json", "calls > +0", 0, "Another machine"),
        ("old.json other.json", "time > +500%", 3, "INCONCLUSIVE"),
        ("steady.json slow.json", "time > +2%", 1, "FAILS for 2 of 2 variants"),
        ("steady.json slow.json", "time > +5%", 3, "INCONCLUSIVE"),
        ("steady.json slow.json", "ratio > +2%", 0, "holds for 1 of 1 variant"),
        ("slow.json steady.json", "time > +0%", 0, "faster"),
        ("old.json renamed.json", "calls > +0", 4, "Nothing matched"),
    ] {
        let mut command = sandbox.fathom(&format!("compare {files}"));
        command.args(["--fail-on", gate]).assert().code(code).stdout(says(said));
    }
    sandbox
        .fathom("compare old.json other.json --across-machines")
        .assert()
        .code(0)
        .stdout(says("Another machine").and(says("Not compared").not()));

    let output = sandbox
        .fathom("compare old.json more.json --format json")
        .args(["--fail-on", "calls > +0"])
        .assert()
        .code(1);
    let found: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    assert_eq!(found["compare_version"], 1);
    assert_eq!(found["gates"][0]["verdict"], "fails");
    assert_eq!(found["gates"][0]["variants"][0]["evidence"], "+1 calls per operation");
    sandbox.assert_nothing_left();
}

#[test]
fn what_is_no_gate_or_no_record_is_named() {
    let sandbox = Sandbox::new();
    let words = "bench open-close --methods native:open --counts-only -o good.json";
    sandbox.fathom(words).assert().code(0);
    for (gate, said) in [
        ("calls", "is no gate"),
        ("time > +2", "in percent"),
        ("calls > +2%", "calls are exact"),
        ("tiem > +2%", "unknown metric `tiem`"),
        ("calls:fsatt > +0", "no system call `fsatt`"),
    ] {
        let mut command = sandbox.fathom("compare good.json good.json");
        command.args(["--fail-on", gate]).assert().code(2).stdout(is_empty()).stderr(says(said));
    }
    let good = fs::read_to_string(sandbox.file("good.json")).unwrap();
    sandbox.write("cut.json", &good[..good.len() / 2]);
    sandbox.write("foreign.json", "{\"results\": []}");
    for (file, said) in [
        ("cut.json", "cut.json is not a Fathom record"),
        ("foreign.json", "foreign.json is not a Fathom record: it has no schema_version"),
        ("missing.json", "failed to read missing.json"),
    ] {
        for words in [format!("compare {file} good.json"), format!("compare good.json {file}")] {
            sandbox.fathom(&words).assert().code(2).stdout(is_empty()).stderr(says(said));
        }
    }
}
