//! Drivers that do what no driver should. Whatever one does, Fathom ends soon with an exit code of its
//! own, names the driver and what it did, and leaves nothing behind.

mod table;

use crate::running::{Ended, Running};
use crate::sandbox::{Sandbox, workspace};
use rustix::process::Signal;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use table::{HOSTILE, Hostile, Way};

/// Far more than any of them takes beside any load, and far less than for ever.
const LIMIT: Duration = Duration::from_mins(5);

/// A driver that does nothing wrong, as functions of a shell: each row redefines some.
const HONEST: &str = r#"#!/bin/sh
describe() { printf '%s\n' '{"protocol": 1, "driver": "bad", "language": "sh", "runtime": "sh", "methods": [{"name": "open", "operations": ["open-close"], "does": "opens"}, {"name": "null", "operations": ["null", "open-close"], "does": "nothing"}]}'; }
ready() { echo ready; }
# The time is a true one: that of as many opens by the shell.
timed() {
    left=$1 start=$(date +%s%N)
    while [ "$left" -gt 0 ]; do : <"$file"; left=$((left - 1)); done
    ns=$(($(date +%s%N) - start))
}
done_of() { printf 'done ops=%s ns=%s bytes=0 digest=0\n' "$1" "$ns"; }
batch() { timed "$1"; done_of "$1"; }
blocks() { for block in $*; do block=${block#*:}; timed "${block%%:*}"; done_of "${block%%:*}"; done; echo end; }
verify() { echo 'verified bytes=0 crc32=00000000'; }
release() { echo released; }
quit() { exit 0; }
serve() {
    while read -r word rest; do
        case $word in
        batch) batch $rest ;;
        blocks) blocks $rest ;;
        verify) verify ;;
        release) release ;;
        quit) quit ;;
        *) echo 'error op=protocol errno=EINVAL path=' ;;
        esac
    done
    exit 0
}
file_of() { while [ $# -gt 1 ]; do [ "$1" = --path ] && { echo "$2"; return; }; shift; done; }
"#;

/// What came of one: exit code, everything said, and how long it took.
struct End {
    code: Option<i32>,
    said: String,
    took: Duration,
}

fn put(sandbox: &Sandbox, row: &Hostile) {
    let text = format!(
        "{HONEST}{}\ncase $1 in\ndescribe) describe ;;\nrun) : >{}; file=$(file_of \"$@\"); ready; serve ;;\nesac\n",
        row.does,
        sandbox.file("begun").display()
    );
    let path = sandbox.write("driver", &text);
    fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
}

fn run(sandbox: &Sandbox, row: &Hostile) -> End {
    put(sandbox, row);
    let bench = "bench open-close --driver ./driver --methods bad:open --time 0.2 -o r.json";
    let begun = Instant::now();
    if row.way == Way::Interrupted {
        let mut running = Running::start(sandbox, bench);
        running.wait_for("a driver", |_| sandbox.file("begun").exists().then_some(()));
        // It may be in the middle of whatever it does.
        thread::sleep(Duration::from_secs(1));
        running.signal(Signal::INT);
        let Ended { code, out, err, .. } = running.end();
        return End { code, said: out + &err, took: begun.elapsed() };
    }
    let words = if row.way == Way::Check { "driver check ./driver" } else { bench };
    let script = format!("ulimit -v 4000000; timeout -s KILL 290 fathom {words} </dev/null");
    let output = sandbox.shell(&script);
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    End {
        code: output.status.code(),
        said: String::from_utf8_lossy(&said).into_owned(),
        took: begun.elapsed(),
    }
}

/// What a row has to show for it; empty where all is as it must be.
fn problems(row: &Hostile) -> Vec<String> {
    let sandbox = Sandbox::new();
    let End { code, said, took } = run(&sandbox, row);
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut problems = Vec::new();
    let mut must = |holds: bool, problem: String| {
        if !holds {
            problems.push(problem);
        }
    };
    must(
        code.is_some_and(|code| row.codes.contains(&code)),
        format!("exit code {code:?}, not of {:?}", row.codes),
    );
    must(words.contains(row.says), format!("does not say `{}`", row.says));
    // Who pressed Ctrl-C before anything was measured is told nothing.
    let is_named = words.contains("bad") || words.contains("driver") || row.way == Way::Interrupted;
    must(is_named, "does not name the driver".to_owned());
    must(!words.contains("panicked"), "panicked".to_owned());
    must(!said.contains(['\u{1b}', '\0', '\u{202e}']), "passes on what steers a terminal".to_owned());
    must(said.len() < 20_000, format!("says {} bytes", said.len()));
    must(took < LIMIT, format!("took {took:?}"));
    // Those killed last may not be gone at once.
    let waited = Instant::now();
    while !sandbox.processes().is_empty() && waited.elapsed() < Duration::from_mins(1) {
        thread::sleep(Duration::from_millis(20));
    }
    must(sandbox.processes().is_empty(), format!("leaves processes {:?}", sandbox.processes()));
    must(sandbox.scratch_directories().is_empty(), format!("leaves {:?}", sandbox.scratch_directories()));
    let what = row.what;
    problems.into_iter().map(|problem| format!("{what}: {problem}\n{said}")).collect()
}

#[test]
fn the_honest_driver_of_the_table_is_measured() {
    let sandbox = Sandbox::new();
    let row = Hostile { what: "honest", does: "", way: Way::Bench, codes: &[0], says: "bad:open" };
    let End { code, said, .. } = run(&sandbox, &row);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn an_interrupt_ends_the_wait_for_a_description() {
    let describes = "describe() { : >begun; sleep 1000; }";
    let row = Hostile { what: "silent", does: describes, way: Way::Interrupted, codes: &[130], says: "" };
    let budgets = workspace().join("docs/examples/gate/fathom-budgets.toml");
    let gate = format!("gate {} --driver ./driver", budgets.display());
    for words in ["driver check ./driver", "verify --driver ./driver open-go", gate.as_str()] {
        let sandbox = Sandbox::new();
        put(&sandbox, &row);
        let mut running = Running::start(&sandbox, words);
        running.wait_for("a driver", |_| sandbox.file("begun").exists().then_some(()));
        running.signal(Signal::INT);
        assert_eq!(running.end().code, Some(130), "{words}");
        sandbox.assert_nothing_left();
    }
}

#[test]
#[ignore = "long"]
fn hostile_drivers_end_in_words() {
    // Most of them wait.
    const AT_A_TIME: usize = 6;
    let next = AtomicUsize::new(0);
    let work = || {
        let rows = std::iter::from_fn(|| HOSTILE.get(next.fetch_add(1, Ordering::Relaxed)));
        rows.flat_map(problems).collect::<Vec<_>>()
    };
    let problems: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_A_TIME).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
