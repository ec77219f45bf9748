//! Places that cannot be used, wholly or in part: full, read-only, not there,
//! in memory, without direct I/O.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, program, says};
use assert_cmd::assert::Assert;
use fathom_model::Record;
use predicates::prelude::PredicateBooleanExt;
use std::fs;

/// Runs `fathom` where `mnt` is a file system of its own, mounted with
/// `options`. `listed` then holds the names left on it.
fn with_mount(sandbox: &Sandbox, options: &str, words: &str) -> Assert {
    fs::create_dir_all(sandbox.file("mnt")).unwrap();
    let script = format!(
        "mount {options} none mnt && {{ {} {words}; code=$?; ls -A mnt > listed; exit $code; }}",
        program()
    );
    sandbox.command("unshare").args(["-rm", "sh", "-c", &script]).assert()
}

fn reasons(record: &Record) -> Vec<&str> {
    record.experiments[0].unmeasured.iter().map(|item| item.reason.as_str()).collect()
}

#[test]
fn a_directory_that_cannot_be_one_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("file", "");
    for (dir, words) in [
        ("missing", "error: failed to use missing: open missing: No such file"),
        ("file", "error: failed to use file: open file: Not a directory"),
        ("/proc", "error: cannot create a scratch directory in /proc: "),
    ] {
        let assert = sandbox.fathom(&format!("bench open-close --methods native:open --dir {dir}")).assert();
        let said = String::from_utf8_lossy(&assert.code(2).get_output().stderr).into_owned();
        assert!(said.contains(words), "{said}");
        assert_eq!(said.matches("error: ").count(), 1, "{said}");
        assert_eq!(said.contains("hint: name another directory with --dir"), dir == "/proc", "{said}");
        assert_eq!(said.matches(" in /proc").count() + said.matches("open ").count(), 1, "said once: {said}");
    }
    sandbox.assert_nothing_left();
}

#[test]
fn a_read_only_place_is_named() {
    if !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    with_mount(&sandbox, "-t tmpfs -o ro", "bench open-close --methods native:open --dir mnt")
        .code(2)
        .stderr(says("cannot create a scratch directory in").and(says("Read-only file system")));
}

#[test]
fn a_full_place_is_told_with_figures_and_nothing_ran() {
    if !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    let words =
        "bench read-whole --methods native:pread,native:read --size 4MiB --dir mnt --time 0.2 -o r.json";
    with_mount(&sandbox, "-t tmpfs -o size=1m", words)
        .code(4)
        .stdout(says("not measured").and(says("no space for the data set")));
    assert_eq!(fs::read_to_string(sandbox.file("listed")).unwrap(), "", "nothing stays on the full place");
    let record = sandbox.record("r.json");
    assert_eq!(reasons(&record).len(), 2);
    assert!(reasons(&record).iter().all(|reason| reason.contains("it needs 4194304 bytes, ")), "{record:?}");
}

#[test]
fn beside_a_full_place_the_others_are_measured() {
    if !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    let words = "bench read-whole --methods native:pread --size 4MiB --dir mnt --dir . --time 0.2 -o r.json";
    with_mount(&sandbox, "-t tmpfs -o size=1m", words).code(0);
    assert_eq!(fs::read_to_string(sandbox.file("listed")).unwrap(), "");
    let record = sandbox.record("r.json");
    assert_eq!(record.experiments[0].comparisons.len(), 1);
    assert_eq!(reasons(&record).len(), 1);
    sandbox.assert_nothing_left();
}

#[test]
fn a_place_where_no_directory_can_be_made_is_an_error() {
    if !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    let words = "bench read-whole --methods native:pread --dir mnt --time 0.2 -o r.json";
    with_mount(&sandbox, "-t tmpfs -o nr_inodes=1", words)
        .code(2)
        .stderr(says("cannot create a scratch directory in").and(says("No space left on device")));
    assert_eq!(fs::read_to_string(sandbox.file("listed")).unwrap(), "");
}

#[test]
fn more_files_than_there_can_be_are_refused_with_figures() {
    if !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    let words = "bench open-close --methods native:open --files 100 --dir mnt --time 0.2 -o r.json";
    with_mount(&sandbox, "-t tmpfs -o nr_inodes=50", words).code(4).stdout(says("too many files for"));
    assert_eq!(fs::read_to_string(sandbox.file("listed")).unwrap(), "");
}

#[test]
fn a_record_that_does_not_fit_is_kept_elsewhere() {
    if !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    let words = "bench open-close --methods native:open --time 0.05 -o mnt/r.json";
    fs::create_dir(sandbox.file("tmp")).unwrap();
    let script =
        format!("export TMPDIR=$PWD/tmp; mount -t tmpfs -o size=4k none mnt && exec {} {words}", program());
    fs::create_dir(sandbox.file("mnt")).unwrap();
    let assert = sandbox.command("unshare").args(["-rm", "sh", "-c", &script]).assert();
    assert
        .code(2)
        .stdout(says("native:open"))
        .stderr(says("failed to write the record to mnt/r.json").and(says("hint: it was kept in")));
    let kept: Vec<_> =
        fs::read_dir(sandbox.file("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [path] = kept.as_slice() else { panic!("{kept:?}") };
    sandbox.fathom("show").arg(path).assert().code(0).stdout(says("native:open"));
}

#[test]
fn cold_in_memory_is_unmeasured_with_the_reason() {
    let sandbox = Sandbox::new();
    let words =
        "bench open-close --methods native:open,native:openat --cache cold --dir memfd --time 0.2 -o r.json";
    sandbox.fathom(words).assert().code(4).stdout(says("there is no cold state"));
    if has(Capability::Namespaces) {
        let words = words.replace("memfd", "mnt");
        with_mount(&sandbox, "-t tmpfs", &words).code(4).stdout(says("there is no cold state"));
        assert_eq!(reasons(&sandbox.record("r.json")).len(), 2);
    }
}

#[test]
fn a_place_without_direct_io_leaves_those_methods_out() {
    if !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    let words = "bench open-close --methods native:open,native:open+O_DIRECT --dir mnt --time 0.2 -o r.json";
    with_mount(&sandbox, "-t ramfs", words).code(0).stdout(says("not measured: native:open+O_DIRECT: "));
    let record = sandbox.record("r.json");
    assert_eq!(record.experiments[0].comparisons[0].variants.len(), 1);
    assert!(reasons(&record)[0].contains("EINVAL") || reasons(&record)[0].contains("O_DIRECT"), "{record:?}");
    assert_eq!(fs::read_to_string(sandbox.file("listed")).unwrap(), "");
}
