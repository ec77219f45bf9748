//! The memory of a process, read piece by piece.

/// The memory of a process.
pub trait ProcessMemory {
    /// Reads all of the pieces, each an address and a number of bytes, one behind the other; false where
    /// one could not be read.
    fn read_pieces(&self, pieces: &[(u64, usize)], bytes: &mut Vec<u8>) -> bool;
}

/// The word at an address.
pub(crate) fn word(memory: &dyn ProcessMemory, address: u64) -> Option<u64> {
    let mut bytes = Vec::with_capacity(8);
    memory.read_pieces(&[(address, 8)], &mut bytes).then(|| word_of(&bytes, 0)).flatten()
}

/// The word at an offset of what was read.
pub(crate) fn word_of(bytes: &[u8], offset: u64) -> Option<u64> {
    let offset = usize::try_from(offset).ok()?;
    bytes.get(offset..)?.first_chunk::<8>().map(|word| u64::from_ne_bytes(*word))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::ProcessMemory;
    use std::cell::RefCell;

    /// Bytes from the address 0 on.
    pub(crate) struct Bytes(pub(crate) RefCell<Vec<u8>>);

    impl ProcessMemory for Bytes {
        fn read_pieces(&self, pieces: &[(u64, usize)], bytes: &mut Vec<u8>) -> bool {
            let memory = self.0.borrow();
            pieces.iter().all(|&(address, length)| {
                let start = usize::try_from(address).unwrap_or(usize::MAX);
                let piece = memory.get(start..start.saturating_add(length));
                piece.map(|piece| bytes.extend_from_slice(piece)).is_some()
            })
        }
    }
}
