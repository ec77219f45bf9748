//! The examples of the help texts, taken from there and run by a shell, in less time.
//! What each command needs for its examples, and how they are shortened, is in `case`.

mod case;

use crate::capability::has;
use crate::pages::output_of;
use crate::sandbox::{Sandbox, workspace};
use case::{CASES, Case};
use std::fs;

/// What every command may find in its folder.
const GIVEN: &str = "\
printf 'x y\\n' | tee a.txt > b.txt
fathom bench open-close --methods native:open,native:openat --time 0.1 -o record.json
for name in before after laptop server old new one two; do cp record.json $name.json; done
";

/// Lets Open MPI start ranks as root, and more of them than there are CPUs.
const MPI_ON_FEW_CPUS: &str = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe";

const EXPERIMENT: &str = "\
name = \"my-experiment\"
title = \"Mine\"
question = \"Does it run?\"
operation = \"open-close\"
methods = [\"native:open\", \"native:openat\"]
[data]
size = \"4 KiB\"
[[claims]]
name = \"two-calls\"
sentence = \"open and close are two calls\"
source = \"a test\"
checks = [{ metric = \"calls\", form = \"value\", of = { method = \"native:open\" }, region = \"= 2\" }]
";

/// The command lines of a help text: lines indented by two that begin with `fathom`.
pub(crate) fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().filter_map(|line| line.strip_prefix("  fathom"));
    // What is said of a command stands beside it, some spaces on.
    lines.map(|line| line.trim().split("  ").next().unwrap_or_default().to_owned()).collect()
}

fn run_examples(command: &str) {
    let case = CASES.iter().find(|case| case.command == command).expect("a listed command");
    let sandbox = Sandbox::new();
    sandbox.write("my-experiment.toml", EXPERIMENT);
    let driver = workspace().join("docs/examples/driver.pl");
    fs::copy(driver, sandbox.file("driver.pl")).unwrap();
    let source = workspace().canonicalize().unwrap();
    let prepared = case.prepare.replace("SOURCE", &source.display().to_string());
    let done = sandbox.shell(&format!("set -e\n{GIVEN}{prepared}"));
    assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
    let help = output_of(&sandbox, &format!("{command} --help"));
    assert!(command.is_empty() || help.contains("\nExamples:\n  fathom "), "{command}: no examples:\n{help}");
    let found = examples(&help);
    assert!(found.len() >= case.at_least, "{command}: {found:?}");
    for example in found {
        run_example(&sandbox, case, &example);
    }
    sandbox.assert_nothing_left();
}

fn run_example(sandbox: &Sandbox, case: &Case, example: &str) {
    let needed = case.needs.iter().filter(|(words, _)| example.contains(words));
    if !needed.clone().all(|&(_, capability)| has(capability)) {
        return;
    }
    let words = (case.shorten)(example);
    let ran = sandbox.shell(&format!("{MPI_ON_FEW_CPUS} fathom {words}"));
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    let code = ran.status.code().unwrap_or(-1);
    assert!(case.codes.contains(&code), "fathom {example}, run as `{words}`: {code}\n{out}{err}");
    let written = words.contains(" -o ") || words.contains(" > ");
    assert!(written || !out.trim().is_empty() || !err.trim().is_empty(), "fathom {example} says nothing");
    assert!(!out.contains("Nothing was compared"), "fathom {example}:\n{out}");
}

/// Those that have a test of their own, and where it is.
const ELSEWHERE: [(&str, &str); 3] = [("decide", "decide.rs"), ("data", "data.rs"), ("prices", "prices.rs")];

#[test]
fn the_examples_of_every_command_are_run() {
    let help = output_of(&Sandbox::new(), "--help");
    let listed = help.lines().skip_while(|line| !line.starts_with("Usage:")).skip(1);
    let listed = listed.take_while(|line| *line != "Options:");
    let listed = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands: Vec<_> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 14, "{commands:?}");
    for command in commands.into_iter().filter(|command| *command != "help") {
        let elsewhere = ELSEWHERE.iter().find(|(name, _)| *name == command);
        let (file, words) = match elsewhere {
            Some((_, file)) => (*file, format!("\"{command} --help\"")),
            None => ("examples.rs", format!("run_examples(\"{command}\")")),
        };
        let text = fs::read_to_string(workspace().join("crates/fathom/tests/cli").join(file)).unwrap();
        assert!(text.contains(&words), "nothing runs the examples of {command}: no `{words}` in {file}");
    }
}

#[test]
#[ignore = "long"]
fn the_three_commands_to_try_run() {
    run_examples("");
}

#[test]
#[ignore = "long"]
fn the_examples_of_bench_run() {
    run_examples("bench");
}

#[test]
fn the_examples_of_top_run() {
    run_examples("top");
}

#[test]
fn the_examples_of_gate_run() {
    run_examples("gate");
}

#[test]
#[ignore = "long"]
fn slowly_the_examples_of_verify_run() {
    run_examples("verify");
}

#[test]
#[ignore = "long"]
fn the_examples_of_compare_run() {
    run_examples("compare");
}

#[test]
fn the_examples_of_audit_run() {
    run_examples("audit");
    run_examples("ci");
    run_examples("bisect");
    run_examples("track");
    run_examples("audit diff");
    run_examples("trace");
    run_examples("what-if");
}

#[test]
fn the_examples_of_count_run() {
    run_examples("count");
}

#[test]
#[ignore = "long"]
fn the_examples_of_flame_graph_run() {
    run_examples("flame-graph");
}

#[test]
fn the_examples_of_what_reads_records_run() {
    run_examples("export");
    run_examples("report");
    run_examples("show");
}

#[test]
#[ignore = "long"]
fn the_examples_of_what_looks_around_run() {
    run_examples("list");
    run_examples("doctor");
    run_examples("man");
    run_examples("completions");
}

#[test]
#[ignore = "long"]
fn the_examples_of_driver_run() {
    run_examples("driver");
}

#[test]
fn examples_are_shortened_and_cleared_of_their_comments() {
    let help = "Examples:\n  fathom bench                   every way\n  fathom bench x --time 60 -o y.json\n  fathom doctor\n";
    let shortened = CASES.iter().find(|case| case.command == "bench").unwrap().shorten;
    let found: Vec<_> = examples(help).iter().map(|example| shortened(example)).collect();
    assert_eq!(found, ["bench --time 0.2 --quick", "bench x -o y.json --time 0.2 --quick", "doctor"]);
}
