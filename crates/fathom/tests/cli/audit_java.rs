//! Findings of Java programs are told by the program's own line, read from the memory of the virtual
//! machine, without any option of its own: interpreted, compiled and inlined methods, in every version that
//! is here.

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::capability::{Capability, has};
use crate::runtimes::{captures, more};
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const SHOP: &str = include_str!("audit_scripts/Shop.java");
/// So often each place looks at its file; the first look is no waste.
const LOOKS: u64 = 12;
const BYTES: usize = 3000;

/// Every `HotSpot` that is found here.
fn javas() -> Vec<PathBuf> {
    if !has(Capability::Java) {
        return Vec::new();
    }
    let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten();
    let installed = installed.map(|home| home.path().join("bin/java"));
    let all = installed.chain(["/usr/bin/java".into()]).chain(more("java"));
    let mut found: Vec<_> = all.filter_map(|java| java.canonicalize().ok()).collect();
    found.sort();
    found.dedup();
    found
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("Shop.java", SHOP);
    let mut compiler = Command::new("javac");
    let compiled =
        compiler.args(["--release", "17", "-d", "."]).arg("Shop.java").current_dir(sandbox.path()).status();
    assert!(compiled.unwrap().success());
    for name in ["method", "constructor", "initializer", "hot", "lambda", "thread", "loaded", "opened"] {
        sandbox.write(name, "some words");
    }
    sandbox.write("read", &"b".repeat(BYTES));
    sandbox
}

/// What is written about a run, and how it ended.
fn audited(sandbox: &Sandbox, options: &str, java: &[&str]) -> (String, Option<i32>) {
    let mut command = sandbox.fathom(&format!("audit {options} --no-config -o audit --"));
    let output = command.args(java).args(["-cp", ".", "shop.Shop"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{java:?}: {said}");
    (fs::read_to_string(sandbox.file("audit")).unwrap(), output.status.code())
}

fn line(mark: &str) -> u64 {
    SHOP.lines().position(|line| line.ends_with(&format!("// {mark}"))).unwrap() as u64 + 1
}

/// How often a rule found something at a line of the program's, by a function.
fn count(audit: &Value, rule: &str, function: &str, line: u64) -> Option<u64> {
    let findings = audit["findings"].as_array().into_iter().chain(audit["trifles"].as_array()).flatten();
    let is_there = |finding: &&Value| {
        let frames = finding["place"]["frames"].as_array().map_or(&[][..], Vec::as_slice);
        let own = frames.iter().find(|frame| frame["owner"] == "yours");
        finding["rule"] == rule
            && finding["owner"] == "yours"
            && own.is_some_and(|own| {
                own["function"] == function && own["file"] == "shop/Shop.java" && own["line"] == line
            })
    };
    let mut found = findings.filter(is_there);
    let count = found.next().map(|finding| finding["count"].as_u64().unwrap());
    assert!(found.next().is_none(), "one line is one finding: {audit:#}");
    count
}

#[test]
fn java_is_told_by_its_own_lines_in_every_version() {
    let javas = javas();
    if javas.is_empty() {
        eprintln!("skipped: no Java is here");
        return;
    }
    let sandbox = sandbox();
    let further: Vec<_> = more("java").into_iter().filter_map(|java| java.canonicalize().ok()).collect();
    for java in &javas {
        // As it comes, interpreted only, and compiled as soon as it may be.
        let modes = ["-Xint", "-Xbatch"].map(|mode| (mode, "--stacks"));
        for (mode, capture) in captures().into_iter().map(|capture| ("-Dmode=default", capture)).chain(modes)
        {
            let options = format!("{capture} --format json");
            let (text, _) = audited(&sandbox, &options, &[java.to_str().unwrap(), mode]);
            let audit: Value = serde_json::from_str(&text).unwrap();
            for (rule, function, mark, times) in [
                ("R15", "shop.Shop.method", "METHOD", LOOKS - 1),
                ("R15", "shop.Shop$Inner.<init>", "CONSTRUCTOR", LOOKS - 1),
                ("R15", "shop.Shop$Initialized.<clinit>", "INITIALIZER", LOOKS - 1),
                ("R15", "shop.Shop.hot", "HOT", LOOKS - 1),
                ("R15", "shop.Shop.lambda$main$0", "LAMBDA", LOOKS - 1),
                ("R15", "shop.Shop.lambda$main$1", "THREAD", LOOKS - 1),
                ("R23", "shop.Shop.load", "LOAD", LOOKS - 1),
                ("R23", "shop.Shop.again", "OPEN", LOOKS - 1),
                ("R28", "shop.Shop.bytes", "BYTES", BYTES as u64),
            ] {
                let found = count(&audit, rule, function, line(mark));
                assert_eq!(found, Some(times), "{} {mode} {capture} {mark}: {audit:#}", java.display());
            }
            // Of JDK 21 without its compiler, the loading of a class has no frames at all.
            let is_usual = !further.contains(java);
            assert!(
                !is_usual || !text.contains("show the interpreter alone"),
                "{} {mode} {capture}: {text}",
                java.display()
            );
        }
    }
}

#[test]
fn java_lines_stand_where_editors_and_hosts_look_for_them() {
    let Some(java) = javas().pop() else { return };
    let java = [java.to_str().unwrap()];
    let sandbox = sandbox();
    let ring = has(Capability::Ring).then_some("--capture ring");
    for capture in ring.into_iter().chain(["--stacks", "--capture ptrace"]) {
        let short = audited(&sandbox, &format!("{capture} --format short"), &java).0;
        for (rule, mark) in [("R15", "METHOD"), ("R23", "OPEN"), ("R28", "BYTES")] {
            let place = format!("shop/Shop.java:{}: {rule}", line(mark));
            assert!(short.lines().any(|line| line.starts_with(&place)), "{capture}: {place}: {short}");
        }
        let sarif = audited(&sandbox, &format!("{capture} --format sarif"), &java).0;
        let sarif: Value = serde_json::from_str(&sarif).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        let is_there = |result: &Value| {
            let location = &result["locations"][0]["physicalLocation"];
            location["artifactLocation"]["uri"] == "shop/Shop.java"
                && location["region"]["startLine"] == line("BYTES")
        };
        assert!(results.iter().any(is_there), "{capture}: {sarif:#}");
    }
}

#[test]
fn java_is_judged_the_same_with_stacks_and_without() {
    let Some(java) = javas().pop() else { return };
    let java = [java.to_str().unwrap()];
    let sandbox = sandbox();
    // What is yours of each rule; the runtime's own calls vary from run to run.
    let judged = |options: &str| {
        let (text, code) = audited(&sandbox, options, &java);
        let audit: Value = serde_json::from_str(&text).unwrap();
        let findings = audit["findings"].as_array().unwrap();
        let yours = findings.iter().filter(|finding| finding["owner"] == "yours");
        let mut rules: Vec<_> = yours.map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect();
        rules.sort();
        rules.dedup();
        (rules, code)
    };
    let (with, without) =
        (judged("--stacks --format json"), judged("--capture ptrace --no-lines --format json"));
    assert_eq!(with, without);
    assert!(!with.0.is_empty());
}
