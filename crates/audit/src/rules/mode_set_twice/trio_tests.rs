//! R10's trio: programs that set modes, and what is found of them.

use crate::open_flags;
use fathom_events::FileAction;

pub(crate) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, Script, WRITE};
    const NEW: u32 = CREATE | open_flags::EXCLUSIVE;
    fn make(script: &mut Script, path: &str, flags: u32, mode: u32) {
        let file = script.open(path, flags);
        let target = fathom_events::Target::Descriptor(file);
        script.works("fchmod", FileAction::ChangeMode { target, mode });
        script.close(file);
    }
    fn change(script: &mut Script, path: &str, mode: u32) {
        let target = script.target(path);
        script.works("fchmodat", FileAction::ChangeMode { target, mode });
    }
    /// Writes a file and changes its mode.
    fn keep(script: &mut Script, path: &str, flags: u32, mode: u32) {
        let file = script.open(path, flags);
        script.write(file, 100);
        script.close(file);
        change(script, path, mode);
    }
    crate::trio::Trio {
        rule: 10,
        waste: |script| {
            (0..5).for_each(|file| make(script, &format!("/data/{file}"), NEW, 0o644));
            // A script's umask counts, not that of chmod.
            script.works("umask", FileAction::Mask { mode: 0o077 });
            let file = script.open("/data/key", NEW);
            script.close(file);
            script.fork(200);
            script.act_as(200, 200);
            script.works("umask", FileAction::Mask { mode: 0 });
            change(script, "/data/key", 0o600);
            // Narrower than what it was made with, and after it was written.
            script.act_as(300, 300);
            (0..5).for_each(|file| keep(script, &format!("/keys/{file}"), NEW, 0o640));
            // Again and again.
            script.act_as(400, 400);
            (0..6).for_each(|_| change(script, "/data/run", 0o755));
            // Whether they were there before nobody knows.
            script.act_as(500, 500);
            (0..20).for_each(|file| keep(script, &format!("/all/{file}"), CREATE, 0o640));
        },
        count: 6 + 5 + 5 + 5 + 20,
        fixed: |script| {
            let file = script.open("/data/a", NEW);
            script.close(file);
        },
        look_alikes: &[
            ("masked", |script| make(script, "/data/a", NEW, 0o664)),
            ("existed", |script| {
                script.stat("/data/a", 10);
                make(script, "/data/a", CREATE, 0o644);
            }),
            // Nobody can be asked.
            ("existed", |script| make(script, "/data/a", CREATE, 0o644)),
            ("special", |script| make(script, "/data/a", NEW, 0o4644)),
            ("masked", |script| {
                (0..5).for_each(|file| keep(script, &format!("/bin/{file}"), NEW, 0o755));
            }),
            ("sealed", |script| {
                for file in 0..5 {
                    let path = format!("/objects/{file}");
                    for flags in [NEW, WRITE] {
                        let file = script.open(&path, flags);
                        script.write(file, 100);
                        script.close(file);
                    }
                    change(script, &path, 0o444);
                }
            }),
            ("other-process", |script| {
                (0..5).for_each(|file| {
                    let file = script.open(&format!("/data/{file}"), NEW);
                    script.close(file);
                });
                script.act_as(200, 200);
                (0..5).for_each(|file| change(script, &format!("/data/{file}"), 0o600));
            }),
            ("changed-between", |script| {
                for _ in 0..5 {
                    change(script, "/data/run", 0o755);
                    let file = script.open("/data/new", NEW);
                    script.close(file);
                    script.rename("/data/new", "/data/run");
                }
            }),
            ("changed-between", |script| {
                (0..10).for_each(|turn| change(script, "/data/run", 0o444 + 0o200 * (turn % 2)));
            }),
            ("long-gap", |script| {
                for _ in 0..5 {
                    change(script, "/data/run", 0o755);
                    script.wait_ms(1_500);
                }
            }),
            ("few", |script| (0..3).for_each(|_| change(script, "/data/run", 0o755))),
            // Others can read it all the same.
            ("few", |script| {
                (0..3).for_each(|file| keep(script, &format!("/objects/{file}"), NEW, 0o444));
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use crate::auditor::Auditor;
    use crate::finding::RuleId;
    use crate::script::{CREATE, Script};
    use crate::world::PathFacts;
    use fathom_events::{FileAction, FileKind, Target};

    /// Files whose names end in `old` were there before the program was started.
    fn read_path(path: &str) -> Option<PathFacts> {
        let made_ns = Some(if path.ends_with("old") { 5 } else { 20 });
        (!path.ends_with("gone")).then_some(PathFacts { permissions: 0o644, made_ns })
    }

    fn found(name: &str) -> u64 {
        let mut script = Script::new();
        let file = script.open("/data/x.tmp", CREATE);
        let target = Target::Descriptor(file);
        script.works("fchmod", FileAction::ChangeMode { target, mode: 0o644 });
        script.close(file);
        script.rename("/data/x.tmp", name);
        let mut auditor = Auditor::new().started_at(10, read_path);
        script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
        let findings = auditor.finish().findings;
        findings.iter().filter(|finding| finding.rule == RuleId(10)).map(|finding| finding.count).sum()
    }

    #[test]
    fn a_live_file_tells_itself_whether_it_was_there_before() {
        assert_eq!(["/data/new", "/data/old", "/data/gone"].map(found), [1, 0, 0]);
    }

    /// What is found of files that are written and then closed to others, by pattern: its title's first
    /// words and the count.
    fn closed_later(directory: &'static str, told: Option<u16>) -> Vec<(&'static str, u64)> {
        fn ask(path: &str) -> Option<PathFacts> {
            let permissions = if path.starts_with("/private") { 0o700 } else { 0o755 };
            path.starts_with('/').then_some(PathFacts { permissions, made_ns: Some(20) })
        }
        let mut script = Script::new();
        for number in 0..5 {
            let path = format!("{directory}/{number}");
            let file = script.open(&path, CREATE);
            if told.is_some() {
                let facts = script.facts(&path, FileKind::Regular, 0);
                let facts = Some(Box::new(fathom_events::FileFacts { permissions: told, ..facts }));
                let target = Target::Descriptor(file);
                script.works("fstat", FileAction::Stat { target, facts, mask: 0 });
            }
            script.write(file, 100);
            script.close(file);
            let target = script.target(&path);
            script.works("chmod", FileAction::ChangeMode { target, mode: 0o600 });
        }
        let mut auditor = Auditor::new().started_at(10, ask);
        script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
        let findings = auditor.finish().findings;
        let of_rule = findings.iter().filter(|finding| finding.rule == RuleId(10));
        let kind = |title: &str| if title.contains("others could read") { "exposed" } else { "given" };
        let mut kinds: Vec<_> = of_rule.map(|finding| (kind(&finding.title), finding.count)).collect();
        kinds.sort_unstable();
        kinds
    }

    #[test]
    fn what_others_could_read_until_chmod_is_a_danger_where_they_can_get_there() {
        assert_eq!(closed_later("/srv/keys", None), [("exposed", 5), ("given", 5)]);
        assert_eq!(closed_later("/private/keys", None), [("given", 5)]);
        // A umask that nothing set in the trace: what was told after the open shows it.
        assert_eq!(closed_later("/srv/keys", Some(0o600)), [("given", 5)]);
    }
}
