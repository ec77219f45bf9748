//! When a name counts as kept.

use crate::finding::{Owner, Severity};
use crate::open_flags;
use crate::rule::Guards;
use crate::script::{CREATE, READ, Script};
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
        (&super::DERIVED, "derived"),
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

/// Makes an index of what lies beside it, after other calls.
fn index(before: impl Fn(&mut Script)) -> impl Fn(&mut Script) {
    move |script| {
        let directory = script.open("/srv", READ | open_flags::DIRECTORY);
        script.works(
            "getdents64",
            FileAction::List { descriptor: directory, entries: Some(9), undecided: Some(0) },
        );
        script.close(directory);
        let source = script.open("/srv/icon.svg", READ);
        script.read(source, 4096, 100);
        script.close(source);
        before(script);
        replace(script, "/srv/icons.cache");
    }
}

#[test]
fn what_is_made_from_files_that_are_still_there_can_be_made_again() {
    assert_eq!(told("vfat", index(|_| {})), [("derived", 1)]);
    let verified = |script: &mut Script| {
        index(|_| {})(script);
        let index = script.open("/srv/icons.cache", READ);
        script.read(index, 4096, 100);
    };
    assert_eq!(told("vfat", verified), [("derived", 1)], "what is read after it is no source");
}

#[test]
fn what_cannot_be_made_again_is_not_called_derived() {
    let of_old = index(|script| {
        let old = script.open("/srv/icons.cache", READ);
        script.read(old, 4096, 100);
        script.close(old);
    });
    assert_eq!(told("vfat", of_old), [("renamed", 1)], "what was there is carried on");
    let of_request = index(|script| script.read(0, 4096, 100));
    assert_eq!(told("vfat", of_request), [("renamed", 1)], "somebody sent it");
    let of_journal = |script: &mut Script| {
        index(|_| {})(script);
        script.remove("/srv/icon.svg");
    };
    assert_eq!(told("vfat", of_journal), [("renamed", 1)], "what it was made from is gone");
    let of_nothing = |script: &mut Script| replace(script, "/srv/state");
    assert_eq!(told("vfat", of_nothing), [("renamed", 1)]);
    let of_settings = |script: &mut Script| {
        let settings = script.open("/etc/app.conf", READ);
        script.close(settings);
        replace(script, "/srv/state");
    };
    assert_eq!(told("vfat", of_settings), [("renamed", 1)], "settings are no content");
}

#[test]
fn who_confirms_one_file_after_the_other_is_taken_at_its_word() {
    let confirms = |count: u32| {
        move |script: &mut Script| {
            let inbox = script.open("/srv/inbox", READ);
            script.read(inbox, 4096, 100);
            for number in 0..count {
                replace(script, &format!("/srv/{number}"));
                script.write(1, 10);
            }
        }
    };
    assert_eq!(told("vfat", confirms(3)), [("renamed", 3)]);
    assert_eq!(told("vfat", confirms(1)), [("derived", 1)], "a program says once that it is done");
}

#[test]
fn a_client_that_was_told_makes_it_a_danger() {
    let connection = |script: &mut Script, call: &'static str| {
        let made = [Some(90), None];
        let action = FileAction::MakeDescriptors { kind: DescriptorKind::Socket, made, close_on_exec: true };
        script.call(call, action, CallOutcome::Value(90));
    };
    let answers = |call: &'static str, is_seen: bool, syncs: bool| {
        move |script: &mut Script| {
            connection(script, call);
            script.read(90, 4096, 100);
            replace(script, "/srv/state");
            if syncs {
                make(script, "/srv/other", "fsync");
            }
            if is_seen {
                script.write(90, 10);
            }
            script.close(90);
        }
    };
    assert_eq!(told("ext4", answers("accept4", true, false)), [("acknowledged", 1)]);
    assert_eq!(told("ext4", answers("accept4", false, false)), [("acknowledged", 1)], "by send()");
    assert_eq!(
        told("ext4", answers("accept4", true, true)),
        [("kept", 2)],
        "the later sync kept the name in time"
    );
    assert_eq!(told("ext4", answers("socket", true, false)), [("renamed", 1)], "it asks others itself");
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
