//! Typed reads of a process's memory.

use crate::process_memory::ProcessMemory;

/// Reads numbers and bytes of a process.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a>(pub(super) &'a dyn ProcessMemory);

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

impl Reader<'_> {
    pub(super) fn bytes(self, address: u64, count: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(count);
        self.0
            .read_pieces(&[(address, count)], &mut bytes)
            .then_some(bytes)
            .filter(|bytes| bytes.len() == count)
    }

    pub(super) fn word(self, address: u64) -> Option<u64> {
        self.number(address).map(u64::from_ne_bytes)
    }

    pub(super) fn u32(self, address: u64) -> Option<u32> {
        self.number(address).map(u32::from_ne_bytes)
    }

    pub(super) fn u16(self, address: u64) -> Option<u16> {
        self.number(address).map(u16::from_ne_bytes)
    }

    pub(super) fn u8(self, address: u64) -> Option<u8> {
        self.number(address).map(u8::from_ne_bytes)
    }

    fn number<const BYTES: usize>(self, address: u64) -> Option<[u8; BYTES]> {
        self.bytes(address, BYTES)?.first_chunk::<BYTES>().copied()
    }
}
