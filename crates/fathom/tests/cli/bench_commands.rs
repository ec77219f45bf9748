//! `fathom bench --commands`: several whole commands, each beside the first. Figures are held against
//! counts; no time has a threshold.

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::sandbox::{Sandbox, program, says};
use assert_cmd::assert::Assert;
use fathom_model::{CommandArm, CommandComparison, ComparedCommand, Reading};
use predicates::prelude::PredicateBooleanExt;
use std::fs;

fn bench(sandbox: &Sandbox, commands: &[&str], words: &[&str]) -> Assert {
    sandbox.command(program()).args(["bench", "--commands"]).args(commands).args(words).assert()
}

fn record(sandbox: &Sandbox) -> CommandComparison {
    serde_json::from_str(&fs::read_to_string(sandbox.file("r.json")).unwrap()).unwrap()
}

fn two_files() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("f", "one\n");
    sandbox.write("f2", "two\n");
    sandbox
}

/// Calls of a name per run, where they were counted.
fn calls(command: &ComparedCommand, name: &str) -> Option<u64> {
    let Reading::Value(counts) = &command.counts else { return None };
    let of_name = counts.calls.iter().filter(|call| call.call == name && call.errno.is_none());
    Some(of_name.map(|call| call.per_run[0]).sum())
}

#[test]
fn outputs_that_differ_are_said_first_and_calls_are_exact() {
    let sandbox = two_files();
    let commands = ["cat f", "cat {file}", "cat ./f"];
    let words = ["--parameter", "file=f,f2", "--counts-only", "-o", "r.json"];
    let differs = "output DIFFERS: `cat f2` writes 4 bytes as the first does, and other ones; not ranked";
    bench(&sandbox, &commands, &words).code(0).stdout(says("4 commands").and(says(differs)));
    bench(&sandbox, &commands, &[&words[..], &["--fail-on", "answers"]].concat())
        .code(1)
        .stderr(says("gate FAILED: `cat f2` writes"));
    let ignored = ["--counts-only", "--ignore-output"];
    let not_compared = says("outputs not compared").and(says("DIFFERS").not());
    bench(&sandbox, &["cat f", "cat f2"], &ignored).code(0).stdout(not_compared);
    bench(&sandbox, &["cat f", "cat ./f"], &[&words[2..], &["--fail-on", "answers"]].concat())
        .code(0)
        .stderr(says("gate held: all outputs are the same"));
    let of_itself = ["date +%N", "date +%N", "--counts-only", "--fail-on", "answers"];
    bench(&sandbox, &of_itself[..2], &of_itself[2..])
        .code(3)
        .stderr(says("writes something else in each run"));

    bench(&sandbox, &["cat f", "cat f f2", "cat f f2 f"], &words[2..]).code(0);
    let found = record(&sandbox);
    let opens: Vec<_> = found.commands().map(|(_, command)| calls(command, "openat")).collect();
    if let [Some(one), two, three] = opens.as_slice() {
        assert_eq!((*two, *three), (Some(one + 1), Some(one + 2)));
    }
    sandbox.fathom("show r.json").assert().code(0).stdout(says("3. cat f f2 f"));
    sandbox.fathom("compare r.json --format csv").assert().code(0).stdout(says("cat f f2 f,"));
    sandbox
        .fathom("compare r.json --fail-on")
        .arg("calls > +0")
        .assert()
        .code(2)
        .stderr(says("two commands"));
}

#[test]
fn a_block_runs_every_command_and_the_preparation_comes_before_each() {
    let sandbox = two_files();
    let commands = ["test -e made", "test -e ./made", "rm made"];
    let words = ["--prepare", "touch made; echo >> log", "--time", "0.1", "--warm-up", "0", "-o", "r.json"];
    bench(&sandbox, &commands, &words).code(0).stdout(says("before each run: touch made"));
    let found = record(&sandbox);
    assert!(found.blocks.len() >= 10, "{}", found.blocks.len());
    for arm in [CommandArm::Old, CommandArm::Control, CommandArm::New, CommandArm::Further(0)] {
        assert!(found.blocks.iter().all(|block| block.run(arm).is_some()), "{arm:?}");
    }
    let orders: Vec<Vec<CommandArm>> =
        found.blocks.iter().map(|block| block.runs.iter().map(|run| run.arm).collect()).collect();
    assert!(orders.iter().any(|order| *order != orders[0]), "in random order");
    let runs = fs::read_to_string(sandbox.file("log")).unwrap().len();
    assert!(runs >= found.blocks.len() * 4 + 6, "{runs} preparations");
    sandbox.assert_nothing_left();
}

#[test]
fn mistakes_are_refused_and_a_failing_command_is_named() {
    let sandbox = two_files();
    let counts = ["--counts-only"];
    bench(&sandbox, &["cat f"], &counts).code(2).stderr(says("nothing to be compared with"));
    let unused = ["--counts-only", "--parameter", "n=1,2"];
    bench(&sandbox, &["cat f", "cat f2"], &unused).code(2).stderr(says("no command has {n}"));
    let methods = ["--fail-on", "calls go:A > go:B"];
    bench(&sandbox, &["cat f", "cat f2"], &methods)
        .code(2)
        .stderr(says("of commands there is `answers` alone"));
    bench(&sandbox, &["cat f", "cat none"], &counts)
        .code(2)
        .stderr(says("`cat none` ended with exit code 1"));
    bench(&sandbox, &["cat f", "no-such-program"], &counts).code(2).stderr(says("failed to start"));
    let goes_on = ["--counts-only", "--ignore-failure"];
    bench(&sandbox, &["cat f", "cat none"], &goes_on)
        .code(0)
        .stdout(says("exits with 1, the first exits with 0"));
    sandbox
        .fathom("bench read-whole --prepare true")
        .assert()
        .code(2)
        .stderr(says("--prepare is about commands"));
}

#[test]
fn records_of_the_version_before_are_read() {
    let sandbox = two_files();
    let compare = ["compare", "--commands", "cat f", "cat f f2", "--counts-only", "-o", "r.json"];
    sandbox.command(program()).args(compare).assert().code(0);
    let text = fs::read_to_string(sandbox.file("r.json")).unwrap();
    let mut old: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(old["schema_version"], 2);
    assert!(old.get("further").is_none() && old["old"].get("output").is_none(), "as version 1 had it");
    old["schema_version"] = 1.into();
    sandbox.write("old.json", &old.to_string());
    sandbox.fathom("show old.json").assert().code(0).stdout(says("cat f f2"));
    sandbox.fathom("compare old.json").assert().code(0).stdout(says("cat f f2"));
    old["schema_version"] = 3.into();
    sandbox.write("new.json", &old.to_string());
    sandbox.fathom("show new.json").assert().code(2).stderr(says("schema version 3"));
}
