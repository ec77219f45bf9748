//! `fathom what-if --without`, `--twice`, `--slower`: planted programs, counted by hand. No test asks how
//! long anything took.

use crate::capability::{Capability, has};
use crate::running::Running;
use crate::sandbox::{Sandbox, says, workspace};
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::time::{Duration, Instant};

/// How often the program asks.
const TURNS: u64 = 211;

/// A folder with a file and a program of C's that does this in its loop.
fn planted(turn: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("one.json", "{}");
    let source = format!(
        "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <fcntl.h>\n#include <time.h>\n\
         #include <unistd.h>\n#include <sys/stat.h>\n\
         int main(void) {{ struct stat s; char b[8]; for (int turn = 0; turn < {TURNS}; turn++) {{ {turn} }} return 0; }}\n"
    );
    sandbox.write("app.c", &source);
    sandbox.command("gcc").args(["-w", "-o", "app", "app.c"]).assert().success();
    sandbox
}

pub(crate) fn can_hook() -> bool {
    let has_hook = fathom_trace::hook_availability().is_ok();
    if !has_hook {
        println!("skipped: calls cannot be hooked here");
    }
    has_hook && has(Capability::C)
}

pub(crate) fn answer(sandbox: &Sandbox, words: &[&str], codes: &[i32]) -> Value {
    let mut command = sandbox.fathom("what-if --time 1 --format json -o answer.json");
    let code = command.args(words).args(["--", "./app"]).output().unwrap().status.code();
    assert!(code.is_some_and(|code| codes.contains(&code)), "{code:?}");
    sandbox.assert_nothing_left();
    let answer = serde_json::from_str(&fs::read_to_string(sandbox.file("answer.json")).unwrap()).unwrap();
    let schema = fs::read_to_string(workspace().join("docs/call-cost.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    jsonschema::validate(&schema, &answer).unwrap();
    answer
}

fn calls<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let calls = answer["reach"]["calls"].as_array().unwrap();
    calls.iter().find(|calls| calls["call"] == name).unwrap_or(&Value::Null)
}

/// Why there is none.
pub(crate) fn refusal(answer: &Value) -> String {
    answer["answer"]["unavailable"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

#[test]
fn calls_that_are_meant_are_made_again_and_counted() {
    if !can_hook() {
        return;
    }
    let sandbox =
        planted("access(\"one.json\", R_OK); int f = open(\"one.json\", O_RDONLY); read(f, b, 8); close(f);");
    let answer = answer(&sandbox, &["--without", "access(*.json)"], &[0, 3]);
    let access = calls(&answer, "access");
    assert_eq!((access["meant"].as_u64(), access["fit"].as_u64()), (Some(TURNS), Some(TURNS)));
    // The one at which its place was patched stops.
    assert!(access["treated"].as_u64().unwrap() >= TURNS - 1, "{access}");
    for run in answer["runs"].as_array().unwrap() {
        let [amount, treated, times] =
            ["amount", "treated", "times"].map(|key| run[key].as_u64().unwrap_or(0));
        assert_eq!(times, amount * treated, "{run}");
    }
    let amounts = |block: u64| {
        let of_block = answer["runs"].as_array().unwrap().iter().filter(|run| run["block"] == block);
        let mut amounts: Vec<_> = of_block.map(|run| run["amount"].as_u64()).collect();
        amounts.sort_unstable();
        amounts
    };
    let runs = answer["runs"].as_array().unwrap();
    let blocks = runs.iter().filter_map(|run| run["block"].as_u64()).max().unwrap();
    for block in 1..=blocks {
        assert_eq!(amounts(block), [None, Some(0), Some(0), Some(1), Some(3)], "block {block} of {blocks}");
    }
}

#[test]
fn what_changes_something_is_never_made_again() {
    if !can_hook() {
        return;
    }
    let sandbox = planted(
        "int f = open(\"grows\", O_WRONLY|O_CREAT|O_APPEND, 0600); write(f, \"x\", 1); fsync(f); close(f);",
    );
    let answer = answer(&sandbox, &["--twice", "calls(grows)"], &[3]);
    assert!(refusal(&answer).contains("would change something"), "{answer}");
    assert_eq!(calls(&answer, "write")["fit"], 0);
    // It was only watched, once.
    assert_eq!(fs::metadata(sandbox.file("grows")).unwrap().len(), TURNS);
}

#[test]
fn a_page_has_the_picture_and_no_home() {
    if !can_hook() {
        return;
    }
    let sandbox = planted("access(\"one.json\", R_OK);");
    let mut command = sandbox.fathom("what-if --time 1 --format html -o cost.html --twice access");
    let code = command.args(["--", "./app", "--token=abcdefghij0123456789"]).output().unwrap().status.code();
    assert!(matches!(code, Some(0 | 3)), "{code:?}");
    let page = fs::read_to_string(sandbox.file("cost.html")).unwrap();
    // A busy machine may bear no answer, and has no picture then.
    let has_no = |time: &str| page.contains(&format!("{time}: no answer:"));
    let is_refused = has_no("once more") || has_no("wall time") && has_no("CPU time");
    for row in ["nothing, twice", "each once more", "each 3 times more"] {
        assert_eq!(page.contains(row), !is_refused, "{row}");
    }
    assert!(page.contains("call-cost.json"));
    assert!(!page.contains("abcdefghij0123456789"), "a page is for others");
}

#[test]
fn a_delay_reaches_what_may_not_be_made_again() {
    if !can_hook() {
        return;
    }
    let sandbox = planted(
        "if (turn % 8 == 0) { int f = open(\"grows\", O_WRONLY|O_CREAT|O_APPEND, 0600); fdatasync(f); close(f); }",
    );
    let answer = answer(&sandbox, &["--slower", "fdatasync=1ms"], &[0, 3]);
    let meant = TURNS.div_ceil(8);
    assert_eq!(calls(&answer, "fdatasync")["meant"].as_u64(), Some(meant));
    for run in answer["runs"].as_array().unwrap() {
        let [amount, times, slept] =
            ["amount", "times", "treated_ns"].map(|key| run[key].as_u64().unwrap_or(0));
        assert!(times == if amount == 0 { 0 } else { meant - 1 } || times == meant, "{run}");
        assert!(slept >= times * amount, "{run}");
    }
}

#[test]
fn programs_that_others_calls_would_change_are_refused() {
    if !can_hook() {
        return;
    }
    let traps = [
        // Its output.
        (
            "struct timespec t; access(\"one.json\", R_OK); if (turn == 1) { clock_gettime(CLOCK_MONOTONIC, &t); printf(\"%ld\\n\", t.tv_nsec); }",
            "standard output was not the same",
        ),
        (
            "access(\"one.json\", R_OK); if (turn == 1) fprintf(stderr, \"%d\\n\", getpid());",
            "standard error was not the same",
        ),
        // How it ends.
        (
            "struct timespec t; access(\"one.json\", R_OK); if (turn == 5) { clock_gettime(CLOCK_MONOTONIC, &t); exit(t.tv_nsec / 1000 % 250); }",
            "did not end alike",
        ),
        // How many calls it makes: until a time is over.
        (
            "static struct timespec b, t; if (!turn) clock_gettime(CLOCK_MONOTONIC, &b); access(\"one.json\", R_OK); clock_gettime(CLOCK_MONOTONIC, &t); if ((t.tv_sec - b.tv_sec) * 1000000000L + t.tv_nsec - b.tv_nsec < 40000000L) turn = 0;",
            "from run to run|other calls of its own",
        ),
        (
            "struct timespec t; access(\"one.json\", R_OK); if (!turn) { clock_gettime(CLOCK_MONOTONIC, &t); for (long n = t.tv_nsec % 997; n > 0; n--) access(\"one.json\", R_OK); }",
            "from run to run|other calls of its own",
        ),
    ];
    for (turn, reason) in traps {
        let sandbox = planted(turn);
        let refused = refusal(&answer(&sandbox, &["--twice", "access"], &[3]));
        assert!(reason.split('|').any(|reason| refused.contains(reason)), "{turn}: {refused}");
    }
}

#[test]
fn a_pattern_without_calls_is_said() {
    if !can_hook() {
        return;
    }
    let sandbox = planted("access(\"one.json\", R_OK);");
    let refused = refusal(&answer(&sandbox, &["--without", "access(*.toml)"], &[3]));
    assert!(refused.contains("no call that is meant was made"), "{refused}");
    sandbox.fathom("what-if --without R999 -- ./app").assert().code(2).stderr(says("there is no rule R999"));
    sandbox
        .fathom("what-if --without accss -- ./app")
        .assert()
        .code(2)
        .stderr(says("did you mean `access`?"));
    sandbox.fathom("what-if --twice access --as nfs:1ms -- ./app").assert().code(2);
    sandbox.fathom("what-if -- ./app").assert().code(2);
}

#[test]
fn what_a_killed_run_left_goes_with_the_next_and_what_is_in_use_stays() {
    if !can_hook() {
        return;
    }
    let sandbox = planted("if (!turn) { close(open(\"begun\", O_CREAT|O_WRONLY, 0600)); sleep(600); }");
    fs::create_dir(sandbox.file("temporary")).unwrap();
    let temporary = sandbox.file("temporary");
    let variables = [("TMPDIR", temporary.to_str().unwrap())];
    let begun = |_: &Running<'_>| sandbox.file("begun").exists().then_some(());
    let mut killed = Running::start_with(&sandbox, "what-if --twice access -- ./app", &variables);
    killed.wait_for("the first run", begun);
    let left = sandbox.scratch_directories();
    assert_eq!(left.len(), 1, "{left:?}");
    killed.signal(Signal::KILL);
    assert_eq!(killed.end().signal, Some(9));
    assert!(left[0].exists(), "nobody could remove it");
    fs::remove_file(sandbox.file("begun")).unwrap();
    let mut living = Running::start_with(&sandbox, "what-if --twice access -- ./app", &variables);
    living.wait_for("the next run", begun);
    assert!(!left[0].exists(), "the next run removes it");
    let in_use = sandbox.scratch_directories();
    assert_eq!(in_use.len(), 1, "{in_use:?}");
    let other = sandbox.fathom("what-if --twice access -- true").env("TMPDIR", &temporary).output().unwrap();
    assert_eq!(other.status.code(), Some(3), "{other:?}");
    assert_eq!(sandbox.scratch_directories(), in_use);
    living.signal(Signal::INT);
    assert_eq!(living.end().code, Some(130));
    sandbox.assert_nothing_left();
}

#[test]
fn a_run_alone_ends_with_a_killed_fathom() {
    if !can_hook() {
        return;
    }
    // In the runs with a tracer there is nothing to wait for: those the kernel ends with the tracer.
    let sandbox = planted(
        "access(\"one.json\", R_OK); if (!turn && !system(\"grep -q 'TracerPid:.0$' /proc/$PPID/status\")) \
         { close(open(\"alone\", O_CREAT|O_WRONLY, 0600)); sleep(600); }",
    );
    let mut killed = Running::start(&sandbox, "what-if --twice access -- ./app");
    killed.wait_for("a run without a tracer", |_| sandbox.file("alone").exists().then_some(()));
    assert!(!killed.descendants().is_empty(), "it sleeps");
    killed.signal(Signal::KILL);
    assert_eq!(killed.end().signal, Some(9));
    let begun = Instant::now();
    while !sandbox.processes().is_empty() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{:?} live on", sandbox.processes());
        std::thread::sleep(Duration::from_millis(5));
    }
}
