//! Waste, mended form and look-alikes of R50.

use super::*;

pub(in crate::rules) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script, TRUNCATE, WRITE};
    use fathom_events::CallOutcome;
    fn fail(script: &mut Script, errno: i32) -> i32 {
        let file = script.open("/data/out", TRUNCATE);
        let action = FileAction::Write { descriptor: file, bytes: 4096, offset: None, pieces: 1 };
        script.fails("write", action, errno);
        file
    }
    /// Writes 8 of 10 bytes.
    fn part_written(script: &mut Script, path: &str) -> i32 {
        let file = script.open(path, WRITE);
        let action = FileAction::Write { descriptor: file, bytes: 10, offset: None, pieces: 1 };
        script.call("write", action, CallOutcome::Value(8));
        file
    }
    /// Reads 4096 of 8192 bytes of a file of that size.
    fn part_read(script: &mut Script, path: &str, size_bytes: u64) -> i32 {
        let file = script.open(path, READ);
        script.fstat(file, size_bytes);
        script.read(file, 8192, 4096);
        file
    }
    fn exit(script: &mut Script, code: i32) {
        script.call(
            "exit_group",
            FileAction::Exit { code: Some(code), whole: true },
            CallOutcome::Unfinished,
        );
    }
    /// A script of the shell's: a command of its own fails, which it says by itself.
    fn fail_in_script(script: &mut Script) -> i32 {
        script.fork(300);
        script.act_as(300, 300);
        script.execute("/bin/sh");
        let file = fail(script, 28);
        script.write(2, 20);
        script.write(2, 1);
        script.duplicate(file, 1);
        file
    }
    /// A script's command says that it failed, and ends so.
    fn command_fails(script: &mut Script) {
        script.fork(300);
        script.act_as(300, 300);
        script.execute("/bin/sh");
        script.fork(301);
        script.act_as(301, 301);
        script.execute("/bin/cat");
        fail(script, 28);
        script.write(2, 40);
        exit(script, 1);
        script.act_as(300, 300);
    }
    crate::trio::Trio {
        rule: 50,
        waste: |script| {
            let file = fail(script, 28);
            script.fails("fsync", FileAction::Sync { descriptor: Some(file), data_only: false }, 5);
            part_written(script, "/data/out");
            part_read(script, "/data/table", 9000);
            let file = script.open("/data/list", READ);
            let action = FileAction::Write { descriptor: file, bytes: 10, offset: None, pieces: 1 };
            script.fails("write", action, 9);
            exit(script, 0);
            script.act_as(200, 200);
            fail_in_script(script);
            exit(script, 0);
            script.act_as(400, 400);
            command_fails(script);
            exit(script, 0);
        },
        count: 7,
        fixed: |script| {
            fail(script, 28);
            script.write(2, 40);
            exit(script, 1);
        },
        look_alikes: &[
            ("again", |script| {
                fail(script, 11);
                exit(script, 0);
            }),
            ("told", |script| {
                fail(script, 28);
                script.write(2, 40);
                exit(script, 0);
            }),
            // What is known has failed once more when it is closed.
            ("told", |script| {
                let file = fail(script, 28);
                script.write(2, 40);
                let action = FileAction::Write { descriptor: file, bytes: 4096, offset: None, pieces: 1 };
                script.fails("write", action, 28);
                exit(script, 0);
            }),
            ("told", |script| {
                fail_in_script(script);
                script.duplicate(2, 1);
                script.write(1, 20);
                exit(script, 0);
            }),
            ("exit-code", |script| {
                fail(script, 28);
                exit(script, 1);
            }),
            ("exit-code", |script| {
                command_fails(script);
                exit(script, 1);
            }),
            // Whether this descriptor is open at all is not known.
            ("", |script| {
                let action = FileAction::Write { descriptor: 77, bytes: 10, offset: None, pieces: 1 };
                script.fails("write", action, 9);
                exit(script, 0);
            }),
            ("retried", |script| {
                let file = fail(script, 28);
                script.write(file, 4096);
                exit(script, 0);
            }),
            ("retried", |script| {
                let file = part_written(script, "/data/out");
                script.write(file, 2);
                let file = part_read(script, "/data/table", 9000);
                script.read(file, 4096, 4096);
                exit(script, 0);
            }),
            ("retried", |script| {
                let file = fail(script, 28);
                script.close(file);
                let file = script.open("/data/out", TRUNCATE);
                script.write(file, 4096);
                exit(script, 0);
            }),
            ("discarded", |script| {
                let file = fail(script, 28);
                script.close(file);
                script.remove("/data/out");
                exit(script, 0);
            }),
            ("stream", |script| {
                let made = [Some(40), Some(41)];
                let kind = fathom_events::DescriptorKind::Pipe;
                script.works("pipe2", FileAction::MakeDescriptors { kind, made, close_on_exec: true });
                let action = FileAction::Write { descriptor: 41, bytes: 100_000, offset: None, pieces: 1 };
                script.call("write", action, CallOutcome::Value(65_536));
                exit(script, 0);
            }),
            ("peer", |script| {
                let kind = fathom_events::DescriptorKind::Socket;
                let made = [Some(40), None];
                script.works("socket", FileAction::MakeDescriptors { kind, made, close_on_exec: true });
                let action = FileAction::Write { descriptor: 40, bytes: 100, offset: None, pieces: 1 };
                script.fails("write", action, 104);
                exit(script, 0);
            }),
            ("kernel", |script| {
                let file = script.open("/proc/self/oom_score_adj", WRITE);
                let action = FileAction::Write { descriptor: file, bytes: 4, offset: None, pieces: 1 };
                script.fails("write", action, 13);
                exit(script, 0);
            }),
            ("end", |script| {
                part_read(script, "/data/table", 4096);
                exit(script, 0);
            }),
        ],
    }
};

mod tests {
    use super::TRIO;
    use crate::finding::Severity::{self, High, Info};
    use crate::rule::Guards;
    use crate::script::{Script, TRUNCATE};
    use fathom_events::{CallOutcome, FileAction};

    /// A write of so many bytes fails, and what is written to files that are opened afterwards follows.
    fn told(bytes: u64, then: &[(&str, u64)]) -> Vec<(Severity, u64)> {
        let mut script = Script::new();
        let file = script.open("/data/out", TRUNCATE);
        let action = FileAction::Write { descriptor: file, bytes, offset: None, pieces: 1 };
        script.fails("write", action, 28);
        script.close(file);
        for (path, bytes) in then {
            let file = script.open(path, TRUNCATE);
            script.write(file, *bytes);
            script.close(file);
        }
        let action = FileAction::Exit { code: Some(0), whole: true };
        script.call("exit_group", action, CallOutcome::Unfinished);
        let found = script.findings_of(crate::finding::RuleId(TRIO.rule), Guards::default());
        found.iter().map(|finding| (finding.severity, finding.count)).collect()
    }

    #[test]
    fn what_is_written_elsewhere_was_noticed() {
        assert_eq!(told(43, &[("/data/second", 43)]), [(Info, 1)]);
        assert_eq!(told(43, &[("/data/second", 43), ("/data/second", 43)]), [(Info, 1)]);
        assert_eq!(told(43, &[("/data/second", 44)]), [(High, 1)], "something else");
    }

    #[test]
    fn records_of_one_length_in_files_of_their_own_are_no_second_attempt() {
        assert_eq!(told(43, &[("/data/second", 43), ("/data/third", 43)]), [(High, 1)]);
    }
}
