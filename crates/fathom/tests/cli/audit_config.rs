//! `.fathom.toml`: what a project is audited by, held to, and lives with.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::is_empty;
use serde_json::Value;
use std::fs;

/// Looks before each open, in two directories.
const PROGRAM: &str = "\
import os
for folder in ('data', 'other'):
    for number in range(20):
        os.stat(f'{folder}/{number}')
        os.close(os.open(f'{folder}/{number}', os.O_RDONLY))
";
const PYTHON: &str = "-- /usr/bin/python3 -S -E program.py";

fn with_program() -> Sandbox {
    let sandbox = Sandbox::new();
    for folder in ["data", "other", "work"] {
        fs::create_dir(sandbox.file(folder)).unwrap();
    }
    for number in 0..20 {
        for folder in ["data", "other"] {
            fs::write(sandbox.file(&format!("{folder}/{number}")), "words").unwrap();
        }
    }
    sandbox.write("program.py", PROGRAM);
    sandbox
}

fn audit(sandbox: &Sandbox, words: &str) -> Value {
    let output = sandbox.fathom(&format!("audit --format json {words}")).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// How often R13 found something on these directories, live and suppressed.
fn counts(audit: &Value) -> (u64, u64) {
    let found = audit["findings"].as_array().unwrap().iter().filter(|finding| finding["rule"] == "R13");
    let (suppressed, live): (Vec<_>, Vec<_>) = found.partition(|finding| finding["suppressed"].is_object());
    let sum = |findings: Vec<&Value>| findings.iter().map(|finding| finding["count"].as_u64().unwrap()).sum();
    (sum(live), sum(suppressed))
}

#[test]
fn what_a_project_lives_with_is_kept_apart_with_its_reason() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_program();
    let (all, none) = counts(&audit(&sandbox, PYTHON));
    assert!(all >= 40 && none == 0, "{all}, {none}");
    sandbox.write(
        ".fathom.toml",
        "[[audit.suppress]]\nrule = \"R13\"\npath = \"data/*\"\nreason = \"they may be pipes\"\n\
         [[audit.suppress]]\nrule = \"R16\"\npath = \"no/such/*\"\nreason = \"it was so\"\n",
    );
    let project = audit(&sandbox, PYTHON);
    assert_eq!(counts(&project), (all - 20, 20));
    let text = sandbox.fathom(&format!("audit --full {PYTHON}")).output().unwrap().stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("they may be pipes") && text.contains("1 suppressed"), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("unused .fathom.toml:6: nothing of R16 was found there"), "{text}");
    assert_eq!(counts(&audit(&sandbox, &format!("--no-config {PYTHON}"))), (all, 0));
    // From below, patterns are those of the file's directory.
    let below = sandbox.shell(
        "cd work && fathom audit --format json -- sh -c 'cd ..; exec /usr/bin/python3 -S -E program.py'",
    );
    assert_eq!(counts(&serde_json::from_slice(&below.stdout).unwrap()), (all - 20, 20));
    fs::create_dir(sandbox.file("work/.git")).unwrap();
    let beyond = sandbox.shell(
        "cd work && fathom audit --format json -- sh -c 'cd ..; exec /usr/bin/python3 -S -E program.py'",
    );
    assert_eq!(counts(&serde_json::from_slice(&beyond.stdout).unwrap()), (all, 0), "not beyond a repository");
}

#[test]
fn rules_and_budgets_of_the_file_are_followed_and_the_command_line_has_the_last_word() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_program();
    let file = "[audit]\nignore = [\"R13\"]\nassert = [\"open(data/*) <= 5\"]\n";
    fs::rename(sandbox.write("kept.toml", file), sandbox.file("work/my.toml")).unwrap();
    let followed = audit(&sandbox, &format!("--config work/my.toml {PYTHON}"));
    assert_eq!(counts(&followed), (0, 0));
    assert_eq!(followed["budgets"][0]["verdict"], "not-met");
    assert!(followed["about"].to_string().contains("work/my.toml"));
    let asked = audit(&sandbox, &format!("--config work/my.toml --only R13 {PYTHON}"));
    assert!(counts(&asked).0 >= 40, "what is asked for by name is told");
    sandbox.fathom(&format!("audit --config work/my.toml --ignore R03 {PYTHON}")).assert().code(1);
}

#[test]
fn mistakes_are_named_with_their_line() {
    let sandbox = Sandbox::new();
    let refused = |file: &str| {
        sandbox.write(".fathom.toml", file);
        sandbox.fathom("audit -- touch ran").assert().code(2).stdout(is_empty())
    };
    refused("[[audit.suppress]]\nrule = \"R13\"\n")
        .stderr(says(".fathom.toml:2: missing key `reason`").and(says("hint: say why")));
    refused("[audit]\nignor = [\"R13\"]\n")
        .stderr(says(".fathom.toml:2: unknown key `ignor`").and(says("did you mean `ignore`?")));
    refused("[audit]\nonly = [\"R99\"]\n").stderr(says(".fathom.toml:2: there is no rule R99"));
    refused("[audit]\nonly = [\"13\"]\n").stderr(says(".fathom.toml:2: `13` is no rule"));
    refused("[audit]\nassert = [\"opn < 5\"]\n")
        .stderr(says(".fathom.toml:2: `opn` is no call").and(says("^^^")));
    refused("[[audit.suppress]]\nrule = \"R13\"\npath = \"a[\"\nreason = \"x\"\n")
        .stderr(says(".fathom.toml:3: `a[` is no pattern"));
    refused("[audit\n").stderr(says(".fathom.toml:1: not valid TOML"));
    fs::remove_file(sandbox.file(".fathom.toml")).unwrap();
    sandbox
        .fathom("audit --config missing.toml -- touch ran")
        .assert()
        .code(2)
        .stderr(says("there is no file missing.toml"));
    assert!(!sandbox.file("ran").exists(), "nothing runs before all is understood");
}
