//! `open-write-whatif`: the one call is elided, nothing else changes, and
//! without the library or a compiler for it the reason is told.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says, workspace};
use fathom_model::{CountPass, Record};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The forms that the C library gives fstat on different machines.
const FSTATS: [&str; 3] = ["fstat", "newfstatat", "statx"];
const NATIVE: [&str; 2] = ["native:open+O_WRONLY+fstat", "native:open+O_WRONLY+fstat-fstat"];

/// The JDKs of this machine, each once.
fn jdks() -> BTreeSet<PathBuf> {
    let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten().filter_map(Result::ok);
    let homes = installed.filter_map(|entry| entry.path().canonicalize().ok());
    homes.filter(|home| home.join("bin/javac").is_file()).collect()
}

/// The library, built as Fathom builds it.
fn library(sandbox: &Sandbox) -> PathBuf {
    let library = sandbox.file("library.so");
    let source = workspace().join("drivers/interposer/elide_fstat.c");
    let words = ["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o"];
    sandbox.command("cc").args(words).arg(&library).arg(source).arg("-ldl").assert().code(0);
    library
}

fn bench(sandbox: &Sandbox, methods: &[String]) -> Record {
    let methods = methods.join(",");
    let words = "--set preload=elide-fstat --size 0 --time 0.05 -o record.json";
    sandbox
        .fathom(&format!(
            "bench open-write-close --methods {methods} --baseline {} {words}",
            methods.split(',').next().unwrap()
        ))
        .assert()
        .code(0);
    sandbox.record("record.json")
}

/// Calls of one operation. A virtual machine opens and asks for files of its own
/// now and then, by which a rate is a little off; native code does not.
fn calls(pass: &CountPass, slack: f64) -> BTreeMap<&str, u64> {
    let mut calls = BTreeMap::new();
    for count in &pass.inside {
        let each = count.per_operation();
        assert!((each - each.round()).abs() <= slack, "{count:?}");
        if each.round() > 0.0 {
            calls.insert(count.call.as_str(), format!("{each:.0}").parse().unwrap());
        }
    }
    calls
}

/// Of each pair, the second makes one fstat less in the same process and answers the same.
fn check_pairs(record: &Record, pairs: usize, slack: f64) {
    let experiment = &record.experiments[0];
    let comparison = &experiment.comparisons[0];
    assert_eq!(comparison.variants.len(), 2 * pairs, "{:?}", experiment.unmeasured);
    for at in (0..comparison.variants.len()).step_by(2) {
        let name = &comparison.variants[at].method;
        assert_eq!(comparison.arms[at].seat, comparison.arms[at + 1].seat, "{name}: one process");
        let [plain, elided] = [at, at + 1].map(|at| calls(comparison.counts[at].value().unwrap(), slack));
        let fstats: u64 = FSTATS.iter().filter_map(|call| plain.get(call)).sum();
        assert_eq!(fstats, 1, "{name}: {plain:?}");
        let mut expected = plain;
        expected.retain(|call, _| !FSTATS.contains(call));
        assert_eq!(expected, BTreeMap::from([("openat", 1), ("close", 1)]), "{name}");
        assert_eq!(elided, expected, "{name}");
    }
}

/// Opens with `O_WRONLY` of certain paths that succeeded, and how many of them the
/// same thread followed by an fstat, from the logs of `strace -ff`. (Behind an
/// open with `O_RDWR` a program may ask for the length by an fstat of its own.)
fn opens_and_fstats(logs: &Path, is_ours: &dyn Fn(&str) -> bool) -> (usize, usize) {
    let (mut opens, mut fstats) = (0, 0);
    for entry in fs::read_dir(logs).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let path = line.split('"').nth(1).unwrap_or_default();
            let opens_it = line.starts_with("openat(") && line.contains("O_WRONLY") && is_ours(path);
            if !opens_it || line.contains(" = -1 ") {
                continue;
            }
            opens += 1;
            let next = lines.get(at + 1).and_then(|next| next.split('(').next()).unwrap_or_default();
            fstats += usize::from(FSTATS.contains(&next));
        }
    }
    (opens, fstats)
}

#[test]
fn in_native_code_exactly_the_fstat_is_gone() {
    let sandbox = Sandbox::new();
    let record = bench(&sandbox, &NATIVE.map(str::to_owned));
    check_pairs(&record, 1, 0.0);
    sandbox.assert_nothing_left();
}

#[test]
#[ignore = "long"]
fn in_every_jdk_exactly_the_fstat_is_gone() {
    if !has(Capability::Java) {
        return;
    }
    for home in jdks() {
        let sandbox = Sandbox::new();
        let ways = ["FileOutputStream", "RandomAccessFile+rw"];
        let pair = |way: &str| [way.to_owned(), format!("{way}-fstat")];
        let methods = ways.into_iter().flat_map(pair);
        let record =
            bench(&sandbox, &methods.map(|m| format!("java@{}:{m}", home.display())).collect::<Vec<_>>());
        check_pairs(&record, 2, 0.1);
        agrees_with_strace(&sandbox, &record);
        sandbox.assert_nothing_left();
    }
}

/// The driver run by hand under strace, without marks.
fn agrees_with_strace(sandbox: &Sandbox, record: &Record) {
    if !has(Capability::Strace) {
        return;
    }
    let library = library(sandbox);
    let file = sandbox.write("file-for-strace", "");
    let path = file.to_str().unwrap();
    for (method, fstats_expected) in [("FileOutputStream", 151), ("FileOutputStream-fstat", 0)] {
        let logs = sandbox.file(&format!("logs-{method}"));
        fs::create_dir(&logs).unwrap();
        sandbox
            .command("strace")
            .args(["-ff", "-qq", "-e", "signal=none", "-o"])
            .arg(logs.join("log"))
            .arg("-E")
            .arg(format!("LD_PRELOAD={}", library.display()))
            .args(record.drivers[0].program.split(' '))
            .args(["run", "--operation", "open-write-close", "--method", method, "--path", path])
            .write_stdin("batch 101 preroll=50\nquit\n")
            .assert()
            .code(0);
        assert_eq!(opens_and_fstats(&logs, &|name| name == path), (151, fstats_expected), "{method}");
    }
}

/// One run of Behavior.java: with the library or without, the switch on or off.
fn behavior(sandbox: &Sandbox, home: &Path, name: &str, switch: &str, library: Option<&Path>) -> String {
    let folder = sandbox.file(name);
    fs::create_dir_all(folder.join("work")).unwrap();
    let run = |command: &mut assert_cmd::Command| {
        command.current_dir(folder.join("work"));
        let output =
            command.arg("-cp").arg(sandbox.file("classes")).args(["Behavior", switch]).assert().code(0);
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let java = home.join("bin/java");
    let Some(library) = library else { return run(&mut sandbox.command(java)) };
    if !has(Capability::Strace) {
        return run(sandbox.command(java).env("LD_PRELOAD", library));
    }
    let logs = folder.join("logs");
    fs::create_dir(&logs).unwrap();
    let mut command = sandbox.command("strace");
    command.args(["-ff", "-qq", "-e", "signal=none", "-o"]).arg(logs.join("log"));
    command.arg("-E").arg(format!("LD_PRELOAD={}", library.display())).arg(java);
    let said = run(&mut command);
    // java.io's opens of the cases; what is prepared for them goes through java.nio.
    let (opens, fstats) = opens_and_fstats(&logs, &|path| ["made", "new", "/dev/null"].contains(&path));
    assert_eq!((opens, fstats), (5, if switch == "on" { 0 } else { 5 }), "{name}");
    said
}

#[test]
fn what_java_does_is_the_same_without_the_fstat() {
    if !has(Capability::Java) {
        return;
    }
    for home in jdks() {
        let sandbox = Sandbox::new();
        let library = library(&sandbox);
        let source = workspace().join("crates/fathom/tests/cli/whatif/Behavior.java");
        sandbox
            .command(home.join("bin/javac"))
            .arg("-d")
            .arg(sandbox.file("classes"))
            .arg(source)
            .assert()
            .code(0);
        let without = behavior(&sandbox, &home, "without", "off", None);
        let made = behavior(&sandbox, &home, "made", "off", Some(&library));
        let elided = behavior(&sandbox, &home, "elided", "on", Some(&library));
        assert!(without.starts_with("the library obeys: false\n"), "{without}");
        assert_eq!(made, without.replacen("false", "true", 1), "the library by itself changes nothing");
        assert_eq!(elided, made, "{}", home.display());
        for line in [
            "write directory: java.io.FileNotFoundException: directory (Is a directory)",
            "update link-to-directory: java.io.FileNotFoundException: link-to-directory (Is a directory)",
            "append missing/file: java.io.FileNotFoundException: missing/file (No such file or directory)",
            "add: written, 0123456789abc",
            "change: from 10 to 10, abc3456789",
        ] {
            assert!(elided.lines().any(|said| said == line), "{line}: {elided}");
        }
    }
}

#[test]
fn without_the_library_nothing_can_be_elided_and_the_reason_is_told() {
    let sandbox = Sandbox::new();
    let words =
        format!("bench open-write-close --methods {} --size 0 --time 0.05 -o r.json", NATIVE.join(","));
    let reason = "open+O_WRONLY+fstat-fstat needs the library elide-fstat before the C library (preload)";
    sandbox.fathom(&words).assert().code(0).stdout(says(reason));
    let experiment = &sandbox.record("r.json").experiments[0];
    assert_eq!(experiment.comparisons[0].variants.len(), 1);
    assert!(experiment.unmeasured[0].reason.contains(reason), "{:?}", experiment.unmeasured);
}

#[test]
#[ignore = "long"]
fn without_a_c_compiler_there_is_no_library_and_the_rest_runs() {
    let sandbox = Sandbox::new();
    let words = "bench open-write-whatif --quick --methods native:open+O_WRONLY+fstat,native:open+O_WRONLY";
    sandbox
        .fathom(&format!("{words} --time 0.05 -o r.json"))
        .env("CC", "/no/such/cc")
        .env("FATHOM_CACHE_DIR", sandbox.file("cache"))
        .assert()
        .code(0)
        .stdout(says("no `cc` found (set CC to name one)"));
    let experiment = &sandbox.record("r.json").experiments[0];
    assert!(experiment.comparisons.iter().any(|comparison| !comparison.forks.is_empty()));
    assert!(!experiment.unmeasured.is_empty());
}

#[test]
fn the_next_fstat_in_the_thread_is_elided_and_no_other() {
    let sandbox = Sandbox::new();
    let library = library(&sandbox);
    let source = workspace().join("crates/fathom/tests/cli/whatif/sequences.c");
    let program = sandbox.file("sequences");
    sandbox
        .command("cc")
        .args(["-Wall", "-Wextra", "-Werror", "-pthread", "-o"])
        .arg(&program)
        .arg(source)
        .assert()
        .code(0);
    let said = |preload: bool| {
        let mut command = Command::new(&program);
        command.current_dir(sandbox.path());
        if preload {
            command.env("LD_PRELOAD", &library);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(said(false).lines().all(|line| line.ends_with(": asked")), "{}", said(false));
    let elided: Vec<String> =
        said(true).lines().filter_map(|line| line.strip_suffix(": elided")).map(str::to_owned).collect();
    assert_eq!(elided, ["after O_WRONLY", "after O_RDWR"], "{}", said(true));
}
