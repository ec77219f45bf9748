//! R07: the size of a file by going to its end and back.

use crate::cases::Cases;
use crate::claims::Claim;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{Deed, FileNumber, OpenFile};
use fathom_events::{FileAction, FileKind, Whence};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(7),
    name: "size-by-seeking",
    needs: "lseek and read",
    guards: &[BLOCK_DEVICE, ADDS, TO_WRITE, CONTENT_USED],
    begin: |guards| {
        Box::new(SizeBySeeking {
            guards,
            gone: Recent::default(),
            used: Recent::default(),
            read: Cases::default(),
            by_last_block: Cases::default(),
            closed: Cases::default(),
        })
    },
};

const BLOCK_DEVICE: Guard =
    Guard { name: "block-device", spares: "st_size of a block device is 0: going to its end is the way" };
const ADDS: Guard = Guard { name: "goes-there", spares: "it writes at the end that it went to" };
const TO_WRITE: Guard = Guard {
    name: "to-write",
    spares: "the file was opened for writing, and had nothing written to its end this time",
};

const CONTENT_USED: Guard = Guard {
    name: "content-used",
    spares: "its content was read, mapped or copied from, too: it was not opened for its size alone",
};

/// The C library reads whole blocks of this size, in bytes.
const BLOCK_BYTES: u64 = 4096;

const WORDS: Words = Words::cost(
    "file size found by lseek(SEEK_END) and back instead of fstat()",
    "fstat tells the size in one call and leaves the position alone",
    "the program may want the position at the end for something else",
);

/// What `fseek(SEEK_END)` of the C library does where it knows the size: no call says `SEEK_END`.
const BY_LAST_BLOCK: Words = Words::cost(
    "last block read by lseek(SEEK_SET) and read(), as fseek(SEEK_END) does, then lseek(SEEK_SET) back",
    "fstat tells the size in one call, reads nothing and leaves the position alone",
    "the program may want the last block for something else",
);

const CLOSED: Words = Words::cost(
    "file opened and closed only to find its size by lseek(SEEK_END)",
    "stat() tells the size without opening the file, fstat() without moving the position",
    "the program may want to know whether it may open the file, too",
);

#[derive(Debug)]
struct SizeBySeeking {
    guards: Guards,
    gone: Recent<FileNumber, Gone>,
    /// Open files whose content was mapped, or copied from: reads are counted in the file.
    used: Recent<FileNumber, ()>,
    read: Cases,
    by_last_block: Cases,
    closed: Cases,
}

/// A file whose position went to the end.
#[derive(Debug)]
struct Gone {
    /// What took it there, and back.
    calls: Vec<Claim>,
    stage: Stage,
    is_by_last_block: bool,
    has_written: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// At the beginning of the last block, of which so many bytes are there.
    LastBlock(u64),
    End,
    Back,
}

impl Rule for SizeBySeeking {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Seek, Kind::Read, Kind::Map, Kind::Copy, Kind::Write, Kind::Close])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file.filter(|_| !moment.is_loaders) else { return };
        match moment.action() {
            FileAction::Seek { whence, .. } if moment.is_ok() => self.sought(moment, file, *whence),
            FileAction::Read { offset: None, bytes, .. } => self.read(moment, file, *bytes),
            // The size was wanted for it; one call gave it, as fstat would have.
            FileAction::Read { .. } => drop(self.gone.remove(&file.number)),
            FileAction::Map { .. } | FileAction::Copy { .. } => {
                self.gone.remove(&file.number);
                if moment.is_ok() {
                    self.used.insert(file.number, ());
                }
            }
            FileAction::Write { .. } => {
                self.gone.get_mut(&file.number).into_iter().for_each(|gone| gone.has_written = true);
            }
            FileAction::Close { .. } => self.closed(moment, file),
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.read), (&CLOSED, &self.closed), (&BY_LAST_BLOCK, &self.by_last_block)]
    }
}

impl SizeBySeeking {
    fn sought(&mut self, moment: &Moment<'_>, file: &OpenFile, whence: Whence) {
        let to = moment.value().unwrap_or(0);
        let last_block = file.size_bytes.map(|size| (size - size % BLOCK_BYTES, size % BLOCK_BYTES));
        let stage = match (whence, last_block) {
            (Whence::End, _) => Stage::End,
            // What fseek(SEEK_END) does of a file whose size it knows.
            (Whence::Start, Some((begin, bytes)))
                if begin == to && bytes > 0 && (begin > 0 || is_at_first_block(file)) =>
            {
                Stage::LastBlock(bytes)
            }
            (Whence::Start, _) => return self.returned(moment, file),
            _ => return,
        };
        let is_by_last_block = matches!(stage, Stage::LastBlock(_));
        let gone = Gone { calls: vec![moment.claim()], stage, is_by_last_block, has_written: false };
        self.gone.insert(file.number, gone);
    }

    fn returned(&mut self, moment: &Moment<'_>, file: &OpenFile) {
        let Some(mut gone) = self.gone.remove(&file.number) else { return };
        match gone.stage {
            Stage::LastBlock(_) => return,
            Stage::End => gone.stage = Stage::Back,
            // Of two seeks with nothing between, the first is another rule's.
            Stage::Back => drop(gone.calls.pop()),
        }
        gone.calls.push(moment.claim());
        self.gone.insert(file.number, gone);
    }

    fn read(&mut self, moment: &Moment<'_>, file: &OpenFile, asked: u64) {
        let Some(mut gone) = self.gone.remove(&file.number) else { return };
        match gone.stage {
            // It asks for what is left of the block and no more: a program of its own takes more.
            Stage::LastBlock(bytes) if asked == bytes && moment.bytes == bytes => {
                gone.calls.push(moment.claim());
                gone.stage = Stage::End;
                self.gone.insert(file.number, gone);
            }
            Stage::Back if !self.is_spared(file, &gone) => {
                let cases = if gone.is_by_last_block { &mut self.by_last_block } else { &mut self.read };
                cases.claim(moment, &gone.calls);
            }
            _ => {}
        }
    }

    fn closed(&mut self, moment: &Moment<'_>, file: &OpenFile) {
        // Another descriptor still leads to it.
        if !file.is_last_reference() {
            return;
        }
        let is_used = self.used.remove(&file.number).is_some() || file.bytes_read > 0;
        let Some(gone) = self.gone.remove(&file.number) else { return };
        let is_end = matches!(gone.stage, Stage::End | Stage::Back);
        if is_end
            && !self.is_spared(file, &gone)
            && !self.guards.spare(TO_WRITE, open_flags::can_write(file.flags))
            && !self.guards.spare(CONTENT_USED, is_used)
        {
            self.closed.claim(moment, &gone.calls);
        }
    }

    fn is_spared(&self, file: &OpenFile, gone: &Gone) -> bool {
        self.guards.spare(BLOCK_DEVICE, file.kind == Some(FileKind::Block))
            || self.guards.spare(ADDS, gone.has_written)
    }
}

/// True where a file of one block was just asked for its size: the C library seeks to where it is,
/// the beginning of that block.
fn is_at_first_block(file: &OpenFile) -> bool {
    file.position == Some(0) && file.was_last(Deed::Stat)
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{BOTH, READ};
    crate::trio::Trio {
        rule: 7,
        waste: |script| {
            for number in 0..3 {
                let file = script.open(&format!("/data/a{number}"), READ);
                script.seek(file, 0, Whence::End, 900);
                script.seek(file, 0, Whence::Start, 0);
                script.read(file, 900, 900);
                script.close(file);
            }
            // fseek(SEEK_END), ftell, rewind, fread of the C library, and without the fread.
            let file = script.open("/data/b", READ);
            script.fstat(file, 10_000);
            script.seek(file, 8192, Whence::Start, 8192);
            script.read(file, 1808, 1808);
            script.seek(file, 0, Whence::Start, 0);
            script.read(file, 10_000, 10_000);
            script.close(file);
            let file = script.open("/data/c", READ);
            script.seek(file, 0, Whence::End, 900);
            script.close(file);
            // The same of a file that has one block.
            let file = script.open("/data/d", READ);
            script.fstat(file, 35);
            script.seek(file, 0, Whence::Start, 0);
            script.read(file, 35, 35);
            script.seek(file, 0, Whence::Start, 0);
            script.read(file, 35, 35);
            script.close(file);
        },
        count: 6,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.fstat(file, 900);
            script.read(file, 900, 900);
        },
        look_alikes: &[
            ("block-device", |script| {
                let file = script.open("/data/disk", READ);
                script.fstat_as(file, FileKind::Block, 0);
                script.seek(file, 0, Whence::End, 1 << 30);
                script.seek(file, 0, Whence::Start, 0);
                script.read(file, 512, 512);
            }),
            ("to-write", |script| {
                let file = script.open("/data/log", crate::script::WRITE);
                script.seek(file, 0, Whence::End, 900);
                script.close(file);
            }),
            // fseek(SEEK_END), ftell, rewind, fread, fclose of a file of one block: the one read is both,
            // and at the end the C library puts the position where the program is.
            ("content-used", |script| {
                for file in 0..20 {
                    let file = script.open(&format!("/data/{file}"), READ);
                    script.fstat(file, 9);
                    script.fstat(file, 9);
                    script.seek(file, 0, Whence::Start, 0);
                    script.read(file, 9, 9);
                    script.seek(file, 9, Whence::Start, 9);
                    script.close(file);
                }
            }),
            // Read first, and only then asked for its size.
            ("content-used", |script| {
                let file = script.open("/data/a", READ);
                script.read(file, 900, 900);
                script.seek(file, 0, Whence::End, 900);
                script.close(file);
            }),
            // Mapped first.
            ("content-used", |script| {
                let file = script.open("/data/a", READ);
                let (descriptor, bytes) = (Some(file), 900);
                let action = FileAction::Map { descriptor, offset: 0, bytes, protection: 1, flags: 2 };
                script.works("mmap", action);
                script.seek(file, 0, Whence::End, 900);
                script.close(file);
            }),
            // Its size was wanted for what is passed on in the kernel.
            ("", |script| {
                let file = script.open("/data/a", READ);
                script.seek(file, 0, Whence::End, 900);
                let action =
                    FileAction::Copy { from: file, to: 1, bytes: 900, from_offset: Some(0), to_offset: None };
                script.works("sendfile", action);
                script.close(file);
            }),
            // The last block is read for itself, and a page somewhere.
            ("", |script| {
                let file = script.open("/data/archive", READ);
                script.fstat(file, 10_000);
                script.seek(file, 8192, Whence::Start, 8192);
                script.read(file, 4096, 1808);
                script.seek(file, 0, Whence::Start, 0);
                script.read(file, 4096, 4096);
                script.seek(file, 4096, Whence::Start, 4096);
                script.read(file, 4096, 4096);
                script.close(file);
            }),
            // It goes to the end for the size of what it maps: one call, as fstat would be.
            ("", |script| {
                let file = script.open("/data/a", READ);
                script.seek(file, 0, Whence::End, 900);
                let (descriptor, bytes) = (Some(file), 900);
                let action = FileAction::Map { descriptor, offset: 0, bytes, protection: 1, flags: 2 };
                script.works("mmap", action);
                script.close(file);
            }),
            ("goes-there", |script| {
                let file = script.open("/data/db", BOTH);
                script.seek(file, 0, Whence::End, 900);
                script.write(file, 100);
                script.seek(file, 0, Whence::Start, 0);
                script.read(file, 1000, 1000);
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use crate::rule::Guards;
    use crate::script::{READ, Script};
    use fathom_events::Whence;

    #[test]
    fn the_title_names_the_calls_that_were_made() {
        let mut script = Script::new();
        let file = script.open("/data/b", READ);
        script.fstat(file, 10_000);
        script.seek(file, 8192, Whence::Start, 8192);
        script.read(file, 1808, 1808);
        script.seek(file, 0, Whence::Start, 0);
        script.read(file, 10_000, 10_000);
        script.close(file);
        let found = script.findings(Guards::default());
        let titles: Vec<_> =
            found.iter().filter(|one| one.rule.0 == 7).map(|one| one.title.as_str()).collect();
        assert!(
            matches!(&titles[..], [title] if title.contains("lseek(SEEK_SET)") && !title.contains("lseek(SEEK_END)")),
            "{titles:?}"
        );
    }
}
