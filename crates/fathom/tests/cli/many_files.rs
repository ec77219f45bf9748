//! More files than fit on a command line: drivers are given a list of them.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, program, says};
use fathom_model::StopReason;

/// Enough for the 512 KiB that a stack of 2 MiB lets a command line have.
const FILES: u32 = 4000;

/// Every file is read in a batch, and each has content of its own: an answer that is right has read them all.
fn reads_all(capability: Capability, method: &str) {
    if !has(capability) {
        return;
    }
    let sandbox = Sandbox::new();
    // The limit on the stack is the one on the command line; a runtime needs some of it for itself.
    let words = format!(
        "ulimit -s 2048; exec {} bench read-whole --methods {method} --files {FILES} --size 20B \
         --set operations={FILES} --set warm-up=off --time 1 --dir . -o r.json",
        program()
    );
    sandbox.command("sh").args(["-c", &words]).assert().code(0);
    let record = sandbox.record("r.json");
    let experiment = &record.experiments[0];
    assert!(experiment.unmeasured.is_empty(), "{:?}", experiment.unmeasured);
    // A wrong answer ends the run; a cache state that does not hold beside other work does not.
    let comparison = &experiment.comparisons[0];
    assert!(!matches!(comparison.stop, StopReason::Failed(_)), "{:?}", comparison.stop);
    assert!(!comparison.forks.is_empty());
    sandbox.assert_nothing_left();
}

#[test]
fn rust_takes_a_list() {
    reads_all(Capability::Rust, "native:read");
}

#[test]
fn cpp_takes_a_list() {
    reads_all(Capability::Cpp, "cpp:std::fopen+fread");
}

#[test]
fn go_takes_a_list() {
    reads_all(Capability::Go, "go:os.Open+ReadAt");
}

#[test]
fn java_takes_a_list() {
    reads_all(Capability::Java, "java:FileChannel+read");
}

#[test]
fn zig_takes_a_list() {
    reads_all(Capability::Zig, "zig:std.posix.read");
}

#[test]
fn python_takes_a_list() {
    reads_all(Capability::Python, "python:open+rb+read");
}

#[test]
fn node_takes_a_list() {
    reads_all(Capability::Node, "node:fs.openSync+readSync");
}

#[test]
fn ranks_take_a_list() {
    if !has(Capability::Mpi) {
        return;
    }
    let sandbox = Sandbox::new();
    let words = format!(
        "ulimit -s 2048; exec {} bench read-whole --ranks 2 --files {FILES} --size 20B --set operations={FILES} \
         --time 1 --dir . -o r.json --launcher 'mpirun --allow-run-as-root --oversubscribe -n {{ranks}}'",
        program()
    );
    let assert = sandbox.command("sh").args(["-c", &words]).assert();
    assert.code(0).stdout(says("the same on all 2 ranks: close 1, newfstatat 1, openat 1, read 1"));
    sandbox.assert_nothing_left();
}
