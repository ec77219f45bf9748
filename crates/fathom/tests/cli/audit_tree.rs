//! `fathom audit --tree`: what runtimes ask for is attributed as the runtimes themselves say it, and to
//! the call.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// Packages of the fixture, and how often each looks for a module that is not there.
const PACKAGES: usize = 200;
const REQUIRES: usize = 18;
/// As it is, and with the endings that Node tries and the one that the program adds.
const LOOKUPS: usize = 5;

/// The tree of an audit by ptrace, and by the ring where that can be had; the rows add up in both.
fn trees(sandbox: &Sandbox, command: &str) -> Vec<Value> {
    let captures =
        ["ptrace", "ring"].into_iter().filter(|capture| *capture == "ptrace" || has(Capability::Ring));
    let tree = |capture: &str| {
        let words = format!(
            "audit --no-config --tree --capture {capture} --format json -o {capture}.json -- {command}"
        );
        // 1 says that there are findings.
        let code = sandbox.fathom(&words).output().expect("fathom runs").status.code();
        assert!(code.is_some_and(|code| code < 2), "{code:?} by {capture}");
        let text = fs::read_to_string(sandbox.file(&format!("{capture}.json"))).expect("the audit is there");
        let mut audit: Value = serde_json::from_str(&text).expect("the audit is JSON");
        let tree = audit["tree"].take();
        for key in ["calls", "failed", "bytes_read"] {
            let sum: u64 = all_rows(&tree).map(|row| number(&row[key])).sum();
            assert_eq!(sum, number(&tree[key]), "{key} by {capture}");
        }
        assert_eq!(tree["calls"], audit["events"], "{capture}");
        let unattributed = number(&tree["unattributed"]);
        assert!(unattributed * 100 <= number(&tree["calls"]), "{unattributed} by {capture}");
        tree
    };
    captures.map(tree).collect()
}

/// All rows.
fn all_rows(tree: &Value) -> impl Iterator<Item = &Value> {
    tree["rows"].as_array().expect("a tree has rows").iter()
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a count is a number")
}

/// Rows of a group.
fn rows<'a>(tree: &'a Value, group: &str) -> impl Iterator<Item = &'a Value> {
    all_rows(tree).filter(move |row| row["group"] == group)
}

#[test]
fn failing_lookups_of_two_hundred_packages_are_attributed_exactly() {
    if !has(Capability::Node) {
        return;
    }
    let sandbox = Sandbox::new();
    for package in 0..PACKAGES {
        let folder = format!("node_modules/package-{package}");
        fs::create_dir_all(sandbox.file(&folder)).unwrap();
        sandbox.write(&format!("{folder}/package.json"), "{\"main\": \"index.js\"}");
        let requires = format!(
            "for (let at = 0; at < {REQUIRES}; at++) {{\n  try {{ require('./missing-' + at); }} catch (error) {{\n    \
             if (error.code !== 'MODULE_NOT_FOUND') throw error;\n  }}\n}}\n"
        );
        sandbox.write(&format!("{folder}/index.js"), &requires);
    }
    let main = format!(
        "require.extensions['.ts'] = require.extensions['.js'];\n\
         for (let at = 0; at < {PACKAGES}; at++) require('./node_modules/package-' + at + '/index.js');\n"
    );
    sandbox.write("main.js", &main);
    for tree in trees(&sandbox, "node main.js") {
        let failed: Vec<_> = rows(&tree, "Node packages")
            .filter(|row| row["failed"] != 0)
            .map(|row| (row["item"].as_str().unwrap().to_owned(), row["failed"].as_u64().unwrap()))
            .collect();
        assert_eq!(failed.len(), PACKAGES, "{failed:?}");
        for (item, failed) in &failed {
            assert_eq!(
                (item.starts_with("package-"), *failed),
                (true, (REQUIRES * LOOKUPS) as u64),
                "{item}"
            );
        }
        assert_eq!(failed.iter().map(|(_, failed)| failed).sum::<u64>(), 18_000);
    }
}

#[test]
fn modules_of_python_are_those_that_importtime_names() {
    if !has(Capability::SystemPython) {
        return;
    }
    let sandbox = Sandbox::new();
    // What lies in no file of its own, Python says itself.
    sandbox.write(
        "main.py",
        "import json, http.client, sqlite3, sys\n\
         for name, module in sorted(sys.modules.items()):\n\
         \x20   if getattr(module.__spec__, 'origin', None) in (None, 'built-in', 'frozen'): print(name)\n",
    );
    let output = sandbox.shell("/usr/bin/python3 -B -I -S -X importtime main.py");
    let said = String::from_utf8(output.stderr).unwrap();
    let named: BTreeSet<_> = said.lines().filter_map(|line| line.rsplit('|').next()).map(str::trim).collect();
    let without_file = String::from_utf8(output.stdout).unwrap();
    let without_file: BTreeSet<_> = without_file.lines().collect();
    for module in ["json.decoder", "http.client", "sqlite3.dbapi2", "email.message", "_sqlite3"] {
        assert!(named.contains(module) && !without_file.contains(module), "{module} of {said}");
    }
    for tree in trees(&sandbox, "/usr/bin/python3 -B -I -S main.py") {
        let module = |row: &Value| match row["part"].as_str() {
            Some(part) => format!("{}.{part}", row["item"].as_str().unwrap()),
            None => row["item"].as_str().unwrap().to_owned(),
        };
        let found = rows(&tree, "Python standard library").map(module);
        let found: BTreeSet<_> = found.filter(|module| !module.starts_with('(')).collect();
        let found: BTreeSet<_> = found.iter().map(String::as_str).collect();
        let missing: Vec<_> = named
            .difference(&found)
            .filter(|module| !without_file.contains(*module) && **module != "imported package")
            .collect();
        assert!(missing.is_empty(), "not in the tree: {missing:?}");
        let other: Vec<_> = found.difference(&named).collect();
        assert!(other.is_empty(), "not imported: {other:?}");
    }
}

#[test]
fn slices_of_time_add_up_by_program_by_purpose_and_in_what_was_waited() {
    let sandbox = Sandbox::new();
    sandbox.write("run.sh", "for at in 1 2 3; do cat /etc/passwd | wc -l; done\n");
    for tree in trees(&sandbox, "sh run.sh") {
        let list = |value: &Value| value.as_array().expect("a list").clone();
        let slices = list(&tree["timeline"]);
        let (courses, programs) = (list(&tree["courses"]), list(&tree["programs"]));
        assert!(programs.len() >= 3 && courses.len() >= 2, "{tree:#}");
        for (at, slice) in slices.iter().enumerate() {
            let sum = |rows: &[Value], key: &str| rows.iter().map(|row| number(&row[key][at])).sum::<u64>();
            let calls = number(&slice["calls"]);
            assert_eq!((sum(&courses, "calls"), sum(&programs, "timeline")), (calls, calls), "{slice:#}");
        }
        let sum = |rows: &[Value], key: &str| rows.iter().filter_map(|row| row[key].as_u64()).sum::<u64>();
        let waits = list(&tree["waits"]);
        for key in ["took_ns", "waited_ns"] {
            assert_eq!(sum(&slices, key), sum(&waits, key), "{key}");
        }
        // A tracer does not tell waiting from working.
        let is_told = |rows: &[Value]| rows.iter().any(|row| row["waited_ns"].is_u64());
        assert_eq!(is_told(&slices), is_told(&waits));
    }
    for (capture, is_seen) in [("ptrace", false), ("ring", true)] {
        if is_seen && !has(Capability::Ring) {
            continue;
        }
        for form in ["html", "markdown", "text"] {
            let words =
                format!("audit --no-config --tree --capture {capture} --format {form} -o out -- sh run.sh");
            let code = sandbox.fathom(&words).output().expect("fathom runs").status.code();
            assert!(code.is_some_and(|code| code < 2), "{code:?} by {capture}");
            let page = fs::read_to_string(sandbox.file("out")).expect("it is written");
            let is_unknown = page.contains("not seen by this capture; the ring sees it");
            assert_eq!(is_unknown, !is_seen, "{form} by {capture}: {page}");
            let drawn = if form == "html" { r#"<svg class="chart timeline""# } else { "when: " };
            assert!(page.contains(drawn), "{form} by {capture}: {page}");
        }
    }
}

#[test]
fn a_summary_fits_on_a_screen_and_other_forms_are_refused() {
    let sandbox = Sandbox::new();
    let output =
        sandbox.fathom("audit --no-config --tree -o tree.txt -- ls -l /etc/default").output().unwrap();
    assert!(output.status.code().is_some_and(|code| code < 2), "{output:?}");
    let text = fs::read_to_string(sandbox.file("tree.txt")).unwrap();
    let (tree, timeline) = text.split_once("\nwhen: ").expect("the run over its time");
    assert!(tree.lines().count() <= 25 && tree.contains("  Programs: ls\n"), "{text}");
    assert!(timeline.lines().count() <= 12 && timeline.contains("\ncalls, at most "), "{text}");
    assert!(text.contains("  Other directories ("), "{text}");
    // A page has it too: the tables with the totals, the slices of time and the directories.
    let page =
        sandbox.fathom("audit --no-config --tree --format html -o tree.html -- ls -l /etc/default").output();
    assert!(page.unwrap().status.code().is_some_and(|code| code < 2));
    let page = fs::read_to_string(sandbox.file("tree.html")).unwrap();
    for heading in ["What was asked for", "When: the run in slices of time", "Where: directories"] {
        assert!(page.contains(heading), "{heading}");
    }
    sandbox
        .fathom("audit --tree --format sarif -- ls")
        .assert()
        .code(2)
        .stderr(says("error: this form has no place for the tree"));
    sandbox.fathom("audit --tree --under . -- ls").assert().code(2);
}
