//! The methods of a driver for one operation as Fathom counts them, beside their
//! table and beside strace.

use super::calls::{Calls, inside, written};
use super::sample::Sample;
use super::setting::Setting;
use super::table::{self, Table};
use super::{calls, strace};
use crate::capability::{Capability, is_required};
use crate::sandbox::Sandbox;
use fathom_model::{Comparison, CountPass, Description, DriverFacts, Operation, Reading, Record, Variant};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How often a method is counted before what differs is called wrong: a stray
/// call of a runtime is another each time.
pub(crate) const TRIES: usize = 3;

/// Calls that an allocator makes and methods as well.
const MAPPING: [&str; 3] = ["madvise", "mmap", "munmap"];

/// The methods of a driver for one operation, counted by Fathom.
pub(crate) struct Counted {
    sandbox: Sandbox,
    setting: Setting,
    record: Record,
}

impl Counted {
    pub(crate) fn of(driver: &str, operation: Operation) -> Self {
        let sandbox = Sandbox::new();
        let setting = Setting::of(driver, operation);
        let all = if operation == Operation::Null { String::new() } else { format!("{driver}:*,") };
        let words = setting.bench_words();
        let command = format!("bench {words} --methods {all}{driver}:null --counts-only -o record.json");
        sandbox.fathom(&command).assert().code(0);
        let record = sandbox.record("record.json");
        Self { sandbox, setting, record }
    }

    pub(crate) fn facts(&self) -> &DriverFacts {
        &self.record.drivers[0]
    }

    /// The only one, or the first of those that the entry `config-load` has.
    fn comparison(&self) -> &Comparison {
        &self.record.experiments[0].comparisons[0]
    }

    /// Each method's calls, by its name.
    fn passes<'a>(&'a self) -> Vec<(&'a str, &'a CountPass)> {
        let comparison = self.comparison();
        let pairs = comparison.variants.iter().zip(&comparison.counts);
        let pass = |(variant, reading): (&'a Variant, &'a Reading<CountPass>)| match reading {
            Reading::Value(pass) => (variant.method.name.as_str(), pass),
            Reading::Unavailable(reason) => panic!("no counts of {variant:?}: {reason}"),
        };
        pairs.map(pass).collect()
    }

    /// Methods that were not counted and yet should have been: all that the
    /// driver describes, but for those that may be refused.
    pub(crate) fn set_aside(&self, table: &Table, capability: Capability) -> Vec<String> {
        let mut missing = Vec::new();
        let counted: BTreeSet<_> = self.passes().into_iter().map(|(method, _)| method).collect();
        for method in self.described().methods {
            if !method.operations.contains(&self.setting.operation) || counted.contains(method.name.as_str())
            {
                continue;
            }
            let refused =
                self.record.experiments[0].unmeasured.iter().find(|item| item.method.name == method.name);
            let reason = refused.map_or("it was left out", |item| item.reason.as_str());
            let line = format!("{} {}: not counted: {reason}", self.setting.operation, method.name);
            let may_be = refused.is_some() && table.may_be_refused.contains(&method.name);
            if may_be || (refused.is_some() && !is_required(capability)) {
                eprintln!("skipped: {line}");
            } else {
                missing.push(line);
            }
        }
        missing
    }

    /// What the built driver says of itself.
    fn described(&self) -> Description {
        let mut words = self.facts().program.split(' ');
        let mut command = self.sandbox.command(words.next().unwrap());
        let output = command.args(words).arg("describe").envs(&self.facts().environment).assert().code(0);
        serde_json::from_slice(&output.get_output().stdout).unwrap()
    }

    /// Where Fathom's counts are not those of the table, by method.
    pub(crate) fn differences(&self, table: &Table) -> BTreeMap<String, String> {
        let operation = self.setting.operation;
        let mut wrong = BTreeMap::new();
        for (method, pass) in self.passes() {
            let Some(expected) = table.calls(operation.word(), method) else {
                if table.is_open(operation.word(), method) {
                    eprintln!("skipped: {operation} {method}: the table was made where it is refused");
                } else {
                    let found = written(&inside(pass));
                    wrong.insert(
                        method.to_owned(),
                        format!("{operation} {method}: not in the table: {found}"),
                    );
                }
                continue;
            };
            let found = table.asserted(inside(pass), &expected);
            if !agree(&found, &expected, &woken(pass)) {
                let (found, expected) = (written(&found), written(&expected));
                let how = format!("{operation} {method}: Fathom counts {found}; the table has {expected}");
                wrong.insert(method.to_owned(), how);
            }
        }
        wrong
    }

    /// Where strace finds others, for the methods in the sample.
    pub(crate) fn unlike_strace(&self, table: &Table, sample: &Sample) -> Vec<String> {
        let methods: Vec<_> = self.passes().into_iter().map(|(method, _)| method).collect();
        let data = self.data();
        let mut wrong = Vec::new();
        for method in sample.of(&methods) {
            let Some(expected) = table.calls(self.setting.operation.word(), method) else { continue };
            let mut found = String::new();
            let agrees = (0..TRIES).any(|_| {
                let differences = data.differences(self.facts(), method);
                found = unlike(&differences, &expected, table);
                found.is_empty()
            });
            if !agrees {
                wrong.push(format!("{} {method}: strace counts {found}", self.setting.operation));
            }
        }
        wrong
    }

    /// The calls of every method as strace finds them.
    pub(crate) fn strace_calls(&self, table: &Table) -> BTreeMap<String, String> {
        let data = self.data();
        let refused = self.record.experiments[0].unmeasured.iter();
        let refused = refused.map(|item| (item.method.name.clone(), table::OPEN.to_owned()));
        let counted = self.passes().into_iter().map(|(method, pass)| {
            let mut calls = strace::per_operation(&data.differences(self.facts(), method));
            // An allocator's calls count where a method itself maps files.
            let own = inside(pass);
            calls.retain(|key, rate| {
                let is_mapping = MAPPING.contains(&key.0.as_str()) && own.get(key) == Some(rate);
                is_mapping || !table.not_asserted.contains(&key.0)
            });
            (method.to_owned(), written(&calls))
        });
        counted.chain(refused).collect()
    }

    fn data(&self) -> strace::Data<'_> {
        let size = self.comparison().variants[0].parameters.data.size_bytes;
        strace::Data::new(&self.sandbox, self.setting, size)
    }
}

/// Calls of which Fathom may count more than the table has: an event loop is
/// woken through a descriptor that is read and written like a file.
fn woken(pass: &CountPass) -> Vec<&'static str> {
    let waits = pass.inside.iter().any(|count| count.call == "epoll_pwait" || count.call == "epoll_wait");
    if waits { vec!["read", "write"] } else { Vec::new() }
}

fn agree(found: &Calls, expected: &Calls, at_least: &[&str]) -> bool {
    let keys: BTreeSet<_> = found.keys().chain(expected.keys()).collect();
    keys.into_iter().all(|key| {
        let of = |calls: &Calls| calls.get(key).copied().unwrap_or(0.0);
        let difference = of(found) - of(expected);
        difference.abs() < 1e-9 || (difference > -0.1 && at_least.contains(&key.0.as_str()))
    })
}

/// Where the differences of two runs are not the calls expected of as many
/// operations, in words; empty when they are.
fn unlike(differences: &strace::Counts, expected: &Calls, table: &Table) -> String {
    let keys: BTreeSet<_> = differences.keys().chain(expected.keys()).collect();
    let mut text = String::new();
    for key in keys {
        let rate = expected.get(key).copied();
        if rate.is_none() && table.not_asserted.contains(&key.0) {
            continue;
        }
        let due = rate.unwrap_or(0.0) * strace::OPERATIONS as f64;
        let found = differences.get(key).copied().unwrap_or(0);
        // An allocator's calls beside a method's: as few as the count pass sets aside.
        let is_shared = table.not_asserted.contains(&key.0);
        let stray = if is_shared { strace::OPERATIONS / 8 } else { table.stray };
        // Half a call, for rates that are no whole numbers.
        if (found as f64 - due).abs() > stray as f64 + 0.5 {
            let (name, errno) = (&key.0, key.1.as_deref().unwrap_or("done"));
            write!(text, "{name} ({errno}) {found} times in {} operations, not {due}; ", strace::OPERATIONS)
                .expect("a String takes all");
        }
    }
    text
}

#[test]
fn what_differs_is_seen() {
    let table = Table::of("go");
    let expected = calls::read("close 1, lseek 0.5");
    let of = |close, lseek, futex, read| {
        let key = |name: &str| (name.to_owned(), None);
        let counts =
            [(key("close"), close), (key("lseek"), lseek), (key("futex"), futex), (key("read"), read)];
        unlike(&strace::Counts::from(counts), &expected, &table)
    };
    assert_eq!(of(101, 50, 77, 0), "");
    assert_eq!(of(101, 51, 77, 0), "");
    assert!(of(100, 51, 77, 0).contains("close"));
    assert!(of(101, 52, 77, 0).contains("lseek"));
    assert!(of(101, 50, 0, 1).contains("read"));
    let found = |text| calls::read(text);
    assert!(agree(&found("read 3, close 1"), &found("close 1, read 2"), &["read"]));
    assert!(!agree(&found("read 3, close 1"), &found("close 1, read 2"), &[]));
    assert!(!agree(&found("read 1, close 1"), &found("close 1, read 2"), &["read"]));
}
