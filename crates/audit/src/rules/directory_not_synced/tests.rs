//! When a name counts as kept.

use crate::finding::{Owner, Severity};
use crate::open_flags;
use crate::rule::Guards;
use crate::script::{CREATE, Script};
use fathom_events::{CallOutcome, DescriptorKind, FileAction};

/// What is told on such a file system, in few words, with the count.
fn told(file_system: &str, calls: impl Fn(&mut Script)) -> Vec<(&'static str, u64)> {
    let mut script = Script::new();
    script.mount("/", file_system, "rw");
    calls(&mut script);
    script.exit();
    let mut found = script.findings(Guards::default());
    found.retain(|finding| finding.rule == super::FACTS.id);
    let kinds = [
        (&super::RENAMED, "renamed"),
        (&super::MADE, "made"),
        (&super::CARRIED, "kept"),
        (&super::ACKNOWLEDGED, "acknowledged"),
    ];
    let mut told: Vec<_> = found
        .iter()
        .map(|one| {
            let (words, kind) = kinds.iter().find(|(words, _)| words.title == one.title).unwrap();
            assert_eq!(one.severity, words.severity);
            assert_eq!(
                one.severity != Severity::Info,
                *kind == "acknowledged",
                "only a client's loss fails a run"
            );
            (*kind, one.count)
        })
        .collect();
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
    assert_eq!(severities("ext4"), [("kept", 3)], "the last sync kept both renames");
    assert_eq!(severities("vfat"), [("made", 1), ("renamed", 2)]);
}

#[test]
fn the_next_sync_keeps_a_name_before_anybody_was_told() {
    let all = |script: &mut Script| (0..9).for_each(|n| replace(script, &format!("/srv/{n}")));
    assert_eq!(told("ext4", all), [("kept", 8), ("renamed", 1)], "the last is not kept");
    assert_eq!(told("vfat", all), [("renamed", 9)]);
    assert_eq!(
        told("xfs", |script| {
            (0..9).for_each(|n| {
                replace(script, &format!("/srv/{n}"));
                script.write(1, 4);
            });
        }),
        [("renamed", 9)],
        "each was told at once"
    );
    let again = |script: &mut Script| (0..9).for_each(|_| replace(script, "/srv/state"));
    assert_eq!(told("btrfs", again), [("renamed", 1)]);
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
    assert_eq!(told("ext4", old("fsync", true)), [("kept", 1)]);
    assert_eq!(told("ext4", old("fsync", false)), [("renamed", 1)], "nothing was written");
    assert_eq!(told("ext4", old("fdatasync", true)), [("renamed", 1)], "in place of old data");
    let emptied = |script: &mut Script| {
        replace(script, "/srv/state");
        let file = script.open("/srv/table", crate::script::TRUNCATE);
        script.write(file, 100);
        script.works("fdatasync", FileAction::Sync { descriptor: Some(file), data_only: true });
    };
    assert_eq!(told("ext4", emptied), [("kept", 1)], "what it holds now lies elsewhere");
    let own = |script: &mut Script| {
        replace(script, "/srv/state");
        let file = script.open("/srv/state", 2);
        script.works("fsync", FileAction::Sync { descriptor: Some(file), data_only: false });
    };
    assert_eq!(told("ext4", own), [("kept", 1)], "its new name is a change of its own");
}

#[test]
fn an_answer_to_a_client_makes_it_a_danger() {
    let accept = |script: &mut Script, call: &'static str| {
        let made = [Some(90), None];
        let action = FileAction::MakeDescriptors { kind: DescriptorKind::Socket, made, close_on_exec: true };
        script.call(call, action, CallOutcome::Value(90));
    };
    let answer = |call: &'static str, between: fn(&mut Script)| {
        move |script: &mut Script| {
            accept(script, call);
            script.read(90, 4096, 100);
            replace(script, "/srv/state");
            between(script);
            script.write(90, 10);
        }
    };
    assert_eq!(told("ext4", answer("accept4", |_| {})), [("acknowledged", 1)]);
    assert_eq!(told("ext4", answer("socket", |_| {})), [("renamed", 1)], "it asks others itself");
    let kept = answer("accept4", |script| make(script, "/srv/other", "fsync"));
    assert_eq!(told("ext4", kept), [("kept", 2)], "the later sync kept the name in time");
    let asked_later = answer("accept4", |script| script.read(90, 4096, 100));
    assert_eq!(told("ext4", asked_later), [("renamed", 1)], "that is the answer to another question");
    let news = answer("accept4", |script| {
        script.write(90, 10);
        replace(script, "/srv/snapshot");
    });
    assert_eq!(told("ext4", news), [("acknowledged", 1), ("renamed", 1)], "nobody asked for the second");
    let unseen = |script: &mut Script| {
        accept(script, "accept4");
        replace(script, "/srv/state");
        script.close(90);
    };
    assert_eq!(told("ext4", unseen), [("renamed", 1)], "nothing was seen to be said");
}

#[test]
fn php_cannot_sync_a_directory() {
    let owners = |program: &str| {
        let mut script = Script::new();
        script.execute(program);
        replace(&mut script, "/srv/state");
        script.exit();
        let found = script.findings_of(super::FACTS.id, Guards::default());
        found.iter().map(|finding| finding.owner).collect::<Vec<_>>()
    };
    assert_eq!(owners("/usr/bin/php"), [Owner::Runtime]);
    assert_eq!(owners("/usr/bin/ruby"), [Owner::Yours]);
}
