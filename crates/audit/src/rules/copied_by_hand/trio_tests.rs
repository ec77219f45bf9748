//! Waste, mended form and look-alikes of R43.

use super::*;

pub(in crate::rules) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script, WRITE};
    use fathom_events::{CallOutcome, FileKind, Target};
    const PIECE: u64 = 65_536;
    fn copy(script: &mut Script, from: i32, to: i32, pieces: u64, written: u64) {
        for _ in 0..pieces {
            script.read(from, PIECE, 65_536);
            script.write(to, written);
        }
        script.close(from);
        script.close(to);
    }
    fn open_two(script: &mut Script, flags: u32) -> (i32, i32) {
        (script.open("/data/from", READ), script.open("/data/to", flags))
    }
    fn kernel_copy(script: &mut Script, is_told: bool, last: bool, bytes: u64) {
        let (from, to) = open_two(script, CREATE);
        if is_told {
            script.fstat(from, 500_000);
        }
        for came in [500_000, 0].into_iter().take(1 + usize::from(last)) {
            let action = FileAction::Copy { from, to, bytes, from_offset: None, to_offset: None };
            script.call("copy_file_range", action, CallOutcome::Value(came));
        }
        script.close(from);
        script.close(to);
    }
    crate::trio::Trio {
        rule: 43,
        waste: |script| {
            let (from, to) = open_two(script, CREATE);
            copy(script, from, to, 9, PIECE);
            kernel_copy(script, true, true, 500_000);
            // Each read whole, then written, in pieces of other sizes.
            for number in 0..4 {
                let from = script.open(&format!("/data/small/{number}"), READ);
                script.read(from, 8192, 900);
                script.close(from);
                let to = script.open(&format!("/data/new/{number}"), CREATE);
                script.write(to, 512);
                script.write(to, 388);
                script.close(to);
            }
            // One thread reads, another writes, and what wakes a third is nothing to write.
            script.start_thread(101);
            script.start_thread(102);
            let (from, to) = open_two(script, CREATE);
            let made = [Some(90), None];
            let kind = DescriptorKind::Kernel;
            script.works("eventfd2", FileAction::MakeDescriptors { kind, made, close_on_exec: true });
            script.act_as(100, 101);
            script.read(from, PIECE, 65_536);
            script.act_as(100, 102);
            script.read(90, 8, 8);
            script.act_as(100, 100);
            script.write(to, PIECE);
            script.close(to);
        },
        count: 9 + 1 + 4 * 2 + 1,
        fixed: |script| kernel_copy(script, true, false, 500_000),
        look_alikes: &[
            ("transformed", |script| {
                let (from, to) = open_two(script, CREATE);
                copy(script, from, to, 9, 60_000);
            }),
            ("transformed", |script| {
                let (from, to) = open_two(script, CREATE);
                script.read(from, PIECE, 65_536);
                script.write(to, 50_000);
                copy(script, from, to, 40, PIECE);
            }),
            ("little", |script| {
                let (from, to) = open_two(script, CREATE);
                script.read(from, 4096, 900);
                script.write(to, 900);
                script.close(to);
            }),
            // As many bytes, at other places of the file.
            ("transformed", |script| {
                let (from, to) = open_two(script, CREATE);
                script.read(from, PIECE, 65_536);
                script.seek(to, 4096, fathom_events::Whence::Start, 4096);
                script.write(to, PIECE);
                script.close(to);
            }),
            ("other-device", |script| {
                let (from, to) = open_two(script, CREATE);
                script.fstat(from, 600_000);
                let mut facts = script.facts("/data/to", FileKind::Regular, 0);
                facts.identity = Some(FileIdentity { device: 2, inode: 7 });
                let target = Target::Descriptor(to);
                script.works("fstat", FileAction::Stat { target, facts: Some(Box::new(facts)), mask: 0 });
                copy(script, from, to, 9, PIECE);
            }),
            ("tried", |script| {
                let (from, to) = open_two(script, CREATE);
                let action =
                    FileAction::Copy { from, to, bytes: 1 << 30, from_offset: None, to_offset: None };
                script.fails("copy_file_range", action, 18);
                copy(script, from, to, 9, PIECE);
            }),
            ("filter", |script| {
                script.fstat(0, 600_000);
                let to = script.open("/data/to", CREATE);
                copy(script, 0, to, 9, PIECE);
            }),
            // The shell opens both, and executes the filter.
            ("filter", |script| {
                let (from, to) =
                    (script.open("/data/from", 0), script.open("/data/to", 1 | open_flags::CREATE));
                script.execute("/usr/bin/tr");
                copy(script, from, to, 9, PIECE);
            }),
            ("appends", |script| {
                let (from, to) = open_two(script, WRITE | open_flags::APPEND);
                copy(script, from, to, 9, PIECE);
            }),
            // An editor: as many bytes as before are written, and renamed to the file itself.
            ("replaces", |script| {
                let (from, to) = open_two(script, CREATE);
                copy(script, from, to, 9, PIECE);
                script.rename("/data/to", "/data/from");
                let file = script.open("/data/page", READ);
                script.read(file, PIECE, 65_536);
                script.close(file);
                let file = script.open("/data/page", crate::script::TRUNCATE);
                script.write(file, PIECE);
                script.close(file);
            }),
            // What is written came from a pipe, as long as it is.
            ("", |script| {
                let (from, to) = open_two(script, CREATE);
                script.read(from, PIECE, 65_536);
                script.read(0, PIECE, 65_536);
                script.write(to, PIECE);
                script.close(to);
            }),
            // Read back to be checked; the next one is as long.
            ("own", |script| {
                for number in 0..4 {
                    let path = format!("/data/segment/{number}");
                    let file = script.open(&path, CREATE | open_flags::EXCLUSIVE);
                    script.write(file, 10_000);
                    script.close(file);
                    let file = script.open(&path, READ);
                    script.read(file, 10_000, 10_000);
                    script.close(file);
                }
            }),
            ("unknown-size", |script| kernel_copy(script, false, true, 500_000)),
            // As cp and the standard library of Rust copy.
            ("streams", |script| kernel_copy(script, true, true, 1 << 30)),
        ],
    }
};
