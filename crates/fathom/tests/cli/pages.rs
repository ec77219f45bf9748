//! What `fathom` alone, `list`, `doctor` and `--help` tell.

use crate::capability::{Capability, has};
use crate::sandbox::Sandbox;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const OPERATIONS: [&str; 5] = ["null", "open-close", "open-read-close", "read-whole", "read-block"];
const ENTRIES: [&str; 7] =
    ["open-all", "read-all", "open-go", "open-pread-go", "small-go", "small-sweep", "places"];

/// Standard output of a command that must succeed.
pub(crate) fn output_of(sandbox: &Sandbox, command: &str) -> String {
    let assert = sandbox.fathom(command).assert().code(0);
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[test]
fn alone_it_begins_with_three_commands_to_try() {
    let sandbox = Sandbox::new();
    let text = output_of(&sandbox, "");
    assert!(text.starts_with("Three commands to try:\n  fathom "), "{text}");
    let commands = text.lines().skip(1).take_while(|line| line.starts_with("  fathom "));
    assert_eq!(commands.count(), 3, "{text}");
    assert!(text.contains("Usage: fathom"), "{text}");
}

#[test]
fn help_documents_every_command_and_every_exit_code() {
    let sandbox = Sandbox::new();
    let help = output_of(&sandbox, "--help");
    for word in
        ["bench", "list", "show", "doctor", "driver", "  0 ", "  1 ", "  2 ", "  3 ", "  4 ", "  130 "]
    {
        assert!(help.contains(word), "{word}:\n{help}");
    }
    sandbox.fathom("--version").assert().code(0).stdout(starts_with("fathom 0."));
    sandbox.fathom("bench -h").assert().code(0).stdout(contains("--methods"));
}

#[test]
fn list_shows_entries_on_one_page_and_how_to_see_the_rest() {
    let sandbox = Sandbox::new();
    let text = output_of(&sandbox, "list");
    for word in ENTRIES.iter().chain(&["list methods", "list claims"]) {
        assert!(text.contains(word), "{word}:\n{text}");
    }
    assert!(text.lines().count() < 50 && !text.contains("native:open"), "{text}");
    assert_eq!(fs::read_dir(sandbox.path()).unwrap().count(), 0, "list writes nothing here");
    for (what, has, has_not) in [
        ("entries", "open-go", "native:open"),
        ("operations", OPERATIONS[4], "open-go"),
        ("methods --no-build", "native:open", "Entries"),
        ("methods go --no-build", "go:os.Open", "native:open"),
        ("claims open-go", "cloexec-saves-calls", "places"),
        ("--claims", "memfd-bypasses-page-cache", "native:open"),
        ("--drivers", "python", "native:open"),
    ] {
        sandbox
            .fathom(&format!("list {what}"))
            .assert()
            .code(0)
            .stdout(contains(has).and(contains(has_not).not()));
    }
    for (what, said) in [
        ("methods goo", "did you mean `go`?"),
        ("claims xyzzy", "nothing to list is called `xyzzy`"),
        ("entries open-go", "only claims and methods are narrowed by names"),
    ] {
        sandbox.fathom(&format!("list {what}")).assert().code(2).stderr(contains(said));
    }
}

#[test]
fn list_says_which_methods_can_run_here() {
    if !has(Capability::Go) {
        return;
    }
    let text = output_of(&Sandbox::new(), "list methods");
    assert!(text.contains("Methods of native (Rust and C library; "), "{text}");
    assert!(text.contains("Methods of go (Go; go1."), "{text}");
}

#[test]
fn doctor_looks_at_machine_rights_drivers_and_places() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("other")).unwrap();
    let text = output_of(&sandbox, "doctor --dir . --dir other --dir missing");
    for word in [
        "Machine\n",
        "kernel",
        "clock",
        "Measuring\n",
        "system-call counts",
        "pinning to a CPU",
        "drop-caches",
        "Drivers\n",
        "native",
        "go",
        "Place .\n",
        "Place other\n",
        "Place missing\n",
        "Place memfd\n",
        "file system",
        "data written           yes",
        "warm state             yes, and it can be proven",
        "cold state",
        "Records\n",
    ] {
        assert!(text.contains(word), "{word}:\n{text}");
    }
    let missing = text.split("Place missing\n").nth(1).unwrap();
    assert!(missing.trim_start().starts_with("unavailable") && missing.contains("No such file"), "{missing}");
    let records = sandbox.file("data").join("fathom/records");
    assert!(text.contains(&records.display().to_string()), "{text}");
    sandbox.assert_nothing_left();
    assert_eq!(fs::read_dir(sandbox.path()).unwrap().count(), 1, "only `other` is here");
}

#[test]
fn doctor_builds_nothing() {
    let sandbox = Sandbox::new();
    let ran = sandbox.fathom("doctor --full").env("FATHOM_CACHE_DIR", sandbox.file("cache")).assert().code(0);
    let text = String::from_utf8_lossy(&ran.get_output().stdout).into_owned();
    assert!(text.contains("not tried yet, built on first use"), "{text}");
    let built = fs::read_dir(sandbox.file("cache").join("drivers")).into_iter().flatten();
    assert_eq!(built.count(), 0, "{text}");
}

#[test]
fn doctor_does_not_wait_for_a_toolchain_that_hangs() {
    let sandbox = Sandbox::new();
    let go = sandbox.write("go", "#!/bin/sh\nexec sleep 1000\n");
    fs::set_permissions(&go, PermissionsExt::from_mode(0o755)).unwrap();
    let ran = sandbox.fathom("doctor").env("FATHOM_GO", &go).assert().code(0);
    let text = String::from_utf8_lossy(&ran.get_output().stdout).into_owned();
    let line = text.lines().find(|line| line.starts_with("  go ")).unwrap();
    assert!(line.contains("not known: no answer in time") && line.contains("doctor --full"), "{text}");
}

#[test]
fn color_comes_only_when_asked_for() {
    let sandbox = Sandbox::new();
    sandbox
        .fathom("bench open-close --methods native:open,native:openat --time 0.05 -o r.json")
        .assert()
        .code(0);
    let plain = output_of(&sandbox, "show r.json");
    assert!(!plain.contains('\u{1b}'), "{plain}");
    let colored = output_of(&sandbox, "show r.json --color always");
    assert!(colored.contains("\u{1b}["), "{colored}");
    assert_eq!(output_of(&sandbox, "show r.json --color never"), plain);
}
