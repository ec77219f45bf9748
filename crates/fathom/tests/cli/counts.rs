//! The calls of every method of every driver: what Fathom's count pass finds is
//! what the tables say, and what strace finds by the same subtraction of two
//! run lengths, on the same driver without marks.

mod calls;
mod counted;
mod sample;
mod setting;
mod strace;
mod table;

use crate::capability::{Capability, has, is_required};
use crate::sandbox::{Sandbox, says};
use counted::{Counted, TRIES};
use fathom_model::{CountPass, Operation, Reading};
use sample::Sample;
use std::collections::{BTreeMap, BTreeSet};
use table::Table;

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
            found.insert(operation.word().to_owned(), counted.strace_calls(&table));
        }
        table::write(driver, &runtime, &found);
    }
}

/// The calls of a count pass in words, for other tests.
pub(crate) fn calls(pass: &CountPass) -> String {
    calls::written(&calls::inside(pass))
}

/// Every method of every operation of a driver.
fn check(driver: &str) {
    let capability = DRIVERS.iter().find(|(name, _)| *name == driver).and_then(|(_, capability)| *capability);
    if !capability.is_none_or(has) {
        return;
    }
    let table = Table::of(driver);
    let has_strace = has(Capability::Strace);
    let sample = Sample::draw();
    let (mut wrong, mut runtime) = (Vec::new(), String::new());
    for operation in operations(driver) {
        let counted = Counted::of(driver, operation);
        runtime.clone_from(&counted.facts().runtime);
        wrong.extend(counted.set_aside(&table, capability));
        let mut differences = counted.differences(&table);
        for _ in 1..TRIES {
            if differences.is_empty() {
                break;
            }
            let again = Counted::of(driver, operation).differences(&table);
            differences.retain(|method, _| again.contains_key(method));
        }
        wrong.extend(differences.into_values());
        if has_strace {
            wrong.extend(counted.unlike_strace(&table, &sample));
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
