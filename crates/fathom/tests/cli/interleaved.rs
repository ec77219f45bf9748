//! `fathom compare` where it measures: two commands, two builds of a driver, two
//! toolchains, each pair in turns. Figures are held against counts and against an
//! effect that no noise hides; no time has a threshold.

mod builds;

use crate::capability::{Capability, has};
use crate::running::Running;
use crate::sandbox::{Sandbox, program, says};
use assert_cmd::assert::Assert;
use fathom_model::{CommandArm, CommandComparison, Reading, StopReason};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::is_empty;
use rustix::process::Signal;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// `fathom compare --commands OLD NEW` with further words.
fn compare(sandbox: &Sandbox, commands: [&str; 2], words: &[&str]) -> Assert {
    sandbox.command(program()).args(["compare", "--commands"]).args(commands).args(words).assert()
}

/// What was written to `r.json`.
fn record_of<T: serde::de::DeserializeOwned>(sandbox: &Sandbox) -> T {
    serde_json::from_str(&fs::read_to_string(sandbox.file("r.json")).unwrap()).unwrap()
}

fn record(sandbox: &Sandbox) -> CommandComparison {
    record_of(sandbox)
}

fn two_files() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("f", "one\n");
    sandbox.write("f2", "two\n");
    sandbox
}

#[test]
fn one_open_more_is_found_and_gates_end_with_their_codes() {
    if !has(Capability::Strace) {
        return;
    }
    let sandbox = two_files();
    let commands = ["cat f", "cat f f2"];
    let counts = ["--counts-only", "-o", "r.json"];
    for (gate, code, said) in [
        ("calls:openat > +0", 1, "FAILS (+1 openat per run)"),
        ("calls:openat > +1", 0, "holds (+1 openat per run)"),
        ("time > +1%", 3, "INCONCLUSIVE (nothing was timed)"),
    ] {
        let words = [&counts[..], &["--fail-on", gate]].concat();
        compare(&sandbox, commands, &words).code(code).stdout(says(said));
        // What was written is judged again, and nothing is run.
        fs::rename(sandbox.file("f"), sandbox.file("away")).unwrap();
        sandbox
            .command(program())
            .args(["compare", "r.json", "--fail-on", gate])
            .assert()
            .code(code)
            .stdout(says(said));
        fs::rename(sandbox.file("away"), sandbox.file("f")).unwrap();
    }
    compare(&sandbox, ["cat f2 f", "cat f f2"], &["--counts-only", "--fail-on", "calls > +0"]).code(0);
    let json = compare(&sandbox, commands, &["--counts-only", "--format", "json"]).code(0);
    let found: Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    assert_eq!((&found["compare_version"], &found["blocks"]), (&Value::from(1), &Value::from(0)));
    sandbox.assert_nothing_left();
}

#[test]
fn the_counts_are_those_of_strace() {
    if !has(Capability::Strace) {
        return;
    }
    let sandbox = two_files();
    let script = "cat f; cat f2 missing; (cat f | cat)";
    compare(&sandbox, [script, "exit 0"], &["--shell", "--counts-only", "-o", "r.json"]).code(0);
    let Reading::Value(counts) = record(&sandbox).old.counts else { panic!("not counted") };
    let mut ours: BTreeMap<String, u64> = BTreeMap::new();
    for calls in &counts.calls {
        assert!(calls.per_run.len() >= 2, "counted twice at least");
        *ours.entry(calls.call.clone()).or_default() += calls.per_run[0];
    }
    let mut strace = sandbox.command("strace");
    strace.args(["-f", "-c", "-U", "calls,name", "-o", "log", "/bin/sh", "-c", script]).output().unwrap();
    let log = fs::read_to_string(sandbox.file("log")).unwrap();
    let theirs: BTreeMap<String, u64> = log
        .lines()
        .filter_map(|line| line.trim().split_once(char::is_whitespace))
        .filter_map(|(count, name)| Some((name.trim().to_owned(), count.parse().ok()?)))
        .filter(|(name, _)| name != "total")
        .collect();
    // strace -c leaves out what does not return; how often a shell waits is a matter of time.
    for name in ["exit_group", "wait4", "rt_sigreturn", "rt_sigprocmask"] {
        ours.remove(name);
    }
    let theirs: BTreeMap<_, _> = theirs.into_iter().filter(|(name, _)| ours.contains_key(name)).collect();
    assert!(theirs.len() > 10 && theirs["openat"] > 5, "{log}");
    assert_eq!(ours, theirs);
}

#[test]
fn a_delay_that_no_noise_hides_is_found_and_the_record_shown_again() {
    let sandbox = two_files();
    let words = ["--shell", "--time", "0.5", "-o", "r.json", "--fail-on", "time > +20%"];
    compare(&sandbox, ["cat f", "cat f; sleep 0.25"], &words).code(1).stdout(says("slower"));
    let measured = record(&sandbox);
    assert!(measured.complete && measured.blocks.len() >= 10);
    for block in &measured.blocks {
        for arm in [CommandArm::Old, CommandArm::Control, CommandArm::New, CommandArm::Floor] {
            assert_eq!(block.runs.iter().filter(|run| run.arm == arm).count(), 1);
        }
        assert!(block.run(CommandArm::New).unwrap().wall_ns >= 250_000_000, "it slept");
    }
    let orders: std::collections::BTreeSet<Vec<String>> = measured
        .blocks
        .iter()
        .map(|block| block.runs.iter().map(|run| format!("{:?}", run.arm)).collect())
        .collect();
    assert!(orders.len() > 1, "the order is drawn anew in each block");
    // Shown again as it is, in text and as the record.
    sandbox.fathom("show r.json").assert().code(0).stdout(says("slower").and(says("A/A control")));
    let shown = sandbox.fathom("show r.json --format json").assert().code(0);
    let shown: CommandComparison = serde_json::from_slice(&shown.get_output().stdout).unwrap();
    assert_eq!(shown, measured);
    for command in ["export r.json --format csv", "compare r.json r.json"] {
        sandbox.fathom(command).assert().code(2).stdout(is_empty()).stderr(says("is a record of commands"));
    }
    sandbox.assert_nothing_left();
}

#[test]
fn the_record_satisfies_its_schema() {
    let sandbox = two_files();
    compare(&sandbox, ["cat f", "cat f f2"], &["--time", "0.1", "--pin", "-o", "r.json"]).code(0);
    let schema = crate::sandbox::workspace().join("docs/command-comparison.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let value: Value = serde_json::from_str(&fs::read_to_string(sandbox.file("r.json")).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());
    assert!(record(&sandbox).blocks.iter().all(|block| block.cpu.is_some()), "--pin binds each block");
}

#[test]
fn commands_get_no_input_their_output_is_hidden_and_preparation_comes_before_each_run() {
    let sandbox = two_files();
    let words =
        ["--shell", "--prepare", "echo x >> prepared", "--warm-up", "2", "--time", "0.1", "-o", "r.json"];
    compare(&sandbox, ["cat; echo out; echo loud", "cat f"], &words).code(0).stdout(says("out loud").not());
    let measured = record(&sandbox);
    let prepared = fs::read_to_string(sandbox.file("prepared")).unwrap().lines().count();
    let counted: usize = [&measured.old, &measured.new]
        .map(|command| command.counts.value().map_or(0, |counts| counts.ends.len()))
        .iter()
        .sum();
    // Of each block three runs are prepared: the floor has nothing to find prepared. One run of each
    // shows what it does with files.
    assert_eq!(prepared, counted + 2 + 4 + measured.blocks.len() * 3);
    let shown =
        compare(&sandbox, ["echo out; echo loud", ":"], &["--shell", "--counts-only", "--show-output"]);
    shown.code(0).stdout(says("out loud out loud"));
}

#[test]
fn what_cannot_be_run_is_named_and_nothing_is_written() {
    let sandbox = two_files();
    for (commands, words, said) in [
        (["cat f", "no-such-program x"], &[][..], "failed to start `no-such-program x`: No such file"),
        (["cat f", "no-such-program x"], &["--counts-only"][..], "failed to start `no-such-program x`"),
        (["cat f", "cat missing"], &[], "`cat missing` ended with exit code 1"),
        (["cat f", "kill -9 $$"], &["--shell"], "`kill -9 $$` was killed by SIGKILL"),
        (["cat f", "cat f"], &["--prepare", "exit 3"], "the preparation `exit 3` ended with exit code 3"),
        (["cat f", "cat 'f"], &[], "has no end of a quotation"),
        (["cat f", " "], &[], "an empty command"),
        (["cat f", "cat f"], &["--fail-on", "ratio > +2%"], "paired already"),
        (["cat f", "cat f"], &["--operation", "open-close"], "cannot be used with"),
        (["cat f", "cat f"], &["--across-machines"], "cannot be used with"),
    ] {
        compare(&sandbox, commands, words).code(2).stdout(is_empty()).stderr(says(said));
    }
    for (words, said) in [
        ("compare", "required"),
        ("compare a.json b.json --time 3", "cannot be used with"),
        ("compare a.json b.json --shell", "cannot be used with"),
        ("compare missing.json", "failed to read missing.json"),
    ] {
        sandbox.fathom(words).assert().code(2).stdout(is_empty()).stderr(says(said));
    }
    let records = fs::read_dir(sandbox.file("data/fathom/records")).into_iter().flatten();
    assert_eq!(records.count(), 0, "a record was written");
    sandbox.assert_nothing_left();
}

#[test]
fn a_failure_on_the_way_keeps_what_was_measured_and_can_be_passed_over() {
    let sandbox = two_files();
    // It fails when it runs for the ninth time.
    let failing = "echo x >> runs; test $(wc -l < runs) -lt 9";
    let words = ["--shell", "--time", "0.1", "-o", "r.json"];
    compare(&sandbox, ["cat f", failing], &words)
        .code(2)
        .stdout(says("complete no"))
        .stderr(says("ended with exit code 1").and(says("record: r.json")));
    let measured = record(&sandbox);
    assert!(!measured.complete && !measured.blocks.is_empty());
    assert!(matches!(measured.stop, StopReason::Failed(_)), "{:?}", measured.stop);

    let words = ["--shell", "--time", "0.1", "-o", "r.json", "--ignore-failure"];
    compare(&sandbox, ["cat f", failing], &words)
        .code(0)
        .stdout(says("ended otherwise than with exit code 0"));
    assert!(record(&sandbox).complete);
}

#[test]
fn an_interrupt_keeps_the_blocks_that_were_taken() {
    for signal in [Signal::INT, Signal::TERM] {
        let sandbox = two_files();
        let nap = sandbox.write("nap", "#!/bin/sh\necho x >> runs\nexec sleep 0.02\n");
        fs::set_permissions(&nap, PermissionsExt::from_mode(0o755)).unwrap();
        let words = "compare --commands ./nap ./nap --time 300 --precision 0.0001 -o r.json";
        let mut running = Running::start(&sandbox, words);
        running.wait_for("some blocks", |_| {
            let runs = fs::read_to_string(sandbox.file("runs")).unwrap_or_default().lines().count();
            (runs > 30).then_some(())
        });
        running.signal(signal);
        let ended = running.end();
        assert_eq!(ended.code, Some(130), "{}{}", ended.out, ended.err);
        let measured = record(&sandbox);
        assert_eq!((measured.complete, &measured.stop), (false, &StopReason::Interrupted));
        assert!(!measured.blocks.is_empty());
        sandbox.fathom("show r.json").assert().code(0).stdout(says("interrupted"));
        sandbox.assert_nothing_left();
    }
}
