//! Reads by `io_uring`: up to the queue depth in flight at once, each handed on
//! as soon as it is there.

use super::arguments::Plan;
use super::buffer::{Buffer, Memory};
use super::clock;
use super::failure::Failure;
use super::ffi::Iovec;
use super::ffi_ring::{Completion, IORING_OP_READ, IORING_OP_READ_FIXED, IOSQE_FIXED_FILE, Submission};
use super::posix::Fd;
use super::ring::Ring;

/// How the memory and the files are given to the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Each read names a descriptor and memory.
    Plain,
    /// The same, with memory fit for `O_DIRECT`.
    Direct,
    /// Memory and descriptors are registered beforehand and named by their numbers.
    Registered,
}

impl Way {
    /// A file as a read names it.
    pub(crate) fn file(self, held: &[Fd], index: usize) -> i32 {
        if self == Self::Registered { i32::try_from(index).unwrap_or(i32::MAX) } else { held[index].number() }
    }
}

/// One thread's ring, and the memory that its reads go into.
pub(crate) struct RingReader {
    ring: Ring,
    pub(crate) way: Way,
    /// Bytes read at once.
    pub(crate) block: usize,
    slots: Vec<Slot>,
    /// Slots without a read in flight.
    free: Vec<usize>,
    files_registered: bool,
    /// Why the ring is of no use any more.
    broken: Option<Failure>,
}

/// A place for one read in flight.
struct Slot {
    buffer: Buffer,
    /// A new buffer for this read alone, where new ones are asked for.
    own: Option<Memory>,
    /// Where the read goes.
    start: *mut u8,
    piece: Piece,
    /// Which piece it is.
    number: usize,
    /// Bytes of the piece that are there.
    filled: usize,
    began_ns: u64,
}

// SAFETY: the pointer is into the slot's own memory, which goes where the slot goes.
unsafe impl Send for Slot {}

impl Slot {
    /// The piece, which is all there.
    fn bytes(&self) -> &[u8] {
        // SAFETY: the kernel has written so many bytes and is done with the memory.
        unsafe { std::slice::from_raw_parts(self.start, self.filled.min(self.piece.due)) }
    }
}

/// What one read fetches.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Piece {
    /// Descriptor or, where they are registered, index.
    pub(crate) file: i32,
    pub(crate) offset: usize,
    /// Bytes that must come.
    pub(crate) due: usize,
}

/// A failure, and the number of the piece it happened at.
pub(crate) type FailedPiece = (usize, Failure);

impl RingReader {
    /// With the plan's queue depth.
    pub(crate) fn new(plan: &Plan, way: Way) -> Result<Self, Failure> {
        let ring = Ring::new(plan.queue_depth)?;
        // What is registered stays the same for all reads.
        let fresh = plan.fresh_buffer && way != Way::Registered;
        let make_buffer = if way == Way::Direct { Buffer::for_direct_io } else { Buffer::new };
        let slot = |_| Slot {
            buffer: make_buffer(plan.block, fresh),
            own: None,
            start: std::ptr::null_mut(),
            piece: Piece::default(),
            number: 0,
            filled: 0,
            began_ns: 0,
        };
        let slots: Vec<Slot> = (0..plan.queue_depth).map(slot).collect();
        let free = (0..slots.len()).collect();
        let mut reader =
            Self { ring, way, block: plan.block, slots, free, files_registered: false, broken: None };
        if way == Way::Registered {
            reader.register_buffers()?;
        }
        Ok(reader)
    }

    fn register_buffers(&mut self) -> Result<(), Failure> {
        let piece = |slot: &mut Slot| {
            let memory = slot.buffer.lend(&mut slot.own);
            Iovec { base: memory.as_mut_ptr().cast(), length: memory.len() }
        };
        let buffers: Vec<Iovec> = self.slots.iter_mut().map(piece).collect();
        // SAFETY: the slots' memory is that of the reader, which has the ring too.
        unsafe { self.ring.register_buffers(&buffers) }
    }

    /// Registers files, where the reads name them by their numbers.
    pub(crate) fn register_files(&mut self, files: &[Fd]) -> Result<(), Failure> {
        if self.way == Way::Registered {
            self.ring.register_files(files)?;
            self.files_registered = true;
        }
        Ok(())
    }

    /// Undoes `register_files`.
    pub(crate) fn unregister_files(&mut self) {
        if std::mem::take(&mut self.files_registered) {
            // It fails only where nothing is registered.
            let _ = self.ring.unregister_files();
        }
    }

    /// Reads so many pieces and hands each on with its number, its bytes and when it began.
    pub(crate) fn read_pieces(
        &mut self,
        count: usize,
        timed: bool,
        piece: impl Fn(usize) -> Piece,
        mut hand_on: impl FnMut(usize, &[u8], u64),
    ) -> Result<(), FailedPiece> {
        let mut begun = 0;
        let mut failed = self.broken.map(|failure| (0, failure));
        loop {
            while begun < count && failed.is_none() {
                let Some(slot) = self.free.pop() else { break };
                self.begin(slot, begun, piece(begun), timed);
                begun += 1;
            }
            if self.free.len() == self.slots.len() {
                return failed.map_or(Ok(()), Err);
            }
            if let Err(failure) = self.ring.enter() {
                self.abandon_slots(failure);
                return Err((begun.saturating_sub(1), failure));
            }
            while let Some(completion) = self.ring.pop() {
                let slot = usize::try_from(completion.user_data).expect("as it was given");
                match self.advance(slot, completion) {
                    Ok(false) => {}
                    Ok(true) => {
                        let done = &self.slots[slot];
                        hand_on(done.number, done.bytes(), done.began_ns);
                        self.end(slot);
                    }
                    Err(failure) => {
                        failed = failed.or(Some((self.slots[slot].number, failure)));
                        self.end(slot);
                    }
                }
            }
        }
    }

    fn begin(&mut self, index: usize, number: usize, piece: Piece, timed: bool) {
        let slot = &mut self.slots[index];
        slot.start = slot.buffer.lend(&mut slot.own).as_mut_ptr().cast();
        (slot.piece, slot.number, slot.filled) = (piece, number, 0);
        slot.began_ns = if timed { clock::monotonic_ns() } else { 0 };
        self.push(index);
    }

    /// Asks for what is not there yet of a slot's piece, up to a whole block:
    /// `O_DIRECT` cannot ask for less at the end of a file.
    fn push(&mut self, index: usize) {
        let Slot { start, piece, filled, .. } = self.slots[index];
        let registered = self.way == Way::Registered;
        let submission = Submission {
            opcode: if registered { IORING_OP_READ_FIXED } else { IORING_OP_READ },
            flags: if registered { IOSQE_FIXED_FILE } else { 0 },
            fd: piece.file,
            offset: (piece.offset + filled) as u64,
            // SAFETY: the memory has a block, of which so many bytes are filled.
            address: unsafe { start.add(filled) }.expose_provenance() as u64,
            length: u32::try_from(self.block - filled).unwrap_or(READ_BYTES_MAX),
            user_data: index as u64,
            buffer_index: if registered { u16::try_from(index).unwrap_or(u16::MAX) } else { 0 },
            ..Submission::default()
        };
        // SAFETY: nobody uses the slot's memory before `advance`, and there are
        // as many slots as the ring has entries.
        unsafe { self.ring.push(submission) };
    }

    /// Takes a completion: true when the piece is all there.
    fn advance(&mut self, index: usize, completion: Completion) -> Result<bool, Failure> {
        let slot = &mut self.slots[index];
        let Ok(count) = usize::try_from(completion.result) else {
            return Err(Failure { call: "io_uring", errno: -completion.result });
        };
        if count == 0 && slot.piece.due > slot.filled {
            return Err(Failure::short("io_uring"));
        }
        slot.filled += count;
        if slot.filled < slot.piece.due {
            self.push(index);
            return Ok(false);
        }
        Ok(true)
    }

    fn end(&mut self, index: usize) {
        self.slots[index].own = None;
        self.free.push(index);
    }

    /// The kernel may still write into them, so their memory is never used again.
    #[cold]
    fn abandon_slots(&mut self, failure: Failure) {
        self.broken = Some(failure);
        std::mem::forget(std::mem::take(&mut self.slots));
        self.free.clear();
    }
}

/// The most that one read takes.
const READ_BYTES_MAX: u32 = 0x7fff_f000;
