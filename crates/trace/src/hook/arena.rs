//! The memory that a program shares with the tracer: the hook's page, and a block with records
//! for each thread. It is a memory file that the program makes and maps at fixed addresses, and
//! that its children keep.

use super::block::{self, ADDRESS, BLOCK_BYTES, BLOCKS, BLOCKS_BYTES, BYTES, FILE_OFFSET, KNOWLEDGE};
use super::injection::Injection;
use super::knowledge::{self, Loss};
use super::page::{self, Page};
use crate::repetition::DESCRIPTORS;
use crate::witness::Memory;
use fathom_sys::shared_memory::SharedMemory;
use rustix::fs::{SealFlags, fcntl_add_seals};
use rustix::process::Pid;
use std::borrow::Cow;
use std::fs::OpenOptions;
use std::ops::Range;

/// The first address after all of it.
pub(super) const END: u64 = ADDRESS + BYTES as u64;

#[derive(Debug)]
pub(super) struct Arena {
    memory: SharedMemory,
    free: Vec<usize>,
    longest_record: u64,
    /// What is done at the calls that are meant, in blocks that begin.
    arm: u64,
    /// Blocks have what the opens of descriptors asked.
    knows_descriptors: bool,
}

/// A record as it was copied out.
pub(super) struct Record<'a> {
    bytes: Cow<'a, [u8]>,
}

/// How many a program maps behind the page: where nothing is remembered, there is no room for it.
fn bytes(page: &Page) -> usize {
    if page.labels.eliding.is_some() { BYTES } else { BLOCKS_BYTES }
}

impl Arena {
    /// Has the program make and map it.
    pub(super) fn inject(pid: Pid, injection: &mut Injection, page: &Page) -> Result<Self, String> {
        const NAME: &[u8; 7] = b"fathom\0";
        let refused = |what: &str, result: Option<i64>| match result {
            Some(errno) => format!(
                "{what} failed there ({})",
                crate::call::errno_name(i32::try_from(-errno).unwrap_or(0))
            ),
            None => format!("{what} was not made there"),
        };
        let shared = (libc::MAP_SHARED, libc::MAP_FIXED);
        let map = |injection: &mut Injection,
                   (address, bytes): (u64, usize),
                   protection: i32,
                   flags: (i32, i32),
                   (number, offset): (u64, usize)| {
            let protection = u64::from(protection.cast_unsigned());
            let flags = u64::from((flags.0 | flags.1).cast_unsigned());
            let arguments = [address, bytes as u64, protection, flags, number, offset as u64];
            let mapped = injection.call(libc::SYS_mmap, arguments);
            if mapped == Some(address.cast_signed()) { Ok(()) } else { Err(refused("mmap", mapped)) }
        };
        // The name stands where the page will: below a stack there may be what belongs to other threads.
        let anonymous = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, libc::MAP_FIXED_NOREPLACE);
        map(injection, (page::ADDRESS, page.bytes.len()), libc::PROT_READ, anonymous, (u64::MAX, 0))?;
        let named = injection.write(page::ADDRESS, NAME);
        named.map_err(|error| format!("its memory could not be written: {error}"))?;
        let made = injection.call(
            libc::SYS_memfd_create,
            [page::ADDRESS, u64::from(libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING), 0, 0, 0, 0],
        );
        let file = made.filter(|made| *made >= 0).ok_or_else(|| refused("memfd_create", made))?;
        let memory = Self::map_here(pid, file, page);
        let number = file.cast_unsigned();
        let mapped = memory.and_then(|memory| {
            let code = libc::PROT_READ | libc::PROT_EXEC;
            map(injection, (page::ADDRESS, page.bytes.len()), code, shared, (number, 0))?;
            let records = (libc::MAP_SHARED, libc::MAP_FIXED_NOREPLACE);
            let data = libc::PROT_READ | libc::PROT_WRITE;
            map(injection, (ADDRESS, bytes(page)), data, records, (number, FILE_OFFSET))?;
            Ok(memory)
        });
        injection.call(libc::SYS_close, [number, 0, 0, 0, 0, 0]);
        let longest_record = if page.stacks { page::LONGEST_WITH_STACK } else { page::LONGEST_RECORD };
        let free = (0..BLOCKS).rev().collect();
        let knows_descriptors = page.labels.again.is_some();
        Ok(Self { memory: mapped?, free, longest_record, arm: page.arm, knows_descriptors })
    }

    fn map_here(pid: Pid, file: i64, page: &Page) -> Result<SharedMemory, String> {
        let said = |error: &dyn std::fmt::Display| format!("its memory file could not be shared: {error}");
        let file = OpenOptions::new().read(true).write(true).open(format!("/proc/{pid}/fd/{file}"));
        let file = file.map_err(|error| said(&error))?;
        let bytes = FILE_OFFSET + bytes(page);
        file.set_len(bytes as u64).map_err(|error| said(&error))?;
        // Who cut it would have us fault where we read.
        let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
        fcntl_add_seals(&file, seals).map_err(|error| said(&error))?;
        let memory = SharedMemory::of_file(&file, bytes).map_err(|error| said(&error))?;
        memory.write(0, &page.bytes);
        Ok(memory)
    }

    /// A block for a thread; `None` when there is none left.
    pub(super) fn take_block(&mut self) -> Option<usize> {
        let block = self.free.pop()?;
        let begin = ADDRESS + (block * BLOCK_BYTES) as u64;
        if self.knows_descriptors {
            // Whose it was before had others.
            let at = FILE_OFFSET + block * BLOCK_BYTES;
            self.memory.write(at + block::OPENED, &[0; block::RECORDS - block::OPENED]);
        }
        self.store(block, block::HEAD, begin + block::RECORDS as u64);
        self.store(block, block::STATE, 0);
        self.begin_window(block, self.arm, 0);
        self.set_stack(block, 0, 0);
        let answers = KNOWLEDGE + (knowledge::BYTES + knowledge::answers_at(block)) as u64;
        self.store(block, block::ANSWERS, answers);
        let bits = knowledge::answer_bits(block);
        self.store(block, block::ANSWERS_SHIFT, (u64::BITS - bits).into());
        self.store(block, block::ANSWERS_MASK, (1 << bits) - 1);
        Some(block)
    }

    /// From here on this is done at so many calls that are meant. Where there are no windows, nothing counts them.
    pub(super) fn begin_window(&self, block: usize, arm: u64, calls: u64) {
        self.store(block, block::ARM, arm);
        self.store(block, block::CALLS_LEFT, calls);
        let end = Self::address(block) + BLOCK_BYTES as u64;
        self.store(block, block::LIMIT, end - self.longest_record);
    }

    /// All calls of the window were made.
    pub(super) fn is_window_over(&self, block: usize) -> bool {
        self.load(block, block::CALLS_LEFT).cast_signed() <= 0
    }

    /// Where the stack of a thread stands.
    pub(super) fn set_stack(&self, block: usize, low: u64, high: u64) {
        self.store(block, block::STACK_LOW, low);
        self.store(block, block::STACK_HIGH, high);
    }

    pub(super) fn give_back(&mut self, block: usize) {
        self.free.push(block);
    }

    /// Forgets the records of a thread, all of which were read.
    pub(super) fn empty(&self, block: usize) {
        self.store(block, block::HEAD, Self::records(block));
        self.store(block, block::STATE, 0);
    }

    /// Where in the program a block stands.
    pub(super) fn address(block: usize) -> u64 {
        ADDRESS + (block * BLOCK_BYTES) as u64
    }

    /// Where its records begin.
    pub(super) fn records(block: usize) -> u64 {
        Self::address(block) + block::RECORDS as u64
    }

    pub(super) fn load(&self, block: usize, offset: usize) -> u64 {
        self.memory.load(FILE_OFFSET + block * BLOCK_BYTES + offset)
    }

    pub(super) fn store(&self, block: usize, offset: usize, value: u64) {
        self.memory.store(FILE_OFFSET + block * BLOCK_BYTES + offset, value);
    }

    /// No call of these programs is hooked any more.
    pub(super) fn switch_off(&self) {
        self.memory.store(page::OFF_OFFSET, 1);
    }

    /// What was known before is not any more, after a call that the hook did not make. The program counts in
    /// the lower half of each word, so that no number comes twice.
    pub(super) fn lose(&self, loss: Loss) {
        let next = |at: usize| {
            let next = self.memory.load(at).wrapping_add(1 << 32);
            self.memory.store(at, next);
            next
        };
        let begin = FILE_OFFSET + BLOCKS_BYTES;
        if loss.changes {
            next(begin + knowledge::CHANGES);
        }
        if loss.scrambles {
            next(begin + knowledge::SCRAMBLES);
        }
        let followed = loss.of_descriptor.filter(|(descriptor, _)| (0..DESCRIPTORS).contains(descriptor));
        if let Some((descriptor, word)) = followed {
            let entry = begin
                + knowledge::DESCRIPTORS_AT
                + ((descriptor.cast_unsigned() as usize) << knowledge::ENTRY_BITS);
            // 0 is what is not known since when.
            let value = match word {
                knowledge::SINCE => 0,
                knowledge::POSITION => next(begin + knowledge::SERIAL) | 1 << knowledge::NOT_KNOWN_BIT,
                _ => next(begin + knowledge::SERIAL),
            };
            self.memory.store(entry + word, value);
        }
    }

    /// The header of the record at an address of the program, whole or not.
    pub(super) fn header(&self, address: u64) -> Option<Record<'static>> {
        let at = usize::try_from(address.checked_sub(page::ADDRESS)?).ok()?;
        let mut bytes = vec![0; block::HEADER_BYTES];
        (FILE_OFFSET..FILE_OFFSET + BLOCKS_BYTES - block::HEADER_BYTES).contains(&at).then(|| {
            self.memory.read(at, &mut bytes);
            Record { bytes: bytes.into() }
        })
    }

    /// Copies the whole records of a block from an address on to the end of `into`, of calls that had
    /// returned at a time stamp, and says of each when it returned and where it is there. Returns where
    /// the next one is or will be. What is not as the hook writes it ends them: a program may write
    /// there too.
    pub(super) fn copy_records(
        &self,
        (block, from): (usize, u64),
        until: u64,
        into: &mut Vec<u8>,
        mut each: impl FnMut(u64, Range<usize>),
    ) -> u64 {
        let head = self.load(block, block::HEAD);
        let end = Self::address(block) + BLOCK_BYTES as u64;
        let is_inside = (Self::records(block)..=end).contains(&from) && head <= end;
        let Some(length) = head.checked_sub(from).filter(|length| *length > 0 && is_inside) else {
            return head;
        };
        let begin = into.len();
        let at = usize::try_from(from - page::ADDRESS).unwrap_or(0);
        self.memory.append_to((at, usize::try_from(length).unwrap_or(0)), into);
        let mut next = begin;
        while into.len() - next >= block::HEADER_BYTES {
            let record = Record::from(&into[next..]);
            let bytes = usize::try_from(record.half(block::RECORD_BYTES)).unwrap_or(0);
            if bytes < block::HEADER_BYTES || bytes > into.len() - next {
                break;
            }
            let returned = record.word(block::RETURNED);
            if returned > until {
                into.truncate(next);
                return from + (next - begin) as u64;
            }
            each(returned, next..next + bytes);
            next += bytes;
        }
        head
    }
}

impl<'a> From<&'a [u8]> for Record<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self { bytes: bytes.into() }
    }
}

impl Record<'_> {
    pub(super) fn word(&self, at: usize) -> u64 {
        self.bytes[at..at + 8].try_into().map_or(0, u64::from_le_bytes)
    }

    pub(super) fn half(&self, at: usize) -> u64 {
        self.bytes[at..at + 4].try_into().map_or(0, |half| u64::from(u32::from_le_bytes(half)))
    }

    pub(super) fn arguments(&self) -> [u64; 6] {
        std::array::from_fn(|position| self.word(block::ARGUMENTS + position * 8))
    }

    /// What was copied, in the order of the copies.
    pub(super) fn pieces(&self) -> [&[u8]; 3] {
        let mut next = block::HEADER_BYTES;
        [block::PATH_BYTES, block::PATH_BYTES + 4, block::LEFT_BYTES].map(|length| {
            let bytes = usize::try_from(self.half(length)).unwrap_or(0);
            let piece = self.bytes.get(next..next + bytes).unwrap_or(&[]);
            next += bytes.next_multiple_of(8);
            piece
        })
    }

    /// The stack as it was copied: frame pointer, stack pointer, the address of the trampoline's call,
    /// and what lay at the stack pointer. Only where stacks are taken.
    pub(super) fn stack(&self) -> Option<(u64, u64, u64, &[u8])> {
        let lengths = [block::PATH_BYTES, block::PATH_BYTES + 4, block::LEFT_BYTES];
        let before = lengths.map(|at| self.half(at).next_multiple_of(8)).iter().sum::<u64>();
        let begin = block::HEADER_BYTES + usize::try_from(before).ok()?;
        let bytes = usize::try_from(self.half(block::STACK_BYTES)).ok()?;
        let whole = self.bytes.get(begin..begin + block::STACK_HEADER_BYTES + bytes)?;
        let word = |at: usize| whole[at..at + 8].try_into().map_or(0, u64::from_le_bytes);
        Some((word(0), word(8), word(16), &whole[block::STACK_HEADER_BYTES..]))
    }
}

/// Memory of which pieces were copied.
pub(super) struct Copies<'a>(pub(super) [(u64, &'a [u8]); 4]);

impl Memory for Copies<'_> {
    fn copy(&self, address: u64, buffer: &mut [u8]) -> usize {
        let rests = self.0.iter().filter_map(|(begin, bytes)| {
            let skipped = usize::try_from(address.checked_sub(*begin)?).ok()?;
            bytes.get(skipped..)
        });
        // What a call left may lie on the stack.
        let piece = rests.max_by_key(|rest| rest.len()).unwrap_or(&[]);
        let copied = piece.len().min(buffer.len());
        buffer[..copied].copy_from_slice(&piece[..copied]);
        copied
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_returned_later_waits_for_the_next_time() {
        let file = tempfile::tempfile().unwrap();
        file.set_len((FILE_OFFSET + BYTES) as u64).unwrap();
        let memory = SharedMemory::of_file(&file, FILE_OFFSET + BYTES).unwrap();
        let longest_record = page::LONGEST_RECORD;
        let mut arena = Arena { memory, free: vec![3], longest_record, arm: 0, knows_descriptors: true };
        let block = arena.take_block().unwrap();
        let begin = Arena::records(block);
        for (number, returned) in [10, 20, 30].into_iter().enumerate() {
            let at = block::RECORDS + number * block::HEADER_BYTES;
            arena.store(block, at + block::RETURNED, returned);
            arena.store(block, at + block::LEFT_BYTES, (block::HEADER_BYTES as u64) << 32);
        }
        arena.store(block, block::HEAD, begin + 3 * block::HEADER_BYTES as u64);
        let returned = |from, until| {
            let (mut bytes, mut records) = (vec![7; 3], Vec::new());
            let next = arena.copy_records((block, from), until, &mut bytes, |at, range| {
                assert!(range.start >= 3);
                records.push(at);
            });
            (records, next)
        };
        let third = begin + 2 * block::HEADER_BYTES as u64;
        assert_eq!(returned(begin, 25), (vec![10, 20], third));
        assert_eq!(returned(third, 30), (vec![30], third + block::HEADER_BYTES as u64));
    }
}
