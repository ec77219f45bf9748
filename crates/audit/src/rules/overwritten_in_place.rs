//! R60: a file that held something was overwritten where it lies, by more than a page and with no
//! copy: a crash between leaves a mixture of old and new.

use crate::cases::{Cases, Scene};
use crate::finding::{RuleId, Severity};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags::{APPEND, CREATE, TRUNCATE, can_write, has};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::rules::rewritten_in_place::is_log_or_lock;
use crate::world::{OpenFile, PlaceId, World, reaches_device};
use fathom_events::{FileAction, Mount, Target};
use slots::Slots;
use std::collections::BTreeMap;

mod slots;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(60),
    name: "torn-overwrite",
    needs: "offsets and sizes of writes, sizes that stat told, fsync",
    guards: &[
        PAGE,
        UNSYNCED,
        BEYOND_END,
        COPIED,
        COMMITTED,
        FORWARD,
        SLOTS,
        LOG_OR_LOCK,
        SCRATCH,
        NAMED,
        RENAMED,
    ],
    begin: |guards| {
        Box::new(OverwrittenInPlace {
            guards,
            ends: Recent::default(),
            files: BTreeMap::new(),
            journals: Recent::default(),
            read: Recent::default(),
            synced: Cases::default(),
            plain: Cases::default(),
            unmeasured: Cases::default(),
        })
    },
};

const PAGE: Guard = Guard { name: "page", spares: "no more than a page: devices write one whole, mostly" };
const UNSYNCED: Guard = Guard {
    name: "unsynced",
    spares: "the traced programs wrote what is overwritten, and had not synced it: nothing was promised",
};
const COMMITTED: Guard = Guard {
    name: "committed",
    spares: "a small write after the sync makes it valid: pages that nobody used yet are filled (copy on write)",
};
const FORWARD: Guard = Guard {
    name: "forward",
    spares: "piece after piece is written and synced, none again: a log in space that was reserved",
};
const SLOTS: Guard = Guard {
    name: "slots",
    spares: "two places of the file take turns, and each is synced before the other is touched: one is always whole",
};
const BEYOND_END: Guard = Guard {
    name: "beyond-end",
    spares: "what is written lies behind the old end, or no call told where that is, also not later, and it does not begin at the beginning of a file that was there",
};
const COPIED: Guard = Guard {
    name: "copied",
    spares: "a journal or a copy beside it was written before (one that is synced first and given up afterwards, too): what is torn can be mended",
};
const LOG_OR_LOCK: Guard =
    Guard { name: "log-or-lock", spares: "a log, a lock or a file with a process's number" };
const SCRATCH: Guard = Guard {
    name: "scratch",
    spares: "temporary and built files, and files in memory, are made again after a crash",
};
const NAMED: Guard = Guard {
    name: "named",
    spares: "the command line names it, and nothing is synced or little of it was read before: it is overwritten as asked, as `dd` and `mkfs` do",
};
const RENAMED: Guard = Guard { name: "renamed", spares: "it is renamed afterwards, or removed" };

const PAGE_BYTES: u64 = 4096;
/// Files that are followed at a time.
const FOLLOWED: usize = 1024;

const FIX: &str = "write the new content to a file beside it, fsync that and rename it; or log the change (a journal, a copy of the old pages) and fsync the log before";
const DOUBT: &str = "checksums or a second copy inside the file may tell and mend what is torn";

const SYNCED: Words = Words::danger(
    Severity::Warn,
    "a file that is made to last was overwritten in place by more than a page at once, without a journal or a copy: a crash leaves it torn",
    FIX,
    DOUBT,
);

/// Nothing says that the file has to last.
const PLAIN: Words = Words::danger(
    Severity::Info,
    "a file was overwritten in place by more than a page, without a journal or a copy: a crash leaves a mixture of old and new",
    FIX,
    DOUBT,
);

/// It was opened as one that is there, written from its beginning on and synced; how much it held no
/// call told.
const UNMEASURED: Words = Words::danger(
    Severity::Info,
    "a file that was there and is made to last was written anew from its beginning, by more than a page at once and without a journal or a copy: a crash leaves it torn",
    FIX,
    "the file may have held nothing yet; checksums or a second copy inside it may tell and mend what is torn",
);

#[derive(Debug)]
struct OverwrittenInPlace {
    guards: Guards,
    ends: Recent<PlaceId, Ends>,
    files: BTreeMap<PlaceId, Overwritten>,
    /// By directory: the file that was appended to last.
    journals: Recent<PlaceId, PlaceId>,
    /// The process that read more than a page of a place and closed it, with how much that was.
    read: Recent<PlaceId, (u32, u64)>,
    synced: Cases,
    plain: Cases,
    unmeasured: Cases,
}

/// How far a file reaches.
#[derive(Debug, Default)]
struct Ends {
    /// What is there to last: what was there before, and what was synced.
    lasting: u64,
    /// What traced programs wrote.
    written: u64,
    /// It was there before, and no call told how long it was.
    is_unmeasured: bool,
}

/// What a write goes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    /// What is there to last.
    Lasting,
    /// The beginning of a file that was there, of which nobody asked how much it holds.
    Unmeasured,
    /// Another part of such a file: it may lie behind its end.
    Perhaps,
    /// Nothing that is known of.
    Nothing,
}

/// What was overwritten of a file.
#[expect(clippy::struct_excessive_bools, reason = "they are facts that do not depend on each other")]
#[derive(Debug, Default)]
struct Overwritten {
    /// Writes of more than a page since the last sync, and all.
    pending: u64,
    count: u64,
    syncs: u64,
    /// Small writes, each the first one after a sync.
    commits: u64,
    is_after_sync: bool,
    /// Where the last of them ended; true when one began before.
    end: u64,
    is_backward: bool,
    /// Another file of its directory was written before.
    is_copied: bool,
    /// The event of the first write of more than a page.
    began_at: u64,
    /// By then the process had read more than a page by the descriptor that it writes to, or most of it by another:
    /// who looks for signatures of what lies there reads some of it.
    is_read: bool,
    /// The last of them: where it begins, how long it is, and the event that synced it; 0 before.
    last: (u64, u64),
    synced_at: u64,
    /// Writes from the beginning of a file of unknown length on.
    unmeasured: u64,
    /// Writes elsewhere in one; they count when it turns out to reach further than all of them.
    perhaps: u64,
    slots: Slots,
    scene: Option<Scene>,
}

impl Rule for OverwrittenInPlace {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[
            Kind::Write,
            Kind::Truncate,
            Kind::Sync,
            Kind::Open,
            Kind::Close,
            Kind::Rename,
            Kind::Remove,
        ])
        .if_ok()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if !moment.is_ok() {
            return;
        }
        match moment.action() {
            FileAction::Write { offset, .. } if moment.bytes > 0 => self.written(moment, *offset),
            FileAction::Truncate { target: Target::Descriptor(_), bytes } => {
                // What is cut off is no longer there to be overwritten.
                let place = moment.file.and_then(|file| file.place);
                if let Some(ends) = place.and_then(|place| self.ends.get_mut(&place)) {
                    (ends.lasting, ends.written) = (ends.lasting.min(*bytes), ends.written.min(*bytes));
                    ends.is_unmeasured &= *bytes > 0;
                }
                if let Some(place) = place.filter(|_| *bytes == 0) {
                    self.gave_up(place, moment.world);
                }
            }
            FileAction::Sync { descriptor: Some(_), .. } if reaches_device(moment.event.call) => {
                let place = moment.file.and_then(|file| file.place);
                if let Some(place) = place {
                    self.has_synced(place, moment.when.number);
                }
            }
            FileAction::Open { flags, .. } if has(*flags, TRUNCATE) => {
                moment.place.into_iter().for_each(|place| self.ends.insert(place, Ends::default()));
            }
            FileAction::Close { .. } => {
                let Some(file) = moment.file else { return };
                if let Some(place) = file.place.filter(|_| file.bytes_read > PAGE_BYTES) {
                    self.read.insert(place, (moment.process(), file.bytes_read));
                }
                self.measured(file, moment.world);
            }
            FileAction::Rename { .. } | FileAction::Remove { .. } => {
                for place in [moment.place, moment.other_place].into_iter().flatten() {
                    self.ends.remove(&place);
                    if self.guards.spare(RENAMED, true) {
                        self.files.remove(&place);
                    }
                }
            }
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        for (place, mut file) in std::mem::take(&mut self.files) {
            file.slots.turn();
            let Some(scene) = &file.scene else { continue };
            if !self.guards.spare(BEYOND_END, file.perhaps > 0) {
                file.count += file.perhaps;
            }
            if self.guards.spare(COPIED, file.is_copied)
                || self.guards.spare(COMMITTED, file.commits > 0 && file.commits * 2 >= file.syncs)
                || self.guards.spare(FORWARD, file.syncs > 1 && !file.is_backward)
                || self.guards.spare(SLOTS, file.slots.take_turns())
                || file.count == 0 && (file.syncs == 0 || file.unmeasured == 0)
                || self
                    .guards
                    .spare(NAMED, (file.syncs == 0 || !file.is_read) && world.is_named_by_user(place))
            {
                continue;
            }
            let (cases, count) = match (file.count, file.syncs) {
                (0, _) => (&mut self.unmeasured, file.unmeasured),
                (count, 0) => (&mut self.plain, count),
                // An image that is worked on: what is put where is decided outside the program.
                (count, _) if world.is_named_by_user(place) => (&mut self.plain, count),
                (count, _) => (&mut self.synced, count),
            };
            cases.add_scene(scene, count, &[], world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&SYNCED, &self.synced), (&PLAIN, &self.plain), (&UNMEASURED, &self.unmeasured)]
    }
}

impl OverwrittenInPlace {
    /// What was written to a file from its beginning on, and synced, is cut off or made invalid. If more than
    /// a page of another file was overwritten in between, and synced, it was the copy of that (a double-write
    /// buffer).
    fn gave_up(&mut self, place: PlaceId, world: &World) {
        let Some(copy) = self.files.get(&place).filter(|copy| copy.synced_at > 0 && copy.last.0 == 0) else {
            return;
        };
        let (bytes, synced_at) = (copy.last.1, copy.synced_at);
        let directory = world.places.parent(place);
        let mut is_copy = false;
        for (other, file) in &mut self.files {
            let follows = *other != place
                && world.places.parent(*other) == directory
                && file.synced_at > synced_at
                && file.last.1 <= bytes;
            if follows && file.began_at > synced_at {
                file.is_copied = true;
            }
            is_copy |= follows && file.is_copied;
        }
        if let Some(copy) = self.files.get_mut(&place) {
            copy.is_copied |= is_copy;
        }
    }

    fn has_synced(&mut self, place: PlaceId, number: u64) {
        if let Some(ends) = self.ends.get_mut(&place) {
            ends.lasting = ends.lasting.max(ends.written);
        }
        if let Some(file) = self.files.get_mut(&place).filter(|file| file.pending > 0) {
            file.syncs += 1;
            file.pending = 0;
            file.synced_at = number;
            file.is_after_sync = true;
        }
        if let Some(file) = self.files.get_mut(&place) {
            file.slots.turn();
        }
    }

    /// A file is closed: how long it is may have been told by now. What reaches further than all that
    /// was written was there before.
    fn measured(&mut self, file: &OpenFile, world: &World) {
        let Some(place) = file.place else { return };
        let Some(known) = self.files.get_mut(&place).filter(|known| known.perhaps > 0) else { return };
        let read_to = file.position.filter(|_| !can_write(file.flags));
        let size_bytes = file.size_bytes.max(read_to);
        let written = self.ends.get(&place).map(|ends| ends.written);
        if size_bytes.zip(written).is_some_and(|(size, written)| size > written) {
            known.count += std::mem::take(&mut known.perhaps);
            // It is no copy of what comes next.
            let directory = world.places.parent(place).unwrap_or(place);
            if self.journals.get(&directory) == Some(&place) {
                self.journals.remove(&directory);
            }
        }
    }

    /// What a write goes over; notes how far it goes.
    fn over(&mut self, moment: &Moment<'_>, file: &OpenFile, begin: u64) -> Over {
        let Some(place) = file.place else { return Over::Nothing };
        let at = moment.world.places.get(place);
        if self.ends.get(&place).is_none() {
            let was_there = !at.is_made && !file.is_new;
            let size = file.size_bytes.or(at.size_bytes).filter(|_| was_there);
            // Whoever means to write a new file, or to empty an old one, says so.
            let is_unmeasured = was_there && size.is_none() && !has(file.flags, CREATE);
            self.ends.insert(place, Ends { lasting: size.unwrap_or(0), written: 0, is_unmeasured });
        }
        let ends = self.ends.entry(place);
        let over = match begin {
            _ if begin < ends.lasting => Over::Lasting,
            0 if ends.is_unmeasured => Over::Unmeasured,
            _ if ends.is_unmeasured && begin != u64::MAX => Over::Perhaps,
            _ => Over::Nothing,
        };
        ends.written = ends.written.max(begin.saturating_add(moment.bytes));
        if !self.guards.spare(UNSYNCED, true) {
            ends.lasting = ends.lasting.max(ends.written);
        }
        over
    }

    fn written(&mut self, moment: &Moment<'_>, offset: Option<u64>) {
        let Some(file) = moment.plain_file() else { return };
        let Some(place) = file.place else { return };
        let world = moment.world;
        let begin = offset.or(file.position.filter(|_| !has(file.flags, APPEND))).unwrap_or(u64::MAX);
        let over = self.over(moment, file, begin);
        let directory = world.places.parent(place).unwrap_or(place);
        let journal = self.journals.get(&directory).copied();
        if matches!(over, Over::Nothing | Over::Perhaps) {
            // What is appended, or written to a new file, may be the copy of what comes next.
            self.journals.insert(directory, place);
        }
        if self.guards.spare(BEYOND_END, over == Over::Nothing) {
            return;
        }
        if let Some(known) = self.files.get_mut(&place).filter(|known| known.is_after_sync) {
            known.is_after_sync = false;
            known.commits += u64::from(moment.bytes <= PAGE_BYTES);
        }
        if let Some(known) = self.files.get_mut(&place) {
            known.slots.add(begin, moment.bytes);
        }
        if begin == 0 && moment.bytes <= PAGE_BYTES {
            self.gave_up(place, world);
        }
        let is_in_memory = world.places.mount(place).is_some_and(Mount::is_in_memory);
        if self.guards.spare(PAGE, moment.bytes <= PAGE_BYTES)
            || self.guards.spare(LOG_OR_LOCK, is_log_or_lock(world.places.name(place)))
            || self.guards.spare(SCRATCH, world.is_scratch(place) || is_in_memory)
            || self.files.len() >= FOLLOWED && !self.files.contains_key(&place)
        {
            return;
        }
        let known = self.files.entry(place).or_default();
        let counted = match over {
            Over::Unmeasured => &mut known.unmeasured,
            Over::Perhaps => &mut known.perhaps,
            Over::Lasting | Over::Nothing => &mut known.count,
        };
        *counted += 1;
        known.pending += 1;
        known.is_copied |= journal.is_some_and(|journal| journal != place);
        known.is_backward |= begin < known.end;
        known.end = begin.saturating_add(moment.bytes);
        (known.last, known.synced_at) = ((begin, moment.bytes), 0);
        if known.scene.is_none() {
            let lasting = self.ends.get(&place).map_or(0, |ends| ends.lasting);
            let is_most = |bytes: u64| bytes > PAGE_BYTES && bytes.saturating_mul(2) >= lasting;
            let mut open =
                world.descriptors(moment.process()).filter(|(_, _, file)| file.place == Some(place));
            let closed = self.read.get(&place).filter(|(process, _)| *process == moment.process());
            known.is_read = file.bytes_read > PAGE_BYTES
                || open.any(|(_, _, file)| is_most(file.bytes_read))
                || closed.is_some_and(|(_, bytes)| is_most(*bytes));
            (known.scene, known.began_at) = (Some(Scene::of(moment)), moment.when.number);
            known.slots.add(begin, moment.bytes);
        }
    }
}

#[cfg(test)]
mod trio_tests;
#[cfg(test)]
pub(super) use trio_tests::TRIO;
