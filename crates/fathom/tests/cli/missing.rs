//! What a machine may lack: a toolchain, the right to trace, the right to drop
//! caches. The rest runs, and the reason stands in the record and on the screen.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, program, says};
use fathom_model::{Reading, Record};
use predicates::prelude::PredicateBooleanExt;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A Perl program that runs its arguments where ptrace fails with EPERM, as
/// container runtimes arrange it.
pub(crate) const DENY_PTRACE: &str = r"
    my ($seccomp, $ptrace) = `uname -m` =~ /aarch64/ ? (277, 117) : (317, 101);
    my $program = pack('SCCL' x 4, 0x20,0,0,0,  0x15,0,1,$ptrace,  6,0,0,0x50001,  6,0,0,0x7fff0000);
    my $filter = pack('Sx![P]P', 4, $program);
    my $prctl = `uname -m` =~ /aarch64/ ? 167 : 157;
    syscall($prctl, 38, 1, 0, 0, 0) == 0 or die 'no_new_privs: ', $!;
    syscall($seccomp, 1, 0, $filter) == 0 or die 'seccomp: ', $!;
    exec @ARGV or die $!;
";

const BRIEF: &str = "bench open-close --methods native:open,native:openat --time 0.2 -o r.json";

/// The search path without the directories in which `program` is.
fn path_without(program: &str) -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::env::split_paths(&path).filter(|folder| !folder.join(program).exists()))
        .unwrap()
}

fn assert_times_without_counts(record: &Record, reason: &str) {
    let comparison = &record.experiments[0].comparisons[0];
    assert!(record.complete && !comparison.forks.is_empty());
    assert!(comparison.summaries.iter().all(|summary| summary.value().is_some()));
    for counts in &comparison.counts {
        let Reading::Unavailable(said) = counts else { panic!("counts under another tracer: {counts:?}") };
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
#[ignore = "long"]
fn without_go_the_rest_runs_and_the_reason_is_told() {
    let sandbox = Sandbox::new();
    let cache = sandbox.file("cache");
    let command = "bench open-close --methods native:open,go:os.Open --time 0.2 -o r.json";
    sandbox
        .fathom(command)
        .env("PATH", path_without("go"))
        .env("FATHOM_CACHE_DIR", &cache)
        .env_remove("FATHOM_GO")
        .assert()
        .code(0)
        .stdout(says("no `go` found (set FATHOM_GO to name one)"));
    let record = sandbox.record("r.json");
    let experiment = &record.experiments[0];
    assert_eq!(experiment.comparisons[0].variants.len(), 1);
    assert!(!experiment.comparisons[0].forks.is_empty());
    assert_eq!(experiment.unmeasured[0].method.to_string(), "go:os.Open");
    assert!(
        record.warnings.iter().any(|warning| warning.code == "driver-unavailable"),
        "{:?}",
        record.warnings
    );
    sandbox.assert_nothing_left();
}

#[test]
#[ignore = "long"]
fn when_only_go_is_asked_for_and_missing_nothing_ran() {
    let sandbox = Sandbox::new();
    sandbox
        .fathom("bench open-close --methods go:os.Open,go:syscall.Open --time 0.2 -o r.json")
        .env("FATHOM_GO", "/no/such/go")
        .assert()
        .code(4)
        .stdout(says("not measured").and(says("no `go` found (set FATHOM_GO to name one)")));
    assert_eq!(sandbox.record("r.json").experiments[0].unmeasured.len(), 2);
    sandbox
        .fathom("list methods")
        .env("FATHOM_GO", "/no/such/go")
        .assert()
        .code(0)
        .stdout(says("unavailable: no `go`"));
    sandbox
        .fathom("doctor --full")
        .env("FATHOM_GO", "/no/such/go")
        .assert()
        .code(0)
        .stdout(says("unavailable: no `go`"));
    sandbox
        .fathom("driver check go")
        .env("FATHOM_GO", "/no/such/go")
        .assert()
        .code(2)
        .stderr(says("no `go` found"));
}

#[test]
fn a_compiler_that_fails_is_quoted() {
    let sandbox = Sandbox::new();
    let script = "#!/bin/sh\ncase $1 in version) echo go version go1.99 test/none;; *) echo 'disk on fire' >&2; exit 1;; esac\n";
    let go = sandbox.write("go", script);
    std::fs::set_permissions(&go, PermissionsExt::from_mode(0o755)).unwrap();
    sandbox
        .fathom("bench open-close --methods go:os.Open --time 0.2 -o r.json")
        .env("FATHOM_GO", &go)
        .assert()
        .code(4)
        .stdout(says("failed to build the go").and(says("disk on fire")));
}

#[test]
fn without_rustc_the_native_driver_inside_the_program_serves() {
    let sandbox = Sandbox::new();
    sandbox
        .fathom(BRIEF)
        .env("PATH", path_without("rustc"))
        .env("FATHOM_CACHE_DIR", sandbox.file("cache"))
        .env_remove("RUSTC")
        .assert()
        .code(0);
    let record = sandbox.record("r.json");
    assert_eq!(record.drivers[0].toolchain, "built into fathom");
    let itself = Path::new(program()).canonicalize().unwrap();
    assert!(
        record.drivers[0].program.starts_with(&itself.display().to_string()),
        "{}",
        record.drivers[0].program
    );
    let comparison = &record.experiments[0].comparisons[0];
    assert_eq!(comparison.variants.len(), 2);
    assert!(!comparison.forks.is_empty());
}

#[test]
#[ignore = "long"]
fn below_another_tracer_there_are_times_and_no_counts() {
    if !has(Capability::Strace) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox
        .command("strace")
        .args(["-f", "-o", "/dev/null", program()])
        .args(BRIEF.split_whitespace())
        .assert()
        .code(0)
        .stdout(says("already traced by pid"));
    assert_times_without_counts(&sandbox.record("r.json"), "already traced by pid");
    sandbox.assert_nothing_left();
}

#[test]
fn where_a_filter_denies_ptrace_there_are_times_and_no_counts() {
    if !has(Capability::Seccomp) {
        return;
    }
    let sandbox = Sandbox::new();
    let below = |words: &str| {
        let mut command = sandbox.command("perl");
        command.args(["-e", DENY_PTRACE, program()]).args(words.split_whitespace());
        command
    };
    below(BRIEF).assert().code(0).stdout(says("ptrace is refused and a seccomp filter is active"));
    assert_times_without_counts(&sandbox.record("r.json"), "seccomp filter is active");
    let doctor = below("doctor").assert().code(0);
    doctor.stdout(says("system-call counts     unavailable: ptrace is refused"));
}

#[test]
fn only_root_may_drop_caches() {
    let sandbox = Sandbox::new();
    let words = "bench open-close --methods native:open --cache cold --drop-caches";
    let assert = if rustix::process::geteuid().is_root() {
        // A copy that anybody may run, in a folder that anybody may enter.
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        let copy = folder.path().join("fathom");
        std::fs::copy(program(), &copy).unwrap();
        let mut command = sandbox.command_of_nobody(copy);
        command.args(words.split_whitespace()).current_dir("/").assert()
    } else {
        sandbox.fathom(words).assert()
    };
    assert.code(2).stderr(
        says("only root may write /proc/sys/vm/drop_caches").and(says("hint: leave --drop-caches out")),
    );
}
