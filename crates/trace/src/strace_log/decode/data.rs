//! Calls that move, reserve, sync, map and advise data.

use super::Decoding;
use crate::strace_log::constants;
use crate::strace_log::scan::{field, parts};
use crate::strace_log::value::number;
use fathom_events::{Advice, CallOutcome, FileAction, MemoryAdvice, Whence};
use memchr::memmem;

const ANONYMOUS: u32 = 0x20;

impl Decoding<'_, '_> {
    pub(super) fn read(&mut self) -> Option<FileAction> {
        let (descriptor, bytes) = (self.descriptor(0)?, self.number(2)?);
        Some(FileAction::Read { descriptor, bytes, offset: None, pieces: 1 })
    }

    pub(super) fn read_at(&mut self) -> Option<FileAction> {
        let (descriptor, bytes, offset) = (self.descriptor(0)?, self.number(2)?, self.number(3)?);
        Some(FileAction::Read { descriptor, bytes, offset: Some(offset), pieces: 1 })
    }

    pub(super) fn read_pieces(&mut self, offset: Option<usize>) -> Option<FileAction> {
        let (descriptor, pieces) = (self.descriptor(0)?, self.word(2)?);
        let (bytes, offset) = (self.bytes_of_pieces()?, self.offset_of_pieces(offset));
        Some(FileAction::Read { descriptor, bytes, offset, pieces })
    }

    pub(super) fn write(&mut self) -> Option<FileAction> {
        let (descriptor, bytes) = (self.descriptor(0)?, self.number(2)?);
        Some(FileAction::Write { descriptor, bytes, offset: None, pieces: 1 })
    }

    pub(super) fn write_at(&mut self) -> Option<FileAction> {
        let (descriptor, bytes, offset) = (self.descriptor(0)?, self.number(2)?, self.number(3)?);
        Some(FileAction::Write { descriptor, bytes, offset: Some(offset), pieces: 1 })
    }

    pub(super) fn write_pieces(&mut self, offset: Option<usize>) -> Option<FileAction> {
        let (descriptor, pieces) = (self.descriptor(0)?, self.word(2)?);
        let (bytes, offset) = (self.bytes_of_pieces()?, self.offset_of_pieces(offset));
        Some(FileAction::Write { descriptor, bytes, offset, pieces })
    }

    pub(super) fn seek(&mut self, whence: usize) -> Option<FileAction> {
        let (descriptor, offset) = (self.descriptor(0)?, self.number(1)?.cast_signed());
        let whence = match self.bits(whence, constants::whence)? {
            0 => Whence::Start,
            1 => Whence::Current,
            2 => Whence::End,
            3 | 4 => Whence::DataOrHole,
            _ => return Some(FileAction::Other),
        };
        Some(FileAction::Seek { descriptor, offset, whence })
    }

    /// That of 32 bits puts the new position into memory: `_llseek(3, 0, [7], SEEK_CUR) = 0`.
    pub(super) fn long_seek(&mut self) -> Option<FileAction> {
        if self.succeeded() {
            let position = parts(self.argument(2)?).next().and_then(number)?;
            self.outcome = Some(CallOutcome::Value(position.cast_signed()));
        }
        self.seek(3)
    }

    pub(super) fn truncate(&mut self, by_descriptor: bool) -> Option<FileAction> {
        let target = if by_descriptor { self.descriptor_target(0) } else { self.path_target(0, true) };
        Some(FileAction::Truncate { target: target?, bytes: self.number(1)? })
    }

    pub(super) fn allocate(&mut self) -> Option<FileAction> {
        let mode = self.word_of(1, constants::allocate_mode)?;
        Some(FileAction::Allocate { descriptor: self.descriptor(0)?, mode })
    }

    pub(super) fn sync(&mut self, data_only: bool) -> Option<FileAction> {
        Some(FileAction::Sync { descriptor: Some(self.descriptor(0)?), data_only })
    }

    pub(super) fn sync_all() -> FileAction {
        FileAction::Sync { descriptor: None, data_only: false }
    }

    pub(super) fn copy(
        &mut self,
        from: usize,
        from_offset: Option<usize>,
        to: usize,
        to_offset: Option<usize>,
        bytes: usize,
    ) -> Option<FileAction> {
        let offset = |position: Option<usize>| {
            let list = self.argument(position?)?;
            parts(list).next().and_then(number)
        };
        let (from_offset, to_offset) = (offset(from_offset), offset(to_offset));
        let (from, to, bytes) = (self.descriptor(from)?, self.descriptor(to)?, self.number(bytes)?);
        Some(FileAction::Copy { from, to, bytes, from_offset, to_offset })
    }

    pub(super) fn map(&mut self) -> Option<FileAction> {
        let (bytes, descriptor) = (self.number(1)?, self.descriptor(4)?);
        let protection = self.word_of(2, constants::map_bit)?;
        let flags = self.map_flags(3)?;
        let descriptor = (flags & ANONYMOUS == 0).then_some(descriptor);
        Some(FileAction::Map { descriptor, offset: self.number(5)?, bytes, protection, flags })
    }

    pub(super) fn unmap(&mut self) -> Option<FileAction> {
        Some(FileAction::Unmap { address: self.number(0)?, bytes: self.number(1)? })
    }

    pub(super) fn remap(&mut self) -> Option<FileAction> {
        Some(FileAction::Remap { bytes: self.number(2)? })
    }

    pub(super) fn advise_memory(&mut self) -> Option<FileAction> {
        let advice = self.word_of(2, constants::memory_advice)?.cast_signed();
        let (address, bytes) = (self.number(0)?, self.number(1)?);
        Some(FileAction::AdviseMemory { address, bytes, advice: MemoryAdvice(advice) })
    }

    pub(super) fn advise(&mut self) -> Option<FileAction> {
        let advice = self.file_advice(3)?;
        let (descriptor, offset, bytes) = (self.descriptor(0)?, self.number(1)?, self.number(2)?);
        Some(FileAction::Advise { descriptor, offset, bytes, advice })
    }

    /// With the advice right after the descriptor.
    pub(super) fn advise_after(&mut self, position: usize) -> Option<FileAction> {
        let advice = self.file_advice(position)?;
        let (offset, bytes) = (self.number(position + 1)?, self.number(position + 2)?);
        Some(FileAction::Advise { descriptor: self.descriptor(0)?, offset, bytes, advice })
    }

    pub(super) fn advise_as(&mut self, advice: Advice) -> Option<FileAction> {
        let (descriptor, offset, bytes) = (self.descriptor(0)?, self.number(1)?, self.number(2)?);
        Some(FileAction::Advise { descriptor, offset, bytes, advice })
    }

    /// Entries are listed with `-v` and counted in a remark without.
    pub(super) fn list(&mut self) -> Option<FileAction> {
        let descriptor = self.descriptor(0)?;
        let shown = self.argument(1)?;
        let entries = match shown.first() {
            Some(b'[') => u32::try_from(parts(shown).count()).ok(),
            _ => memmem::find(shown, b"/* ")
                .and_then(|at| number(&shown[at + 3..]))
                .and_then(|n| u32::try_from(n).ok()),
        };
        let entries = entries.filter(|_| self.succeeded());
        let is_undecided = |entry| matches!(field(entry, b"d_type"), None | Some(b"DT_LNK" | b"DT_UNKNOWN"));
        let is_shown = shown.first() == Some(&b'[');
        let undecided = parts(shown).filter(|entry| is_undecided(entry)).count();
        let undecided = u32::try_from(undecided).ok().filter(|_| is_shown && entries.is_some());
        Some(FileAction::List { descriptor, entries, undecided })
    }

    fn file_advice(&mut self, position: usize) -> Option<Advice> {
        Some(match self.word_of(position, constants::file_advice)? {
            0 => Advice::Normal,
            1 => Advice::Random,
            2 => Advice::Sequential,
            3 => Advice::WillNeed,
            4 => Advice::DontNeed,
            5 => Advice::NoReuse,
            other => Advice::Other(other),
        })
    }

    /// Huge pages have their size as an expression: `21<<MAP_HUGE_SHIFT`.
    fn map_flags(&mut self, position: usize) -> Option<u32> {
        fn value_of(name: &[u8]) -> Option<u64> {
            let shift = name.strip_suffix(b"<<MAP_HUGE_SHIFT").and_then(number);
            shift.map(|size| (size & 0x3f) << 26).or_else(|| constants::map_bit(name))
        }
        self.word_of(position, value_of)
    }

    /// -1 means the position.
    fn offset_of_pieces(&self, position: Option<usize>) -> Option<u64> {
        self.number(position?).filter(|offset| *offset != u64::MAX)
    }

    /// The sum of the pieces that are shown, which is at least what came of them.
    fn bytes_of_pieces(&self) -> Option<u64> {
        let length =
            |piece| field(piece, b"iov_len").or_else(|| parts(piece).nth(1)).and_then(number).unwrap_or(0);
        let shown = parts(self.argument(1)?).map(length).fold(0, u64::saturating_add);
        let moved = self.outcome().value().and_then(|value| u64::try_from(value).ok());
        Some(shown.max(moved.unwrap_or(0)))
    }
}
