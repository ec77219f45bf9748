//! `fathom audit`: what real programs waste, by watching them and from logs of
//! strace's, and what it keeps silent on.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// Reads files as it should be done: opens, asks for the size, reads, closes.
const CLEAN: &str = "\
import os
for number in range(30):
    file = os.open(f'data/{number}', os.O_RDONLY)
    size = os.fstat(file).st_size
    while size > 0:
        size -= len(os.read(file, size))
    os.close(file)
";

/// Looks before each open, and asks each open file twice.
const WASTEFUL: &str = "\
import os
for number in range(30):
    os.stat(f'data/{number}')
    file = os.open(f'data/{number}', os.O_RDONLY)
    os.fstat(file)
    os.fstat(file)
    os.read(file, 100)
    os.close(file)
";

fn with_data() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    for number in 0..30 {
        fs::write(sandbox.file(&format!("data/{number}")), "some words").unwrap();
    }
    sandbox.write("clean.py", CLEAN);
    sandbox.write("wasteful.py", WASTEFUL);
    sandbox
}

/// How often each rule found something.
fn found(json: &[u8]) -> BTreeMap<String, u64> {
    let audit: Value = serde_json::from_slice(json).unwrap();
    let mut counts = BTreeMap::new();
    let of = |list: &str| audit[list].as_array().cloned().unwrap_or_default();
    for finding in of("findings").iter().chain(&of("trifles")) {
        *counts.entry(finding["rule"].as_str().unwrap().to_owned()).or_default() +=
            finding["count"].as_u64().unwrap();
    }
    counts
}

/// What one has and the other has not: the interpreter's own start is in both.
fn more(one: &BTreeMap<String, u64>, other: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let more = one
        .iter()
        .map(|(rule, count)| (rule.clone(), count.saturating_sub(other.get(rule).copied().unwrap_or(0))));
    more.filter(|(_, count)| *count > 0).collect()
}

/// The script's thirty of each. The interpreter looks at the script and opens it, which is found beside them only.
fn assert_wasteful(more: &BTreeMap<String, u64>) {
    let rules: Vec<&str> = more.keys().map(String::as_str).collect();
    assert_eq!(rules, ["R03", "R13"], "{more:?}");
    assert!(more["R03"] == 30 && (30..=32).contains(&more["R13"]), "{more:?}");
}

#[test]
fn waste_is_found_with_its_count_and_a_clean_reader_is_left_alone() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_data();
    let audit = |script: &str| {
        let words = format!("audit --format json -o {script}.json -- /usr/bin/python3 -S -E {script}");
        sandbox.fathom(&words).assert().stdout(is_empty());
        found(&fs::read(sandbox.file(&format!("{script}.json"))).unwrap())
    };
    let (waste, clean) = (audit("wasteful.py"), audit("clean.py"));
    assert_wasteful(&more(&waste, &clean));
    assert_eq!(more(&clean, &waste), BTreeMap::new());
    sandbox.assert_nothing_left();
}

#[test]
fn only_what_lies_below_a_directory_is_told_where_one_is_named() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_data();
    let audit = |words: &str| {
        let words = format!("audit --format json -o a.json {words} -- /usr/bin/python3 -S -E wasteful.py");
        sandbox.fathom(&words).assert().stdout(is_empty());
        found(&fs::read(sandbox.file("a.json")).unwrap())
    };
    let thirty = BTreeMap::from([("R03".to_owned(), 30), ("R13".to_owned(), 30)]);
    assert_eq!(audit("--under data"), thirty, "and nothing of the interpreter's");
    assert_eq!(audit("--under data/1 --under data/../data/2")["R03"], 2);
    assert_eq!(audit("--under no-such-directory"), BTreeMap::new());
}

/// All that was found, without what says where it came from.
fn judged(json: &[u8]) -> Value {
    let mut audit: Value = serde_json::from_slice(json).unwrap();
    for told in ["about", "created", "command"] {
        audit.as_object_mut().unwrap().remove(told);
    }
    audit
}

#[test]
fn a_log_of_strace_says_the_same() {
    if !has(Capability::SystemPython) || !has(Capability::Strace) {
        return;
    }
    let sandbox = with_data();
    for options in ["-f -v", "-f -y -v -tt -T", "-f -yy -v -ttt -s 256"] {
        let audit = |script: &str| {
            let strace = format!("strace {options} -o log /usr/bin/python3 -S -E {script}");
            assert!(sandbox.shell(&strace).status.success());
            let output = sandbox.fathom("audit --format json --strace log").output().unwrap();
            let piped = sandbox.shell("fathom audit --format json --strace - < log");
            assert_eq!(judged(&piped.stdout), judged(&output.stdout), "{options}");
            found(&output.stdout)
        };
        let (waste, clean) = (audit("wasteful.py"), audit("clean.py"));
        assert_wasteful(&more(&waste, &clean));
        let live = sandbox.fathom("audit --format json -- /usr/bin/python3 -S -E wasteful.py");
        assert_eq!(found(&{ live }.output().unwrap().stdout), waste, "{options}: as seen live");
    }
}

#[test]
#[ignore = "long"]
fn the_text_has_an_example_a_price_and_what_to_do() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_data();
    sandbox.keep_prices();
    let output =
        sandbox.fathom("audit --full --only R13 -- /usr/bin/python3 -S -E wasteful.py").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for words in ["R13 ", " times, ", "untraced", "1. newfstatat(", "fix: ", "unless: ", "ended     exit 0"] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    assert!(!text.contains("R03"), "only what was asked for:\n{text}");
    assert!(text.contains(" of its file calls"), "{text}");
    assert_eq!(
        output.status.code(),
        Some(0),
        "thirty looks are little beside an interpreter's start:\n{text}"
    );
}

#[test]
fn the_commands_streams_and_end_are_its_own() {
    let sandbox = Sandbox::new();
    let run = |command: &str| sandbox.shell(&format!("fathom audit -o a.txt -- {command}"));
    let output = run("sh -c 'cat; echo err >&2; exit 7' < /dev/null");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "err\n");
    assert!(fs::read_to_string(sandbox.file("a.txt")).unwrap().contains("ended     exit 7"));
    run("sh -c 'kill -TERM $$'");
    assert!(fs::read_to_string(sandbox.file("a.txt")).unwrap().contains("killed by SIGTERM"));
}

#[test]
fn an_interrupt_reaches_the_command_and_what_it_did_is_judged() {
    let sandbox = Sandbox::new();
    let script = "fathom audit -o a.txt -- sh -c 'touch begun; exec sleep 60' & audit=$!\n\
                  while [ ! -e begun ]; do sleep 0.05; done\n\
                  kill -TERM $audit; wait $audit";
    assert_eq!(sandbox.shell(script).status.code(), Some(130));
    let text = fs::read_to_string(sandbox.file("a.txt")).unwrap();
    assert!(text.contains("cut       interrupted by SIGTERM"), "{text}");
    sandbox.assert_nothing_left();
}

/// That it says so, and not twice.
fn once(words: &str) -> impl predicates::Predicate<str> {
    contains(words).count(1)
}

#[test]
fn mistakes_are_named() {
    let sandbox = Sandbox::new();
    sandbox.write("no.log", "hello\nworld\n");
    let refused = |words: &str| sandbox.fathom(words).assert().code(2).stdout(is_empty());
    refused("audit").stderr(says("there is nothing to watch").and(says("--strace FILE")));
    refused("audit --strace no.log").stderr(says("no.log").and(says("no output of strace")));
    refused("audit --strace missing").stderr(says("failed to open missing"));
    refused("audit --only R99 -- true").stderr(says("there is no rule R99").and(says("--rules")));
    refused("audit --only nonsense -- true").stderr(says("is no rule"));
    refused("audit --strace .").stderr(once("Is a directory"));
    refused("audit --from .").stderr(once("Is a directory"));
    refused("trace -o /dev/full -- true").stderr(once("No space left"));
    refused("audit --from no.log --stacks").stderr(says("cannot be used with"));
    refused("audit --from no.log --capture ptrace").stderr(says("cannot be used with"));
    refused("audit --seconds 1 -- true").stderr(says("cannot be used with"));
    refused("trace --seconds 1 -o a.events -- true").stderr(says("cannot be used with"));
    refused("trace -o a.events").stderr(says("there is nothing to watch"));
    sandbox.write("empty.log", "");
    sandbox.fathom("audit --strace empty.log").assert().code(4).stdout(says("0 file calls"));
    refused("audit -- ./no-such-program").stderr(says("no-such-program"));
    sandbox.fathom("audit --rules").assert().code(0).stdout(says("R13").and(says("suppressed by:")));
}
