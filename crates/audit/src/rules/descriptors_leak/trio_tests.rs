//! Waste, mended form and look-alikes of R51.

use super::*;

pub(in crate::rules) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    use fathom_events::{Target, Whence};
    fn open_all(script: &mut Script, files: usize) -> Vec<i32> {
        (0..files)
            .map(|number| {
                let file = script.open(&format!("/data/{number}"), READ);
                script.read(file, 10, 10);
                file
            })
            .collect()
    }
    crate::trio::Trio {
        rule: 51,
        waste: |script| {
            open_all(script, 50);
            script.exit();
            // Every third way out forgets to close.
            script.act_as(200, 200);
            for number in 0..60 {
                let file = script.open(&format!("/data/{number}"), READ);
                script.read(file, 10, 10);
                if number % 3 != 0 {
                    script.close(file);
                }
            }
            script.exit();
            // The language closes what the program left, when it ends.
            script.act_as(300, 300);
            let files = open_all(script, 6);
            script.write(1, 10);
            for file in files {
                script.close(file);
            }
            script.exit();
            // One in each of many directories.
            script.act_as(400, 400);
            for number in 0..20 {
                let file = script.open(&format!("/data/{number}/list"), READ);
                script.read_at(file, 10, 10, 0);
            }
            script.exit();
            // Line by line, each read to the end of the file and stepped back from, as `read` of bash.
            script.act_as(500, 500);
            for number in 0..20 {
                let file = script.open(&format!("/data/{number}"), READ);
                for line in [0_u8, 10, 20] {
                    script.seek(file, line.into(), Whence::Start, line.into());
                    script.read(file, 4096, i64::from(30 - line));
                }
            }
            script.exit();
        },
        count: 50 + 20 + 6 + 20 + 20,
        fixed: |script| {
            for number in 0..50 {
                let file = script.open(&format!("/data/{number}"), READ);
                script.read(file, 10, 10);
                script.close(file);
            }
            script.exit();
        },
        look_alikes: &[
            // A cache of the last ten.
            ("bounded", |script| {
                let mut kept = std::collections::VecDeque::new();
                for number in 0..50 {
                    if kept.len() == 10 {
                        kept.pop_front().into_iter().for_each(|oldest| script.close(oldest));
                    }
                    let file = script.open(&format!("/data/{number}"), READ);
                    script.read(file, 10, 10);
                    kept.push_back(file);
                }
                script.exit();
            }),
            // It goes on after it closed them.
            ("few", |script| {
                let files = open_all(script, 12);
                for file in files {
                    script.close(file);
                }
                script.stat("/data/question", 10);
                script.exit();
            }),
            ("used", |script| {
                for number in 0..20 {
                    script.open(&format!("/data/{number}"), READ | crate::open_flags::DIRECTORY);
                }
                for directory in 3..23 {
                    let Target::Path { path, .. } = script.target("name") else { continue };
                    let target = Target::Path { directory, path, follow: true };
                    script.works("newfstatat", FileAction::Stat { target, facts: None, mask: 0 });
                }
                script.exit();
            }),
            ("container", |script| {
                for number in 0..20 {
                    let descriptor = script.open(&format!("/data/lock{number}"), READ);
                    script.works("flock", FileAction::Lock { descriptor });
                }
                script.exit();
            }),
            ("plateau", |script| {
                open_all(script, 20);
                (0..200).for_each(|_| script.stat("/data/question", 10));
                script.exit();
            }),
            ("used", |script| {
                let files = open_all(script, 50);
                for file in files {
                    script.read(file, 10, 10);
                }
                script.exit();
            }),
            ("container", |script| {
                for number in 0..40 {
                    let jar = script.open(&format!("/data/{number}.jar"), READ);
                    script.seek(jar, -22, Whence::End, 9_978);
                    script.read(jar, 22, 22);
                }
                script.exit();
            }),
            ("few", |script| {
                open_all(script, 4);
                script.exit();
            }),
        ],
    }
};

mod tests {
    use crate::finding::Severity;
    use crate::rule::Guards;
    use crate::script::{READ, Script};
    use fathom_events::{DescriptorKind, FileAction};

    fn found(program: impl FnOnce(&mut Script)) -> Vec<(Severity, u64)> {
        let mut script = Script::new();
        program(&mut script);
        let found = script.findings(Guards::default());
        let leaks = found.iter().filter(|finding| finding.rule.0 == 51);
        leaks.map(|finding| (finding.severity, finding.count)).collect()
    }

    #[test]
    fn a_few_are_told_and_fail_nothing() {
        let leak = |files: usize| {
            found(|script| {
                for number in 0..files {
                    let file = script.open(&format!("/data/{number}"), READ);
                    script.read(file, 10, 10);
                }
                script.exit();
            })
        };
        assert_eq!((leak(6), leak(40)), (vec![(Severity::Info, 6)], vec![(Severity::Warn, 40)]));
    }

    #[test]
    fn a_head_and_what_follows_it_are_no_reading_here_and_there() {
        let reads = |offsets: &'static [u64]| {
            found(|script| {
                for number in 0..40 {
                    let file = script.open(&format!("/data/{number}"), READ);
                    for offset in offsets {
                        script.read_at(file, 5, 5, *offset);
                    }
                }
                script.exit();
            })
        };
        assert_eq!(reads(&[0, 6]), [(Severity::Warn, 40)]);
        assert_eq!(reads(&[0, 6, 20]), [], "records of an open table");
        assert_eq!(reads(&[0, 9000]), [], "what an index led to");
    }

    #[test]
    fn what_a_collector_closes_now_and_then_has_piled_up() {
        let collected = found(|script| {
            for _ in 0..3 {
                let mut open = Vec::new();
                for number in 0..20 {
                    let file = script.open(&format!("/data/{number}"), READ);
                    script.read(file, 10, 10);
                    open.push(file);
                }
                for file in open {
                    script.close(file);
                }
            }
            script.stat("/data", 10);
            script.exit();
        });
        // Of each twenty the last one was at work.
        assert_eq!(collected, [(Severity::Info, 57)]);
    }

    #[test]
    fn watchers_pile_up_too() {
        let watchers = found(|script| {
            for number in 0..20 {
                let made = [Some(40 + number), None];
                let kind = DescriptorKind::Kernel;
                script
                    .works("inotify_init1", FileAction::MakeDescriptors { kind, made, close_on_exec: true });
                script.stat(&format!("/data/{number}"), 10);
            }
            script.exit();
        });
        assert_eq!(watchers, [(Severity::Warn, 20)]);
    }
}
