//! `fathom data`: sets that stay, from outside: made, interrupted, killed,
//! listed, checked, used by a run, and removed.

use crate::capability::{Capability, has};
use crate::pages::output_of;
use crate::running::Running;
use crate::sandbox::{Sandbox, says};
use fathom_model::Record;
use predicates::prelude::PredicateBooleanExt;
use rustix::process::Signal;
use std::fs;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// Enough that a signal arrives while it is written.
const LARGE: &str = "data make --size 512MiB --name large";

/// Waits until some of a large set is there, and far from all.
fn while_written(running: &mut Running<'_>, sandbox: &Sandbox) {
    let file = sandbox.file("fathom-data-large/data-000000");
    running.wait_for("data", |_| {
        let size = fs::metadata(&file).ok()?.len();
        (1 << 20..256 << 20).contains(&size).then_some(())
    });
}

/// The sets in the sandbox, by their directories.
fn folders(sandbox: &Sandbox) -> Vec<PathBuf> {
    let entries = fs::read_dir(sandbox.path()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

fn unmeasured(record: &Record) -> Vec<&str> {
    record.experiments.iter().flat_map(|e| &e.unmeasured).map(|item| item.reason.as_str()).collect()
}

#[test]
fn a_set_is_made_listed_checked_and_removed() {
    let sandbox = Sandbox::new();
    let text = output_of(&sandbox, "data make --size 1MiB --files 3 --block 4KiB --content log-lines");
    for word in
        ["log-lines-3x1MiB", "768 calls of write(2), 4 KiB each\n", "3145728 (3 MiB)", "wall time", "MB/s"]
    {
        assert!(text.contains(word), "{word}:\n{text}");
    }
    let listed = output_of(&sandbox, "data list");
    for word in ["3 files of 1 MiB, log-lines", "in blocks of 4 KiB, sync fsync", "whole: every file"] {
        assert!(listed.contains(word), "{word}:\n{listed}");
    }
    sandbox
        .fathom("data list --check")
        .assert()
        .code(0)
        .stdout(says("every byte is the one that was written"));
    sandbox.fathom("data make --size 1MiB --files 3 --content log-lines").assert().code(2).stderr(
        says("fathom-data-log-lines-3x1MiB exists already").and(says("hint: `fathom data list` shows")),
    );
    sandbox.fathom("data remove log-lines-3x1MiB").assert().code(0).stdout(says("(3 files)"));
    assert_eq!(folders(&sandbox), Vec::<PathBuf>::new());
    sandbox.fathom("data list").assert().code(0).stdout(says("no data set in ."));
}

#[test]
fn its_writes_are_as_many_as_strace_sees() {
    if !has(Capability::Strace) {
        return;
    }
    let sandbox = Sandbox::new();
    let fathom = crate::sandbox::program();
    let words = "-f -y -e trace=write -o calls";
    let make = "data make --size 100001 --files 3 --block 8KiB --name traced --sync none";
    let mut strace = sandbox.command("strace");
    strace.args(words.split_whitespace()).arg(fathom).args(make.split_whitespace());
    strace.assert().code(0).stdout(says("39 calls of write(2), 8 KiB each, the last of a file shorter"));
    let calls = fs::read_to_string(sandbox.file("calls")).unwrap();
    let of_data: Vec<_> = calls.lines().filter(|line| line.contains("/data-00000")).collect();
    assert_eq!(of_data.len(), 39, "{calls}");
    // A call during which another thread is heard of stands in two lines; the path is in the first.
    let asked = |length: &str| {
        let ends = [format!(", {length})"), format!(", {length} <unfinished")];
        of_data.iter().filter(|line| ends.iter().any(|end| line.contains(end.as_str()))).count()
    };
    assert_eq!((asked("8192"), asked("1697")), (36, 3), "{calls}");
    sandbox.fathom("data list --check").assert().code(0).stdout(says("every byte"));
}

#[test]
fn mistakes_are_named() {
    let sandbox = Sandbox::new();
    for (command, words) in [
        ("data make", "--size"),
        ("data make --size 4k", "did you mean `4 KiB`?"),
        ("data make --size 1 --block 0", "--block: `0` is out of range"),
        ("data make --size 1 --block 65MiB", "a block holds from 1 byte to 64 MiB"),
        ("data make --size 1 --files 0", "--files: `0` is out of range"),
        ("data make --size 8388608TiB --files 4", "--size and --files together are out of range"),
        ("data make --size 1 --content randm", "did you mean `random`?"),
        ("data make --size 1 --name ../x", "`../x` is no name of a data set"),
        ("data make --size 1 --dir nowhere", "nowhere: No such file"),
        ("data make --size 1048576TiB", "no space for the data set"),
        ("data list --dir nowhere", "nowhere: No such file"),
        ("data remove nothing", "there is no data set `nothing` in ."),
        ("bench read-whole --data ../x", "is no name of a data set"),
    ] {
        sandbox.fathom(command).assert().code(2).stderr(says(words));
        assert_eq!(folders(&sandbox), Vec::<PathBuf>::new(), "{command}");
    }
    output_of(&sandbox, "data make --size 1 --name mine");
    sandbox.fathom("data remove mien").assert().code(2).stderr(says("did you mean `mine`?"));
}

#[test]
fn an_interrupted_set_is_gone() {
    for signal in [Signal::INT, Signal::TERM] {
        let sandbox = Sandbox::new();
        let mut running = Running::start(&sandbox, LARGE);
        while_written(&mut running, &sandbox);
        running.signal(signal);
        let ended = running.end();
        assert_eq!(ended.code, Some(130), "{}{}", ended.out, ended.err);
        assert!(ended.err.contains("interrupted") && ended.out.is_empty(), "{}{}", ended.out, ended.err);
        assert_eq!(folders(&sandbox), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_killed_set_is_told_and_removed_when_asked() {
    let sandbox = Sandbox::new();
    let mut running = Running::start(&sandbox, LARGE);
    while_written(&mut running, &sandbox);
    sandbox.fathom("data remove large").assert().code(2).stderr(says("is in use by another process"));
    sandbox.fathom("data list").assert().code(0).stdout(says("another process makes it now"));
    running.signal(Signal::KILL);
    assert_eq!(running.end().signal, Some(9));
    let told = says("UNFINISHED").and(says("`fathom data remove large` removes it"));
    sandbox.fathom("data list --check").assert().code(0).stdout(told);
    sandbox.fathom(LARGE).assert().code(2).stderr(says("exists already"));
    let bench = "bench read-whole --methods native:pread --size 512MiB --data large --time 0.1 -o r.json";
    sandbox.fathom(bench).assert().code(4);
    assert!(unmeasured(&sandbox.record("r.json"))[0].contains("was never finished"));
    sandbox.fathom("data remove large").assert().code(0);
    assert_eq!(folders(&sandbox), Vec::<PathBuf>::new());
}

#[test]
fn a_full_disk_is_told_and_left_clean() {
    if !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("tiny")).unwrap();
    // What is promised at first is taken by another while the set is written: the limit shrinks.
    let script = "mount -t tmpfs -o size=600m tmpfs tiny || exit 77
        \"$0\" data make --size 5GiB --dir tiny 2>at-first; echo $? >>codes
        \"$0\" data make --size 512MiB --dir tiny --name m 2>meanwhile & pid=$!
        until [ -s tiny/fathom-data-m/data-000000 ]; do :; done
        mount -o remount,size=1m tiny 2>/dev/null || dd if=/dev/zero of=tiny/filler bs=1M 2>/dev/null
        wait $pid; echo $? >>codes; ls tiny >left";
    let mut shell = sandbox.command("unshare");
    shell.args(["-rm", "sh", "-c", script, crate::sandbox::program()]).assert().code(0);
    let read = |name: &str| fs::read_to_string(sandbox.file(name)).unwrap();
    assert_eq!(read("codes"), "2\n2\n", "{}{}", read("at-first"), read("meanwhile"));
    assert!(read("at-first").contains("no space for the data set"), "{}", read("at-first"));
    assert!(read("meanwhile").contains("no space for the data set"), "{}", read("meanwhile"));
    assert!(!read("left").contains("fathom-data"), "{}", read("left"));
}

#[test]
fn damage_and_foreign_files_are_findings() {
    let sandbox = Sandbox::new();
    output_of(&sandbox, "data make --size 10000 --files 2 --name hurt");
    let file = fs::OpenOptions::new().write(true).open(sandbox.file("fathom-data-hurt/data-000001")).unwrap();
    file.write_all_at(b"not the right bytes at all", 5000).unwrap();
    sandbox.fathom("data list").assert().code(0);
    let damage = says("DAMAGED").and(says("data-000001: the byte at offset 500"));
    sandbox.fathom("data list --check").assert().code(1).stdout(damage);
    file.set_len(1).unwrap();
    sandbox.fathom("data list").assert().code(1).stdout(says("data-000001 has 1 bytes of 10000"));
    let thesis = sandbox.write("fathom-data-hurt/thesis.txt", "years of work");
    sandbox.fathom("data list").assert().stdout(says("not of the data set: thesis.txt"));
    sandbox.fathom("data remove hurt").assert().code(1).stdout(says("untouched: thesis.txt"));
    assert_eq!(fs::read_to_string(thesis).unwrap(), "years of work");
    assert_eq!(fs::read_dir(sandbox.file("fathom-data-hurt")).unwrap().count(), 1);
}

#[test]
fn a_run_reads_the_set_it_is_given_and_lets_it_stay() {
    let sandbox = Sandbox::new();
    output_of(&sandbox, "data make --size 1MiB --name mine --seed 7");
    let file = sandbox.file("fathom-data-mine/data-000000");
    let before = fs::read(&file).unwrap();
    let run = |words: &str| {
        let command = format!("bench {words} --data mine --time 0.2 -o r.json");
        let assert = sandbox.fathom(&command).assert();
        (assert.get_output().status.code(), sandbox.record("r.json"))
    };
    let (code, record) = run("read-whole --methods native:pread,native:mmap --size 1MiB");
    assert_eq!((code, unmeasured(&record)), (Some(0), Vec::new()));
    assert!(!record.experiments[0].comparisons[0].forks.is_empty());
    let (code, record) = run("read-whole --methods native:pread --size 1MiB,2MiB");
    assert_eq!(code, Some(0), "what fits is measured");
    let other = "the data set `mine` is 1 file of 1 MiB, random, and 1 file of 2 MiB, random is asked for";
    assert_eq!(unmeasured(&record), [other]);
    for (words, reason) in [
        ("read-whole --methods native:pread --size 1MiB --dir memfd", "not in memory"),
        ("read-whole --methods native:pread --size 1MiB --content pattern", "pattern is asked for"),
        ("open-write-close --methods native:* --size 1MiB", "empty the files that they open"),
        ("open-close --methods native:open --size 1MiB --set symlinks=2", "where they lie"),
    ] {
        let (code, record) = run(words);
        assert_eq!(code, Some(4), "{words}");
        assert!(unmeasured(&record).iter().all(|why| why.contains(reason)), "{:?}", unmeasured(&record));
    }
    assert!(fs::read(&file).unwrap() == before);
    sandbox.assert_nothing_left();
    sandbox.fathom("data list --check").assert().code(0).stdout(says("every byte"));
}

#[test]
fn the_examples_of_its_help_run() {
    let sandbox = Sandbox::new();
    let help = output_of(&sandbox, "data --help").replace("4GiB", "4MiB");
    let examples: Vec<_> = help.lines().filter_map(|line| line.strip_prefix("  fathom ")).collect();
    assert_eq!(examples.len(), 6, "{help}");
    for example in examples {
        let quick = if example.starts_with("bench") { " --time 0.2" } else { "" };
        let text = output_of(&sandbox, &format!("{example}{quick}"));
        assert!(!text.contains("Nothing was compared"), "{example}:\n{text}");
    }
}
