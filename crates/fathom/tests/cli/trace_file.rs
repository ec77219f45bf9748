//! `fathom trace` and `fathom audit --from`: what was kept is judged as it would have been live.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::is_empty;
use serde_json::Value;
use std::fs;

/// Looks before each open, asks each open file twice, and fails.
const PROGRAM: &str = "\
import os, sys
for number in range(30):
    os.stat(f'data/{number}')
    file = os.open(f'data/{number}', os.O_RDONLY)
    os.fstat(file)
    os.fstat(file)
    os.read(file, 100)
    os.close(file)
print('done')
sys.exit(7)
";
const PYTHON: &str = "/usr/bin/python3 -S -E program.py";

fn with_program() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    for number in 0..30 {
        fs::write(sandbox.file(&format!("data/{number}")), "some words").unwrap();
    }
    sandbox.write("program.py", PROGRAM);
    sandbox
}

/// An audit without what differs from run to run: process numbers, times, what is said about it.
fn comparable(json: &[u8]) -> Value {
    let mut audit: Value = serde_json::from_slice(json).unwrap();
    for key in ["about", "created"] {
        audit.as_object_mut().unwrap().remove(key);
    }
    for part in ["findings", "trifles"] {
        for finding in audit[part].as_array_mut().into_iter().flatten() {
            finding["place"]["process"] = Value::Null;
            for call in finding["example"].as_array_mut().unwrap() {
                call["thread"] = Value::Null;
            }
        }
    }
    audit
}

#[test]
fn what_was_kept_is_judged_as_live_and_the_command_keeps_its_streams_and_exit() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = with_program();
    let audit = |words: &str| {
        let output = sandbox.fathom(&format!("audit --format json {words}")).output().unwrap();
        comparable(output.stdout.strip_prefix(b"done\n").unwrap_or(&output.stdout))
    };
    let captures = if has(Capability::Ring) { &["ptrace", "ring"][..] } else { &["ptrace"] };
    for capture in captures {
        let words = format!("trace --capture {capture} -o kept.events -- {PYTHON}");
        sandbox.fathom(&words).assert().code(7).stdout("done\n").stderr(is_empty());
        let live = audit(&format!("--no-lines --capture {capture} -- {PYTHON}"));
        let kept = audit("--from kept.events");
        assert!(live["findings"].as_array().unwrap().len() >= 2, "{live}");
        assert_eq!(kept, live, "{capture}");
        assert_eq!(kept["command"]["exit_code"], 7);
        let piped = sandbox.shell("fathom audit --format json --from - < kept.events");
        assert_eq!(comparable(&piped.stdout), live);
    }
    sandbox
        .fathom("audit --from kept.events")
        .assert()
        .stdout(says("ended exit 7").and(says("in kept.events on")));
    sandbox.assert_nothing_left();
}

#[test]
fn a_log_of_strace_is_kept_too() {
    if !has(Capability::SystemPython) || !has(Capability::Strace) {
        return;
    }
    let sandbox = with_program();
    let strace = sandbox.shell(&format!("strace -f -y -v -tt -o log {PYTHON}"));
    assert_eq!(strace.status.code(), Some(7));
    sandbox.fathom("trace --strace log -o kept.events").assert().code(0);
    let judged = |words: &str| {
        let output = sandbox.fathom(&format!("audit --format json {words}")).output().unwrap();
        comparable(&output.stdout)
    };
    assert_eq!(judged("--from kept.events"), judged("--strace log"));
}

#[test]
fn an_interrupt_keeps_what_was_seen() {
    let sandbox = Sandbox::new();
    let script = "fathom trace -o kept.events -- sh -c 'touch begun; exec sleep 60' & trace=$!\n\
                  while [ ! -e begun ]; do sleep 0.05; done\n\
                  kill -TERM $trace; wait $trace; echo $?";
    let output = sandbox.shell(script);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "143\n");
    let text = sandbox.fathom("audit --from kept.events").output().unwrap().stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("cut       interrupted by SIGTERM"), "{text}");
    sandbox.assert_nothing_left();
}

#[test]
#[ignore = "long"]
fn a_file_cut_short_says_so_and_a_full_disk_keeps_what_fits_beside_the_good_one() {
    let sandbox = Sandbox::new();
    // Some thousand calls, so that there are several frames.
    let many = "for n in $(seq 6000); do echo word > out; done";
    let ran = sandbox.shell(&format!("fathom trace -o kept.events -- sh -c '{many}'"));
    assert!(ran.status.success());
    let whole = fs::read(sandbox.file("kept.events")).unwrap();
    fs::write(sandbox.file("cut.events"), &whole[..whole.len() - 40]).unwrap();
    let text = sandbox.fathom("audit --from cut.events").output().unwrap().stdout;
    assert!(String::from_utf8_lossy(&text).contains("the file is cut short: "));
    // In blocks of 512 bytes; the command itself writes less.
    let most = whole.len() * 3 / 4 / 512;
    // The limit's signal kills whom it finds unprepared.
    let small = format!("ulimit -f {most}; fathom trace -o kept.events -- sh -c '{many}'");
    let output = sandbox.shell(&small);
    assert_eq!(fs::read(sandbox.file("kept.events")).unwrap(), whole, "the good file stays");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("failed to write kept.events: File too large"), "{message}");
    assert!(message.contains("`fathom audit --from kept.events.cut`"), "{message}");
    let text = sandbox.fathom("audit --from kept.events.cut").output().unwrap().stdout;
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("cut short") && !text.contains(", 0 file calls"), "{text}");
    sandbox.assert_nothing_left();
    // Nothing fits: nothing is kept, and nobody is told that it is.
    let output = sandbox.shell("ulimit -f 0; fathom trace -o kept.events -- true");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && message.contains("File too large"), "{message}");
    assert_eq!(fs::read(sandbox.file("kept.events")).unwrap(), whole);
    assert!(!sandbox.file("kept.events.cut1").exists());
}

#[test]
fn files_are_for_whom_the_umask_lets_in() {
    let sandbox = Sandbox::new();
    for (mask, mode) in [("077", 0o600), ("022", 0o644), ("027", 0o640)] {
        let words = "trace -o t.events -- true && fathom audit --from t.events -o a.txt";
        let output = sandbox.shell(&format!("umask {mask}; fathom {words}"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for name in ["t.events", "a.txt"] {
            let found = fs::metadata(sandbox.file(name)).unwrap().permissions();
            assert_eq!(std::os::unix::fs::PermissionsExt::mode(&found) & 0o777, mode, "{name}");
        }
    }
}

#[test]
fn mistakes_are_named() {
    let sandbox = Sandbox::new();
    sandbox.fathom("trace -o kept.events -- true").assert().code(0);
    let whole = fs::read(sandbox.file("kept.events")).unwrap();
    let damaged = |at: usize, name: &str| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(sandbox.file(name), bytes).unwrap();
    };
    damaged(8, "newer");
    damaged(whole.len() - 4, "damaged");
    fs::write(sandbox.file("stub"), &whole[..20]).unwrap();
    sandbox.write("foreign", "{\"schema_version\": 1}");
    let refused = |words: &str| sandbox.fathom(words).assert().code(2).stdout(is_empty());
    refused("audit --from newer").stderr(says("its form is version 20, this Fathom reads versions 1 to 4"));
    refused("audit --from damaged").stderr(says("checksum").and(says("damaged after")));
    refused("audit --from stub").stderr(says("it ends before its header is whole"));
    refused("audit --from foreign")
        .stderr(says("this is no file of events").and(says("`fathom trace -o FILE")));
    refused("audit --from missing").stderr(says("failed to open missing"));
    refused("audit --from kept.events -- true").stderr(says("cannot be used with"));
    refused("trace -o nowhere/x -- true").stderr(says("there is no directory nowhere"));
    refused("trace -o x -- ./no-such-program").stderr(says("no-such-program"));
    refused("trace -o x").stderr(says("there is nothing to"));
    assert!(!sandbox.file("x").exists(), "nothing is left of a trace that never began");
    sandbox.assert_nothing_left();
}
