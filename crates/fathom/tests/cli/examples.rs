//! The examples of the help texts, taken from there and run, in less time.

use crate::capability::{Capability, has};
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
pub(crate) fn examples(help: &str) -> Vec<String> {
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

/// What the examples of `fathom compare` are run on.
const OF_COMPARE: &str = "\
set -e
printf 'x y\\n' | tee a.txt > b.txt
fathom bench open-close --methods native:open,native:openat --counts-only -o before.json
for name in after laptop server; do cp before.json $name.json; done
for name in old new; do cp DRIVER driver-$name; chmod +x driver-$name; done
";

#[test]
fn the_examples_of_compare_run() {
    let sandbox = Sandbox::new();
    // Quotes and pipes are a shell's to read.
    let program = crate::sandbox::program();
    let sh = |script: &str| {
        let script = script.replace("fathom ", &format!("{program} "));
        sandbox.command("/bin/sh").args(["-c", &script]).output().unwrap()
    };
    let driver = crate::sandbox::workspace().join("docs/examples/driver.pl").canonicalize().unwrap();
    let made = sh(&OF_COMPARE.replace("DRIVER", &driver.display().to_string()));
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let help = output_of(&sandbox, "compare --help");
    let jdks = has(Capability::Java) && has(Capability::Jdk25);
    let perl = has(Capability::Perl);
    let examples = examples(&help);
    assert!(examples.len() >= 10, "{examples:?}");
    for example in examples {
        let python = std::path::Path::new("/usr/bin/python3");
        let can_run = [
            (["java@", "jdk.json"], jdks),
            (["--drivers", "driver-old"], perl),
            (["python@", "/usr/bin/python3"], python.exists()),
        ];
        if can_run.iter().any(|(words, can)| !can && words.iter().any(|word| example.contains(word))) {
            continue;
        }
        let quick = if ["--toolchain", "--drivers"].iter().any(|form| example.contains(form)) {
            " --counts-only".to_owned()
        } else if example.contains("--commands") {
            " --time 0.1".to_owned()
        } else {
            String::new()
        };
        let example = example.replace(" --time 20", "") + &quick;
        let ran = sh(&format!("fathom {example}"));
        let said = String::from_utf8_lossy(&ran.stderr);
        // Gates may fail, or have no time to judge.
        assert!(matches!(ran.status.code(), Some(0 | 1 | 3)), "{example}: {:?}: {said}", ran.status);
        assert!(ran.stdout.len() > 200, "{example}");
    }
    sandbox.assert_nothing_left();
}
