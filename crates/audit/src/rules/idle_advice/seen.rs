//! What was read of an open file, and what was said of it: whether advice comes too late.

use crate::cases::Scene;
use crate::claims::Claims;
use crate::moment::Moment;
use crate::open_flags;
use crate::world::OpenFile;
use fathom_events::{Advice, FileKind};

/// What was done with an open file.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Begin and end of what was read, and whether something between was not.
    pub(super) read: Option<(u64, u64)>,
    pub(super) has_gaps: bool,
    /// True when a read met the end, and nothing was sought since.
    pub(super) is_at_end: bool,
    /// What was said of the order of reads, and the reads since.
    pub(super) order: Option<Ordered>,
    /// Advice on what may be a directory, as far as is known.
    pub(super) unclear: Option<(Scene, u64)>,
    /// Advice to read ahead, before anything was read.
    pub(super) early: Option<Early>,
}

/// Advice to read ahead of a file that nothing was read of.
#[derive(Debug)]
pub(super) struct Early {
    pub(super) calls: Claims,
    pub(super) scene: Scene,
    /// Which call of its thread the last of them was.
    thread_call: u32,
    thread: u32,
    is_read: bool,
    /// The next read came at once and took the whole file.
    pub(super) is_whole: bool,
}

/// What the kernel reads ahead at most by itself, in bytes; a read of more reads what it asks for.
const READ_AHEAD_BYTES: u64 = 131_072;
/// A read within so many calls of the thread comes at once: the device had no time to work. Runtimes ask what an
/// open file is and where it stands before they read it.
const AT_ONCE_CALLS: u32 = 6;

/// Advice on the order of reads.
#[derive(Debug)]
pub(super) struct Ordered {
    pub(super) advice: Advice,
    pub(super) reads: u64,
    /// Reads that do not begin where the one before ended.
    pub(super) apart: u64,
    pub(super) next: Option<u64>,
    pub(super) scene: Scene,
}

/// What traced programs did with a file, whichever of them.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) is_read: bool,
    pub(super) is_written: bool,
    pub(super) is_dirty: bool,
}

impl Seen {
    /// The file is to be read ahead.
    pub(super) fn advised_early(&mut self, moment: &Moment<'_>) {
        if self.read.is_some() {
            return;
        }
        let early = self.early.get_or_insert_with(|| Early {
            calls: Claims::default(),
            scene: Scene::of(moment),
            thread_call: 0,
            thread: moment.thread(),
            is_read: false,
            is_whole: false,
        });
        early.calls.push(moment.claim());
        (early.thread_call, early.thread) = (moment.when.thread_call, moment.thread());
    }

    /// Bytes come: all there are, or not.
    pub(super) fn read_early(&mut self, moment: &Moment<'_>, asked: u64, begin: Option<u64>) {
        let Some(early) = self.early.as_mut().filter(|_| moment.bytes > 0) else { return };
        let size = moment.file.and_then(|file| file.size_bytes);
        let is_end = moment.bytes < asked || size.is_some_and(|size| moment.bytes >= size);
        let is_all = begin == Some(0) && is_end && moment.bytes <= READ_AHEAD_BYTES;
        let calls = moment.when.thread_call.wrapping_sub(early.thread_call);
        let is_at_once = moment.thread() == early.thread && calls <= AT_ONCE_CALLS;
        early.is_whole = !early.is_read && is_all && is_at_once;
        early.is_read = true;
    }

    pub(super) fn read(&mut self, came: u64, asked: u64, begin: Option<u64>) {
        self.is_at_end |= came < asked;
        let Some(begin) = begin.filter(|_| came > 0) else { return };
        let end = begin + came;
        let (first, last) = self.read.unwrap_or((begin, end));
        self.has_gaps |= begin > last || end < first;
        self.read = Some((first.min(begin), last.max(end)));
        if let Some(order) = &mut self.order {
            order.reads += 1;
            order.apart += u64::from(order.next.is_some_and(|next| next != begin));
            order.next = Some(end);
        }
    }

    /// True when what the advice is about has been read: nothing of it comes any more.
    pub(super) fn has_read(&self, file: &OpenFile, advice: Advice, offset: u64, bytes: u64) -> bool {
        let Some((first, last)) = self.read else { return false };
        let is_whole = self.is_at_end || file.size_bytes.is_some_and(|size| last >= size);
        let end = if bytes == 0 { u64::MAX } else { offset.saturating_add(bytes) };
        let is_covered = !self.has_gaps && first <= offset && (last >= end || is_whole);
        // Another read of the same file may come, in the order that is told.
        if advice == Advice::WillNeed { is_covered } else { is_covered && self.is_at_end }
    }
}

/// True of an open file of which no read can bring anything, whatever is advised.
pub(super) fn has_nothing_to_read(moment: &Moment<'_>, file: &OpenFile, is_ordering: bool) -> bool {
    let of_place = |place| moment.world.places.get(place).size_bytes;
    let size = file.size_bytes.or_else(|| file.place.and_then(of_place));
    let is_written = open_flags::can_write(file.flags);
    let is_for_writing = file.flags.0 & open_flags::ACCESS_MODE == open_flags::WRITE_ONLY;
    file.kind == Some(FileKind::Directory) || size == Some(0) && !is_written || is_for_writing && is_ordering
}
