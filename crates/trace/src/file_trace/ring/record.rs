//! Records as the programs in the kernel write them: a head of fixed length, texts and
//! blocks of memory behind it.

use super::known_stack::STACK_BYTES;
use super::plan::{Copies, LARGEST_BLOCK_BYTES, LARGEST_SECOND_BYTES, LONGEST_TEXT_BYTES};
use crate::witness::Memory;

/// What a record tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A call returned: its arguments.
    Call = 1,
    /// A call in another form than this machine's own.
    ForeignCall = 2,
    /// A thread was made: its id, its process, the flags it was made with, whether by a
    /// call in another form.
    Birth = 3,
    /// A program was executed: the id that the thread had before. Its path is a text.
    Exec = 4,
    /// A thread ended: its code, that of its process, the process's flags.
    End = 5,
    /// A signal was delivered: its number.
    Signal = 6,
    /// A request went into an `io_uring`: its address, its operation, its descriptor. A path
    /// is a text, the request's own fields are a block.
    Request = 7,
    /// A request was answered: its address.
    Answer = 8,
    /// Of the thread's call that follows: the registers that its stack is walked from, and the
    /// memory at the stack pointer as a block.
    Stack = 9,
}

/// Where the head's fields stand, in bytes.
pub(super) const TIME: i16 = 0;
pub(super) const THREAD: i16 = 8;
pub(super) const KIND: i16 = 16;
pub(super) const STACK_NUMBER: i16 = 20;
pub(super) const RESULT: i16 = 24;
pub(super) const LENGTHS: i16 = 32;
pub(super) const ARGUMENTS: i16 = 40;
pub(super) const BEGAN: i16 = 88;
pub(super) const WAITED: i16 = 96;
pub(super) const HEAD_BYTES: i16 = 104;
/// A call's stack stands in the record before.
pub(super) const STACK_COPIED: u32 = u32::MAX;
/// The thread was stopped at the return of the call, as often as the number's other bits say.
pub(super) const STACK_STOPPED: u32 = 1 << STACK_STOPPED_SHIFT;
pub(super) const STACK_STOPPED_SHIFT: i32 = 31;
/// Room for the longest record of a call, which is the longest of all.
pub(super) const LONGEST_BYTES: usize = HEAD_BYTES as usize
    + 2 * LONGEST_TEXT_BYTES as usize
    + LARGEST_BLOCK_BYTES as usize
    + LARGEST_SECOND_BYTES as usize;

/// Where a room has place for what is looked at and not sent.
#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "some ten thousand")]
pub(super) const SCRATCH: i32 = LONGEST_BYTES.next_multiple_of(8) as i32;
/// All of a room.
pub(super) const ROOM_BYTES: u32 = SCRATCH.unsigned_abs() + 2 * STACK_BYTES as u32;

/// A record's head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    /// By the kernel's clock that never goes back.
    pub(super) time_ns: u64,
    pub(super) thread: u32,
    pub(super) process: u32,
    pub(super) kind: Kind,
    /// The number of the call in which it happened.
    pub(super) call: u16,
    /// Of a call: the number by which its stack is known, 0 where it is not,
    /// [`STACK_COPIED`] where a copy came right before, or [`STACK_STOPPED`] and which stop it was.
    pub(super) stack: u32,
    pub(super) result: i64,
    pub(super) arguments: [u64; 6],
    /// Of a call, by the same clock: when it began, `None` where that was not seen.
    pub(super) began_ns: Option<u64>,
    /// And how long its thread was blocked in it until it ran again.
    pub(super) waited_ns: u64,
}

/// A record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) head: Head,
    /// Texts with their NULs and blocks; empty where nothing was copied.
    pub(super) pieces: [&'a [u8]; 4],
}

/// The memory that a record brought along.
#[derive(Debug)]
pub(super) struct Copied<'a> {
    pieces: [(u64, &'a [u8]); 4],
}

impl<'a> Record<'a> {
    /// Reads a record; `None` of one that no program of ours writes.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let word = |at: i16, size: usize| {
            let at = usize::try_from(at).ok()?;
            let mut padded = [0; 8];
            padded[..size].copy_from_slice(bytes.get(at..at + size)?);
            Some(u64::from_le_bytes(padded))
        };
        let half = |at| u32::try_from(word(at, 4)?).ok();
        let kind = match word(KIND, 2)? {
            1 => Kind::Call,
            2 => Kind::ForeignCall,
            3 => Kind::Birth,
            4 => Kind::Exec,
            5 => Kind::End,
            6 => Kind::Signal,
            7 => Kind::Request,
            8 => Kind::Answer,
            9 => Kind::Stack,
            _ => return None,
        };
        let mut arguments = [0; 6];
        for (at, argument) in (ARGUMENTS..).step_by(8).zip(&mut arguments) {
            *argument = word(at, 8)?;
        }
        let head = Head {
            time_ns: word(TIME, 8)?,
            thread: half(THREAD)?,
            process: half(THREAD + 4)?,
            kind,
            call: u16::try_from(word(KIND + 2, 2)?).ok()?,
            stack: half(STACK_NUMBER)?,
            result: word(RESULT, 8)?.cast_signed(),
            arguments,
            began_ns: Some(word(BEGAN, 8)?).filter(|began| *began != 0),
            waited_ns: word(WAITED, 8)?,
        };
        let mut rest = bytes.get(usize::try_from(HEAD_BYTES).ok()?..)?;
        let mut pieces = [&[][..]; 4];
        for (at, piece) in (LENGTHS..).step_by(2).zip(&mut pieces) {
            let length = usize::try_from(word(at, 2)?).ok()?;
            (*piece, rest) = rest.split_at_checked(length)?;
        }
        Some(Self { head, pieces })
    }

    /// The memory it brought along, by the plan of its call.
    pub(super) fn memory(&self, copies: &Copies) -> Copied<'a> {
        let arguments = copies.texts.into_iter().map(|text| text.unwrap_or(0));
        let arguments = arguments.chain(copies.blocks.iter().map(|block| block.argument));
        let mut pieces = [(0, &[][..]); 4];
        for ((piece, argument), copied) in pieces.iter_mut().zip(arguments).zip(self.pieces) {
            *piece = (self.head.arguments[argument], copied);
        }
        Copied { pieces }
    }

    /// Its first text without the NUL; `None` where it could not be read.
    pub(super) fn text(&self) -> Option<&'a [u8]> {
        self.pieces[0].strip_suffix(b"\0")
    }
}

impl Memory for Copied<'_> {
    fn copy(&self, address: u64, buffer: &mut [u8]) -> usize {
        let within = |(start, bytes): &(u64, &[u8])| {
            let from = usize::try_from(address.checked_sub(*start)?).ok()?;
            bytes.get(from..).filter(|found| !found.is_empty()).map(<[u8]>::len)
        };
        // Of two pieces that overlap, the one that tells more.
        let Some((start, bytes)) =
            self.pieces.iter().filter(|piece| within(piece).is_some()).max_by_key(|piece| within(piece))
        else {
            return 0;
        };
        let from = usize::try_from(address - start).unwrap_or(0);
        let length = buffer.len().min(bytes.len() - from);
        buffer[..length].copy_from_slice(&bytes[from..from + length]);
        length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(lengths: [u16; 4], payload: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; 104];
        bytes[0..8].copy_from_slice(&5_u64.to_le_bytes());
        bytes[8..12].copy_from_slice(&11_u32.to_le_bytes());
        bytes[12..16].copy_from_slice(&10_u32.to_le_bytes());
        bytes[16] = 1;
        bytes[18] = 82;
        bytes[24..32].copy_from_slice(&(-2_i64).to_le_bytes());
        for (at, length) in lengths.into_iter().enumerate() {
            bytes[32 + 2 * at..34 + 2 * at].copy_from_slice(&length.to_le_bytes());
        }
        bytes[40..48].copy_from_slice(&0x1000_u64.to_le_bytes());
        bytes[48..56].copy_from_slice(&0x2000_u64.to_le_bytes());
        bytes.extend_from_slice(payload);
        bytes
    }

    #[test]
    fn texts_are_found_at_the_addresses_of_their_arguments() {
        let bytes = bytes([4, 6, 0, 0], b"one\0seven\0padding");
        let record = Record::read(&bytes).unwrap();
        let head = record.head;
        assert_eq!((head.time_ns, head.thread, head.process, head.call, head.result), (5, 11, 10, 82, -2));
        let none = super::super::plan::Block { argument: 0, size: super::super::plan::Size::None, bytes: 0 };
        let memory = record.memory(&Copies { texts: [Some(0), Some(1)], blocks: [none; 2] });
        let mut buffer = [0; 256];
        assert_eq!(memory.copy(0x2001, &mut buffer), 5);
        assert_eq!(&buffer[..5], b"even\0");
        assert_eq!(memory.copy(0x1004, &mut buffer), 0, "behind the end");
        assert_eq!(record.text(), Some(&b"one"[..]));
    }

    #[test]
    fn what_is_cut_or_foreign_is_no_record() {
        let whole = bytes([4, 0, 0, 0], b"one\0");
        assert!(Record::read(&whole).is_some());
        for length in 0..whole.len() {
            assert!(Record::read(&whole[..length]).is_none(), "{length}");
        }
        let mut other = whole;
        other[16] = 99;
        assert!(Record::read(&other).is_none());
    }
}
