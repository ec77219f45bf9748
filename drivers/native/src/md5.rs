//! MD5 (RFC 1321), of data that comes piece by piece.

const BLOCK_BYTES: usize = 64;

/// A running MD5.
#[derive(Debug, Clone)]
pub(crate) struct Md5 {
    state: [u32; 4],
    /// Bytes taken; the last of them, fewer than a block, wait in `tail`.
    length: u64,
    tail: [u8; BLOCK_BYTES],
}

/// How far each step of the four rounds rotates.
const ROTATIONS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// floor(2^32 · |sin(i + 1)|), the RFC's table T.
#[rustfmt::skip]
const SINES: [u32; 64] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
];

impl Md5 {
    /// The MD5 of no bytes yet.
    pub(crate) fn new() -> Self {
        let state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
        Self { state, length: 0, tail: [0; BLOCK_BYTES] }
    }

    /// Takes the next bytes.
    pub(crate) fn update(&mut self, mut bytes: &[u8]) {
        let waiting = self.waiting();
        self.length += bytes.len() as u64;
        if waiting > 0 {
            let (first, rest) = bytes.split_at(bytes.len().min(BLOCK_BYTES - waiting));
            self.tail[waiting..waiting + first.len()].copy_from_slice(first);
            if waiting + first.len() < BLOCK_BYTES {
                return;
            }
            mix(&mut self.state, &self.tail);
            bytes = rest;
        }
        let (blocks, rest) = bytes.as_chunks();
        for block in blocks {
            mix(&mut self.state, block);
        }
        self.tail[..rest.len()].copy_from_slice(rest);
    }

    /// The MD5 of all bytes taken.
    pub(crate) fn value(mut self) -> [u8; 16] {
        let bits = self.length.wrapping_mul(8);
        // A one bit, then zeros up to the last 8 bytes of a block.
        let mut padding = [0; BLOCK_BYTES];
        padding[0] = 0x80;
        let zeros = (2 * BLOCK_BYTES - 8 - 1 - self.waiting()) % BLOCK_BYTES;
        self.update(&padding[..=zeros]);
        self.update(&bits.to_le_bytes());
        let mut value = [0; 16];
        for (bytes, word) in value.as_chunks_mut().0.iter_mut().zip(self.state) {
            *bytes = word.to_le_bytes();
        }
        value
    }

    fn waiting(&self) -> usize {
        usize::try_from(self.length % BLOCK_BYTES as u64).expect("less than a block")
    }
}

fn mix(state: &mut [u32; 4], block: &[u8; BLOCK_BYTES]) {
    let mut words = [0; 16];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let mut mixed = *state;
    round::<0>(&mut mixed, &words, |i| i, |b, c, d| d ^ (b & (c ^ d)));
    round::<1>(&mut mixed, &words, |i| 5 * i + 1, |b, c, d| c ^ (d & (b ^ c)));
    round::<2>(&mut mixed, &words, |i| 3 * i + 5, |b, c, d| b ^ c ^ d);
    round::<3>(&mut mixed, &words, |i| 7 * i, |b, c, d| c ^ (b | !d));
    for (word, mixed) in state.iter_mut().zip(mixed) {
        *word = word.wrapping_add(mixed);
    }
}

/// Sixteen steps, each with the word that `place` says, by the round's function `join`.
#[inline]
fn round<const ROUND: usize>(
    state: &mut [u32; 4],
    words: &[u32; 16],
    place: impl Fn(usize) -> usize,
    join: impl Fn(u32, u32, u32) -> u32,
) {
    let [mut a, mut b, mut c, mut d] = *state;
    for i in 0..16 {
        let sum = join(b, c, d).wrapping_add(a);
        let sum = sum.wrapping_add(words[place(i) % 16]).wrapping_add(SINES[16 * ROUND + i]);
        (a, d, c) = (d, c, b);
        b = b.wrapping_add(sum.rotate_left(ROTATIONS[ROUND][i % 4]));
    }
    *state = [a, b, c, d];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rfc_s_test_suite_holds() {
        let digits = "1234567890".repeat(8);
        let suite = [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f",
            ),
            (digits.as_str(), "57edf4a22be3c955ac49da2e2107b67a"),
        ];
        for (text, expected) in suite {
            let mut hash = Md5::new();
            hash.update(text.as_bytes());
            assert_eq!(format!("{:032x}", u128::from_be_bytes(hash.value())), expected, "{text}");
        }
    }

    #[test]
    fn pieces_of_any_size_give_the_hash_of_the_whole() {
        let data: Vec<u8> = (0_u32..300).map(|i| (i * 7 % 251).to_le_bytes()[0]).collect();
        for length in 0..data.len() {
            let mut whole = Md5::new();
            whole.update(&data[..length]);
            let whole = whole.value();
            for piece in [1, 55, 56, 63, 64, 65, 130] {
                let mut hash = Md5::new();
                data[..length].chunks(piece).for_each(|piece| hash.update(piece));
                assert_eq!(hash.value(), whole, "{length} by {piece}");
            }
        }
    }
}
