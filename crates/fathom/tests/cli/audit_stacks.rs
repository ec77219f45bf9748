//! Findings are told by the place in the program's own code that they come from, whatever it is
//! written in and however it was compiled: by ptrace and by the ring.

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::capability::{Capability, has};
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

const C: &str = include_str!("audit_stacks/sites.c");
const GO: &str = include_str!("audit_stacks/main.go");
const RUST: &str = include_str!("audit_stacks/main.rs");

/// How often each place does it.
const ROUNDS: u64 = 11;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("sites.c", C);
    sandbox.write("data", "some words");
    sandbox
}

fn run(sandbox: &Sandbox, script: &str) -> String {
    let output = sandbox.shell(script);
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The audit of what the words name.
fn audited(sandbox: &Sandbox, words: &str) -> Value {
    let output = sandbox.fathom(&format!("audit --format json -o audit.json {words}")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{words}: {said}");
    serde_json::from_slice(&fs::read(sandbox.file("audit.json")).unwrap()).unwrap()
}

/// The first frame of the user's own, of each finding of a rule, with its count.
fn own_frames(audit: &Value, rule: &str) -> Vec<(Value, u64)> {
    let findings = audit["findings"].as_array().unwrap();
    let of_rule = findings.iter().filter(|finding| finding["rule"] == rule);
    let own = |finding: &Value| {
        let frames = finding["place"]["frames"].as_array().unwrap_or_else(|| panic!("{finding:#}"));
        let own = frames.iter().find(|frame| frame["owner"] == "yours");
        (own.unwrap_or_else(|| panic!("{frames:#?}")).clone(), finding["count"].as_u64().unwrap())
    };
    of_rule.map(own).collect()
}

/// Counts by the function, the file and the line that a rule's findings come from.
fn sites(audit: &Value, rule: &str) -> BTreeMap<(String, String, u64), u64> {
    let mut sites = BTreeMap::new();
    for (frame, count) in own_frames(audit, rule) {
        let file = frame["file"].as_str().unwrap_or_default().rsplit('/').next().unwrap().to_owned();
        let function = frame["function"].as_str().unwrap_or_default().to_owned();
        let known = sites.insert((function, file, frame["line"].as_u64().unwrap_or(0)), count);
        assert_eq!(known, None, "one place is one finding: {audit:#}");
    }
    sites
}

/// The ways in which places are found here.
fn captures() -> Vec<&'static str> {
    let ring = has(Capability::Ring).then_some("--stacks --capture ring");
    ring.into_iter().chain(["--stacks", "", "--capture ptrace"]).collect()
}

/// The line of a source that ends with such a comment.
fn line(source: &str, mark: &str) -> u64 {
    let index = source.lines().position(|line| line.contains(mark)).unwrap();
    index as u64 + 1
}

fn expected(file: &str, source: &str, places: &[(&str, &str)]) -> BTreeMap<(String, String, u64), u64> {
    let place = |&(function, mark): &(&str, &str)| {
        ((function.to_owned(), file.to_owned(), line(source, mark)), ROUNDS)
    };
    places.iter().map(place).collect()
}

fn assert_both_places(audit: &Value, words: &str) {
    let twice = expected("sites.c", C, &[("load", "/* first */"), ("check", "/* second */")]);
    assert_eq!(sites(audit, "R03"), twice, "{words}");
    let looked = expected("sites.c", C, &[("look", "/* third */")]);
    assert_eq!(sites(audit, "R13"), looked, "{words}");
}

#[test]
fn places_of_a_c_program_are_found_however_it_was_compiled_and_runs() {
    if !has(Capability::C) {
        return;
    }
    let sandbox = sandbox();
    for options in ["-O2", "-O2 -fno-omit-frame-pointer", "-O0 -no-pie", "-O2 -static"] {
        run(&sandbox, &format!("gcc -g {options} -pthread -o sites sites.c"));
        for capture in captures() {
            let audit = audited(&sandbox, &format!("{capture} -- ./sites main data"));
            assert_both_places(&audit, &format!("{capture} {options}"));
        }
    }
    run(&sandbox, "gcc -g -O2 -pthread -o sites sites.c");
    for words in ["thread", "fork"] {
        for capture in captures() {
            let audit = audited(&sandbox, &format!("{capture} -- ./sites {words} data"));
            assert_both_places(&audit, &format!("{capture} {words}"));
        }
    }
}

#[test]
fn straces_own_stacks_say_the_same_and_so_does_addr2line() {
    if !has(Capability::C) || !has(Capability::Strace) {
        return;
    }
    let sandbox = sandbox();
    run(&sandbox, "gcc -g -O2 -pthread -o sites sites.c");
    run(&sandbox, "strace -f -y -v -k -o log ./sites main data");
    let (live, logged) =
        (audited(&sandbox, "--stacks -- ./sites main data"), audited(&sandbox, "--strace log"));
    assert_both_places(&live, "ptrace");
    assert_both_places(&logged, "strace");
    for (frame, _) in own_frames(&live, "R03") {
        assert!(own_frames(&logged, "R03").iter().any(|(other, _)| *other == frame), "{frame:#}");
        let address = frame["address"].as_u64().unwrap();
        let told = run(&sandbox, &format!("addr2line -e sites {address:#x}"));
        let told = told.split(" (").next().unwrap().trim();
        let ours = format!("{}:{}", frame["file"].as_str().unwrap(), frame["line"]);
        assert_eq!(told, ours);
    }
    // Each of strace's own stacks of a call on a file has our place in it.
    let log = fs::read_to_string(sandbox.file("log")).unwrap();
    for function in ["load+", "check+", "look+"] {
        assert!(log.contains(&format!("sites({function}")), "{function}");
    }
}

#[test]
fn a_stripped_program_has_modules_and_addresses() {
    if !has(Capability::C) {
        return;
    }
    let sandbox = sandbox();
    run(&sandbox, "gcc -g -O2 -pthread -o whole sites.c && strip -o sites whole");
    let frames = own_frames(&audited(&sandbox, "--stacks -- ./sites main data"), "R03");
    assert_eq!(frames.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [ROUNDS; 2]);
    for (frame, _) in &frames {
        assert!(frame["function"].is_null() && frame["file"].is_null(), "{frame:#}");
        assert!(frame["module"].as_str().unwrap().ends_with("/sites"), "{frame:#}");
        let address = frame["address"].as_u64().unwrap();
        let told = run(&sandbox, &format!("addr2line -f -e whole {address:#x}"));
        assert!(told.starts_with("load\n") || told.starts_with("check\n"), "{told}");
    }
}

#[test]
fn the_verdict_is_the_same_with_stacks_and_without() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = sandbox();
    sandbox.write("loop.py", "import os\nfor _ in range(6000):\n    os.stat('data')\n");
    sandbox.write("clean.py", "open('data').read()\n");
    for (script, code) in [("loop.py", 1), ("clean.py", 0)] {
        for options in
            ["", "--stacks", "--no-lines", "--capture ptrace", "--capture ptrace --no-lines", "--lines"]
        {
            let words = format!("audit {options} -o text -- /usr/bin/python3 -S -E {script}");
            sandbox.fathom(&words).assert().code(code);
            let text = fs::read_to_string(sandbox.file("text")).unwrap();
            assert_eq!(text.contains("\nR15 warning: "), code == 1, "{options}: {text}");
        }
    }
}

#[test]
fn counts_are_those_without_stacks() {
    if !has(Capability::C) {
        return;
    }
    let sandbox = sandbox();
    run(&sandbox, "gcc -g -O2 -pthread -o sites sites.c");
    let count = |words: &str| {
        let audit = audited(&sandbox, words);
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for finding in audit["findings"].as_array().unwrap() {
            *counts.entry(finding["rule"].as_str().unwrap().to_owned()).or_default() +=
                finding["count"].as_u64().unwrap();
        }
        (counts, audit["events"].clone())
    };
    let with = count("--stacks -- ./sites fork data");
    assert_eq!(with, count("--no-lines -- ./sites fork data"));
    assert_eq!(with, count("-- ./sites fork data"));
    if has(Capability::Ring) {
        assert_eq!(with, count("--stacks --capture ring -- ./sites fork data"));
    }
    assert_eq!(with.0["R03"], 2 * ROUNDS);
}

#[test]
fn places_of_a_rust_program_lie_outside_its_standard_library() {
    if !has(Capability::Rust) {
        return;
    }
    let sandbox = sandbox();
    sandbox.write("main.rs", RUST);
    run(&sandbox, "rustc -g -O -o whole main.rs && cp whole program && rustc -O -o bare main.rs");
    for capture in captures() {
        let audit = audited(&sandbox, &format!("{capture} -- ./program data"));
        assert_eq!(
            sites(&audit, "R03"),
            expected("main.rs", RUST, &[("main::load", "// first")]),
            "{capture}"
        );
        let bare = own_frames(&audited(&sandbox, &format!("{capture} -- ./bare data")), "R03");
        assert_eq!((bare.len(), &bare[0].0["function"], bare[0].1), (1, &Value::from("main::load"), ROUNDS));
    }
}

#[test]
#[ignore = "long"]
fn places_of_a_go_program_lie_outside_its_standard_library() {
    if !has(Capability::Go) {
        return;
    }
    let sandbox = sandbox();
    sandbox.write("main.go", GO);
    run(&sandbox, "GOCACHE=$PWD/go-cache GOFLAGS=-mod=mod go build -o program main.go");
    for capture in captures() {
        let audit = audited(&sandbox, &format!("{capture} -- ./program data"));
        assert_eq!(sites(&audit, "R03"), expected("main.go", GO, &[("main.load", "// first")]), "{capture}");
    }
}

/// Looks for each file twice, at one line.
const CPP: &str = "\
#include <filesystem>
#include <string>
__attribute__((noinline)) size_t load(const std::string &path) {
    size_t sum = 0;
    for (int round = 0; round < 12; round++)
        sum += std::filesystem::exists(path); // first
    return sum;
}
int main(int, char **words) { return load(words[1]) == 0; }
";

#[test]
fn places_of_a_cpp_program_lie_outside_its_standard_library() {
    if !has(Capability::Cpp) {
        return;
    }
    let sandbox = sandbox();
    sandbox.write("look.cpp", CPP);
    for options in ["-O2", "-O0"] {
        run(&sandbox, &format!("g++ -std=c++17 -g {options} -o look look.cpp"));
        for capture in captures() {
            let audit = audited(&sandbox, &format!("{capture} -- ./look data"));
            let place = ("load(std::".to_owned(), "look.cpp".to_owned(), line(CPP, "// first"));
            let found = sites(&audit, "R15");
            let found = found.into_iter().map(|((function, file, line), count)| {
                ((function.chars().take(10).collect(), file, line), count)
            });
            assert_eq!(found.collect::<BTreeMap<_, _>>(), [(place, ROUNDS)].into(), "{capture} {options}");
        }
    }
}

#[test]
fn editors_and_code_hosts_are_led_to_the_line_by_the_ring() {
    if !has(Capability::C) || !has(Capability::Ring) {
        return;
    }
    let sandbox = sandbox();
    run(&sandbox, "gcc -g -O2 -pthread -o sites sites.c");
    let short =
        run(&sandbox, "fathom audit --stacks --capture ring --format short --only R13 -- ./sites main data");
    let place = format!("/sites.c:{}: R13 info: ", line(C, "/* third */"));
    assert!(short.contains(&place), "{place} {short}");
    let sarif =
        run(&sandbox, "fathom audit --stacks --capture ring --format sarif --only R13 -- ./sites main data");
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let location = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert!(location["artifactLocation"]["uri"].as_str().unwrap().ends_with("sites.c"), "{location:#}");
    assert_eq!(location["region"]["startLine"], line(C, "/* third */"));
}

#[test]
fn a_loop_of_a_script_has_its_line_without_a_stop_at_every_call() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = sandbox();
    sandbox.write("loop.py", "import os\nfor _ in range(6000):\n    os.stat('data')\n");
    let script = "/usr/bin/python3 -S -E loop.py";
    for capture in [has(Capability::Ring).then_some("ring"), Some("ptrace")].into_iter().flatten() {
        let found = |options: &str| {
            let audit = audited(&sandbox, &format!("{options} --capture {capture} --only R15 -- {script}"));
            let findings: Vec<Value> = audit["findings"].as_array().unwrap().clone();
            let count = |found: &Value| found["count"].as_u64().unwrap();
            let all: u64 =
                findings.iter().chain(audit["trifles"].as_array().into_iter().flatten()).map(count).sum();
            (findings.into_iter().max_by_key(count).unwrap(), all)
        };
        let ((with, all), (without, all_without)) = (found(""), found("--no-lines"));
        assert_eq!((all, &with["count"]), (all_without, &5999.into()), "{capture}");
        let frames = with["place"]["frames"].as_array().unwrap();
        let own = frames.iter().find(|frame| frame["owner"] == "yours").unwrap();
        assert!(own["file"].as_str().unwrap().ends_with("/loop.py"), "{capture}: {own:#}");
        assert_eq!((&own["line"], &with["place"]["is_sampled"]), (&3.into(), &true.into()), "{capture}");
        assert_eq!(without["place"]["frames"], Value::Null, "{capture}");
    }
}

#[test]
fn a_kept_trace_has_its_stacks_with_it() {
    if !has(Capability::C) {
        return;
    }
    let sandbox = sandbox();
    run(&sandbox, "gcc -g -O2 -pthread -o sites sites.c");
    sandbox.fathom("trace --stacks -o kept -- ./sites main data").assert().success();
    // What is asked later needs neither the program nor its source.
    fs::remove_file(sandbox.file("sites")).unwrap();
    assert_both_places(&audited(&sandbox, "--from kept"), "kept");
}

/// Asks each file twice, by functions that the runtime's map names.
const SCRIPT: &str = "\
const fs = require('fs');
function load(path) {
  const file = fs.openSync(path);
  fs.fstatSync(file); fs.fstatSync(file);
  fs.closeSync(file);
}
for (let round = 0; round < 11; round++) load('data');
";

/// The functions and files that the first own frames of a rule's findings name.
fn functions(audit: &Value, rule: &str) -> BTreeMap<(String, String), u64> {
    let mut functions = BTreeMap::new();
    for (frame, count) in own_frames(audit, rule) {
        let word = |name: &str| frame[name].as_str().unwrap_or_default().to_owned();
        let file = word("file").rsplit('/').next().unwrap_or_default().to_owned();
        *functions.entry((word("function"), file)).or_default() += count;
    }
    functions
}

/// Runtimes leave their maps behind.
fn remove_map(audit: &Value) {
    for finding in audit["findings"].as_array().unwrap() {
        let _ = fs::remove_file(format!("/tmp/perf-{}.map", finding["place"]["process"]));
    }
}

#[test]
fn functions_of_scripts_are_known_where_their_runtime_was_asked_for_a_map() {
    if !has(Capability::Node) {
        return;
    }
    let sandbox = sandbox();
    sandbox.write("load.js", SCRIPT);
    let words = "--perf-basic-prof --interpreted-frames-native-stack load.js";
    let audit = audited(&sandbox, &format!("--stacks --only R03 -- node {words}"));
    remove_map(&audit);
    let own = ("load".to_owned(), "load.js".to_owned());
    let mut of_scripts = audit.clone();
    of_scripts["findings"].as_array_mut().unwrap().retain(|finding| finding["count"] == ROUNDS);
    assert_eq!(functions(&of_scripts, "R03"), BTreeMap::from([(own, ROUNDS)]), "{audit:#}");
    if !has(Capability::Ring) {
        return;
    }
    // Without the map the line is read from its memory.
    let audit = audited(&sandbox, "--capture ring --only R03 -- node load.js");
    let own = ("load".to_owned(), "load.js".to_owned());
    assert_eq!(functions(&audit, "R03").get(&own), Some(&ROUNDS), "{audit:#}");
}

#[test]
fn functions_of_python_are_known_through_its_trampolines() {
    if !has(Capability::Python) {
        return;
    }
    let sandbox = sandbox();
    // The newest may not be the usual one.
    let find = "for name in python3 python3.14 python3.13 python3.12 $(pyenv root)/versions/*/bin/python3; do \
                $name -c 'import sys; sys.activate_stack_trampoline; print(sys.executable)' && break; done; true";
    let program = run(&sandbox, find);
    let program = program.trim();
    if program.is_empty() {
        return;
    }
    let lines = ["import os", "def load(path):", " file = os.open(path, os.O_RDONLY)"];
    let more = [" os.fstat(file); os.fstat(file)", " os.close(file)", "for _ in range(11): load('data')", ""];
    sandbox.write("load.py", &[&lines[..], &more[..]].concat().join("\n"));
    let mut audit = audited(&sandbox, &format!("--stacks --only R03 -- {program} -S -E -X perf load.py"));
    remove_map(&audit);
    audit["findings"].as_array_mut().unwrap().retain(|finding| finding["count"] == ROUNDS);
    let own = ("load".to_owned(), "load.py".to_owned());
    assert_eq!(functions(&audit, "R03"), BTreeMap::from([(own, ROUNDS)]), "{audit:#}");
    assert_eq!(audit["findings"][0]["owner"], "yours", "the script asked by os.fstat");
}
