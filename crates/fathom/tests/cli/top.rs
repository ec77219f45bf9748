//! `fathom top`: counts are exact, waits are those that were made, and its end is clean.

use crate::capability::{Capability, has};
use crate::running::Running;
use crate::sandbox::{Sandbox, says};
use crate::terminal::OnTerminal;
use predicates::str::is_empty;
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};

/// A shell that does what it is given line by line, and ends with its input.
fn shell(sandbox: &Sandbox) -> Child {
    sandbox
        .plain_command("sh")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn counting<'a>(sandbox: &'a Sandbox, words: &str) -> Running<'a> {
    let mut top = Running::start(sandbox, words);
    top.wait_for("the count's beginning", |_| {
        fs::read_to_string(sandbox.file("stderr")).ok().filter(|said| said.contains("counting the calls of"))
    });
    top
}

fn sum(calls: &Value, of: impl Fn(&Value) -> bool, what: &str) -> u64 {
    let rows = calls["rows"].as_array().unwrap();
    rows.iter().filter(|row| of(row)).map(|row| row[what].as_u64().unwrap()).sum()
}

#[test]
fn counts_of_a_process_are_those_of_its_own_loop_and_end_with_it() {
    if !has(Capability::Ring) {
        return;
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    sandbox.write("data/file", "content");
    let mut shell = shell(&sandbox);
    let top = counting(&sandbox, &format!("top --pid {} --format json", shell.id()));
    let mut lines = shell.stdin.take().unwrap();
    for _ in 0..101 {
        lines.write_all(b"true < data/file\n").unwrap();
    }
    for _ in 0..7 {
        lines.write_all(b"true < data/missing\n").unwrap();
    }
    drop(lines);
    shell.wait().unwrap();
    // Nobody ends it.
    let ended = top.end();
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let calls: Value = serde_json::from_str(&ended.out).unwrap();
    let directory = sandbox.file("data").canonicalize().unwrap();
    let opens = |row: &Value| row["call"] == "openat" && row["process"] == shell.id();
    let in_directory =
        |row: &Value| opens(row) && row["directory"].as_str().map(Into::into) == Some(directory.clone());
    assert_eq!(sum(&calls, in_directory, "calls"), 101, "{calls:#}");
    let unknown = |row: &Value| opens(row) && row["target"] == "unknown";
    assert_eq!((sum(&calls, unknown, "calls"), sum(&calls, unknown, "failed")), (7, 7), "{calls:#}");
    assert_eq!((calls["is_over"].as_bool(), calls["uncounted"].as_u64()), (Some(true), Some(0)));
}

#[test]
fn a_sync_that_is_delayed_is_a_wait_of_that_length() {
    if !has(Capability::Ring) || !has(Capability::Fuse) || !has(Capability::SystemPython) {
        return;
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("data")).unwrap();
    // It stays for several looks: once its mount is gone, nothing names its directory.
    let program = "import os, time\nfor n in range(3):\n    f = open(f'data/{n}', 'w')\n    f.write('x')\n    f.flush()\n    \
                   os.fsync(f.fileno())\ntime.sleep(0.5)\n";
    sandbox.write("program.py", program);
    let top = counting(&sandbox, "top --all --interval 0.1 --format json");
    let words = "what-if --as rtt=20ms --over data --measure -- /usr/bin/python3 -I program.py";
    sandbox.fathom(words).assert().code(0);
    top.signal(Signal::INT);
    let ended = top.end();
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let calls: Value = serde_json::from_str(&ended.out).unwrap();
    let rows = calls["rows"].as_array().unwrap();
    // Some runs went over the delay and some beside it: these are another mount's.
    let is_delayed = |row: &&Value| {
        let directory = row["directory"].as_str().unwrap_or_default();
        row["call"] == "fsync"
            && directory.ends_with("/data")
            && row["file_system"] == "fuse"
            && row["p50_ns"].as_u64().unwrap() >= 20_000_000
    };
    let delayed = rows.iter().find(is_delayed);
    let delayed = delayed.unwrap_or_else(|| {
        panic!("{:#?}", rows.iter().filter(|row| row["call"] == "fsync").collect::<Vec<_>>())
    });
    assert!(delayed["waited_ns"].as_u64().unwrap() >= 3 * 20_000_000, "{delayed}");
    assert!(delayed["took_ns"].as_u64() >= delayed["waited_ns"].as_u64(), "{delayed}");
}

#[test]
fn what_cannot_be_counted_is_said_with_the_reason() {
    let sandbox = Sandbox::new();
    fs::set_permissions(sandbox.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let refused = |words: &str| sandbox.fathom(words).assert().code(2).stdout(is_empty());
    refused("top --pid 99999999").stderr(says("/proc/99999999"));
    refused("top").stderr(says("--pid <PID>|--all"));
    refused("top --all --pid 1").stderr(says("cannot be used with"));
    refused("top --all --seconds 0").stderr(says("between 0.1 and a year"));
    if has(Capability::Ring) {
        let program = crate::sandbox::program();
        let mut elsewhere = sandbox.command("unshare");
        elsewhere.args(["--pid", "--fork", program, "top", "--all"]);
        elsewhere.assert().code(2).stdout(is_empty()).stderr(says("a PID namespace of its own"));
        sandbox
            .command_of_nobody(program)
            .args(["top", "--all"])
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(says("it needs CAP_BPF and CAP_PERFMON"));
    }
}

#[test]
fn what_the_table_has_no_room_for_is_counted_and_said() {
    const DIRECTORIES: u64 = 9000;
    if !has(Capability::Ring) || !has(Capability::SystemPython) {
        return;
    }
    let sandbox = Sandbox::new();
    for number in 0..DIRECTORIES {
        fs::create_dir_all(sandbox.file(&format!("many/{number}"))).unwrap();
    }
    let program = format!(
        "import os\ninput()\nfor n in range({DIRECTORIES}):\n    os.close(os.open(f'many/{{n}}', os.O_RDONLY))\n"
    );
    let mut python = sandbox.plain_command("/usr/bin/python3");
    let mut python = python.args(["-I", "-c", &program]).stdin(Stdio::piped()).spawn().unwrap();
    let top = counting(&sandbox, &format!("top --pid {} --format json --interval 600", python.id()));
    python.stdin.take().unwrap().write_all(b"\n").unwrap();
    python.wait().unwrap();
    let ended = top.end();
    let calls: Value = serde_json::from_str(&ended.out).unwrap();
    let in_many = |row: &Value| {
        row["call"] == "openat" && row["directory"].as_str().is_some_and(|path| path.contains("/many/"))
    };
    let (counted, uncounted) = (sum(&calls, in_many, "calls"), calls["uncounted"].as_u64().unwrap());
    assert!(uncounted > 0 && counted > 4000, "{counted} {uncounted}");
    // A few calls of other kinds found no room either.
    assert!((DIRECTORIES..DIRECTORIES + 50).contains(&(counted + uncounted)), "{counted} {uncounted}");
}

#[test]
fn a_view_ends_by_q_and_leaves_a_table() {
    if !has(Capability::Ring) {
        return;
    }
    for columns in [80, 120] {
        let sandbox = Sandbox::new();
        let mut shell = shell(&sandbox);
        let mut lines = shell.stdin.take().unwrap();
        let words = format!("top --pid {} --interval 0.2", shell.id());
        let mut view = OnTerminal::start(&sandbox, &words, (columns, 24), true);
        // Nothing yet; afterwards there is something in every stretch.
        view.wait_for("no calls");
        lines.write_all(b"while true < .; do sleep 0.01; done\n").unwrap();
        view.wait_for("openat");
        view.press(b"q");
        let left = view.end();
        shell.kill().unwrap();
        shell.wait().unwrap();
        assert_eq!(left.code, Some(0), "{}", left.screen);
        assert!(left.screen.starts_with("process ") && left.screen.contains("openat"), "{}", left.screen);
        assert!(!left.screen.contains('q') || !left.screen.ends_with('q'), "not echoed: {}", left.screen);
        assert!(!left.hid_cursor);
    }
}
