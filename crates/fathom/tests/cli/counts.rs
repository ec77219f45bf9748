//! The calls of every method of every driver: what Fathom's count pass finds is
//! what the tables say, and what strace finds by the same subtraction of two
//! run lengths, on the same driver without marks.

mod calls;
mod setting;
mod strace;
mod table;

use crate::capability::{Capability, has, is_required};
use crate::sandbox::{Sandbox, says};
use calls::{Calls, inside, written};
use fathom_model::{Comparison, CountPass, Description, DriverFacts, Operation, Reading, Record, Variant};
use setting::Setting;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use table::Table;

/// How often strace runs a method before what differs is called wrong: a stray
/// call of a runtime is another each time.
const TRIES: usize = 3;

/// Calls that an allocator makes and methods as well.
const MAPPING: [&str; 3] = ["madvise", "mmap", "munmap"];

/// The drivers whose tables there are, and what each needs of the machine.
const DRIVERS: [(&str, Option<Capability>); 7] = [
    ("native", None),
    ("cpp", Some(Capability::Cpp)),
    ("go", Some(Capability::Go)),
    ("java", Some(Capability::Java)),
    ("node", Some(Capability::Node)),
    ("python", Some(Capability::Python)),
    ("zig", Some(Capability::Zig)),
];

#[test]
fn native_makes_the_calls_of_its_table() {
    check("native");
}

#[test]
fn cpp_makes_the_calls_of_its_table() {
    check("cpp");
}

#[test]
fn go_makes_the_calls_of_its_table() {
    check("go");
}

#[test]
fn java_makes_the_calls_of_its_table() {
    check("java");
}

#[test]
fn node_makes_the_calls_of_its_table() {
    check("node");
}

#[test]
fn python_makes_the_calls_of_its_table() {
    check("python");
}

#[test]
fn zig_makes_the_calls_of_its_table() {
    check("zig");
}

#[test]
fn every_shipped_driver_has_a_table() {
    let shipped = fathom_lab::shipped_manifests().unwrap();
    let shipped: BTreeSet<_> = shipped.iter().map(|manifest| manifest.name.as_str()).collect();
    assert_eq!(shipped, DRIVERS.iter().map(|(driver, _)| *driver).collect());
}

#[test]
fn counting_alone_takes_no_time() {
    let sandbox = Sandbox::new();
    let command = "bench open-close --methods native:open,native:fopen --counts-only -o r.json";
    sandbox.fathom(command).assert().code(0).stdout(says("nothing was timed"));
    let record = sandbox.record("r.json");
    let comparison = &record.experiments[0].comparisons[0];
    assert!(record.complete && comparison.forks.is_empty());
    assert_eq!(comparison.counts.iter().filter(|counts| counts.value().is_some()).count(), 2);
    assert!(
        comparison
            .summaries
            .iter()
            .all(|summary| matches!(summary, Reading::Unavailable(reason) if reason.contains("not timed")))
    );
    sandbox.fathom(&format!("{command} --time 1")).assert().code(2);
    sandbox.assert_nothing_left();
}

/// Writes the calls of all tables anew, or of the drivers that
/// `FATHOM_TEST_DRIVERS` names; then they want to be read.
#[test]
#[ignore = "it writes tests/cli/counts/tables"]
fn write_the_tables() {
    let named = std::env::var("FATHOM_TEST_DRIVERS").unwrap_or_default();
    for (driver, capability) in DRIVERS {
        if !named.is_empty() && !named.split(',').any(|name| name == driver) {
            continue;
        }
        assert!(capability.is_none_or(has) && has(Capability::Strace), "{driver}");
        let table = Table::of(driver);
        let mut found = BTreeMap::new();
        let mut runtime = String::new();
        for operation in operations(driver) {
            let counted = Counted::of(driver, operation);
            runtime.clone_from(&counted.facts().runtime);
            found.insert(operation.word().to_owned(), counted.from_strace(&table));
        }
        table::write(driver, &runtime, &found);
    }
}

/// The calls of a count pass in words, for other tests.
pub(crate) fn calls(pass: &CountPass) -> String {
    written(&inside(pass))
}

/// Every method of every operation of a driver.
fn check(driver: &str) {
    let capability = DRIVERS.iter().find(|(name, _)| *name == driver).and_then(|(_, capability)| *capability);
    if !capability.is_none_or(has) {
        return;
    }
    let table = Table::of(driver);
    let has_strace = has(Capability::Strace);
    let mut sample = Sample::draw();
    let (mut wrong, mut runtime) = (Vec::new(), String::new());
    for operation in operations(driver) {
        let counted = Counted::of(driver, operation);
        runtime.clone_from(&counted.facts().runtime);
        wrong.extend(counted.set_aside(&table, capability));
        wrong.extend(counted.differences(&table));
        if has_strace {
            wrong.extend(counted.unlike_strace(&table, &mut sample));
        }
    }
    wrong.extend(stale(driver, &table));
    let told = format!(
        "{driver}, {runtime}, its table of {}, seed {}:\n{}",
        table.runtime,
        sample.seed,
        wrong.join("\n")
    );
    if runtime != table.runtime && !wrong.is_empty() && !capability.is_some_and(is_required) {
        eprintln!("skipped: another version makes other calls: {told}");
        return;
    }
    assert!(wrong.is_empty(), "{told}");
}

/// The operations of a driver.
fn operations(driver: &str) -> BTreeSet<Operation> {
    let manifests = fathom_lab::shipped_manifests().unwrap();
    let manifest = manifests.iter().find(|manifest| manifest.name == driver).unwrap();
    manifest.methods.iter().flat_map(|method| method.operations.iter().copied()).collect()
}

/// Lines of a table that no method has any more.
fn stale(driver: &str, table: &Table) -> Vec<String> {
    let manifests = fathom_lab::shipped_manifests().unwrap();
    let manifest = manifests.iter().find(|manifest| manifest.name == driver).unwrap();
    let is_known = |operation: &str, method: &str| {
        manifest.methods.iter().any(|known| {
            known.name == method && known.operations.iter().any(|known| known.word() == operation)
        })
    };
    let lines = table.calls.iter().flat_map(|(operation, methods)| {
        methods.keys().map(move |method| (operation.as_str(), method.as_str()))
    });
    let stale = lines.filter(|(operation, method)| !is_known(operation, method));
    stale.map(|(operation, method)| format!("{operation} {method}: the driver has no such method")).collect()
}

/// The methods of a driver for one operation, counted by Fathom.
struct Counted {
    sandbox: Sandbox,
    setting: Setting,
    record: Record,
}

impl Counted {
    fn of(driver: &str, operation: Operation) -> Self {
        let sandbox = Sandbox::new();
        let setting = Setting::of(driver, operation);
        let all = if operation == Operation::Null { String::new() } else { format!("{driver}:*,") };
        let words = setting.bench_words();
        let command = format!("bench {words} --methods {all}{driver}:null --counts-only -o record.json");
        sandbox.fathom(&command).assert().code(0);
        let record = sandbox.record("record.json");
        Self { sandbox, setting, record }
    }

    fn facts(&self) -> &DriverFacts {
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
    fn set_aside(&self, table: &Table, capability: Option<Capability>) -> Vec<String> {
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
            if may_be || (refused.is_some() && !capability.is_none_or(is_required)) {
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

    /// Where Fathom's counts are not those of the table.
    fn differences(&self, table: &Table) -> Vec<String> {
        let operation = self.setting.operation;
        let mut wrong = Vec::new();
        for (method, pass) in self.passes() {
            let Some(expected) = table.calls(operation.word(), method) else {
                if table.is_open(operation.word(), method) {
                    eprintln!("skipped: {operation} {method}: the table was made where it is refused");
                    continue;
                }
                wrong.push(format!("{operation} {method}: not in the table; Fathom counts {}", calls(pass)));
                continue;
            };
            let found = table.asserted(inside(pass), &expected);
            if !agree(&found, &expected, &woken(pass)) {
                let (found, expected) = (written(&found), written(&expected));
                wrong.push(format!("{operation} {method}: Fathom counts {found}; the table has {expected}"));
            }
        }
        wrong
    }

    /// Where strace finds others, for the methods in the sample.
    fn unlike_strace(&self, table: &Table, sample: &mut Sample) -> Vec<String> {
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
    fn from_strace(&self, table: &Table) -> BTreeMap<String, String> {
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
        // Half a call, for rates that are no whole numbers.
        if (found as f64 - due).abs() > table.stray as f64 + 0.5 {
            let (name, errno) = (&key.0, key.1.as_deref().unwrap_or("done"));
            write!(text, "{name} ({errno}) {found} times in {} operations, not {due}; ", strace::OPERATIONS)
                .expect("a String takes all");
        }
    }
    text
}

/// One method of each operation is run under strace, another one each time; all
/// of them where `FATHOM_TEST_STRACE` is `all`.
struct Sample {
    seed: u64,
    all: bool,
}

impl Sample {
    fn draw() -> Self {
        let given = std::env::var("FATHOM_TEST_SEED").ok().map(|text| text.parse().expect("a number"));
        let all = std::env::var("FATHOM_TEST_STRACE").is_ok_and(|word| word == "all");
        Self { seed: given.unwrap_or_else(fathom_lab::draw_seed), all }
    }

    fn of<'a>(&mut self, methods: &[&'a str]) -> Vec<&'a str> {
        if self.all {
            return methods.to_vec();
        }
        let drawn = fathom_model::splitmix64(self.seed ^ methods.len() as u64);
        let index = usize::try_from(drawn % methods.len().max(1) as u64).expect("an index");
        methods.get(index).copied().into_iter().collect()
    }
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
