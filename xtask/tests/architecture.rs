//! The house's one rule of dependency: a crate uses only crates of a lower row,
//! siblings never meet (ARCHITECTURE.md).

#![expect(clippy::unwrap_used, reason = "a test")]

use cargo_metadata::{DependencyKind, MetadataCommand, Package};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Rows from the ground up.
const ROWS: [&[&str]; 6] = [
    &["fathom-events", "fathom-model", "fathom-sys", "fathom-driver-native"],
    &["fathom-stacks", "fathom-stats"],
    &[
        "fathom-audit",
        "fathom-catalog",
        "fathom-claims",
        "fathom-collect",
        "fathom-passthrough",
        "fathom-trace",
    ],
    &["fathom-corpus", "fathom-faults", "fathom-lab", "fathom-report"],
    &["fathom-fuzzing", "fathom-scenarios"],
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

/// What a pure crate may not call or use is data for clippy, which reads all of
/// its code; a crate's `clippy.toml` has to be that data, and no file but a
/// test's may lift the lints.
#[test]
fn pure_crates_are_held_to_it_by_clippy() {
    let crates: PathBuf = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates").into();
    let data = std::fs::read_to_string(crates.join("pure.clippy.toml")).unwrap();
    for call in [
        "std::fs::read",
        "std::path::Path::exists",
        "std::env::var",
        "std::time::Instant::now",
        "std::process::Command",
    ] {
        assert!(data.contains(&format!("path = \"{call}\"")), "{call} is not refused");
    }
    for name in PURE {
        let folder = crates.join(name);
        assert_eq!(std::fs::read_to_string(folder.join("clippy.toml")).unwrap(), data, "{name}");
        for path in source_files(&folder.join("src")) {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut lifted = text.match_indices("clippy::disallowed");
            let of_tests = |at: usize| text[..at].trim_end().ends_with("#![cfg_attr(\n    test,\n    allow(");
            assert!(lifted.all(|(at, _)| of_tests(at)), "{} lifts the lint", path.display());
        }
    }
}

/// Crates through which a pure one could reach the kernel without clippy's knowledge.
#[test]
fn pure_crates_depend_on_no_way_to_the_kernel() {
    const WAYS: [&str; 6] = ["fathom-sys", "libc", "nix", "rustix", "tempfile", "memmap2"];
    for package in packages() {
        let pure = PURE.iter().any(|name| package.name.as_str() == format!("fathom-{name}"));
        let used =
            package.dependencies.iter().filter(|dependency| dependency.kind != DependencyKind::Development);
        for dependency in used.filter(|_| pure) {
            assert!(!WAYS.contains(&dependency.name.as_str()), "{} uses {}", package.name, dependency.name);
        }
    }
}

/// Times and counts are never taken in the same pass.
#[test]
fn the_time_pass_has_no_tracer() {
    let passes: PathBuf = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/lab/src/passes").into();
    let mut files = source_files(&passes.join("time_pass"));
    files.push(passes.join("time_pass.rs"));
    assert!(files.len() > 1);
    for path in files {
        assert!(
            !std::fs::read_to_string(&path).unwrap().contains("fathom_trace"),
            "{} traces",
            path.display()
        );
    }
}

#[test]
fn unsafe_code_lives_in_sys_alone() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates")).unwrap() {
        let folder = entry.unwrap().path();
        if folder.ends_with("sys") || !folder.is_dir() {
            continue;
        }
        for path in source_files(&folder.join("src")) {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(!text.contains("unsafe_code"), "{} lifts the lint on unsafe code", path.display());
        }
    }
}

fn source_files(folder: &Path) -> Vec<PathBuf> {
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
