//! The tables: calls per operation of every method of a driver, one file each
//! in `tables/`, written from runs under strace and read by people.

use super::calls::{self, Calls};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// What stands between the words of people and the calls in a table's file.
const MARK: &str =
    "# Written by strace: cargo test -p fathom-io --test cli -- --ignored by_hand_write_the_tables\n";

/// The table of one driver.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Table {
    /// The runtime whose calls these are, in the words of its driver.
    pub(crate) runtime: String,
    /// Calls that the runtime makes as it sees fit; compared only where a
    /// method's line names them.
    pub(crate) not_asserted: Vec<String>,
    /// Methods that a kernel or a file system may refuse.
    pub(crate) may_be_refused: Vec<String>,
    /// Calls in 100 operations by which strace may be off: the runtime's own
    /// that are named like the operations' calls.
    pub(crate) stray: i64,
    /// Calls by operation and method; empty for a method that makes none, `?`
    /// for one that was refused where the table was made.
    #[serde(default)]
    pub(crate) calls: BTreeMap<String, BTreeMap<String, String>>,
}

impl Table {
    /// The table of a driver.
    pub(crate) fn of(driver: &str) -> Self {
        let path = path(driver);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The calls of a method; `None` when it has no line or an open one.
    pub(crate) fn calls(&self, operation: &str, method: &str) -> Option<Calls> {
        self.line(operation, method).filter(|line| *line != OPEN).map(calls::read)
    }

    /// True of a method whose calls nobody could count where the table was made.
    pub(crate) fn is_open(&self, operation: &str, method: &str) -> bool {
        self.line(operation, method) == Some(OPEN)
    }

    /// Of `found`, the calls that a comparison with `expected` is about.
    pub(crate) fn asserted(&self, found: Calls, expected: &Calls) -> Calls {
        let is_asserted = |name: &str| {
            !self.not_asserted.iter().any(|other| other == name)
                || expected.keys().any(|(expected, _)| expected == name)
        };
        found.into_iter().filter(|((name, _), _)| is_asserted(name)).collect()
    }

    fn line(&self, operation: &str, method: &str) -> Option<&str> {
        Some(self.calls.get(operation)?.get(method)?)
    }
}

/// The line of a method that was refused where the table was made.
pub(crate) const OPEN: &str = "?";

/// Replaces the calls in a driver's table, and the runtime they are of; what
/// people wrote above them stays.
pub(crate) fn write(driver: &str, runtime: &str, found: &BTreeMap<String, BTreeMap<String, String>>) {
    let path = path(driver);
    let old = fs::read_to_string(&path).unwrap();
    let (head, _) = old.split_once(MARK).expect("a table has a mark");
    let is_runtime = |line: &&str| line.starts_with("runtime = ");
    let old_runtime = head.lines().find(is_runtime).expect("a table names its runtime");
    let mut text = head.replace(old_runtime, &format!("runtime = {runtime:?}")) + MARK;
    for (operation, methods) in found {
        writeln!(text, "\n[calls.{operation}]").expect("a String takes all");
        for (method, calls) in methods {
            writeln!(text, "{method:?} = {calls:?}").expect("a String takes all");
        }
    }
    fs::write(path, text).unwrap();
}

fn path(driver: &str) -> PathBuf {
    crate::sandbox::workspace().join(format!("crates/fathom/tests/cli/counts/tables/{driver}.toml"))
}

#[test]
fn calls_of_the_runtime_count_where_a_line_names_them() {
    let text = "runtime = \"r\"\nnot-asserted = [\"mmap\"]\nmay-be-refused = []\nstray = 0\n\
                [calls.read-block]\n\"map\" = \"mmap 1\"\n\"read\" = \"read 1\"\n\"new\" = \"?\"\n";
    let table: Table = toml::from_str(text).unwrap();
    let found = || calls::read("mmap 1, mmap=ENOMEM 1, openat 1");
    let asserted = |method| {
        let expected = table.calls("read-block", method).unwrap();
        calls::written(&table.asserted(found(), &expected))
    };
    assert_eq!(asserted("map"), "mmap 1, mmap=ENOMEM 1, openat 1");
    assert_eq!(asserted("read"), "openat 1");
    assert!(
        table.is_open("read-block", "new")
            && table.calls("read-block", "new").is_none()
            && table.calls("lines", "map").is_none()
    );
}
