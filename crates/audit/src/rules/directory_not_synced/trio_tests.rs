//! Waste, mended form and look-alikes of R58.

use super::*;

pub(in crate::rules) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script, TRUNCATE};
    use fathom_events::CallOutcome;
    const NEW: u32 = CREATE | open_flags::EXCLUSIVE;
    fn sync_directory(script: &mut Script, path: &str) {
        let directory = script.open(path, READ | open_flags::DIRECTORY);
        script.sync(directory);
        script.close(directory);
    }
    fn exit(script: &mut Script, code: i32) {
        let action = FileAction::Exit { code: Some(code), whole: true };
        script.call("exit_group", action, CallOutcome::Unfinished);
    }
    /// Writes `PATH.new`, syncs it and renames it.
    fn replace(script: &mut Script, path: &str) {
        let new = format!("{path}.new");
        let file = script.open(&new, NEW);
        script.write(file, 100);
        script.sync(file);
        script.close(file);
        script.rename(&new, path);
    }
    fn make(script: &mut Script, path: &str, flags: u32) {
        let file = script.open(path, flags);
        script.write(file, 100);
        script.sync(file);
        script.close(file);
    }
    crate::trio::Trio {
        rule: 58,
        waste: |script| {
            // A log gets its name and is written on: nobody need be told.
            let log = script.open("/data/0.log.tmp", TRUNCATE);
            script.write(log, 4096);
            script.sync(log);
            script.rename("/data/0.log.tmp", "/data/0.log");
            script.write(log, 512);
            script.sync(log);
            replace(script, "/srv/state");
            make(script, "/var/lib/new", NEW);
            script.write(1, 4);
            exit(script, 0);
        },
        count: 3,
        fixed: |script| {
            replace(script, "/data/state");
            sync_directory(script, "/data");
            script.write(1, 4);
            exit(script, 0);
        },
        look_alikes: &[
            ("directory-synced", |script| {
                replace(script, "/data/state");
                script.works("sync", FileAction::Sync { descriptor: None, data_only: false });
                exit(script, 0);
            }),
            ("directory-synced", |script| {
                // Opened without O_DIRECTORY, and nobody asked what it is.
                replace(script, "/data/state");
                let directory = script.open("/data", READ);
                script.sync(directory);
                exit(script, 0);
            }),
            ("directory-synced", |script| {
                make(script, "/data/state", NEW);
                sync_directory(script, "/data");
                exit(script, 0);
            }),
            ("not-synced", |script| {
                let file = script.open("/data/out", NEW);
                script.write(file, 100);
                script.close(file);
                script.write(1, 4);
                exit(script, 0);
            }),
            ("dropped", |script| {
                let file = script.open("/data/segment", NEW);
                script.write(file, 100_000);
                script.sync(file);
                let advice = Advice::DontNeed;
                script
                    .works("fadvise64", FileAction::Advise { descriptor: file, offset: 0, bytes: 0, advice });
                exit(script, 0);
            }),
            ("gone", |script| {
                make(script, "/data/journal", NEW);
                script.remove("/data/journal");
                exit(script, 0);
            }),
            ("older", |script| {
                make(script, "/data/table", CREATE);
                exit(script, 0);
            }),
            ("scratch", |script| {
                replace(script, "/data/target/list");
                exit(script, 0);
            }),
            ("failed", |script| {
                replace(script, "/data/state");
                exit(script, 1);
            }),
            ("", |script| {
                // Who moves what others wrote and synced long ago promises nothing.
                script.rename("/data/a", "/data/b");
                exit(script, 0);
            }),
        ],
    }
};
