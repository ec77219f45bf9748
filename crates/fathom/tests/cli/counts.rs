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
/// (CI requires strace, and the native driver needs nothing but Fathom.)
const DRIVERS: [(&str, Capability); 8] = [
    ("native", Capability::Strace),
    ("cpp", Capability::Cpp),
    ("go", Capability::Go),
    ("java", Capability::Java),
    ("java@25", Capability::Jdk25),
    ("node", Capability::Node),
    ("python", Capability::Python),
    ("zig", Capability::Zig),
];

/// Operations counted with further toolchains of a driver: those whose calls
/// versions of the JDK changed.
const BY_VERSION: [Operation; 4] =
    [Operation::OpenClose, Operation::OpenWriteClose, Operation::ReadWhole, Operation::Copy];

#[test]
fn native_makes_the_calls_of_its_table() {
    check("native");
}

#[test]
#[ignore = "long"]
fn cpp_makes_the_calls_of_its_table() {
    check("cpp");
}

#[test]
#[ignore = "long"]
fn go_makes_the_calls_of_its_table() {
    check("go");
}

#[test]
#[ignore = "long"]
fn java_makes_the_calls_of_its_table() {
    check("java");
}

#[test]
#[ignore = "long"]
fn slowly_java_25_makes_the_calls_of_its_table() {
    check("java@25");
}

#[test]
#[ignore = "long"]
fn node_makes_the_calls_of_its_table() {
    check("node");
}

#[test]
#[ignore = "long"]
fn python_makes_the_calls_of_its_table() {
    check("python");
}

#[test]
#[ignore = "long"]
fn zig_makes_the_calls_of_its_table() {
    check("zig");
}

#[test]
fn every_shipped_driver_has_a_table() {
    let shipped = fathom_lab::shipped_manifests().unwrap();
    let shipped: BTreeSet<_> = shipped.iter().map(|manifest| manifest.name.as_str()).collect();
    assert_eq!(shipped, DRIVERS.iter().map(|(driver, _)| base(driver)).collect());
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
fn by_hand_write_the_tables() {
    let named = std::env::var("FATHOM_TEST_DRIVERS").unwrap_or_default();
    for (driver, capability) in DRIVERS {
        if !named.is_empty() && !named.split(',').any(|name| name == driver) {
            continue;
        }
        assert!(has(capability) && has(Capability::Strace), "{driver}");
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
    let (_, capability) =
        DRIVERS.into_iter().find(|(name, _)| *name == driver).expect("a driver in the list");
    let has_strace = has(Capability::Strace);
    if capability != Capability::Strace && !has(capability) {
        return;
    }
    let table = Table::of(driver);
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
    if runtime != table.runtime && !wrong.is_empty() && !is_required(capability) {
        eprintln!("skipped: another version makes other calls: {told}");
        return;
    }
    assert!(wrong.is_empty(), "{told}");
}

/// The driver without the toolchain that its name asks for.
fn base(driver: &str) -> &str {
    fathom_lab::split_toolchain(driver).map_or(driver, |(base, _)| base)
}

/// The operations of a driver that are counted.
fn operations(driver: &str) -> BTreeSet<Operation> {
    if base(driver) != driver {
        return BY_VERSION.into();
    }
    let manifest = manifest(driver);
    manifest.methods.iter().flat_map(|method| method.operations.iter().copied()).collect()
}

fn manifest(driver: &str) -> fathom_catalog::DriverManifest {
    let manifests = fathom_lab::shipped_manifests().unwrap();
    manifests.into_iter().find(|manifest| manifest.name == base(driver)).unwrap()
}

/// Lines of a table that no method has any more.
fn stale(driver: &str, table: &Table) -> Vec<String> {
    let manifest = manifest(driver);
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
