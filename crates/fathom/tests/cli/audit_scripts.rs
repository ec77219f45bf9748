//! Findings of scripts are told by the script's own line, read from the interpreter's memory, without any
//! option of the interpreter's: in every version that is here.

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::capability::{Capability, has};
use crate::runtimes::{captures, more};
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

const PYTHON: &[(&str, &str)] = &[("app.py", include_str!("audit_scripts/app.py"))];
const PHP: &[(&str, &str)] =
    &[("app.php", include_str!("audit_scripts/app.php")), ("lib.php", include_str!("audit_scripts/lib.php"))];
const RUBY: &[(&str, &str)] =
    &[("app.rb", include_str!("audit_scripts/app.rb")), ("lib.rb", include_str!("audit_scripts/lib.rb"))];
/// So often each place looks at its file; the first look is no waste.
const LOOKS: u64 = 12;

/// Every `CPython` from 3.8 on that is found here, with its minor version.
fn pythons() -> Vec<(PathBuf, u8)> {
    let mut found: Vec<PathBuf> =
        has(Capability::SystemPython).then(|| "/usr/bin/python3".into()).into_iter().collect();
    let root = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let root = root.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv")));
    let versions = root.and_then(|root| fs::read_dir(root.join("versions")).ok());
    found.extend(versions.into_iter().flatten().flatten().map(|version| version.path().join("bin/python3")));
    found.extend(more("python3"));
    found.sort();
    let version = |python: &PathBuf| {
        let script = "import sys; print(sys.implementation.name, sys.version_info[0], sys.version_info[1])";
        let said = Command::new(python).args(["-S", "-E", "-c", script]).output().ok()?;
        let said = String::from_utf8(said.stdout).ok()?;
        said.trim().strip_prefix("cpython 3 ")?.parse::<u8>().ok()
    };
    let known = found.into_iter().filter_map(|python| Some((version(&python)?, python)));
    known.filter(|(minor, _)| (8..=14).contains(minor)).map(|(minor, python)| (python, minor)).collect()
}

/// With these sources and a file for each of their marks.
fn sandbox(sources: &[(&str, &str)]) -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, text) in sources {
        sandbox.write(name, text);
        for (_, mark) in text.lines().filter_map(marked) {
            sandbox.write(&mark.to_lowercase(), "some words");
        }
    }
    sandbox
}

/// A line that ends in a comment of one word in capital letters, before and from that on.
fn marked(line: &str) -> Option<(&str, &str)> {
    let (code, mark) = line.split_once("# ").or_else(|| line.split_once("// "))?;
    mark.chars().all(char::is_uppercase).then_some((code, mark))
}

fn audited(sandbox: &Sandbox, options: &str, program: &[&str]) -> (Value, Option<i32>) {
    let mut command = sandbox.fathom(&format!("audit {options} --no-config --format json -o audit.json --"));
    let output = command.args(program).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{program:?}: {said}");
    (serde_json::from_slice(&fs::read(sandbox.file("audit.json")).unwrap()).unwrap(), output.status.code())
}

/// Of each finding of a rule in the sources: the file and the line, the function, and how often.
fn sites(audit: &Value, rule: &str, sources: &[(&str, &str)]) -> BTreeMap<(String, u64), (String, u64)> {
    let mut sites = BTreeMap::new();
    let findings = audit["findings"].as_array().into_iter().chain(audit["trifles"].as_array()).flatten();
    for finding in findings.filter(|finding| finding["rule"] == rule) {
        let frames = finding["place"]["frames"].as_array().cloned().unwrap_or_default();
        let Some(own) = frames.iter().find(|frame| frame["owner"] == "yours") else { continue };
        let name = own["file"].as_str().and_then(|file| file.rsplit('/').next()).unwrap_or_default();
        if !sources.iter().any(|(source, _)| *source == name) {
            continue;
        }
        let function = own["function"].as_str().unwrap().to_owned();
        let line = (name.to_owned(), own["line"].as_u64().unwrap());
        // What the runtime does of itself, as where it reads a source.
        if !sources.iter().any(|(source, text)| *source == line.0 && mark_of(text, line.1).is_some()) {
            assert_eq!(finding["owner"], "runtime", "{finding:#}");
            continue;
        }
        let site = (function, finding["count"].as_u64().unwrap());
        assert_eq!(sites.insert(line, site), None, "one line is one finding: {audit:#}");
    }
    sites
}

fn mark_of(text: &str, line: u64) -> Option<&str> {
    let line = text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    marked(line).map(|(_, mark)| mark)
}

/// Holds that each mark is found at its line, in these functions.
fn assert_marks(audit: &Value, sources: &[(&str, &str)], functions: &[(&str, &str)]) {
    let sites = sites(audit, "R15", sources);
    for (mark, function) in functions {
        let found = sites.iter().find(|((file, line), _)| {
            sources.iter().any(|(source, text)| source == file && mark_of(text, *line) == Some(mark))
        });
        let expected = ((*function).to_owned(), LOOKS - 1);
        assert_eq!(found.map(|(_, site)| site), Some(&expected), "{mark}: {sites:?}");
    }
    assert_eq!(sites.len(), functions.len(), "{sites:?}");
}

/// Holds that what editors and code hosts read has the line of a mark.
fn assert_shown(sandbox: &Sandbox, program: &[&str], (name, text): (&str, &str), mark: &str) {
    let line =
        text.lines().position(|line| marked(line).is_some_and(|(_, found)| found == mark)).unwrap() + 1;
    for capture in captures() {
        let shown = |form: &str| {
            let mut command = sandbox.fathom(&format!("audit {capture} --no-config --format {form} --"));
            String::from_utf8(command.args(program).output().unwrap().stdout).unwrap()
        };
        let short = shown("short");
        let place = |text: &str| text.split(": R15").next().unwrap_or_default().to_owned();
        let is_line = |place: String| place.ends_with(&format!("{name}:{line}"));
        assert!(short.lines().map(place).any(is_line), "{capture}: {short}");
        let sarif: Value = serde_json::from_str(&shown("sarif")).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        let is_there = |result: &Value| {
            let location = &result["locations"][0]["physicalLocation"];
            location["artifactLocation"]["uri"] == name && location["region"]["startLine"] == line
        };
        assert!(results.iter().any(is_there), "{capture}: {sarif:#}");
    }
}

#[test]
fn a_script_that_handles_the_stopping_signal_has_all_of_them_and_no_lines_by_the_ring() {
    if !has(Capability::Ring) || !has(Capability::SystemPython) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write(
        "urgent.py",
        "import os, signal\nseen = 0\ndef note(*_):\n    global seen\n    seen += 1\n\
         signal.signal(signal.SIGURG, note)\nfor _ in range(40):\n    os.kill(os.getpid(), signal.SIGURG)\n    \
         os.stat('.')\nos._exit(seen)\n",
    );
    let audit = |options: &str| audited(&sandbox, options, &["/usr/bin/python3", "-S", "-E", "urgent.py"]).0;
    let ring = audit("--capture ring");
    assert_eq!(ring["command"]["exit_code"], 40, "{ring:#}");
    let says = |audit: &Value| audit["about"].to_string().contains("it handles SIGURG");
    assert!(says(&ring) && !says(&audit("--no-lines --capture ring")), "{ring:#}");
    assert_eq!(sites(&ring, "R15", &[("urgent.py", "")]), BTreeMap::new());
}

#[test]
fn python_is_told_by_its_own_lines_in_every_version() {
    let pythons = pythons();
    if pythons.is_empty() {
        eprintln!("skipped: no CPython from 3.8 on is here");
    }
    let sandbox = sandbox(PYTHON);
    for (python, minor) in pythons {
        let qualified = |bare: &'static str, qualified| if minor >= 11 { qualified } else { bare };
        let functions = [
            ("METHOD", qualified("look", "Store.look")),
            ("NAME", "größe"),
            ("THREAD", qualified("work", "Store.work")),
            ("LINES", "over_lines"),
            ("CHILD", "main"),
            ("LIBRARY", "main"),
        ];
        for capture in captures() {
            let (audit, _) = audited(&sandbox, capture, &[python.to_str().unwrap(), "-S", "-E", "app.py"]);
            assert_marks(&audit, PYTHON, &functions);
        }
    }
}

#[test]
fn a_line_that_asks_a_few_times_after_thousands_of_others_is_told() {
    if !has(Capability::SystemPython) {
        return;
    }
    let often = "import os\nfor _ in range(5000):\n    os.stat('often')  # OFTEN\n";
    let source = format!("{often}for _ in range(12):\n    os.stat('seldom')  # SELDOM\n");
    let sources = [("late.py", source.as_str())];
    let sandbox = sandbox(&sources);
    for capture in captures() {
        let (audit, _) = audited(&sandbox, capture, &["/usr/bin/python3", "-S", "-E", "late.py"]);
        let site = |line, count| (("late.py".to_owned(), line), ("<module>".to_owned(), count));
        let expected = BTreeMap::from([site(3, 4_999), site(5, LOOKS - 1)]);
        assert_eq!(sites(&audit, "R15", &sources), expected, "{capture}");
    }
}

#[test]
fn a_script_that_a_wrapper_executes_ends_as_it_does_alone() {
    if !has(Capability::Ring) || !has(Capability::SystemPython) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write(
        "wait.py",
        "import os, time\nfor _ in range(50):\n    os.stat('.')\n    time.sleep(0.01)\nos._exit(7)\n",
    );
    let options = "audit --capture ring --no-config --format json -o audit.json --";
    // The process that was started executes another program, and then the script's.
    for wrapper in ["env", "sh -c 'exec \"$@\"' sh"] {
        let run = sandbox.shell(&format!("fathom {options} {wrapper} /usr/bin/python3 -S -E wait.py"));
        assert_eq!(run.status.code(), Some(0), "{wrapper}: {}", String::from_utf8_lossy(&run.stderr));
        let audit: Value = serde_json::from_slice(&fs::read(sandbox.file("audit.json")).unwrap()).unwrap();
        assert_eq!(audit["command"]["exit_code"], 7, "{wrapper}");
    }
}

#[test]
fn a_short_script_behind_shims_of_a_shell_has_its_line() {
    if !has(Capability::SystemPython) {
        return;
    }
    let source = "import os\nfor _ in range(12):\n    os.stat('short')  # SHORT\n";
    let sources = [("short.py", source)];
    let sandbox = sandbox(&sources);
    // As version managers have them: one executes the other, which makes a process of the script.
    for (name, text) in [
        ("shim", "#!/bin/sh\nexec ./inner \"$@\"\n"),
        ("inner", "#!/usr/bin/env sh\nenv /usr/bin/python3 -S -E \"$@\"\nexit $?\n"),
    ] {
        sandbox.write(name, text);
        fs::set_permissions(sandbox.file(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    for capture in captures() {
        for _ in 0..4 {
            let (audit, _) = audited(&sandbox, capture, &["./shim", "short.py"]);
            let expected = (("short.py".to_owned(), 3), ("<module>".to_owned(), LOOKS - 1));
            assert_eq!(sites(&audit, "R15", &sources), BTreeMap::from([expected]), "{capture}");
        }
    }
}

#[test]
fn python_lines_stand_where_editors_and_hosts_look_for_them() {
    let Some((python, _)) = pythons().pop() else { return };
    let program = [python.to_str().unwrap(), "-S", "-E", "app.py"];
    assert_shown(&sandbox(PYTHON), &program, PYTHON[0], "METHOD");
}

#[test]
fn php_is_told_by_its_own_lines() {
    if cfg!(not(target_arch = "x86_64")) || !has(Capability::Php) {
        return;
    }
    let (sandbox, program) = (sandbox(PHP), ["php", "app.php"]);
    let (_, code) = audited(&sandbox, "--no-lines", &program);
    let functions = [
        ("METHOD", "Store::look"),
        ("FUNCTION", "look"),
        ("CLOSURE", "{closure}"),
        ("LINES", "{main}"),
        ("CHILD", "{main}"),
        ("INCLUDED", "included"),
    ];
    for capture in captures() {
        let (audit, with) = audited(&sandbox, capture, &program);
        assert_marks(&audit, PHP, &functions);
        assert_eq!(code, with, "{capture}: lines decide nothing");
        let facts = audit["about"].as_array().unwrap();
        let is_without =
            |fact: &Value| fact["text"].as_str().is_some_and(|text| text.contains("has no lines"));
        assert!(!facts.iter().any(is_without), "{capture}: its lines are known: {facts:#?}");
    }
    assert_shown(&sandbox, &program, PHP[1], "INCLUDED");
}

#[test]
fn ruby_is_told_by_its_own_lines() {
    if cfg!(not(target_arch = "x86_64")) || !has(Capability::Ruby) {
        return;
    }
    let version = Command::new("ruby").args(["-e", "print RUBY_VERSION"]).output().unwrap().stdout;
    if !["3.0.", "3.1.", "3.2."].iter().any(|known| version.starts_with(known.as_bytes())) {
        eprintln!("skipped: the frames of this Ruby are not known");
        return;
    }
    let (sandbox, program) = (sandbox(RUBY), ["ruby", "app.rb"]);
    let (_, code) = audited(&sandbox, "--no-lines", &program);
    let functions = [
        ("METHOD", "block in look"),
        ("FUNCTION", "look"),
        ("THREAD", "block in work"),
        ("LINES", "block in <main>"),
        ("CHILD", "block (2 levels) in <main>"),
        ("REQUIRED", "block in required"),
    ];
    for capture in captures() {
        let (audit, with) = audited(&sandbox, capture, &program);
        assert_marks(&audit, RUBY, &functions);
        assert_eq!(code, with, "{capture}: lines decide nothing");
        let facts = audit["about"].as_array().unwrap();
        let is_without =
            |fact: &Value| fact["text"].as_str().is_some_and(|text| text.contains("has no lines"));
        assert!(!facts.iter().any(is_without), "{capture}: its lines are known: {facts:#?}");
    }
    assert_shown(&sandbox, &program, RUBY[1], "REQUIRED");
}
