//! Content that says of itself which generation it is and whether it is whole.

use fathom_model::splitmix64;

/// Bytes of every generation.
pub(super) const LENGTH: usize = 64 * 1024;
/// Bytes of the first line.
const HEADER: usize = 32;

/// What a reader got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Got {
    /// This generation or a later one, whole.
    New,
    /// An earlier generation, whole.
    Old,
    /// Nothing.
    Empty,
    /// Neither: parts of two generations, or a part of one.
    Torn,
}

impl Got {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Old => "old",
            Self::Empty => "empty",
            Self::Torn => "torn",
        }
    }
}

/// The content of a generation: a line with number and checksum, then bytes
/// that differ from generation to generation.
pub(super) fn make(generation: u64) -> Vec<u8> {
    let words = (0..(LENGTH - HEADER) / 8).map(|at| splitmix64(generation << 32 | at as u64));
    let body: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
    let mut content = format!("{generation:>19} {:08x}  \n", crc32fast::hash(&body)).into_bytes();
    content.resize(HEADER, b'\n');
    content.extend(body);
    content
}

/// What these bytes are, where `new` is the generation that is being written.
pub(super) fn judge(bytes: &[u8], new: u64) -> Got {
    if bytes.is_empty() {
        return Got::Empty;
    }
    match generation_of(bytes) {
        Some(generation) if generation >= new => Got::New,
        Some(_) => Got::Old,
        None => Got::Torn,
    }
}

/// The generation of whole content.
fn generation_of(bytes: &[u8]) -> Option<u64> {
    let header = std::str::from_utf8(bytes.get(..HEADER)?).ok()?;
    let mut words = header.split_whitespace();
    let generation = words.next()?.parse().ok()?;
    let checksum = u32::from_str_radix(words.next()?, 16).ok()?;
    (bytes.len() == LENGTH && crc32fast::hash(&bytes[HEADER..]) == checksum).then_some(generation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_new_empty_and_torn_are_told_apart() {
        let (old, new) = (make(6), make(7));
        assert_eq!((old.len(), new.len()), (LENGTH, LENGTH));
        assert_eq!(judge(&old, 7), Got::Old);
        assert_eq!(judge(&new, 7), Got::New);
        assert_eq!(judge(&[], 7), Got::Empty);
        assert_eq!(judge(&new[..4096], 7), Got::Torn);
        assert_eq!(judge(&new[..10], 7), Got::Torn);
        let mixed: Vec<u8> = [&new[..8192], &old[8192..]].concat();
        assert_eq!(judge(&mixed, 7), Got::Torn);
        assert_eq!(judge(&vec![0; LENGTH], 7), Got::Torn);
    }
}
