//! Waste, mended form and look-alikes of R55.

use super::*;

pub(in crate::rules) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn asked(script: &mut Script, descriptor: i32, inode: u64) {
        let mut facts = script.facts("/data/a", FileKind::Regular, 100);
        facts.identity = Some(FileIdentity { device: 1, inode });
        let target = Target::Descriptor(descriptor);
        script.works("fstat", FileAction::Stat { target, facts: Some(Box::new(facts)), mask: 0 });
    }
    fn look(script: &mut Script, path: &str, facts: FileFacts) {
        let target = script.target(path);
        script.works("newfstatat", FileAction::Stat { target, facts: Some(Box::new(facts)), mask: 0 });
    }
    /// Root asks whether it may read a path, and opens it.
    fn check(script: &mut Script, path: &str, flags: u32) -> i32 {
        script.start_by(0);
        script.access(path);
        script.open(path, flags)
    }
    crate::trio::Trio {
        rule: 55,
        waste: |script| {
            script.stat("/data/a", 100);
            let file = script.open("/data/a", READ);
            asked(script, file, 77);
            script.close(file);
            script.start_by(0);
            script.access("/tmp/job");
            let file = script.open("/tmp/job", READ);
            script.close(file);
            let mut facts = script.facts("/srv/spool", FileKind::Directory, 4096);
            facts.permissions = Some(0o1777);
            look(script, "/srv/spool", facts);
            script.access("/srv/spool/job");
            script.open("/srv/spool/job", READ);
            // What the C library asks verifies nothing.
            script.access("/tmp/table");
            let file = script.open("/tmp/table", READ);
            script.fstat(file, 100);
            script.read(file, 4096, 100);
            script.close(file);
            // A directory of its own making.
            let target = script.target("/srv/queue");
            script.works("mkdir", FileAction::MakeDirectory { target, mode: 0o777 });
            let target = script.target("/srv/queue");
            script.works("chmod", FileAction::ChangeMode { target, mode: 0o1777 });
            script.stat_fails("/srv/queue/lock");
            script.open("/srv/queue/lock", crate::script::CREATE);
        },
        count: 5,
        fixed: |script| {
            script.stat("/data/a", 100);
            let file = script.open("/data/a", READ);
            script.fstat(file, 100);
            script.close(file);
        },
        look_alikes: &[
            ("own-change", |script| {
                script.stat("/data/a", 100);
                script.rename("/data/a.new", "/data/a");
                let file = script.open("/data/a", READ);
                asked(script, file, 77);
            }),
            ("of-the-link", |script| {
                script.stat_as("/data/a", FileKind::Link, 10);
                let file = script.open("/data/a", READ);
                asked(script, file, 77);
            }),
            ("own-file", |script| {
                script.start_by(0);
                let file = script.open("/tmp/job", crate::script::CREATE | open_flags::EXCLUSIVE);
                script.close(file);
                check(script, "/tmp/job", READ);
            }),
            // A child reads what the shell's redirection wrote.
            ("own-file", |script| {
                script.start_by(0);
                let file = script.open("/tmp/list", crate::script::CREATE);
                script.close(file);
                script.fork(200);
                script.act_as(200, 200);
                script.access("/tmp/list");
                script.open("/tmp/list", READ);
            }),
            // One's own working directory in /tmp, as SQLite looks at it and opens it for a sync.
            ("own-file", |script| {
                script.start_by(1000);
                script.stat_as("/tmp/work", FileKind::Directory, 4096);
                let folder = script.open("/tmp/work", READ);
                script.close(folder);
            }),
            ("no-follow", |script| {
                check(script, "/tmp/job", READ | open_flags::NO_FOLLOW);
            }),
            ("verified", |script| {
                script.start_by(0);
                script.stat("/tmp/job", 100);
                let file = script.open("/tmp/job", READ);
                script.fstat(file, 100);
                script.read(file, 100, 100);
            }),
            ("", |script| {
                script.start_by(0);
                let target = script.target("/srv/spool");
                script.works("mkdir", FileAction::MakeDirectory { target, mode: 0o755 });
                script.stat_fails("/srv/spool/lock");
                script.open("/srv/spool/lock", crate::script::CREATE);
            }),
            ("named", |script| {
                script.start_with(&["cat", "/tmp/job"]);
                check(script, "/tmp/job", READ);
            }),
            ("", |script| {
                check(script, "/tmp/own/job", READ);
            }),
            ("new-file", |script| {
                script.stat_as("/data", FileKind::Directory, 4096);
                let file = script.open("/data", crate::script::BOTH | open_flags::TEMPORARY);
                asked(script, file, 77);
            }),
        ],
    }
};

mod tests {
    use crate::finding::Severity;
    use crate::rule::Guards;
    use crate::script::{READ, Script, WRITE};
    use fathom_events::FileAction;

    /// How bad it is to check a path and open it, for a user.
    fn severities(user: u32, program: impl FnOnce(&mut Script)) -> Vec<Severity> {
        let mut script = Script::new();
        script.start_by(user);
        program(&mut script);
        let found = script.findings(Guards::default());
        found.iter().filter(|finding| finding.rule.0 == 55).map(|finding| finding.severity).collect()
    }

    #[test]
    fn harm_depends_on_who_opens_for_what() {
        let opens = |user, flags| {
            severities(user, |script| {
                script.access("/tmp/job");
                script.open("/tmp/job", flags);
            })
        };
        assert_eq!(opens(0, READ), [Severity::High]);
        assert_eq!(opens(1000, WRITE), [Severity::Warn]);
        assert_eq!(opens(1000, READ), [Severity::Info]);
    }

    #[test]
    fn what_may_have_been_compared_is_no_certain_danger() {
        let looked = severities(0, |script| {
            script.stat("/tmp/job", 100);
            let file = script.open("/tmp/job", READ);
            script.fstat(file, 100);
            script.read(file, 4096, 100);
        });
        assert_eq!(looked, [Severity::Info]);
    }

    #[test]
    fn ones_own_file_cannot_be_swapped_where_only_its_owner_can_remove_it() {
        let own = severities(1000, |script| {
            script.stat("/tmp/job", 100);
            script.open("/tmp/job", WRITE);
        });
        assert_eq!(own, [Severity::Info]);
    }

    #[test]
    fn in_a_directory_that_is_not_sticky_ones_own_file_can_be_replaced() {
        let own = |mode: u32| {
            severities(0, |script| {
                let target = script.target("/srv/all");
                script.works("chmod", FileAction::ChangeMode { target, mode });
                let file = script.open("/srv/all/job", crate::script::CREATE | crate::open_flags::EXCLUSIVE);
                script.close(file);
                script.access("/srv/all/job");
                script.open("/srv/all/job", READ);
            })
        };
        assert_eq!((own(0o777), own(0o1777)), (vec![Severity::High], vec![]));
    }
}
