//! Files are as private as the user's umask asks for, whichever command writes them.

use crate::capability::{Capability, has};
use crate::sandbox::Sandbox;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A command for each kind of file that is written.
const WRITERS: &str = "\
fathom bench open-close --methods native:open --counts-only -o record.json
fathom bench open-close --methods native:open --counts-only
fathom compare --commands true true --counts-only -o commands.json
fathom count -o count.txt -- true
fathom count --format json -o count.json -- true
fathom trace -o trace.events -- cat record.json
fathom audit --no-config -o audit.txt -- cat record.json
fathom audit --no-config --format json -o audit.json -- cat record.json
fathom audit --no-config --format sarif -o audit.sarif -- cat record.json
fathom audit --no-config --format markdown -o audit.md -- cat record.json
fathom audit --no-config --format html -o audit.html -- cat record.json
fathom audit diff audit.json audit.json -o difference.txt
fathom report record.json -o report.html
fathom report record.json --format md -o report.md
fathom export record.json --format csv -o export.csv
fathom export record.json --format parquet -o export.parquet
fathom man -o man
";

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn modes_under(umask: &str) -> Vec<(PathBuf, u32)> {
    let sandbox = Sandbox::new();
    let output = sandbox.shell(&format!("umask {umask}\n{WRITERS}"));
    let all = files(sandbox.path());
    assert!(all.len() >= 16, "{all:?} {output:?}");
    all.into_iter()
        .map(|path| (path.clone(), fs::metadata(&path).unwrap().permissions().mode() & 0o777))
        .collect()
}

#[test]
fn nobody_else_reads_what_is_written_under_a_private_umask() {
    if !has(Capability::Strace) {
        return;
    }
    for (path, mode) in modes_under("077") {
        assert_eq!(mode, 0o600, "{}", path.display());
    }
}

#[test]
fn others_read_what_is_written_under_an_open_umask() {
    if !has(Capability::Strace) {
        return;
    }
    for (path, mode) in modes_under("022") {
        assert_eq!(mode, 0o644, "{}", path.display());
    }
}
