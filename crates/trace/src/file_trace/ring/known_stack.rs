//! Stacks that are known, in the form in which the programs in the kernel look them up: by the
//! registers, and then by the words of the stack that its walk depends on. It depends on nothing
//! else, so that where all of these are the same again, so is the stack.

use fathom_stacks::Registers;

/// So much of a stack is copied, from the stack pointer on; frames further out are not known.
pub(super) const STACK_BYTES: u16 = 4096;
/// So many words of it tell it; frames that take more are not known.
pub(super) const STACK_WORDS: i16 = 28;
/// So many stacks that have the same registers are told apart.
pub(super) const MOST_ALIKE: i32 = 4;

/// Stands for the frame pointer among the positions of words.
pub(super) const FRAME_POINTER: i16 = STACK_BYTES.cast_signed();

/// What a stack is looked up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct StackKey {
    pub(super) process: u32,
    pub(super) program_counter: u64,
    pub(super) stack_pointer: u64,
    /// The register with the return address, on architectures that have one; else 0.
    pub(super) link: u64,
}

impl StackKey {
    /// Where a key has which of those that are alike it is about, and the registers.
    pub(super) const NUMBER: i16 = 4;
    pub(super) const PROGRAM_COUNTER: i16 = 8;
    pub(super) const STACK_POINTER: i16 = 16;
    pub(super) const LINK: i16 = 24;
    pub(super) const BYTES: i16 = 32;

    /// The key of one of those that are alike.
    pub(super) fn encode(&self, number: u32) -> [u8; Self::BYTES as usize] {
        let mut bytes = [0; Self::BYTES as usize];
        bytes[..4].copy_from_slice(&self.process.to_ne_bytes());
        bytes[4..8].copy_from_slice(&number.to_ne_bytes());
        let registers = [self.program_counter, self.stack_pointer, self.link];
        for (place, register) in bytes[8..].chunks_exact_mut(8).zip(registers) {
            place.copy_from_slice(&register.to_ne_bytes());
        }
        bytes
    }
}

/// A stack as it was copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CopiedStack {
    pub(super) key: StackKey,
    pub(super) frame_pointer: u64,
    /// From the stack pointer on.
    pub(super) bytes: Vec<u8>,
}

impl CopiedStack {
    /// The registers that the walk begins with.
    pub(super) fn registers(&self) -> Registers {
        Registers {
            program_counter: self.key.program_counter,
            stack_pointer: self.key.stack_pointer,
            frame_pointer: self.frame_pointer,
            #[cfg(target_arch = "aarch64")]
            link: self.key.link,
        }
    }

    /// The word at an address. `Err` of what was not copied.
    pub(super) fn read(&self, address: u64) -> Result<u64, ()> {
        let position = u16::try_from(address.wrapping_sub(self.key.stack_pointer)).map_err(|_| ())?;
        self.at(position).filter(|_| position < STACK_BYTES).ok_or(())
    }

    fn at(&self, position: u16) -> Option<u64> {
        if position == FRAME_POINTER.unsigned_abs() {
            return Some(self.frame_pointer);
        }
        Some(u64::from_ne_bytes(*self.bytes.get(usize::from(position)..)?.first_chunk()?))
    }
}

/// The words by which a stack is known again: how far from the stack pointer, and what is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct KnownStack {
    words: Vec<(u16, u64)>,
}

impl KnownStack {
    /// Where its number, the bytes of stack that it needs, and the number of words stand, then
    /// where each of them is and what it is.
    pub(super) const STACK: i16 = 0;
    pub(super) const SPAN: i16 = 4;
    pub(super) const COUNT: i16 = 8;
    pub(super) const POSITIONS: i16 = 16;
    pub(super) const WORDS: i16 = Self::POSITIONS + 2 * STACK_WORDS;
    pub(super) const BYTES: i16 = Self::WORDS + 8 * STACK_WORDS;

    /// That of a walk that needed these words of a copy, and the frame pointer or not. `None` where
    /// the kernel's side would not find them.
    pub(super) fn of(copied: &CopiedStack, addresses: &[u64], frame_pointer: bool) -> Option<Self> {
        let mut positions = Vec::with_capacity(addresses.len() + 1);
        for address in addresses {
            let distance = address.wrapping_sub(copied.key.stack_pointer);
            positions.push(u16::try_from(distance).ok().filter(|position| position % 8 == 0)?);
        }
        positions.extend(frame_pointer.then_some(FRAME_POINTER.unsigned_abs()));
        positions.sort_unstable();
        positions.dedup();
        if positions.len() > usize::from(STACK_WORDS.unsigned_abs()) {
            return None;
        }
        let words = positions.into_iter().map(|position| Some((position, copied.at(position)?)));
        Some(Self { words: words.collect::<Option<_>>()? })
    }

    /// True where a copied stack has all of its words.
    pub(super) fn is_in(&self, copied: &CopiedStack) -> bool {
        self.words.iter().all(|(position, known)| copied.at(*position) == Some(*known))
    }

    /// The form in which the kernel's side reads it, under such a number.
    pub(super) fn encode(&self, number: u32) -> [u8; Self::BYTES as usize] {
        let mut bytes = [0; Self::BYTES as usize];
        let of_stack = self.words.iter().filter(|(position, _)| *position < STACK_BYTES);
        let span = of_stack.map(|(position, _)| u32::from(*position) + 8).max().unwrap_or(0);
        let count = u32::try_from(self.words.len()).unwrap_or(0);
        for (at, field) in [(Self::STACK, number), (Self::SPAN, span), (Self::COUNT, count)] {
            let at = usize::from(at.unsigned_abs());
            bytes[at..at + 4].copy_from_slice(&field.to_ne_bytes());
        }
        let (positions, words) = bytes[usize::from(Self::POSITIONS.unsigned_abs())..]
            .split_at_mut(2 * usize::from(STACK_WORDS.unsigned_abs()));
        let places = positions.chunks_exact_mut(2).zip(words.chunks_exact_mut(8));
        for ((position, word), (known, value)) in places.zip(&self.words) {
            position.copy_from_slice(&known.to_ne_bytes());
            word.copy_from_slice(&value.to_ne_bytes());
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_known_again_by_the_words_that_were_needed_and_by_no_others() {
        let key = StackKey { process: 1, program_counter: 2, stack_pointer: 0x1000, link: 0 };
        let copied = CopiedStack { key, frame_pointer: 5, bytes: (0..64).collect() };
        assert_eq!(copied.read(0x1008), Ok(u64::from_ne_bytes([8, 9, 10, 11, 12, 13, 14, 15])));
        assert_eq!(copied.read(0x1039), Err(()), "not all of it was copied");
        assert_eq!((copied.read(0xff8), copied.read(0x2000)), (Err(()), Err(())));
        let known = KnownStack::of(&copied, &[0x1028, 0x1008], false).unwrap();
        let mut other = CopiedStack { frame_pointer: 6, ..copied.clone() };
        (other.bytes[0], other.bytes[32]) = (99, 99);
        assert!(known.is_in(&other));
        assert!(!KnownStack::of(&copied, &[0x1008], true).unwrap().is_in(&other), "the frame pointer");
        other.bytes[47] = 99;
        assert!(!known.is_in(&other));
        other.bytes.truncate(47);
        assert!(!known.is_in(&other));
        assert_eq!(KnownStack::of(&copied, &[0x100c], false), None, "the kernel's side finds whole words");
        let encoded = known.encode(7);
        assert_eq!(encoded[..12], [7, 0, 0, 0, 48, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(encoded[16..20], [8, 0, 40, 0]);
    }
}
