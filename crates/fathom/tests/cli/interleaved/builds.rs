//! Two builds of a driver and two toolchains: the documented driver beside a copy of
//! it that makes one call more, Python and Java of two homes.

use super::record_of;
use crate::capability::{Capability, has};
use crate::running::Running;
use crate::sandbox::{Sandbox, says, workspace};
use fathom_model::{ArmKind, Record, StopReason};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::is_empty;
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// The documented driver as `old`, and as `new` with one piece replaced.
fn two_drivers(from: &str, to: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let text = fs::read_to_string(workspace().join("docs/examples/driver.pl")).unwrap();
    assert_eq!(text.matches(from).count(), 1, "`{from}` must stand once in the documented driver");
    for (name, text) in [("old", text.clone()), ("new", text.replace(from, to))] {
        let path = sandbox.write(name, &text);
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    sandbox
}

/// `sysopen` of the operation `open-close` with an fstat.
fn with_fstat() -> Sandbox {
    let close = "    close($file) or failed('close', $_[0]);\n}\n\nsub read_blocks";
    two_drivers(close, &format!("    my @about = stat($file);\n{close}"))
}

#[test]
fn a_build_with_a_call_more_is_found_method_by_method() {
    if !has(Capability::Perl) {
        return;
    }
    let sandbox = with_fstat();
    let words = "compare --drivers ./old ./new --methods sysopen,readline --time 1 -o r.json";
    let mut compare = sandbox.fathom(words);
    let assert = compare.args(["--fail-on", "calls > +0", "--fail-on", "calls:read > +0"]).assert().code(1);
    assert.stdout(
        says("interleaved in one session")
            .and(says("perl:sysopen (ad-hoc, open-close · warm): +1 calls per operation"))
            .and(says("fail on calls > +0: FAILS for 1 of 2 variants"))
            .and(says("fail on calls:read > +0: holds for 2 of 2 variants"))
            .and(says("program: ./old → ./new")),
    );
    let record: Record = record_of(&sandbox);
    let comparisons = &record.experiments[0].comparisons;
    assert_eq!(comparisons.len(), 2, "a comparison for each method");
    for comparison in comparisons {
        let methods: Vec<_> = comparison.variants.iter().map(|v| v.method.to_string()).collect();
        assert!(methods[0].starts_with("perl@old:") && methods[1].starts_with("perl@new:"), "{methods:?}");
        assert!(!comparison.forks.is_empty());
        for kind in [ArmKind::Variant(0), ArmKind::Variant(1), ArmKind::Control] {
            let arm = comparison.arms.iter().position(|arm| arm.kind == kind).unwrap();
            assert!(comparison.forks.iter().all(|fork| fork.arms[arm].ns.iter().any(Option::is_some)));
        }
    }
    // The record is an ordinary one, and is judged again as it is.
    sandbox.fathom("show r.json").assert().code(0).stdout(says("perl@new:sysopen"));
    let mut again = sandbox.fathom("compare r.json --format json");
    let again = again.args(["--fail-on", "calls > +1"]).assert().code(0);
    let found: Value = serde_json::from_slice(&again.get_output().stdout).unwrap();
    assert_eq!((&found["design"], &found["gates"][0]["verdict"]), (&"interleaved".into(), &"holds".into()));
    let confidence = found["variants"][0]["time"]["value"]["ratio_simultaneous"]["confidence"].as_f64();
    assert!((confidence.unwrap() - 0.975).abs() < 1e-9, "the error is shared by two pairs");
    sandbox.assert_nothing_left();
}

#[test]
fn a_build_that_answers_wrongly_or_lacks_a_method_lets_no_gate_hold() {
    if !has(Capability::Perl) {
        return;
    }
    let sandbox = two_drivers("crc32($_[0], $crc)", "crc32('x' . $_[0], $crc)");
    let words = "compare --drivers ./old ./new --operation read-whole --methods sysread --time 0.2";
    sandbox.fathom(words).args(["--fail-on", "calls > +0"]).assert().code(4).stdout(
        says("Nothing was compared")
            .and(says("Only the old build has results of: 1 variant"))
            .and(says("delivers")),
    );

    let sandbox = two_drivers("qw(sysopen sysread readline null)", "qw(sysopen sysread null)");
    let words = "compare --drivers ./old ./new --operation read-whole --counts-only";
    sandbox
        .fathom(words)
        .assert()
        .code(0)
        .stdout(says("not measured perl@old:readline: the new build has no such method"));
}

#[test]
fn what_are_no_two_builds_is_named() {
    if !has(Capability::Perl) {
        return;
    }
    let sandbox = two_drivers("driver => 'perl'", "driver => 'other'");
    for (words, said) in [
        ("--drivers ./old ./new", "./old calls itself `perl`, ./new `other`: these are two drivers"),
        ("--drivers ./old ./missing", "failed to start ./missing"),
        ("--drivers ./old ./old --methods sysopn", "no method `sysopn` that both builds have"),
        ("--drivers ./old ./old --operation opn-close", "did you mean `open-close`?"),
        ("--drivers ./old ./old --entry open-go", "open-go measures no method of the perl driver"),
        ("--toolchain java@17 python@3", "are of two drivers"),
        (
            "--toolchain python@/no/such/python python@x=/usr/bin/python3",
            "there is no python3 at /no/such/python",
        ),
        ("--toolchain java@17 java@17", "both are called `java@17`"),
        ("--toolchain java java@17", "`java` names no toolchain"),
        ("--toolchain cobol@1 cobol@2", "no driver `cobol` ships"),
    ] {
        let assert = sandbox.fathom(&format!("compare {words}")).assert().code(2).stdout(is_empty());
        assert.stderr(says(said));
    }
    let records = fs::read_dir(sandbox.file("data/fathom/records")).into_iter().flatten();
    assert_eq!(records.count(), 0, "a record was written");
    sandbox.fathom("bench open-close --methods native:open --counts-only -o one.json").assert().code(0);
    let one = sandbox.fathom("compare one.json").assert().code(2).stdout(is_empty());
    one.stderr(says("one.json holds no method of two builds measured in one comparison"));
}

#[test]
fn one_python_beside_itself_makes_the_same_calls() {
    if !has(Capability::Python) {
        return;
    }
    let told = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    let python = String::from_utf8(told.stdout).unwrap();
    let python = python.trim();
    let sandbox = Sandbox::new();
    let words = format!("compare --toolchain python@a={python} python@b={python} --operation open-close");
    let words = format!("{words} --methods os.open,open+rb --counts-only -o r.json");
    sandbox
        .fathom(&words)
        .args(["--fail-on", "calls > +0"])
        .assert()
        .code(0)
        .stdout(says("No difference in any of 2.").and(says("The two builds call themselves the same")));
    let names: Vec<_> = record_of::<Record>(&sandbox).drivers.into_iter().map(|d| d.driver).collect();
    assert_eq!(names, ["python@a", "python@b"]);
    let which = format!("compare --toolchain python@a={python} python@b={python}");
    sandbox.fathom(&which).assert().code(2).stderr(says("--entry").and(says("--operation")));
}

#[test]
#[ignore = "long"]
fn two_jdks_run_the_methods_of_an_entry() {
    if !has(Capability::Java) || !has(Capability::Jdk25) {
        return;
    }
    let home = fs::canonicalize(which("javac")).unwrap();
    let home = home.parent().and_then(|bin| bin.parent()).unwrap().display().to_string();
    let sandbox = Sandbox::new();
    let words = format!(
        "compare --toolchain java@usual={home} java@25 --entry open-write-java --quick --counts-only -o r.json"
    );
    sandbox.fathom(&words).assert().code(0).stdout(says("java@usual").and(says("java@25")));
    let record: Record = record_of(&sandbox);
    assert_eq!(record.experiments[0].name, "open-write-java");
    assert!(record.experiments[0].comparisons.len() >= 5);
    assert!(record.experiments[0].comparisons.iter().all(|comparison| {
        comparison.variants.iter().all(|variant| variant.method.driver.starts_with("java@"))
    }));
}

#[test]
fn an_interrupt_keeps_the_forks_that_were_taken() {
    if !has(Capability::Perl) {
        return;
    }
    let sandbox = with_fstat();
    let words =
        "compare --drivers ./old ./new --operation open-close --time 300 --precision 0.0001 -o r.json";
    let mut running = Running::start(&sandbox, words);
    let first = running.wait_for("a timed driver", Running::timed_driver);
    // Both drivers of a fork are timed; one that is neither means that a fork is complete.
    let mut seen = vec![first];
    for _ in 0..2 {
        let next = running.wait_for("another", |now| now.timed_driver().filter(|pid| !seen.contains(pid)));
        seen.push(next);
    }
    running.signal(Signal::INT);
    let ended = running.end();
    assert_eq!(ended.code, Some(130), "{}{}", ended.out, ended.err);
    let record: Record = record_of(&sandbox);
    assert!(!record.complete);
    let comparison = &record.experiments[0].comparisons[0];
    assert_eq!(comparison.stop, StopReason::Interrupted);
    assert!(!comparison.forks.is_empty());
    sandbox.assert_nothing_left();
}

fn which(program: &str) -> String {
    let output = Command::new("sh").args(["-c", &format!("command -v {program}")]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
