//! Where an operation hands the bytes it got: the digest that proves them, and
//! for `verify` the CRC of all of them.

use super::crc32::Crc32;

/// One byte in this many is part of the digest.
pub(crate) const STRIDE_BYTES: usize = 4096;

/// The bytes that one operation delivered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sink {
    /// Bytes delivered so far; also the position of the next piece.
    pub(crate) bytes: u64,
    /// The sum of the bytes at 0, 4096, 8192, … of those delivered.
    pub(crate) digest: u64,
    /// Lines or matches, where the operation counts them.
    pub(crate) count: u64,
    crc: Option<Crc32>,
}

impl Sink {
    /// Counts bytes and their digest: what is timed.
    #[inline]
    pub(crate) fn counting() -> Self {
        Self { bytes: 0, digest: 0, count: 0, crc: None }
    }

    /// Counts a part of the data that begins at this position of the whole.
    #[inline]
    pub(crate) fn starting_at(position: usize) -> Self {
        Self { bytes: position as u64, ..Self::counting() }
    }

    /// Takes the CRC of every byte as well.
    pub(crate) fn verifying() -> Self {
        Self { crc: Some(Crc32::new()), ..Self::counting() }
    }

    /// The next piece of the data.
    #[inline]
    pub(crate) fn take(&mut self, piece: &[u8]) {
        let mut index = distance_to_sample(self.bytes);
        while let Some(&byte) = piece.get(index) {
            self.digest += u64::from(byte);
            index += STRIDE_BYTES;
        }
        self.bytes += piece.len() as u64;
        if let Some(crc) = &mut self.crc {
            crc.update(piece);
        }
    }

    /// The next line, without its newline; the CRC takes a newline after each.
    #[inline]
    pub(crate) fn take_line(&mut self, line: &[u8]) {
        self.bytes += line.len() as u64;
        self.digest += line.first().map_or(0, |&byte| u64::from(byte));
        self.count += 1;
        if let Some(crc) = &mut self.crc {
            crc.update(line);
            crc.update(b"\n");
        }
    }

    /// A result that is not the data itself; `text` is what the CRC takes of it.
    #[inline]
    pub(crate) fn conclude<T: AsRef<[u8]>>(&mut self, bytes: u64, digest: u64, text: impl FnOnce() -> T) {
        self.bytes += bytes;
        self.digest = self.digest.wrapping_add(digest);
        if let Some(crc) = &mut self.crc {
            crc.update(text().as_ref());
        }
    }

    /// A piece at the very start of which only the digest's bytes are at hand.
    #[inline]
    pub(crate) fn take_sampled(&mut self, sampled: &[u8], length: usize) {
        self.digest += sampled.iter().map(|&byte| u64::from(byte)).sum::<u64>();
        self.bytes += length as u64;
    }

    /// True when every byte is wanted, not only those of the digest.
    #[inline]
    pub(crate) fn verifies(&self) -> bool {
        self.crc.is_some()
    }

    /// The CRC-32 of the bytes delivered; 0 when it was not asked for.
    pub(crate) fn crc32(&self) -> u32 {
        self.crc.map_or(0, Crc32::value)
    }
}

/// From a position in the delivered bytes to the next one of the digest.
#[inline]
fn distance_to_sample(position: u64) -> usize {
    const MASK: u64 = STRIDE_BYTES as u64 - 1;
    (position.wrapping_neg() & MASK) as usize
}
