//! R43: one file copied into another through the program's memory; and, where the kernel
//! copies, one more call to learn that nothing is left.

use crate::call_key::{Amount, CallKey};
use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, OpenFile, PlaceId, World};
use fathom_events::{DescriptorKind, FileAction, FileIdentity};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(43),
    name: "user-space-copy",
    needs: "sizes and results of reads, writes and copies; what is in them is not seen",
    guards: &[
        TRANSFORMED,
        LITTLE,
        OTHER_DEVICE,
        TRIED,
        FILTER,
        APPENDS,
        OWN,
        REPLACES,
        UNKNOWN_SIZE,
        STREAMS,
    ],
    begin: |guards| {
        Box::new(CopiedByHand {
            guards,
            sources: Recent::default(),
            reading: Recent::default(),
            copies: BTreeMap::new(),
            made: BTreeMap::new(),
            executed: Recent::default(),
            tried: BTreeSet::new(),
            ends: Recent::default(),
            by_hand: Cases::default(),
            joined: Cases::default(),
            probes: Cases::default(),
        })
    },
};

const TRANSFORMED: Guard =
    Guard { name: "transformed", spares: "not as many bytes were written as were read: no verbatim copy" };
const LITTLE: Guard =
    Guard { name: "little", spares: "a file or two of less than a page: as many bytes may be chance" };
const OTHER_DEVICE: Guard = Guard {
    name: "other-device",
    spares: "the files lie on different file systems: the kernel copies no faster",
};
const TRIED: Guard = Guard { name: "tried", spares: "it asked the kernel to copy, and was refused" };
const FILTER: Guard = Guard {
    name: "filter",
    spares: "it works on what was open before it was executed: a filter does not know that these are files",
};
const APPENDS: Guard =
    Guard { name: "appends", spares: "copy_file_range refuses files opened with O_APPEND" };
const OWN: Guard =
    Guard { name: "own", spares: "a traced program made the file that was read: it knew what is in it" };
const REPLACES: Guard = Guard {
    name: "replaces",
    spares: "the new file takes the place of the one that was read: nobody does that with a copy",
};
const UNKNOWN_SIZE: Guard = Guard {
    name: "unknown-size",
    spares: "it does not know how long the file is: only asking on tells the end",
};

const STREAMS: Guard = Guard {
    name: "streams",
    spares: "it copies by pieces of its own size until nothing comes, whatever the size was: a short copy is no end, and the file may have grown",
};

/// From this many bytes on it is no chance that as many were written as were read.
const MUCH_BYTES: u64 = 4096;
/// Nor from this many files on.
const HABIT: usize = 3;
/// Files of one process whose copies are followed.
const FOLLOWED: usize = 1024;

/// Files read for one that is written that are remembered.
const JOINED_FILES: usize = 256;

/// In place of a thread's number.
const ANY_THREAD: u32 = 0;

/// A filter that changes bytes and not their number makes the same calls.
const BY_HAND: Words = Words::cost(
    "perhaps a file was copied through the program's memory: it was read, and as many bytes were written to another",
    "if the bytes are the same, copy_file_range copies inside the kernel and shares blocks where the file system can (FICLONE on btrfs and xfs); io.Copy of *os.File, std::io::copy, shutil.copyfile, FileChannel.transferTo and fs.copyFile have the kernel copy",
    "the bytes may have been changed on the way, which the trace does not show",
)
.uncertain();

const JOINED: Words = Words::cost(
    "perhaps files were joined through the program's memory: they were read one after the other, and as many bytes were written to another file",
    "if the bytes are the same, copy_file_range copies each to where the one before ended, inside the kernel; io.Copy of *os.File, std::io::copy, os.copy_file_range of Python and FileChannel.transferTo have the kernel copy",
    "the bytes may have been changed on the way, which the trace does not show",
)
.uncertain();

const PROBES: Words = Words::cost(
    "copy_file_range() past the end of a file whose size is known",
    "stop when as much was copied as fstat told",
    "the file may grow while it is copied",
);

#[derive(Debug)]
struct CopiedByHand {
    guards: Guards,
    /// What was read from each open file, and is kept when it is closed.
    sources: Recent<FileNumber, Stream>,
    /// What each thread read from last, by process, and the process: `None` of what is no file.
    reading: Recent<(u32, u32), Option<FileNumber>>,
    /// By process and the file that is written.
    copies: BTreeMap<(u32, FileNumber), ByHand>,
    /// Copies by process: several of little files are a habit.
    made: BTreeMap<u32, Vec<Made>>,
    /// When a process executed its program.
    executed: Recent<u32, u64>,
    /// Processes that asked the kernel to copy, and were refused.
    tried: BTreeSet<u32>,
    /// What the kernel copied from a file.
    ends: Recent<FileNumber, KernelCopy>,
    by_hand: Cases,
    joined: Cases,
    probes: Cases,
}

/// What was read from a file, or written to one, from its beginning on and in order.
#[derive(Debug, Default, Clone)]
struct Stream {
    place: Option<PlaceId>,
    identity: Option<FileIdentity>,
    bytes: u64,
    pieces: u64,
    is_scattered: bool,
    /// Traced programs made it.
    is_own: bool,
    /// It was open before the program was executed.
    is_given: bool,
    calls: Claims,
}

/// A file that is written after another was read.
#[derive(Debug)]
struct ByHand {
    /// What was read last before, by its thread and by any.
    from: Vec<FileNumber>,
    /// All that the process read from while it wrote.
    all: Vec<FileNumber>,
    written: Stream,
    appends: bool,
}

/// What the kernel copied from a file.
#[derive(Debug, Default)]
struct KernelCopy {
    bytes: u64,
    /// A call asked for what was left by the size.
    has_used_size: bool,
}

/// A copy that is likely one.
#[derive(Debug)]
struct Made {
    /// Where the file lies that was read, and the one that was written.
    places: (Option<PlaceId>, Option<PlaceId>),
    bytes: u64,
    pieces: u64,
    /// Several files were joined into one.
    is_joined: bool,
    scene: Scene,
    calls: Vec<(CallKey, Amount)>,
    instead: (CallKey, Amount),
}

impl Rule for CopiedByHand {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[
            Kind::Read,
            Kind::Write,
            Kind::Seek,
            Kind::Copy,
            Kind::DeviceControl,
            Kind::Rename,
        ])
        .and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Read { offset, .. } if moment.bytes > 0 => self.read(moment, *offset),
            FileAction::Write { offset, .. } if moment.is_ok() => self.written(moment, *offset),
            FileAction::Seek { .. } if moment.value() == Some(0) => {
                // Read anew.
                moment.file.into_iter().for_each(|file| drop(self.sources.remove(&file.number)));
            }
            FileAction::Copy { .. } => self.copied(moment),
            // FICLONE and FICLONERANGE.
            FileAction::DeviceControl { request: 0x4004_9409 | 0x4020_940d, .. } if !moment.is_ok() => {
                self.tried.insert(moment.process());
            }
            FileAction::Rename { .. } if moment.is_ok() => self.renamed(moment),
            FileAction::Execute { .. } if moment.is_ok() => {
                self.executed.insert(moment.process(), moment.when.number);
            }
            _ => {}
        }
        if !moment.ended.is_empty() {
            let is_ended = |key: &(u32, FileNumber)| moment.ended.contains(&key.1);
            self.settle(moment, is_ended);
        }
        if let FileAction::Exit { whole: true, .. } = moment.action() {
            self.settle(moment, |key| key.0 == moment.process());
            self.tell(moment.process(), moment.world);
            self.tried.remove(&moment.process());
        }
    }

    fn finish(&mut self, world: &World) {
        let processes: Vec<_> = self.made.keys().copied().collect();
        for process in processes {
            self.tell(process, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&BY_HAND, &self.by_hand), (&JOINED, &self.joined), (&PROBES, &self.probes)]
    }
}

impl CopiedByHand {
    fn read(&mut self, moment: &Moment<'_>, offset: Option<u64>) {
        let key = (moment.process(), moment.thread());
        let Some(file) = moment.plain_file() else {
            // A thread that is woken by an eventfd has read nothing that it could write.
            if moment.file.is_none_or(|file| file.descriptor_kind != Some(DescriptorKind::Kernel)) {
                self.reading.insert(key, None);
            }
            return;
        };
        self.reading.insert(key, Some(file.number));
        self.reading.insert((moment.process(), ANY_THREAD), Some(file.number));
        let is_given = self.is_given(moment, file);
        self.sources.entry(file.number).add(moment, file, offset, is_given);
    }

    fn written(&mut self, moment: &Moment<'_>, offset: Option<u64>) {
        let Some(file) = moment.plain_file() else { return };
        let key = (moment.process(), file.number);
        let is_given = self.is_given(moment, file);
        if !self.copies.contains_key(&key) {
            let by = |thread| self.reading.get(&(moment.process(), thread)).copied();
            // Of several threads one may read and another write what it read.
            let of_thread = by(moment.thread());
            let of_process = by(ANY_THREAD).filter(|_| of_thread != Some(None));
            let from: Vec<_> = [of_thread, of_process].into_iter().flatten().flatten().collect();
            if from.is_empty() || from.contains(&file.number) {
                return;
            }
            if self.copies.len() >= FOLLOWED {
                self.settle(moment, |_| true);
            }
            let copy = ByHand { from, all: Vec::new(), written: Stream::default(), appends: false };
            self.copies.insert(key, copy);
        }
        let Some(copy) = self.copies.get_mut(&key) else { return };
        let read = self.reading.get(&(moment.process(), ANY_THREAD)).copied().flatten();
        if let Some(read) = read.filter(|read| *read != file.number && copy.all.last() != Some(read))
            && copy.all.len() < JOINED_FILES
            && !copy.all.contains(&read)
        {
            copy.all.push(read);
        }
        copy.written.add(moment, file, offset, is_given);
        copy.appends |= open_flags::has(file.flags, open_flags::APPEND)
            || open_flags::has(file.flags, open_flags::DIRECT);
    }

    /// What was written may replace what was read.
    fn renamed(&mut self, moment: &Moment<'_>) {
        let Some(made) = self.made.get_mut(&moment.process()) else { return };
        let guards = self.guards;
        made.retain(|one| {
            let is_it = one.places == (moment.other_place, moment.place) && moment.place.is_some();
            !guards.spare(REPLACES, is_it)
        });
    }

    /// True of a file that the program did not open itself.
    fn is_given(&self, moment: &Moment<'_>, file: &OpenFile) -> bool {
        let executed = self.executed.get(&moment.process());
        file.is_inherited || executed.is_some_and(|executed| file.opened_at < *executed)
    }

    fn copied(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file.filter(|_| moment.is_judged()) else { return };
        match moment.value() {
            None => {
                self.tried.insert(moment.process());
            }
            Some(0) => {
                let Some(copied) = self.ends.remove(&file.number).filter(|copied| copied.bytes > 0) else {
                    return;
                };
                let is_known = Some(copied.bytes) == file.size_bytes;
                if !self.guards.spare(UNKNOWN_SIZE, !is_known)
                    && !self.guards.spare(STREAMS, is_known && !copied.has_used_size)
                {
                    self.probes.claim(moment, &[moment.claim()]);
                }
            }
            Some(came) => {
                let FileAction::Copy { bytes, .. } = moment.action() else { return };
                let copied = self.ends.entry(file.number);
                let left = file.size_bytes.map(|size| size.saturating_sub(copied.bytes));
                copied.has_used_size |= left == Some(*bytes);
                copied.bytes += came;
            }
        }
    }

    /// Files are written that are meant: whether as much was read before.
    fn settle(&mut self, moment: &Moment<'_>, is_meant: impl Fn(&(u32, FileNumber)) -> bool) {
        let keys: Vec<_> = self.copies.keys().filter(|key| is_meant(key)).copied().collect();
        for key in keys {
            let Some(copy) = self.copies.remove(&key) else { continue };
            let Some((read, sources)) = self.what_was_read(&copy) else { continue };
            let ByHand { written, appends, .. } = copy;
            let is_transformed = read.bytes != written.bytes || read.is_scattered || written.is_scattered;
            let devices = read.identity.zip(written.identity);
            let is_other_device = devices.is_some_and(|(from, to)| from.device != to.device);
            if self.guards.spare(TRANSFORMED, is_transformed)
                || self.guards.spare(OTHER_DEVICE, is_other_device)
                || self.guards.spare(TRIED, self.tried.contains(&key.0))
                || self.guards.spare(FILTER, read.is_given || written.is_given)
                || self.guards.spare(APPENDS, appends)
                || self.guards.spare(OWN, read.is_own)
                || self.guards.spare(REPLACES, read.place == written.place)
            {
                continue;
            }
            let (bytes, pieces) = (written.bytes, written.pieces);
            let Some(copying) = written.calls.sums().keys().next().map(|key| key.for_copying(bytes)) else {
                continue;
            };
            let places: Vec<_> = read.place.into_iter().chain(written.place).collect();
            let scene = Scene::among(moment, written.place, &places);
            let scene = scene.opened_with(moment.world.file(key.1));
            let calls = read.calls.sums().into_iter().chain(written.calls.sums()).collect();
            let instead = (copying, Amount { calls: sources, bytes });
            self.made.entry(key.0).or_default().push(Made {
                places: (read.place, written.place),
                bytes,
                pieces,
                is_joined: sources > 1,
                scene,
                calls,
                instead,
            });
        }
    }

    /// What was read for a file that is written, and how many files that is: one as long as what
    /// was written, or all that were read meanwhile where they are as long together.
    fn what_was_read(&self, copy: &ByHand) -> Option<(Stream, u64)> {
        let of = |files: &[FileNumber]| -> Vec<&Stream> {
            files.iter().filter_map(|file| self.sources.get(file)).collect()
        };
        let from = of(&copy.from);
        if let Some(read) = from.iter().find(|read| read.bytes == copy.written.bytes) {
            return Some(((*read).clone(), 1));
        }
        let all = of(&copy.all);
        let bytes: u64 = all.iter().map(|read| read.bytes).sum();
        if all.len() > 1 && all.len() == copy.all.len() && bytes == copy.written.bytes {
            return Some((Stream::joined(&all), all.len() as u64));
        }
        from.first().map(|read| ((*read).clone(), 1))
    }

    /// The copies that a process made, if they are no chance.
    fn tell(&mut self, process: u32, world: &World) {
        let Some(made) = self.made.remove(&process) else { return };
        let is_large = |made: &Made| made.bytes >= MUCH_BYTES;
        if self.guards.spare(LITTLE, made.len() < HABIT && !made.iter().any(is_large)) {
            return;
        }
        for Made { pieces, is_joined, scene, calls, instead, .. } in made {
            let cases = if is_joined { &mut self.joined } else { &mut self.by_hand };
            cases.add_scene(&scene, pieces, &calls, world);
            cases.replace(&scene, &[instead]);
        }
    }
}

impl Stream {
    /// Several, one after the other.
    fn joined(all: &[&Self]) -> Self {
        let mut joined = Self::default();
        for read in all {
            joined.place = joined.place.or(read.place);
            joined.identity = joined.identity.or(read.identity);
            joined.bytes += read.bytes;
            joined.pieces += read.pieces;
            joined.is_scattered |= read.is_scattered;
            joined.is_own |= read.is_own;
            joined.is_given |= read.is_given;
            joined.calls.join(&read.calls);
        }
        joined
    }

    fn add(&mut self, moment: &Moment<'_>, file: &OpenFile, offset: Option<u64>, is_given: bool) {
        let begin = offset.or(file.position);
        self.is_scattered |= begin != Some(self.bytes);
        self.place = file.place;
        self.is_own |= file.place.is_some_and(|place| moment.world.places.get(place).is_made);
        self.identity = file.identity.or(self.identity);
        self.bytes += moment.bytes;
        self.pieces += 1;
        self.is_given |= is_given;
        let (key, amount) = moment.avoidable();
        self.calls.push_unknown(key, amount);
    }
}

#[cfg(test)]
mod trio_tests;
#[cfg(test)]
pub(super) use trio_tests::TRIO;
