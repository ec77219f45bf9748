//! CRC-32 (IEEE, reflected, as in zlib), by a table. Only `verify` uses it.

/// A running CRC-32.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Crc32(u32);

const TABLE: [u32; 256] = make_table();

impl Crc32 {
    /// The CRC of no bytes yet.
    pub(crate) fn new() -> Self {
        Self(u32::MAX)
    }

    /// Takes the next bytes.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let [low, ..] = self.0.to_le_bytes();
            self.0 = (self.0 >> 8) ^ TABLE[usize::from(low ^ byte)];
        }
    }

    /// The CRC of all bytes taken.
    pub(crate) fn value(self) -> u32 {
        !self.0
    }
}

const fn make_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut register = 0_u32;
    let mut index = 0;
    while index < 256 {
        let mut bit = 0;
        while bit < 8 {
            register = if register & 1 == 1 { (register >> 1) ^ 0xEDB8_8320 } else { register >> 1 };
            bit += 1;
        }
        table[index] = register;
        index += 1;
        #[expect(clippy::cast_possible_truncation, reason = "an index of at most 256")]
        let next = index as u32;
        register = next;
    }
    table
}
