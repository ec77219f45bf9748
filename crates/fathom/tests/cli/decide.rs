//! `fathom decide`: answers from the kept record and from those of this machine,
//! and what is said where there is none.

use crate::examples::examples;
use crate::pages::output_of;
use crate::sandbox::{Sandbox, says, workspace};
use fathom_model::{Environment, Record};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::is_empty;
use serde_json::Value;
use std::fs;

const QUESTION: &str = "--size 2KiB --count 10000 --language go";

/// The record that docs/experiments/decide.md speaks of, in the sandbox.
fn keep_record(sandbox: &Sandbox) -> Record {
    fs::copy(workspace().join("docs/experiments/records/decide.json"), sandbox.file("decide.json")).unwrap();
    sandbox.record("decide.json")
}

/// This machine, as a record of it names it.
fn here(sandbox: &Sandbox) -> Environment {
    sandbox.fathom("bench open-close --methods native:open --counts-only -o here.json").assert().code(0);
    sandbox.record("here.json").environment
}

/// Puts a record where `fathom bench` would have put it.
fn put(sandbox: &Sandbox, name: &str, record: &Record) {
    let folder = sandbox.file("data").join("fathom/records");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), serde_json::to_string(record).unwrap()).unwrap();
}

#[test]
fn a_question_is_answered_from_a_record() {
    let sandbox = Sandbox::new();
    keep_record(&sandbox);
    let answer = says("Go, 2 KiB, warm: use syscall.Open+Pread (into one buffer: who keeps the data has to allocate as the usual way does; no O_CLOEXEC: programs it executes may inherit the descriptor). The usual os.ReadFile takes 2.01")
        .and(says("43.7 ms of 91.6 ms for 10,000"))
        .and(says("[extrapolated]"))
        .and(says("[reused-memory]"));
    sandbox.fathom(&format!("decide decide.json {QUESTION} --full")).assert().code(0).stdout(answer);
    let alone = says("beyond what was measured").and(says("[loaded-host]").not());
    sandbox.fathom(&format!("decide decide.json {QUESTION}")).assert().code(0).stdout(alone);
    let output = sandbox.fathom(&format!("decide decide.json {QUESTION} --format json")).assert().code(0);
    let found: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    assert_eq!(found["schema_version"], 1);
    assert_eq!(found["question"]["size_bytes"], 2048);
    let answer = &found["answers"][0];
    assert_eq!(answer["advised"], "go:syscall.Open+Pread");
    assert_eq!(answer["reach"]["beyond"]["nearest"], 4096);
    assert_eq!(answer["cells"][0]["certainty"], "decided");
    assert!((answer["gains"][0]["saving_s"]["value"].as_f64().unwrap() - 0.0437).abs() < 1e-4, "{answer}");
    let table =
        says("| language | size | cache | use |").and(says("| Go | 4 KiB | warm | `syscall.Open+Pread` |"));
    sandbox.fathom("decide decide.json --format markdown").assert().code(0).stdout(table);
    let undecided = "decide decide.json --language node --size 1MiB";
    sandbox.fathom(undecided).assert().code(3).stdout(says("not decided: too few forks"));
    sandbox.assert_nothing_left();
}

#[test]
fn what_cannot_be_asked_or_was_not_measured_is_named() {
    let sandbox = Sandbox::new();
    keep_record(&sandbox);
    for (words, said) in [
        ("--language goo", "unknown language `goo` hint: did you mean `go`?"),
        ("--language cobol", "unknown language `cobol` hint: known are c, rust, c++, go, java"),
        (
            "--language go --cache cold",
            "no record has cache cold of go: measured is warm hint: `fathom decide`",
        ),
        ("--language go --place memfd", "no record has memfd of go: measured is ext4 at /"),
        ("--language go --pattern write", "no record has pattern write of go: measured is random, whole"),
        ("--language go --pattern whole --size 1GiB", "1 GiB is too far from 1 MiB"),
        ("--size 2k", "invalid value '2k' for '--size <SIZE>'"),
        ("--count 0", "invalid value '0' for '--count <COUNT>'"),
    ] {
        let mut command = sandbox.fathom(&format!("decide decide.json {words}"));
        command.assert().code(2).stdout(is_empty()).stderr(says(said));
    }
    sandbox.write("cut.json", "{");
    let cut = sandbox.fathom("decide cut.json").assert().code(2);
    cut.stdout(is_empty()).stderr(says("cut.json is not a Fathom record"));
}

/// The kept record of every way to open has a row that opens nothing readable, the fastest of all.
#[test]
fn what_did_less_than_the_others_heads_no_page_and_is_advised_nowhere() {
    let sandbox = Sandbox::new();
    let kept = workspace().join("docs/experiments/records/open-all.json");
    fs::copy(kept, sandbox.file("open-all.json")).unwrap();
    let not_ranked = "faster, but not ranked: native:open+O_PATH (its descriptor cannot be read from";
    let shown = output_of(&sandbox, "show open-all.json");
    let headline = shown.split("\n\n").next().unwrap().replace('\n', " ");
    assert!(headline.contains(not_ranked), "{headline}");
    let beside = headline.split("the fastest is ").nth(1).unwrap();
    assert!(!beside.starts_with("native:open+O_PATH"), "{headline}");
    assert!(shown.contains("not ranked: native:open+O_PATH: its descriptor"), "{shown}");
    let page = output_of(&sandbox, "report open-all.json --format md");
    assert!(page.contains("not ranked") && !page.contains("fastest is native:open+O_PATH"), "{page}");
    let asked = "decide open-all.json --language c --full";
    let answer = says("never: native:open+O_PATH").and(says("(no O_CLOEXEC: programs it executes"));
    sandbox.fathom(asked).assert().code(0).stdout(answer);
}

#[test]
fn without_a_record_those_of_this_machine_answer_and_no_other() {
    let sandbox = Sandbox::new();
    let mut record = keep_record(&sandbox);
    let hint = says("hint: `fathom bench decide` measures what it needs, or name a record");
    let none = says("error: no record of this machine and kernel in");
    sandbox.fathom("decide").assert().code(2).stdout(is_empty()).stderr(none.and(hint));

    let foreign = &mut record.environment;
    foreign.kernel = "5.4.0-of-elsewhere".to_owned();
    put(&sandbox, "20261120T160658Z-decide.json", &record);
    sandbox.write("foreign.json", &serde_json::to_string(&record).unwrap());
    let one = says("one is of another machine or kernel");
    sandbox.fathom(&format!("decide {QUESTION}")).assert().code(2).stdout(is_empty()).stderr(one);
    let named = says(
        "Not for this machine as it is: foreign.json was not made here (kernel 5.4.0-of-elsewhere, here",
    )
    .and(says("use syscall.Open+Pread"));
    sandbox.fathom(&format!("decide foreign.json {QUESTION}")).assert().code(0).stdout(named);

    record.environment = here(&sandbox);
    put(&sandbox, "20261120T150000Z-decide.json", &record);
    // The newest speaks: in it the Go part alone.
    let part = |label: &str| label.starts_with("Go: ");
    record.experiments[0].comparisons.retain(|comparison| part(&comparison.label));
    put(&sandbox, "20261120T170000Z-decide.json", &record);
    sandbox.write("data/fathom/records/broken.json", "{}");
    let only_go = says("20261120T170000Z-decide.json").and(says("Python").not());
    let passed_over = says("note: passed over: ").and(says("broken.json is not a Fathom record"));
    sandbox.fathom("decide").assert().code(0).stdout(only_go).stderr(passed_over);
}

#[test]
fn the_examples_of_decide_run() {
    let sandbox = Sandbox::new();
    let mut record = keep_record(&sandbox);
    record.environment = here(&sandbox);
    for place in &mut record.places {
        // What lies under `--place .` here.
        place.clone_from(&sandbox.record("here.json").places[0]);
    }
    put(&sandbox, "20261120T160658Z-decide.json", &record);
    let help = output_of(&sandbox, "decide --help");
    let found = examples(&help);
    assert!(found.len() >= 5, "{help}");
    for example in found {
        let text = output_of(&sandbox, &example);
        assert!(text.contains("use") || text.contains("advised"), "{example}: {text}");
    }
}
