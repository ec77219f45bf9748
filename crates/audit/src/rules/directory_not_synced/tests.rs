//! When a name counts as kept.

use crate::finding::Severity::{self, Info, Warn};
use crate::open_flags;
use crate::rule::Guards;
use crate::script::{CREATE, Script};
use fathom_events::FileAction;

/// Severity and count of what is told on such a file system, in their order.
fn told(file_system: &str, calls: impl Fn(&mut Script)) -> Vec<(Severity, u64)> {
    let mut script = Script::new();
    script.mount("/", file_system, "rw");
    calls(&mut script);
    script.exit();
    let mut found = script.findings(Guards::default());
    found.retain(|finding| finding.rule == super::FACTS.id);
    let mut told: Vec<_> = found.iter().map(|one| (one.severity, one.count)).collect();
    told.sort_unstable();
    told
}

/// Makes a file with so many bytes and syncs it.
fn make(script: &mut Script, path: &str, call: &'static str) {
    let file = script.open(path, CREATE | open_flags::EXCLUSIVE);
    script.write(file, 100);
    script.works(call, FileAction::Sync { descriptor: Some(file), data_only: call == "fdatasync" });
    script.close(file);
}

fn replace(script: &mut Script, path: &str) {
    let new = format!("{path}.new");
    make(script, &new, "fdatasync");
    script.rename(&new, path);
}

#[test]
fn a_file_system_that_keeps_names_makes_it_a_note() {
    let severities = |file_system: &str| told(file_system, super::TRIO.waste);
    assert_eq!(severities("ext4"), [(Info, 3)], "the last sync kept both renames");
    assert_eq!(severities("vfat"), [(Warn, 1), (Warn, 2)]);
}

#[test]
fn the_next_sync_keeps_a_name_before_anybody_was_told() {
    let all = |script: &mut Script| (0..9).for_each(|n| replace(script, &format!("/srv/{n}")));
    assert_eq!(told("ext4", all), [(Warn, 1), (Info, 8)], "the last is not kept");
    assert_eq!(told("vfat", all), [(Warn, 9)]);
    assert_eq!(
        told("xfs", |script| {
            (0..9).for_each(|n| {
                replace(script, &format!("/srv/{n}"));
                script.write(1, 4);
            });
        }),
        [(Warn, 9)],
        "each was told at once"
    );
    let again = |script: &mut Script| (0..9).for_each(|_| replace(script, "/srv/state"));
    assert_eq!(told("btrfs", again), [(Warn, 1)]);
}

#[test]
fn a_sync_that_changes_nothing_in_the_log_keeps_no_name() {
    let old = |call: &'static str, writes: bool| {
        move |script: &mut Script| {
            let file = script.open("/srv/table", 2);
            replace(script, "/srv/state");
            if writes {
                script.write(file, 100);
            }
            script.works(call, FileAction::Sync { descriptor: Some(file), data_only: call == "fdatasync" });
        }
    };
    assert_eq!(told("ext4", old("fsync", true)), [(Info, 1)]);
    assert_eq!(told("ext4", old("fsync", false)), [(Warn, 1)], "nothing was written");
    assert_eq!(told("ext4", old("fdatasync", true)), [(Warn, 1)], "in place of old data");
    let emptied = |script: &mut Script| {
        replace(script, "/srv/state");
        let file = script.open("/srv/table", crate::script::TRUNCATE);
        script.write(file, 100);
        script.works("fdatasync", FileAction::Sync { descriptor: Some(file), data_only: true });
    };
    assert_eq!(told("ext4", emptied), [(Info, 1)], "what it holds now lies elsewhere");
    let own = |script: &mut Script| {
        replace(script, "/srv/state");
        let file = script.open("/srv/state", 2);
        script.works("fsync", FileAction::Sync { descriptor: Some(file), data_only: false });
    };
    assert_eq!(told("ext4", own), [(Info, 1)], "its new name is a change of its own");
}
