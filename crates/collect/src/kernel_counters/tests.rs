use super::*;
use fathom_model::counter_name as name;
use std::process::{Child, Command, Stdio};

fn value(readings: &[CounterReading], wanted: &str, scope: Scope) -> Reading<u64> {
    let found = readings.iter().find(|reading| reading.name == wanted && reading.scope == scope);
    found.unwrap_or_else(|| panic!("no counter {wanted}")).value.clone()
}

fn difference(before: &[CounterReading], after: &[CounterReading], wanted: &str) -> Reading<u64> {
    match (value(before, wanted, Scope::Task), value(after, wanted, Scope::Task)) {
        (Reading::Value(before), Reading::Value(after)) => Reading::Value(after - before),
        (Reading::Unavailable(reason), _) | (_, Reading::Unavailable(reason)) => Reading::Unavailable(reason),
    }
}

/// A shell that waits for a line before it does what `script` says.
fn waiting(script: &str, folder: &std::path::Path) -> Child {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &format!("read line; {script}")]).current_dir(folder);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
}

fn let_go(child: &mut Child) {
    drop(child.stdin.take());
    child.wait().unwrap();
}

#[test]
fn pages_of_a_file_written_and_what_a_child_did_at_its_exit_are_counted() {
    let folder = tempfile::tempdir_in(".").unwrap();
    let mut child = waiting("head -c 409600 /dev/zero > file; :", folder.path());
    let mut set = CounterSet::attach(child.id(), None);
    let before = set.read();
    let_go(&mut child);
    let after = set.read();
    match difference(&before, &after, name::PAGES_ADDED) {
        // The child is gone, and with it everything in /proc; the sum stays. Other pages may be
        // read for the program.
        Reading::Value(pages) => assert!(pages >= 100, "{pages}"),
        Reading::Unavailable(reason) => {
            assert!(!rustix::process::geteuid().is_root(), "{reason}");
            assert!(reason.contains("needs root"), "{reason}");
        }
    }
    let gone = value(&after, name::RUSAGE_MINOR_FAULTS, Scope::Task);
    assert!(matches!(gone, Reading::Unavailable(_)), "{gone:?}");
}

#[test]
fn an_ordinary_user_has_reasons_or_values_and_never_a_false_zero() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = waiting(":", folder.path());
    let mut set = CounterSet::attach(child.id(), None);
    let readings = set.read();
    let_go(&mut child);
    let names: Vec<_> = readings.iter().map(|reading| (reading.scope, reading.name.as_str())).collect();
    for wanted in
        [name::MINOR_FAULTS, name::BIO_QUEUE, name::PAGES_ADDED, "block_rq_issue:read", name::CPU_TIME]
    {
        assert!(names.contains(&(Scope::Task, wanted)), "{wanted} in {names:?}");
    }
    let mut distinct = names.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
    let of = value(&readings, name::BIO_QUEUE, Scope::Device);
    assert!(matches!(of, Reading::Unavailable(reason) if reason.contains("no block device")));
}

#[test]
fn the_survey_has_an_answer_for_everything() {
    assert!(counter_survey().iter().all(|(_, found)| match found {
        Ok(yes) => !yes.is_empty(),
        Err(reason) => !reason.is_empty(),
    }));
    release_tracepoints();
}
