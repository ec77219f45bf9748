//! The examples of the help texts, taken from there and run, in less time.

use crate::pages::output_of;
use crate::sandbox::Sandbox;

const EXPERIMENT: &str = "\
name = \"my-experiment\"
title = \"Mine\"
question = \"Does it run?\"
operation = \"open-close\"
methods = [\"native:open\", \"native:openat\"]
[data]
size = \"4 KiB\"
";

/// The command lines of a help text: lines indented by two that begin with `fathom`.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().filter_map(|line| line.strip_prefix("  fathom"));
    // What is said of a command stands beside it, some spaces on.
    lines.map(|line| line.trim().split("  ").next().unwrap_or_default().to_owned()).collect()
}

/// The same in a short form, where the command has one.
fn shortened(example: &str) -> String {
    if !example.starts_with("bench") {
        return example.to_owned();
    }
    let mut words: Vec<&str> = example.split_whitespace().collect();
    if let Some(at) = words.iter().position(|word| *word == "--time") {
        words.drain(at..at + 2);
    }
    words.retain(|word| *word != "--quick");
    words.extend(["--time", "0.2", "--quick"]);
    words.join(" ")
}

fn run_all(help_command: &str, at_least: usize) {
    let sandbox = Sandbox::new();
    sandbox.write("my-experiment.toml", EXPERIMENT);
    let help = output_of(&sandbox, help_command);
    let examples = examples(&help);
    assert!(examples.len() >= at_least, "{examples:?} in:\n{help}");
    for example in &examples {
        let text = output_of(&sandbox, &shortened(example));
        assert!(!text.contains("Nothing was compared"), "{example}:\n{text}");
    }
    sandbox.assert_nothing_left();
}

#[test]
fn the_examples_of_bench_run() {
    run_all("bench --help", 7);
}

#[test]
fn the_three_commands_to_try_run() {
    run_all("", 3);
}

#[test]
fn examples_are_shortened_and_cleared_of_their_comments() {
    let help = "Examples:\n  fathom bench                   every way\n  fathom bench x --time 60 -o y.json\n  fathom doctor\n";
    let found: Vec<_> = examples(help).iter().map(|example| shortened(example)).collect();
    assert_eq!(found, ["bench --time 0.2 --quick", "bench x -o y.json --time 0.2 --quick", "doctor"]);
}
