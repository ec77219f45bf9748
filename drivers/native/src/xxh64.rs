//! XXH64 with seed 0, of data that comes piece by piece.

const STRIPE_BYTES: usize = 32;
const PRIMES: [u64; 5] = [
    0x9E37_79B1_85EB_CA87,
    0xC2B2_AE3D_27D4_EB4F,
    0x1656_67B1_9E37_79F9,
    0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5,
];

/// A running XXH64.
#[derive(Debug, Clone)]
pub(crate) struct Xxh64 {
    lanes: [u64; 4],
    /// Bytes taken; the last of them, fewer than a stripe, wait in `tail`.
    length: u64,
    tail: [u8; STRIPE_BYTES],
}

impl Xxh64 {
    /// The hash of no bytes yet.
    pub(crate) fn new() -> Self {
        let lanes = [PRIMES[0].wrapping_add(PRIMES[1]), PRIMES[1], 0, PRIMES[0].wrapping_neg()];
        Self { lanes, length: 0, tail: [0; STRIPE_BYTES] }
    }

    /// Takes the next bytes.
    pub(crate) fn update(&mut self, mut bytes: &[u8]) {
        let waiting = self.waiting();
        self.length += bytes.len() as u64;
        if waiting > 0 {
            let (first, rest) = bytes.split_at(bytes.len().min(STRIPE_BYTES - waiting));
            self.tail[waiting..waiting + first.len()].copy_from_slice(first);
            if waiting + first.len() < STRIPE_BYTES {
                return;
            }
            mix(&mut self.lanes, &self.tail);
            bytes = rest;
        }
        let (stripes, rest) = bytes.as_chunks();
        for stripe in stripes {
            mix(&mut self.lanes, stripe);
        }
        self.tail[..rest.len()].copy_from_slice(rest);
    }

    /// The hash of all bytes taken.
    pub(crate) fn value(self) -> u64 {
        let [first, second, third, fourth, fifth] = PRIMES;
        let mut hash = if self.length < STRIPE_BYTES as u64 { fifth } else { join(self.lanes) };
        hash = hash.wrapping_add(self.length);
        let (words, rest) = self.tail[..self.waiting()].as_chunks();
        for word in words {
            hash ^= step(0, u64::from_le_bytes(*word));
            hash = hash.rotate_left(27).wrapping_mul(first).wrapping_add(fourth);
        }
        let (halves, rest) = rest.as_chunks();
        for half in halves {
            hash ^= u64::from(u32::from_le_bytes(*half)).wrapping_mul(first);
            hash = hash.rotate_left(23).wrapping_mul(second).wrapping_add(third);
        }
        for &byte in rest {
            hash ^= u64::from(byte).wrapping_mul(fifth);
            hash = hash.rotate_left(11).wrapping_mul(first);
        }
        hash = (hash ^ (hash >> 33)).wrapping_mul(second);
        hash = (hash ^ (hash >> 29)).wrapping_mul(third);
        hash ^ (hash >> 32)
    }

    fn waiting(&self) -> usize {
        usize::try_from(self.length % STRIPE_BYTES as u64).expect("less than a stripe")
    }
}

#[inline]
fn mix(lanes: &mut [u64; 4], stripe: &[u8; STRIPE_BYTES]) {
    for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks().0) {
        *lane = step(*lane, u64::from_le_bytes(*word));
    }
}

#[inline]
fn step(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(PRIMES[1])).rotate_left(31).wrapping_mul(PRIMES[0])
}

fn join(lanes: [u64; 4]) -> u64 {
    let rotated = lanes.iter().zip([1, 7, 12, 18]).map(|(lane, bits)| lane.rotate_left(bits));
    let sum = rotated.fold(0, u64::wrapping_add);
    lanes
        .iter()
        .fold(sum, |hash, &lane| (hash ^ step(0, lane)).wrapping_mul(PRIMES[0]).wrapping_add(PRIMES[3]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(bytes: &[u8]) -> u64 {
        let mut hash = Xxh64::new();
        hash.update(bytes);
        hash.value()
    }

    #[test]
    fn known_values_hold() {
        assert_eq!(hash(b""), 0xef46_db37_51d8_e999);
        assert_eq!(hash(b"a"), 0xd24e_c4f1_a98c_6e5b);
        assert_eq!(hash(b"abc"), 0x44bc_2cf5_ad77_0999);
        assert_eq!(hash(b"Nobody inspects the spammish repetition"), 0xfbce_a83c_8a37_8bf1);
    }

    #[test]
    fn pieces_of_any_size_give_the_hash_of_the_whole() {
        let data: Vec<u8> = (0_u32..200).map(|i| (i * 7 % 251).to_le_bytes()[0]).collect();
        for length in 0..data.len() {
            let whole = hash(&data[..length]);
            for piece in [1, 7, 31, 32, 33, 70] {
                let mut hash = Xxh64::new();
                data[..length].chunks(piece).for_each(|piece| hash.update(piece));
                assert_eq!(hash.value(), whole, "{length} by {piece}");
            }
        }
    }
}
