//! Findings of scripts are told by the script's own line, read from the interpreter's memory, without any
//! option of the interpreter's: in every version that is here.

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::capability::{Capability, has};
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const APP: &str = include_str!("audit_scripts/app.py");
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

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("app.py", APP);
    for name in ["method", "name", "thread", "lines", "child", "library"] {
        sandbox.write(name, "some words");
    }
    sandbox
}

fn audited(sandbox: &Sandbox, options: &str, python: &PathBuf) -> (Value, Option<i32>) {
    let mut command = sandbox.fathom(&format!("audit {options} --no-config --format json -o audit.json --"));
    let output = command.arg(python).args(["-S", "-E", "app.py"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {said}", python.display());
    (serde_json::from_slice(&fs::read(sandbox.file("audit.json")).unwrap()).unwrap(), output.status.code())
}

/// Of each finding of a rule in the script: the line, the function, and how often.
fn sites(audit: &Value, rule: &str) -> BTreeMap<u64, (String, u64)> {
    let mut sites = BTreeMap::new();
    let findings = audit["findings"].as_array().into_iter().chain(audit["trifles"].as_array()).flatten();
    for finding in findings.filter(|finding| finding["rule"] == rule) {
        let frames = finding["place"]["frames"].as_array().cloned().unwrap_or_default();
        let own = frames.iter().find(|frame| frame["owner"] == "yours");
        let Some(own) = own.filter(|own| own["file"].as_str().is_some_and(|file| file.ends_with("app.py")))
        else {
            continue;
        };
        let function = own["function"].as_str().unwrap().to_owned();
        let site = (function, finding["count"].as_u64().unwrap());
        assert_eq!(
            sites.insert(own["line"].as_u64().unwrap(), site),
            None,
            "one line is one finding: {audit:#}"
        );
    }
    sites
}

fn line(mark: &str) -> u64 {
    APP.lines().position(|line| line.ends_with(&format!("# {mark}"))).unwrap() as u64 + 1
}

#[test]
fn python_is_told_by_its_own_lines_in_every_version() {
    let pythons = pythons();
    if pythons.is_empty() {
        eprintln!("skipped: no CPython from 3.8 on is here");
    }
    let sandbox = sandbox();
    for (python, minor) in pythons {
        let (audit, _) = audited(&sandbox, "--stacks", &python);
        let sites = sites(&audit, "R15");
        let function =
            |bare: &str, qualified: &str| if minor >= 11 { qualified.to_owned() } else { bare.to_owned() };
        for (mark, named) in [
            ("METHOD", function("look", "Store.look")),
            ("NAME", "größe".to_owned()),
            ("THREAD", function("work", "Store.work")),
            ("LINES", "over_lines".to_owned()),
            ("CHILD", "main".to_owned()),
            ("LIBRARY", "main".to_owned()),
        ] {
            let found = sites.get(&line(mark));
            assert_eq!(found, Some(&(named, LOOKS - 1)), "{} {mark}: {sites:?}", python.display());
        }
    }
}

#[test]
fn python_lines_stand_where_editors_and_hosts_look_for_them() {
    let Some((python, _)) = pythons().pop() else { return };
    let sandbox = sandbox();
    let shown = |form: &str| {
        let mut command = sandbox.fathom(&format!("audit --stacks --no-config --format {form} --"));
        let output = command.arg(&python).args(["-S", "-E", "app.py"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let method = line("METHOD");
    let short = shown("short");
    let place = |text: &str| text.split(": R15").next().unwrap_or_default().to_owned();
    assert!(short.lines().map(place).any(|place| place.ends_with(&format!("app.py:{method}"))), "{short}");
    let sarif: Value = serde_json::from_str(&shown("sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let is_there = |result: &Value| {
        let location = &result["locations"][0]["physicalLocation"];
        location["artifactLocation"]["uri"] == "app.py" && location["region"]["startLine"] == method
    };
    assert!(results.iter().any(is_there), "{sarif:#}");
}
