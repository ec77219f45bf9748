//! `fathom audit --assert`: budgets that hold, that do not, and that cannot be read.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use predicates::prelude::{Predicate, PredicateBooleanExt};
use predicates::str::is_empty;
use serde_json::Value;
use std::fs;

/// Looks at each of thirty files, opens it, and looks for one that is not there.
const PROGRAM: &str = "\
import os
for number in range(30):
    os.stat(f'data/{number}.json')
    file = os.open(f'data/{number}.json', os.O_RDONLY)
    os.read(file, 100)
    os.close(file)
    try: os.open('data/missing.json', os.O_RDONLY)
    except OSError: pass
";
const PYTHON: &str = "-- /usr/bin/python3 -S -E program.py";

fn with_program() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    for number in 0..30 {
        fs::write(sandbox.file(&format!("data/{number}.json")), "0123456789").unwrap();
    }
    sandbox.write("program.py", PROGRAM);
    sandbox
}

/// What `fathom audit` with these budgets says, and its exit code.
fn held(sandbox: &Sandbox, budgets: &[&str]) -> (Value, Option<i32>) {
    let asserts: Vec<String> = budgets.iter().map(|budget| format!("--assert '{budget}'")).collect();
    // No rule of cost or danger is to make the exit code.
    let script = format!("fathom audit --only R54 --format json {} {PYTHON}", asserts.join(" "));
    let output = sandbox.shell(&script);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    (serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{message}")), output.status.code())
}

#[test]
fn budgets_count_what_strace_counts() {
    if !has(Capability::SystemPython) || !has(Capability::Strace) {
        return;
    }
    let sandbox = with_program();
    let (audit, code) = held(
        &sandbox,
        &[
            "call openat ENOENT >= 0 including loader",
            "open(data/*.json) == 60",
            "bytes read(*.json) == 300 B",
        ],
    );
    let strace = sandbox
        .shell("strace -f -e trace=openat -o log /usr/bin/python3 -S -E program.py; grep -c ENOENT log");
    let failures: f64 = String::from_utf8_lossy(&strace.stdout).trim().parse().unwrap();
    assert!(failures >= 30.0);
    let budgets = audit["budgets"].as_array().unwrap();
    assert_eq!(budgets[0]["measured"]["value"], failures);
    assert!(budgets.iter().all(|budget| budget["verdict"] == "met"), "{audit:#}");
    assert_eq!(code, Some(0));
}

#[test]
fn what_is_not_met_is_exit_code_one_with_the_difference_and_who_makes_it() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_program();
    let budgets = ["newfstatat < 1 per open(data/*.json)", "open(data/*) ENOENT < 10", "open(data/*) == 60"];
    let (audit, code) = held(&sandbox, &budgets);
    assert_eq!(code, Some(1));
    let met: Vec<_> =
        audit["budgets"].as_array().unwrap().iter().map(|budget| budget["verdict"].clone()).collect();
    assert_eq!(met, ["not-met", "not-met", "met"]);
    let first = &audit["budgets"][0];
    assert_eq!(
        (&first["measured"]["value"], &first["total"], &first["divided_by"]),
        (&1.0.into(), &30.into(), &30.into())
    );
    let who = &audit["budgets"][1]["calls"][0];
    assert_eq!((&who["amount"], &who["errno"]), (&30.into(), &"ENOENT".into()));
    assert!(who["path"].as_str().unwrap().ends_with("/data/missing.json"));
    let asserts: Vec<String> = budgets.iter().map(|budget| format!("--assert '{budget}'")).collect();
    let text = sandbox.shell(&format!("fathom audit --full {} {PYTHON}", asserts.join(" ")));
    let text = String::from_utf8(text.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("NOT MET open(data/*) ENOENT < 10: 30, 20 more than the limit"), "{text}");
    let short = sandbox.shell(&format!("fathom audit --format short {} {PYTHON}", asserts.join(" ")));
    let said = String::from_utf8(short.stderr).unwrap();
    assert!(said.contains("budget not met: open(data/*) ENOENT < 10: 30, 20 more than the limit"), "{said}");
    assert!(text.contains("30 openat=ENOENT ") && text.contains("met open(data/*) == 60: 60"), "{text}");
}

#[test]
#[ignore = "long"]
fn a_budget_of_what_never_happens_or_has_no_price_is_not_known() {
    let sandbox = Sandbox::new();
    let run = |budget: &str| sandbox.shell(&format!("fathom audit --assert '{budget}' -- true"));
    let never = run("newfstatat <= 1 per open(*.json)");
    assert_eq!(never.status.code(), Some(3));
    let said = says("NOT KNOWN newfstatat <= 1 per open(*.json): what it is counted per never happened");
    assert!(said.eval(&never.stdout));
    let price = run("price < 1 s");
    assert_eq!(price.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&price.stdout).contains("there are no prices"));
    sandbox.keep_prices();
    assert_eq!(run("price < 1 s").status.code(), Some(0), "with prices there is one");
    assert_eq!(run("price < 1 ns").status.code(), Some(1));
}

/// Two threads of a log: one whole line, and one that nobody can read.
const HALF_READ: &str = "1 execve(\"/bin/app\", [\"app\"], 0x7ffe /* 3 vars */) = 0
1 openat(AT_FDCWD, \"/srv/a.json\", O_RDONLY) = 3
1 openat(AT_FDCWD, \"/srv/b.json
1 close(3) = 0
1 +++ exited with 0 +++
";

#[test]
fn what_was_not_read_meets_no_budget_and_is_no_clean_run() {
    let sandbox = Sandbox::new();
    sandbox.write("half.log", HALF_READ);
    let run = |words: &str| sandbox.fathom(&format!("audit --strace half.log {words}")).assert();
    run("").code(3).stdout(says("No findings among what was seen").and(says("incomplete (unread)")));
    let within = ["--assert", "open <= 5"];
    let mut command = sandbox.fathom("audit --strace half.log");
    command.args(within).assert().code(3).stdout(says("NOT KNOWN open <= 5: at least 1; unread: 1"));
    // More opens cannot bring it back.
    let mut command = sandbox.fathom("audit --strace half.log");
    command.args(["--assert", "open == 0"]).assert().code(1).stdout(says("NOT MET open == 0: 1"));
}

#[test]
fn a_difference_to_a_side_that_was_not_whole_is_not_known() {
    let sandbox = Sandbox::new();
    sandbox.write("half.log", HALF_READ);
    sandbox.write("whole.log", &HALF_READ.replace("1 openat(AT_FDCWD, \"/srv/b.json\n", ""));
    for side in ["half", "whole"] {
        let words = format!("audit --strace {side}.log --format json -o {side}.json");
        sandbox.fathom(&words).assert().code(if side == "half" { 3 } else { 0 });
    }
    sandbox.fathom("audit diff whole.json whole.json").assert().code(0);
    let blind = sandbox.fathom("audit diff whole.json half.json --fail-on more-calls").assert().code(3);
    blind.stdout(says("unread").and(says("half.json")));
}

#[test]
fn a_rule_that_is_left_out_meets_no_budget() {
    let sandbox = Sandbox::new();
    let run = |words: &str| sandbox.shell(&format!("fathom audit {words} --assert 'R13 <= 99' -- true"));
    assert_eq!(run("").status.code(), Some(0));
    for words in ["--only R54", "--ignore R13"] {
        let open = run(words);
        assert_eq!(open.status.code(), Some(3));
        assert!(says("NOT KNOWN R13 <= 99: R13 is left out of this audit").eval(&open.stdout));
    }
}

#[test]
fn what_a_rule_would_find_is_not_known_where_it_was_left_out() {
    let sandbox = Sandbox::new();
    let run = |words: &str| sandbox.shell(&format!("fathom audit {words} -- true"));
    for (words, answer) in [
        ("", "No findings Calls,"),
        ("--only R54,R13", "No findings by R54, R13 alone Calls,"),
        ("--ignore R13", "No findings by rules other than R13 Calls,"),
        ("--only R13 --ignore R13", "No findings: no rule judged Calls,"),
    ] {
        assert!(says(answer).eval(&run(words).stdout), "{words}");
    }
    run("--format json -o all.json");
    run("--format json -o some.json --only R54");
    let diff = |words: &str, code: i32| sandbox.fathom(&format!("audit diff {words}")).assert().code(code);
    diff("all.json some.json", 0).stdout(says("rules: one side left them out"));
    // What one side did not look for is neither gone nor new.
    for sides in ["all.json some.json", "some.json all.json"] {
        diff(&format!("{sides} --fail-on new-findings"), 3);
        diff(&format!("{sides} --fail-on more-calls"), 0);
    }
    diff("some.json some.json --fail-on new-findings", 0);
}

#[test]
fn mistakes_point_at_their_word() {
    let sandbox = Sandbox::new();
    let refused = |budget: &str| {
        let mut command = sandbox.fathom("audit");
        command.args(["--assert", budget, "--", "touch", "ran"]).assert().code(2).stdout(is_empty())
    };
    refused("newfstatt <= 1").stderr(says("did you mean `newfstatat`?").and(says("^^^^^^^^^")));
    refused("open failurs < 50").stderr(says("`failurs` is not understood here"));
    refused("open <=").stderr(says("expected a number"));
    refused("R99 == 0").stderr(says("there is no rule R99"));
    assert!(!sandbox.file("ran").exists(), "nothing runs before all is understood");
}
