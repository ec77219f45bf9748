//! The house's one rule of dependency: a crate uses only crates of a lower row,
//! siblings never meet (ARCHITECTURE.md).

#![expect(clippy::unwrap_used, reason = "a test")]

use cargo_metadata::{DependencyKind, MetadataCommand, Package};
use std::collections::BTreeMap;

/// Rows from the ground up.
const ROWS: [&[&str]; 6] = [
    &["fathom-events", "fathom-model", "fathom-sys", "fathom-driver-native"],
    &["fathom-stacks", "fathom-stats"],
    &["fathom-audit", "fathom-catalog", "fathom-claims", "fathom-collect", "fathom-trace"],
    &["fathom-corpus", "fathom-faults", "fathom-lab", "fathom-report"],
    &["fathom-fuzzing"],
    &["fathom-io", "xtask"],
];

/// Lives beside the rows: tests of any crate may use it, and it uses the model only.
const TESTKIT: &str = "fathom-testkit";

/// Crates that must not touch a file, a clock, a process or the environment.
const PURE: [&str; 6] = ["audit", "model", "stats", "catalog", "claims", "report"];

fn packages() -> Vec<Package> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec().unwrap();
    metadata.packages
}

#[test]
fn every_crate_has_a_row_and_uses_only_lower_rows() {
    let rows: BTreeMap<&str, usize> =
        ROWS.iter().enumerate().flat_map(|(row, names)| names.iter().map(move |&name| (name, row))).collect();
    let packages = packages();
    assert_eq!(packages.len(), rows.len() + 1, "each member of the workspace has a row");
    for package in &packages {
        let ours = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.path.is_some() && dependency.kind != DependencyKind::Development);
        for dependency in ours {
            let (user, used) = (package.name.as_str(), dependency.name.as_str());
            if user == TESTKIT {
                assert_eq!(used, "fathom-model");
                continue;
            }
            assert_ne!(used, TESTKIT, "{user} may use {TESTKIT} in tests only");
            assert!(rows[user] > rows[used], "{user} may not use {used}: it is not in a lower row");
        }
    }
}

#[test]
fn pure_crates_touch_nothing_outside_themselves() {
    const OUTSIDE: [&str; 7] = [
        "std::fs",
        "std::env::",
        "std::process",
        "std::net",
        "Instant::now",
        "SystemTime::now",
        "std::thread",
    ];
    for name in PURE {
        let folder = format!("{}/../crates/{name}/src", env!("CARGO_MANIFEST_DIR"));
        // A file of tests alone is compiled for tests alone.
        for path in source_files(folder.as_ref()).iter().filter(|path| !path.ends_with("tests.rs")) {
            let text = std::fs::read_to_string(path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for word in OUTSIDE {
                assert!(!code.contains(word), "{} uses {word}", path.display());
            }
        }
    }
}

#[test]
fn unsafe_code_lives_in_sys_alone() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates")).unwrap() {
        let folder = entry.unwrap().path();
        if folder.ends_with("sys") {
            continue;
        }
        for path in source_files(&folder.join("src")) {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(!text.contains("unsafe_code"), "{} lifts the lint on unsafe code", path.display());
        }
    }
}

fn source_files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(source_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}
