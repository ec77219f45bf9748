//! R43: one file copied into another through the program's memory; and, where the kernel
//! copies, one more call to learn that nothing is left.

use crate::cases::{Cases, Scene};
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, World};
use fathom_events::{FileAction, FileIdentity};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(43),
    name: "user-space-copy",
    needs: "sizes and results of reads, writes and copies; what is in them is not seen",
    guards: &[TRANSFORMED, LITTLE, OTHER_DEVICE, TRIED, FILTER, APPENDS, UNKNOWN_SIZE],
    begin: |guards| {
        Box::new(CopiedByHand {
            guards,
            reads: Recent::default(),
            copies: BTreeMap::new(),
            tried: BTreeSet::new(),
            ends: Recent::default(),
            by_hand: Cases::default(),
            probes: Cases::default(),
        })
    },
};

const TRANSFORMED: Guard = Guard {
    name: "transformed",
    spares: "a piece was written that has not the length of what was read: no verbatim copy",
};
const LITTLE: Guard = Guard { name: "little", spares: "a small file is copied by one read and one write" };
const OTHER_DEVICE: Guard = Guard {
    name: "other-device",
    spares: "the files lie on different file systems: the kernel copies no faster",
};
const TRIED: Guard = Guard { name: "tried", spares: "it asked the kernel to copy, and was refused" };
const FILTER: Guard = Guard {
    name: "filter",
    spares: "it works on what the shell gave it: a filter does not know that these are files",
};
const APPENDS: Guard =
    Guard { name: "appends", spares: "copy_file_range refuses files opened with O_APPEND" };
const UNKNOWN_SIZE: Guard = Guard {
    name: "unknown-size",
    spares: "it does not know how long the file is: only asking on tells the end",
};

/// From this many bytes on a copy is worth a word.
const MUCH_BYTES: u64 = 256 * 1024;
/// Files of one process whose copies are followed.
const FOLLOWED: usize = 1024;

/// A filter that changes bytes and not their number makes the same calls: so nothing is priced.
const BY_HAND: Words = Words::cost(
    "perhaps a file was copied through the program's memory: each piece was written with the length that was read",
    "if the bytes are the same, copy_file_range copies inside the kernel and shares blocks where the file system can (FICLONE on btrfs and xfs)",
    "the bytes may have been changed on the way, which the trace does not show",
);

const PROBES: Words = Words::cost(
    "copy_file_range() past the end of a file whose size is known",
    "stop when as much was copied as fstat told",
    "the file may grow while it is copied",
);

#[derive(Debug)]
struct CopiedByHand {
    guards: Guards,
    /// By thread: the last read, if nothing was transferred since.
    reads: Recent<u32, LastRead>,
    /// By process and the two files.
    copies: BTreeMap<(u32, FileNumber, FileNumber), ByHand>,
    /// Processes that asked the kernel to copy, and were refused.
    tried: BTreeSet<u32>,
    /// How much the kernel copied from a file.
    ends: Recent<FileNumber, u64>,
    by_hand: Cases,
    probes: Cases,
}

#[derive(Debug, Clone)]
struct LastRead {
    file: FileNumber,
    bytes: u64,
    identity: Option<FileIdentity>,
    is_inherited: bool,
}

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct ByHand {
    bytes: u64,
    pieces: u64,
    is_other_device: bool,
    is_filter: bool,
    appends: bool,
    is_transformed: bool,
    scene: Option<Scene>,
}

impl Rule for CopiedByHand {
    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Read { .. } if moment.bytes > 0 => {
                let last = moment.plain_file().map(|file| LastRead {
                    file: file.number,
                    bytes: moment.bytes,
                    identity: file.identity,
                    is_inherited: file.is_inherited,
                });
                match last {
                    Some(last) => self.reads.insert(moment.thread(), last),
                    None => drop(self.reads.remove(&moment.thread())),
                }
            }
            FileAction::Write { .. } if moment.is_ok() => self.written(moment),
            FileAction::Copy { .. } => self.copied(moment),
            // FICLONE and FICLONERANGE.
            FileAction::DeviceControl { request: 0x4004_9409 | 0x4020_940d, .. } if !moment.is_ok() => {
                self.tried.insert(moment.process());
            }
            FileAction::Exit { whole: true, .. } => {
                self.settle(Some(moment.process()), moment.world);
                self.tried.remove(&moment.process());
            }
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        self.settle(None, world);
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&BY_HAND, &self.by_hand), (&PROBES, &self.probes)]
    }
}

impl CopiedByHand {
    fn written(&mut self, moment: &Moment<'_>) {
        let Some(read) = self.reads.remove(&moment.thread()) else { return };
        let Some(file) = moment.plain_file().filter(|file| file.number != read.file) else { return };
        if self.copies.len() >= FOLLOWED {
            self.settle(None, moment.world);
        }
        let copy = self.copies.entry((moment.process(), read.file, file.number)).or_default();
        copy.is_transformed |= read.bytes != moment.bytes;
        copy.bytes += moment.bytes;
        copy.pieces += 1;
        let devices = read.identity.zip(file.identity);
        copy.is_other_device |= devices.is_some_and(|(from, to)| from.device != to.device);
        copy.is_filter |= read.is_inherited || file.is_inherited;
        copy.appends |= open_flags::has(file.flags, open_flags::APPEND)
            || open_flags::has(file.flags, open_flags::DIRECT);
        if copy.pieces == 2 {
            copy.scene = Some(Scene::among(moment, file.place, &from_place(moment, read.file)));
        }
    }

    fn copied(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file.filter(|_| moment.is_judged()) else { return };
        match moment.value() {
            None => {
                self.tried.insert(moment.process());
            }
            Some(0) => {
                let copied = self.ends.remove(&file.number);
                let is_known = copied.is_some() && copied == file.size_bytes;
                if copied.is_some_and(|copied| copied > 0) && !self.guards.spare(UNKNOWN_SIZE, !is_known) {
                    self.probes.claim(moment, &[moment.claim()]);
                }
            }
            Some(came) => *self.ends.entry(file.number) += came,
        }
    }

    fn settle(&mut self, process: Option<u32>, world: &World) {
        let is_meant = |key: &(u32, FileNumber, FileNumber)| process.is_none_or(|process| process == key.0);
        let keys: Vec<_> = self.copies.keys().filter(|key| is_meant(key)).copied().collect();
        for key in keys {
            let Some(copy) = self.copies.remove(&key) else { continue };
            let Some(scene) = &copy.scene else { continue };
            if self.guards.spare(TRANSFORMED, copy.is_transformed)
                || self.guards.spare(LITTLE, copy.bytes < MUCH_BYTES)
                || self.guards.spare(OTHER_DEVICE, copy.is_other_device)
                || self.guards.spare(TRIED, self.tried.contains(&key.0))
                || self.guards.spare(FILTER, copy.is_filter)
                || self.guards.spare(APPENDS, copy.appends)
            {
                continue;
            }
            self.by_hand.add_scene(scene, copy.pieces, &[], world);
        }
    }
}

/// Where the file lies that was read from.
fn from_place(moment: &Moment<'_>, file: FileNumber) -> Vec<crate::world::PlaceId> {
    moment.world.file(file).and_then(|file| file.place).into_iter().collect()
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
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
    fn kernel_copy(script: &mut Script, is_told: bool, last: bool) {
        let (from, to) = open_two(script, CREATE);
        if is_told {
            script.fstat(from, 500_000);
        }
        for came in [500_000, 0].into_iter().take(1 + usize::from(last)) {
            let bytes = 1 << 30;
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
            kernel_copy(script, true, true);
        },
        count: 9 + 1,
        fixed: |script| kernel_copy(script, true, false),
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
                copy(script, from, to, 2, PIECE);
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
            ("appends", |script| {
                let (from, to) = open_two(script, WRITE | open_flags::APPEND);
                copy(script, from, to, 9, PIECE);
            }),
            ("unknown-size", |script| kernel_copy(script, false, true)),
        ],
    }
};
