//! `fathom audit diff`: two audits side by side, whatever they were kept as.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::is_empty;
use serde_json::Value;
use std::fs;

const BEFORE: &str = "\
import os
for number in range(30):
    os.stat(f'data/{number}')
    file = os.open(f'data/{number}', os.O_RDONLY)
    os.read(file, 100)
    os.close(file)
";
const AFTER: &str = "\
import os
for number in range(30):
    file = os.open(f'data/{number}', os.O_RDONLY)
    os.read(file, 100)
    os.lseek(file, 0, os.SEEK_SET)
    os.fstat(file)
    os.fstat(file)
    os.close(file)
";

/// `before` and `after`, as audits and as traces.
fn with_both() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    for number in 0..30 {
        fs::write(sandbox.file(&format!("data/{number}")), "some words").unwrap();
    }
    for (name, program) in [("before", BEFORE), ("after", AFTER)] {
        // Of one name, so that only what they do differs.
        sandbox.write("program.py", program);
        let python = "/usr/bin/python3 -S -E program.py";
        sandbox.fathom(&format!("trace --capture ptrace -o {name}.events -- {python}")).assert().code(0);
        sandbox.shell(&format!("fathom audit --from {name}.events --format json -o {name}.json"));
        sandbox.shell(&format!("fathom count --format json -o {name}.count -- {python}"));
    }
    sandbox
}

fn difference(sandbox: &Sandbox, words: &str) -> Value {
    let output = sandbox.fathom(&format!("audit diff --format json {words}")).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{message}"))
}

fn row<'a>(difference: &'a Value, call: &str) -> &'a Value {
    let rows = difference["calls"].as_array().unwrap();
    rows.iter().find(|row| row["call"] == call).unwrap_or_else(|| panic!("no {call}: {difference:#}"))
}

#[test]
fn calls_and_findings_that_came_and_went_are_told_whatever_they_were_kept_as() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_both();
    let found = difference(&sandbox, "before.json after.json");
    let of = |row: &Value| row["after"].as_i64().unwrap() - row["before"].as_i64().unwrap();
    assert_eq!((of(row(&found, "newfstatat")), of(row(&found, "lseek"))), (30, 30));
    assert_eq!(found["calls"].as_array().unwrap().len(), 2, "{found:#}");
    let less = found["findings"].as_array().unwrap().iter().find(|finding| finding["rule"] == "R13").unwrap();
    let fewer = less["before"].as_u64().unwrap() - less["after"].as_u64().unwrap();
    assert!(
        (30..=32).contains(&fewer),
        "{fewer}: what the interpreter looks at is a habit beside the others only"
    );
    for words in ["before.events after.events", "before.json after.events"] {
        let other = difference(&sandbox, words);
        assert_eq!((&other["calls"], &other["findings"]), (&found["calls"], &found["findings"]), "{words}");
    }
    let counted = difference(&sandbox, "before.count after.count");
    assert_eq!((of(row(&counted, "newfstatat")), of(row(&counted, "lseek"))), (30, 30));
    assert!(counted["findings_not_compared"].as_str().unwrap().contains("no findings"));
    let same = difference(&sandbox, "before.json before.json");
    assert_eq!(same["calls"].as_array().unwrap().len(), 0);
    assert!(same["findings"].as_array().unwrap().iter().all(|finding| finding["change"] == "same"));
}

#[test]
#[ignore = "long"]
fn the_text_has_both_tables_and_a_change_can_fail() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_both();
    sandbox.keep_prices();
    let assert = sandbox.fathom("audit diff before.json after.json").assert().code(0);
    assert.stdout(says("newfstatat").and(says("+30")).and(says("lseek")).and(says("R13")));
    let failing = |words: &str, code: i32| sandbox.fathom(&format!("audit diff {words}")).assert().code(code);
    failing("before.json after.json --fail-on new-findings,more-findings", 1).stderr(says("failed: "));
    failing("before.json after.json --fail-on more-calls", 1).stderr(says("calls, 60 more than before"));
    failing("after.json before.json --fail-on more-calls", 0).stderr(is_empty());
    failing("after.count before.count --fail-on new-findings", 3);
    failing("before.json before.json --fail-on new-findings,more-findings,more-calls,dearer", 0);
    // A program of that name is audited after `--`.
    sandbox
        .fathom("audit -- diff before.json before.json")
        .assert()
        .stdout(says("audit diff before.json before.json"));
}

#[test]
fn a_difference_and_a_count_are_tables_for_comments_and_spreadsheets() {
    let sandbox = Sandbox::new();
    let _may_find_waste = sandbox.fathom("audit --no-config --format json -o one.json -- sh -c :").assert();
    let _may_find_waste =
        sandbox.fathom("audit --no-config --format json -o two.json -- sh -c").arg("echo > 'a|b'").assert();
    let table = |words: &str| sandbox.fathom(words).assert().code(0);
    let markdown = table("audit diff one.json two.json --format markdown");
    markdown.stdout(says("| what | name | before |").and(says("| call | dup2 | 0 | ")));
    table("audit diff one.json two.json --format csv").stdout(says("call,dup2,0,"));
    table("count --no-prices --format csv -o c.csv -- true");
    let csv = fs::read_to_string(sandbox.file("c.csv")).unwrap();
    assert!(csv.starts_with("call,outcome,calls,bytes\n") && csv.contains("execve,,1,0"), "{csv}");
    table("count --no-prices --format markdown -o c.md -- true");
    assert!(fs::read_to_string(sandbox.file("c.md")).unwrap().contains("| execve |  | 1 | 0 |"));
}

#[test]
fn mistakes_are_named() {
    let sandbox = Sandbox::new();
    sandbox.write("no.json", "{\"schema_version\": 1}");
    sandbox.fathom("audit --format json -o a.json -- true").assert().code(0);
    let refused = |words: &str| sandbox.fathom(words).assert().code(2).stdout(is_empty());
    refused("audit diff a.json missing.json").stderr(says("failed to read missing.json"));
    refused("audit diff a.json no.json").stderr(says("no.json"));
    refused("audit diff a.json").stderr(says("<AFTER>"));
    refused("audit diff a.json a.json --fail-on worse").stderr(says("new-findings"));
    refused("audit diff a.json a.json --fail-on dearer").stderr(says("needs prices"));
}
