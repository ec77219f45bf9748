//! Waste, mended form and look-alikes of R60.

use super::*;

pub(in crate::rules) const TRIO: crate::trio::Trio = {
    use crate::script::{BOTH, CREATE, Script};
    use fathom_events::CallOutcome;
    fn write_at(script: &mut Script, descriptor: i32, bytes: u64, offset: u64) {
        let action = FileAction::Write { descriptor, bytes, offset: Some(offset), pieces: 1 };
        script.call("pwrite64", action, CallOutcome::Value(i64::try_from(bytes).unwrap()));
    }
    /// Overwrites 16 KiB of a file of a mebibyte.
    fn overwrite(script: &mut Script, path: &str, bytes: u64, offset: u64) -> i32 {
        let file = script.open(path, BOTH);
        script.fstat(file, 1 << 20);
        write_at(script, file, bytes, offset);
        file
    }
    crate::trio::Trio {
        rule: 60,
        waste: |script| {
            let file = overwrite(script, "/data/db", 16_384, 0);
            script.sync(file);
            write_at(script, file, 8192, 4096);
            script.sync(file);
            // What this program wrote and synced is promised as well.
            let file = script.open("/opt/pages", CREATE | crate::open_flags::EXCLUSIVE);
            script.write(file, 16_384);
            script.sync(file);
            write_at(script, file, 8192, 0);
            script.sync(file);
            // From the position, and nothing is synced.
            let file = script.open("/srv/table", BOTH);
            script.fstat(file, 100_000);
            script.write(file, 50_000);
            // No call told how long it is, and it was opened as one that is there.
            let file = script.open("/srv/world", crate::script::WRITE);
            script.write(file, 50_000);
            script.sync(file);
            // The same twice: what was synced is there to last.
            let file = script.open("/home/ann/world", crate::script::WRITE);
            for _ in 0..2 {
                write_at(script, file, 50_000, 0);
                script.sync(file);
            }
            // A part in the middle, of a file whose length is learnt when it is read afterwards.
            let file = script.open("/srv/census", crate::script::WRITE);
            write_at(script, file, 20_480, 1600);
            script.sync(file);
            script.close(file);
            let file = script.open("/srv/census", crate::script::READ);
            script.read(file, 65_536, 40_000);
            script.close(file);
            // What was found to be an overwriting is no copy of what comes next in the directory.
            let file = script.open("/srv/loom", BOTH);
            script.fstat(file, 100_000);
            write_at(script, file, 20_480, 1600);
            script.sync(file);
            script.close(file);
            // Two parts that take turns, and overlap.
            let file = script.open("/var/opt/state", BOTH);
            script.fstat(file, 100_000);
            for number in 0..4 {
                write_at(script, file, 16_384, number % 2 * 8192);
                script.sync(file);
            }
        },
        count: 4 + 1 + 1 + 2 + 4,
        fixed: |script| {
            let file = script.open("/data/db.new", CREATE | crate::open_flags::EXCLUSIVE);
            script.write(file, 1 << 20);
            script.sync(file);
            script.close(file);
            script.rename("/data/db.new", "/data/db");
        },
        look_alikes: &[
            ("page", |script| {
                let file = overwrite(script, "/data/db", 4096, 8192);
                script.sync(file);
            }),
            ("unsynced", |script| {
                let file = script.open("/data/out", CREATE | crate::open_flags::EXCLUSIVE);
                script.write(file, 50_000);
                write_at(script, file, 8192, 0);
            }),
            ("beyond-end", |script| {
                overwrite(script, "/data/db", 16_384, 1 << 20);
            }),
            // It ends where the last write did: perhaps all of it was appended.
            ("beyond-end", |script| {
                let file = script.open("/srv/census", crate::script::WRITE);
                write_at(script, file, 20_480, 1600);
                script.sync(file);
                script.fstat(file, 22_080);
                script.close(file);
            }),
            ("copied", |script| {
                let journal = script.open("/data/db.undo", CREATE | crate::open_flags::EXCLUSIVE);
                script.write(journal, 16_400);
                script.sync(journal);
                let file = overwrite(script, "/data/db", 16_384, 0);
                script.sync(file);
            }),
            // A double-write buffer: the page goes there first, and is cut off when it lies in its place.
            ("copied", |script| {
                let twice = script.open("/data/twice", BOTH);
                let pages = script.open("/data/pages", BOTH);
                script.fstat(pages, 1 << 20);
                write_at(script, twice, 8208, 0);
                script.sync(twice);
                write_at(script, pages, 8192, 16_384);
                script.sync(pages);
                script.truncate(twice, 0);
            }),
            // The same in one that is always as long: its head is made invalid.
            ("copied", |script| {
                let twice = script.open("/data/twice", BOTH);
                script.fstat(twice, 8208);
                let pages = script.open("/data/pages", BOTH);
                script.fstat(pages, 1 << 20);
                for page in [2, 1, 3] {
                    write_at(script, twice, 8208, 0);
                    script.sync(twice);
                    write_at(script, pages, 8192, page * 8192);
                    script.sync(pages);
                    write_at(script, twice, 16, 0);
                }
            }),
            ("committed", |script| {
                let file = overwrite(script, "/data/db", 16_384, 65_536);
                script.sync(file);
                write_at(script, file, 4096, 0);
                script.sync(file);
            }),
            ("forward", |script| {
                let file = overwrite(script, "/data/segment", 16_384, 0);
                script.sync(file);
                write_at(script, file, 8192, 16_384);
                script.sync(file);
            }),
            // The older of two slots is overwritten, the first one first.
            ("slots", |script| {
                let file = overwrite(script, "/data/slots", 16_384, 65_536);
                script.sync(file);
                for number in 0..3 {
                    write_at(script, file, 12_000, number % 2 * 65_536);
                    write_at(script, file, 16, number % 2 * 65_536 + 16_000);
                    script.sync(file);
                }
            }),
            // How long it is no call told: a new file, one that is not synced, and what may be its end.
            ("", |script| {
                let file = script.open("/data/new", CREATE);
                script.write(file, 50_000);
                script.sync(file);
                let file = script.open("/data/pipe", crate::script::WRITE);
                script.write(file, 50_000);
                let file = script.open("/data/known", crate::script::WRITE);
                write_at(script, file, 50_000, 8192);
                script.sync(file);
            }),
            ("log-or-lock", |script| {
                overwrite(script, "/data/ring.log", 16_384, 0);
            }),
            ("scratch", |script| {
                overwrite(script, "/data/target/cache", 16_384, 0);
            }),
            ("named", |script| {
                script.start_with(&["dd", "of=/data/image", "conv=notrunc"]);
                overwrite(script, "/data/image", 16_384, 0);
            }),
            // A formatter looks at what lies there, and writes what is to.
            ("named", |script| {
                script.start_with(&["mkfs", "/data/image"]);
                let image = script.open("/data/image", BOTH);
                script.fstat(image, 1 << 20);
                script.read_at(image, 512, 512, 0);
                for offset in [0, 65_536, 0] {
                    write_at(script, image, 16_384, offset);
                    script.sync(image);
                }
            }),
            ("renamed", |script| {
                overwrite(script, "/data/half", 16_384, 0);
                script.rename("/data/half", "/data/whole");
            }),
        ],
    }
};

mod tests {
    use crate::finding::Severity::{Info, Warn};
    use crate::rule::Guards;
    use crate::script::{BOTH, Script};
    use fathom_events::{CallOutcome, FileAction};

    /// Overwrites one file and then another, and cuts off what it wrote to the first.
    fn one_and_then_another(first_bytes: u64, syncs_first: bool) -> Vec<(crate::finding::Severity, u64)> {
        let mut script = Script::new();
        let [first, second] = ["/data/first", "/data/second"].map(|path| script.open(path, BOTH));
        script.fstat(second, 1 << 20);
        let write = |script: &mut Script, descriptor, bytes, offset| {
            let action = FileAction::Write { descriptor, bytes, offset: Some(offset), pieces: 1 };
            script.call("pwrite64", action, CallOutcome::Value(i64::try_from(bytes).unwrap()));
        };
        write(&mut script, first, first_bytes, 0);
        if syncs_first {
            script.sync(first);
        }
        write(&mut script, second, 16_384, 16_384);
        script.sync(second);
        script.truncate(first, 0);
        let found = script.findings_of(super::FACTS.id, Guards::default());
        let mut told: Vec<_> = found.iter().map(|one| (one.severity, one.count)).collect();
        told.sort_unstable();
        told
    }

    #[test]
    fn a_copy_is_synced_first_and_holds_all_of_it() {
        assert_eq!(one_and_then_another(16_400, true), []);
        assert_eq!(one_and_then_another(16_400, false), [(Warn, 1)], "it came to the device when it would");
        assert_eq!(one_and_then_another(8192, true), [(Warn, 1), (Info, 1)], "half of it");
    }

    /// What is told of a file that the command line names, of which so much is read before.
    fn named_and_read(read_bytes: i64, closes: bool) -> Vec<crate::finding::Severity> {
        let mut script = Script::new();
        script.start_with(&["edit", "/data/book"]);
        let mut file = script.open("/data/book", BOTH);
        script.fstat(file, 1 << 20);
        script.read(file, 1 << 20, read_bytes);
        if closes {
            script.close(file);
            file = script.open("/data/book", BOTH);
            script.fstat(file, 1 << 20);
        }
        let action = FileAction::Write { descriptor: file, bytes: 16_384, offset: Some(0), pieces: 1 };
        script.call("pwrite64", action, CallOutcome::Value(16_384));
        script.sync(file);
        let found = script.findings_of(super::FACTS.id, Guards::default());
        found.iter().map(|finding| finding.severity).collect()
    }

    #[test]
    fn what_is_read_and_then_written_over_is_changed_and_not_made_anew() {
        assert_eq!([named_and_read(512, false), named_and_read(512, true)], [[], []]);
        let changed = [named_and_read(65_536, false), named_and_read(1 << 20, true)];
        assert_eq!(changed, [[Info], [Info]], "who names it knows that it is worked on");
        assert_eq!(named_and_read(65_536, true), [], "it looked for what lies there");
    }

    #[test]
    fn only_a_file_that_is_made_to_last_is_a_danger_that_fails() {
        let mut script = Script::new();
        (super::TRIO.waste)(&mut script);
        let mut found = script.findings(Guards::default());
        found.retain(|finding| finding.rule == super::FACTS.id);
        let mut told: Vec<_> = found.iter().map(|one| (one.severity, one.count)).collect();
        told.sort_unstable();
        assert_eq!(told, [(Warn, 10), (Info, 1), (Info, 1)]);
    }
}
