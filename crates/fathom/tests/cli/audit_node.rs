//! Findings of `Node.js` programs are told by the script's own line, read from V8's memory, without any option
//! of Node's.

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::capability::{Capability, has};
use crate::runtimes::{captures, more};
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const APP: &str = include_str!("audit_scripts/app.js");
/// Not ASCII, so V8 keeps it in two bytes a letter; its lines end as on Windows.
const MODULE: &str = "// 漢字\r\nconst { statSync } = require('fs');\r\nexports.inModule = function (path) {\r\n  \
                      for (let round = 0; round < 12; round++)\r\n    statSync(path);\r\n};\r\n";
const PACKAGE: &str =
    "exports.inPackage = (path) => { let n = 0; while (n++ < 12) require('fs').statSync(path) };";
const ESM: &str = "import { statSync } from 'node:fs';\n\nfor (let round = 0; round < 12; round++)\n  \
                   statSync('esm');\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for directory in ["lib", "node_modules/pack"] {
        fs::create_dir_all(sandbox.file(directory)).unwrap();
    }
    sandbox.write("app.js", APP);
    sandbox.write("lib/größe.js", MODULE);
    sandbox.write("lib/esm.mjs", ESM);
    sandbox.write("node_modules/pack/index.js", PACKAGE);
    for name in ["method", "hot", "later", "lines", "evaluated", "module", "package", "esm", "pool", "worker"]
    {
        sandbox.write(name, "some words");
    }
    sandbox
}

fn audited(sandbox: &Sandbox, options: &str) -> (Value, Option<i32>) {
    audited_of(sandbox, options, "node app.js")
}

fn audited_of(sandbox: &Sandbox, options: &str, command: &str) -> (Value, Option<i32>) {
    let words = format!("audit {options} --no-config --format json -o audit.json -- {command}");
    let output = sandbox.fathom(&words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{said}");
    (serde_json::from_slice(&fs::read(sandbox.file("audit.json")).unwrap()).unwrap(), output.status.code())
}

fn findings(audit: &Value) -> impl Iterator<Item = &Value> {
    audit["findings"].as_array().into_iter().chain(audit["trifles"].as_array()).flatten()
}

/// Of each finding of a rule: the file and the line of its innermost frame of yours, the function, how often.
fn sites(audit: &Value, rule: &str) -> BTreeMap<(String, u64), (String, u64)> {
    let site = |finding: &Value| {
        let frames = finding["place"]["frames"].as_array()?;
        let own = frames.iter().find(|frame| frame["owner"] == "yours")?;
        let file = own["file"].as_str()?.rsplit('/').next()?.to_owned();
        let function = own["function"].as_str()?.to_owned();
        Some(((file, own["line"].as_u64()?), (function, finding["count"].as_u64()?)))
    };
    let mut sites = BTreeMap::new();
    for (place, found) in findings(audit).filter(|finding| finding["rule"] == rule).filter_map(site) {
        assert_eq!(sites.insert(place, found), None, "one line is one finding: {audit:#}");
    }
    sites
}

fn line(mark: &str) -> u64 {
    APP.lines().position(|line| line.ends_with(&format!("// {mark}"))).unwrap() as u64 + 1
}

/// The usual one, and all others that are named.
fn nodes() -> Vec<String> {
    let usual = has(Capability::Node).then(|| "node".to_owned());
    usual.into_iter().chain(more("node").iter().map(|node| node.display().to_string())).collect()
}

#[test]
fn node_is_told_by_its_own_lines_in_every_version() {
    let nodes = nodes();
    if cfg!(not(target_arch = "x86_64")) || nodes.is_empty() {
        eprintln!("skipped: no Node.js is here whose frames are known");
        return;
    }
    let sandbox = sandbox();
    for node in &nodes {
        for capture in captures() {
            let (audit, _) = audited_of(&sandbox, capture, &format!("{node} app.js"));
            assert_sites(&sites(&audit, "R15"), &format!("{node} {capture}"));
        }
    }
}

fn assert_sites(sites: &BTreeMap<(String, u64), (String, u64)>, run: &str) {
    for (file, line, function, count) in [
        ("app.js", line("METHOD"), "look", 11),
        // Compiled while it runs, by one compiler after the other.
        ("app.js", line("HOT"), "hot", 2999),
        ("app.js", line("LATER"), "later", 11),
        ("app.js", line("LINES"), "(anonymous)", 11),
        ("app.js", line("EVALUATED"), "evaluated", 11),
        ("app.js", line("WORKER"), "(anonymous)", 11),
        ("größe.js", 5, "exports.inModule", 11),
        ("index.js", 1, "exports.inPackage", 11),
        ("esm.mjs", 4, "(anonymous)", 11),
    ] {
        let found = sites.get(&(file.to_owned(), line));
        assert_eq!(found, Some(&(function.to_owned(), count)), "{run}: {file}:{line}: {sites:?}");
    }
}

#[test]
fn lines_of_node_stand_where_editors_and_hosts_look_for_them() {
    if cfg!(not(target_arch = "x86_64")) || !has(Capability::Node) {
        return;
    }
    let sandbox = sandbox();
    let ring = has(Capability::Ring).then_some("--capture ring");
    for capture in ring.into_iter().chain(["--stacks", "--capture ptrace"]) {
        let shown = |form: &str| {
            let words = format!("audit {capture} --no-config --format {form} -- node app.js");
            String::from_utf8(sandbox.fathom(&words).output().unwrap().stdout).unwrap()
        };
        let method = line("METHOD");
        let short = shown("short");
        let place = |text: &str| text.split(": R15").next().unwrap_or_default().to_owned();
        let is_line = |place: String| place.ends_with(&format!("app.js:{method}"));
        assert!(short.lines().map(place).any(is_line), "{capture}: {short}");
        let sarif: Value = serde_json::from_str(&shown("sarif")).unwrap();
        let is_there = |result: &Value| {
            let location = &result["locations"][0]["physicalLocation"];
            let uri = location["artifactLocation"]["uri"].as_str();
            uri.is_some_and(|uri| uri.ends_with("app.js")) && location["region"]["startLine"] == method
        };
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        assert!(results.iter().any(is_there), "{capture}: {sarif:#}");
    }
}

#[test]
fn calls_of_a_pool_of_threads_have_no_line_and_no_owner_by_it() {
    if cfg!(not(target_arch = "x86_64")) || !has(Capability::Node) {
        return;
    }
    let sandbox = sandbox();
    let (audit, _) = audited(&sandbox, "--stacks");
    let is_pooled = |finding: &&Value| finding["place"]["paths"].to_string().contains("/pool\"");
    let pooled: Vec<&Value> = findings(&audit).filter(is_pooled).collect();
    assert!(!pooled.is_empty(), "{audit:#}");
    for finding in pooled {
        assert_eq!(finding["owner"], "yours", "{finding:#}");
        assert!(finding["place"]["frames"].as_array().is_none_or(Vec::is_empty), "{finding:#}");
    }
    let facts = audit["about"].as_array().unwrap();
    let said = |fact: &Value| fact["text"].as_str().unwrap().contains("threads of its pool");
    assert_eq!(facts.iter().filter(|fact| said(fact)).count(), 1, "{facts:#?}");
    // Its own JavaScript has its lines too: nothing is hidden.
    let hidden = |fact: &Value| fact["text"].as_str().unwrap().contains("the interpreter alone");
    assert!(!facts.iter().any(hidden), "{facts:#?}");
}

#[test]
fn a_node_program_is_judged_the_same_with_stacks_and_without() {
    if !has(Capability::Node) {
        return;
    }
    let sandbox = sandbox();
    let verdict = |(audit, code): (Value, Option<i32>)| {
        // What `require` looks for is Node's by its calls, and stands at the line that requires.
        let key = |finding: &Value| (finding["rule"].to_string(), finding["owner_by_calls"].to_string());
        let judged: BTreeSet<_> = findings(&audit).map(key).collect();
        (judged, code)
    };
    // Others depend on how fast the program runs: R15 as well, where it is told of the worker's script, which
    // Node looked at when it began.
    sandbox.write("app.js", &APP.replace("new Worker(__filename)", "new Worker('./worker.js')"));
    sandbox.write("worker.js", APP);
    let rules = "--only R04,R13,R15";
    assert_eq!(
        verdict(audited(&sandbox, &format!("--stacks {rules}"))),
        verdict(audited(&sandbox, &format!("--capture ptrace --no-lines {rules}")))
    );
}

#[test]
fn a_call_that_made_its_code_be_given_up_keeps_its_line() {
    if cfg!(not(target_arch = "x86_64")) || !has(Capability::Node) {
        return;
    }
    let sandbox = sandbox();
    let given_up = include_str!("audit_scripts/given_up.js");
    sandbox.write("app.js", given_up);
    sandbox.write("given", "some words");
    let (audit, _) = audited_of(&sandbox, "--stacks", "node --allow-natives-syntax app.js");
    let outer = given_up.lines().position(|line| line.ends_with("// OUTER")).unwrap() as u64 + 1;
    let frames = findings(&audit).filter_map(|finding| finding["place"]["frames"].as_array()).flatten();
    let lines: Vec<&Value> =
        frames.filter(|frame| frame["function"] == "outer").map(|frame| &frame["line"]).collect();
    assert!(!lines.is_empty() && lines.iter().all(|line| **line == outer), "{outer}: {lines:?} {audit:#}");
}
