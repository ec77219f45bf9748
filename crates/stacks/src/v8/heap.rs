//! Objects of V8's heap, each checked for its tag and its type, with all that was read of them: where that
//! is the same again, so is what follows from it.

use super::layout::Layout;
use crate::process_memory::ProcessMemory;
use std::cell::RefCell;

/// Beyond these nothing is a name or a table.
const LONGEST_TEXT: u64 = 1 << 12;
const LONGEST_TABLE_BYTES: u64 = 1 << 22;
/// Pieces that one text may be put together of.
const MOST_PIECES: usize = 1 << 12;
/// In every object: its map. In an array: its length, and where what it holds begins.
const MAP_AT: u64 = 0;
const LENGTH_AT: u64 = 8;
const ITEMS_AT: u64 = 16;
/// In a text: its length, and by its kind where its letters are.
const TEXT_LENGTH_AT: u64 = 12;
const LETTERS_AT: u64 = 16;
const FIRST_AT: u64 = 16;
const SECOND_AT: u64 = 24;
/// A text of another's memory that is not kept at hand.
const UNCACHED: u16 = 16;

/// All that was read, one behind the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Reads {
    pieces: Vec<(u64, usize)>,
    bytes: Vec<u8>,
}

impl Reads {
    /// What has to be read to see whether it is the same still.
    pub(super) fn pieces(&self) -> &[(u64, usize)] {
        &self.pieces
    }

    /// The bytes of all pieces.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What one of the pieces has at an address.
    fn at(&self, address: u64, length: usize) -> Option<&[u8]> {
        let mut before = 0;
        self.pieces.iter().find_map(|&(start, whole)| {
            let first = before;
            before += whole;
            let offset = usize::try_from(address.checked_sub(start)?).ok()?;
            let end = offset.checked_add(length).filter(|end| *end <= whole)?;
            self.bytes.get(first + offset..first + end)
        })
    }
}

/// The heap of a process, which stands still.
pub(super) struct Heap<'a> {
    pub(super) layout: &'a Layout,
    memory: &'a dyn ProcessMemory,
    reads: RefCell<Reads>,
}

/// Letters of a text that lie one behind the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Letters {
    address: u64,
    count: u64,
    /// Latin-1, else UTF-16.
    is_one_byte: bool,
}

impl<'a> Heap<'a> {
    pub(super) fn new(layout: &'a Layout, memory: &'a dyn ProcessMemory) -> Self {
        Self { layout, memory, reads: RefCell::default() }
    }

    /// The same, of which nothing was read.
    pub(super) fn afresh(&self) -> Heap<'a> {
        Self::new(self.layout, self.memory)
    }

    pub(super) fn into_reads(self) -> Reads {
        self.reads.into_inner()
    }

    /// Notes the beginning of an object at once, of which several fields are asked for.
    pub(super) fn note(&self, object: u64, length: u64) -> Option<()> {
        self.bytes(field_address(object, 0)?, length).map(drop)
    }

    /// Bytes of the memory, which are noted.
    pub(super) fn bytes(&self, address: u64, length: u64) -> Option<Vec<u8>> {
        let known = self.reads.borrow().at(address, usize::try_from(length).ok()?).map(<[u8]>::to_vec);
        if known.is_some() {
            return known;
        }
        let bytes = self.unnoted(address, length)?;
        let mut reads = self.reads.borrow_mut();
        reads.pieces.push((address, bytes.len()));
        reads.bytes.extend_from_slice(&bytes);
        Some(bytes)
    }

    /// Bytes of the memory.
    pub(super) fn unnoted(&self, address: u64, length: u64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let piece = (address, usize::try_from(length).ok()?);
        self.memory.read_pieces(&[piece], &mut bytes).then_some(bytes)
    }

    /// A field of an object, which has one word.
    pub(super) fn field(&self, object: u64, offset: u64) -> Option<u64> {
        self.bytes(field_address(object, offset)?, 8)?.first_chunk().map(|word| u64::from_ne_bytes(*word))
    }

    pub(super) fn short_field(&self, object: u64, offset: u64) -> Option<u32> {
        self.bytes(field_address(object, offset)?, 4)?.first_chunk().map(|word| u32::from_ne_bytes(*word))
    }

    /// The type of an object; `None` of what is none. That of a map never changes: the map alone is noted.
    pub(super) fn type_of(&self, object: u64) -> Option<u16> {
        let map = self.field(object, MAP_AT)?;
        let address = field_address(map, self.layout.instance_type)?;
        self.unnoted(address, 2)?.first_chunk().map(|word| u16::from_ne_bytes(*word))
    }

    /// The object of a field, if it is of that type.
    pub(super) fn typed(&self, object: u64, offset: u64, wanted: u16) -> Option<u64> {
        let found = self.field(object, offset)?;
        (self.type_of(found)? == wanted).then_some(found)
    }

    /// The bytes of an array of bytes.
    pub(super) fn byte_array(&self, object: u64) -> Option<Vec<u8>> {
        self.note(object, ITEMS_AT)?;
        let found = self.type_of(object)?;
        self.layout.byte_array_types.contains(&found).then_some(())?;
        let length = self.length(object)?;
        self.bytes(field_address(object, ITEMS_AT)?, length)
    }

    /// How many items an array has.
    pub(super) fn length(&self, object: u64) -> Option<u64> {
        small_integer(self.field(object, LENGTH_AT)?).filter(|length| *length <= LONGEST_TABLE_BYTES)
    }

    /// An item of an array of words.
    pub(super) fn item(&self, object: u64, index: u64) -> Option<u64> {
        (index < self.length(object)?).then_some(())?;
        self.field(object, ITEMS_AT + 8 * index)
    }

    /// A short text, as one.
    pub(super) fn text(&self, object: u64) -> Option<String> {
        let mut text = String::new();
        let mut units = Vec::new();
        for letters in self.letters(object).filter(|pieces| total(pieces) <= LONGEST_TEXT)? {
            let bytes = self.bytes(letters.address, letters.bytes())?;
            units.extend(letters.units(&bytes));
        }
        text.extend(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
        Some(text)
    }

    /// Where the letters of a text lie, in their order; `None` of what is no text.
    pub(super) fn letters(&self, object: u64) -> Option<Vec<Letters>> {
        let mut pieces = Vec::new();
        let whole = self.text_length(object)?;
        // Each with the part of it that is wanted.
        let mut open = vec![(object, 0, whole)];
        let mut looked_at = 0;
        while let Some((object, start, count)) = open.pop() {
            looked_at += 1;
            if looked_at > MOST_PIECES {
                return None;
            }
            if count == 0 {
                continue;
            }
            self.note(object, LETTERS_AT)?;
            let kind = self.type_of(object).filter(|kind| *kind < 128)?;
            let length = self.text_length(object)?;
            (start + count <= length).then_some(())?;
            let is_one_byte = kind & 8 != 0;
            let letters = |address: u64| {
                let address = address.checked_add(if is_one_byte { start } else { 2 * start })?;
                Some(Letters { address, count, is_one_byte })
            };
            match kind & 7 {
                0 => pieces.push(letters(field_address(object, LETTERS_AT)?)?),
                1 => {
                    let (first, second) = (self.field(object, FIRST_AT)?, self.field(object, SECOND_AT)?);
                    let of_first = self.text_length(first)?;
                    let from_first = count.min(of_first.saturating_sub(start));
                    let begun = start.saturating_sub(of_first);
                    open.push((second, begun, count - from_first));
                    open.push((first, start.min(of_first), from_first));
                }
                2 if kind & UNCACHED == 0 => pieces.push(letters(self.field(object, SECOND_AT)?)?),
                3 => {
                    let offset = small_integer(self.field(object, SECOND_AT)?)?;
                    open.push((self.field(object, FIRST_AT)?, start + offset, count));
                }
                5 => open.push((self.field(object, FIRST_AT)?, start, count)),
                _ => return None,
            }
        }
        Some(pieces)
    }

    /// The length of a text, with what is kept of its letters otherwise.
    fn text_length(&self, object: u64) -> Option<u64> {
        self.short_field(object, TEXT_LENGTH_AT).map(u64::from)
    }
}

impl Letters {
    pub(super) fn bytes(self) -> u64 {
        if self.is_one_byte { self.count } else { 2 * self.count }
    }

    pub(super) fn address(self) -> u64 {
        self.address
    }

    /// Its letters, of an even number of bytes.
    pub(super) fn units(self, bytes: &[u8]) -> Vec<u16> {
        if self.is_one_byte {
            bytes.iter().map(|byte| u16::from(*byte)).collect()
        } else {
            bytes.chunks_exact(2).map(|pair| u16::from_ne_bytes([pair[0], pair[1]])).collect()
        }
    }
}

/// How many letters there are.
pub(super) fn total(pieces: &[Letters]) -> u64 {
    pieces.iter().map(|piece| piece.count).sum()
}

/// True of a reference to an object, not of a number.
pub(super) fn is_object(word: u64) -> bool {
    word & 3 == 1
}

/// The number that a word stands for; `None` of a reference and of one below zero.
pub(super) fn small_integer(word: u64) -> Option<u64> {
    (word & u64::from(u32::MAX) == 0 && word.cast_signed() >= 0).then_some(word >> 32)
}

fn field_address(object: u64, offset: u64) -> Option<u64> {
    is_object(object).then_some(())?;
    (object - 1).checked_add(offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Memory from address 0 on.
    struct Fake(Vec<u8>, Cell<usize>);

    impl ProcessMemory for Fake {
        fn read_pieces(&self, pieces: &[(u64, usize)], bytes: &mut Vec<u8>) -> bool {
            self.1.set(self.1.get() + pieces.len());
            pieces.iter().all(|&(address, length)| {
                let start = usize::try_from(address).unwrap();
                let found = start.checked_add(length).and_then(|end| self.0.get(start..end));
                found.inspect(|found| bytes.extend_from_slice(found)).is_some()
            })
        }
    }

    impl Fake {
        fn new() -> Self {
            // The maps of texts lie at 64 times their types.
            let mut fake = Self(vec![0; 1 << 14], Cell::new(0));
            for kind in 0..128_u16 {
                fake.put(64 * u64::from(kind) + 12, &kind.to_ne_bytes());
            }
            fake
        }

        fn put(&mut self, address: u64, bytes: &[u8]) {
            let start = usize::try_from(address).unwrap();
            self.0[start..start + bytes.len()].copy_from_slice(bytes);
        }

        /// A text of a kind, of so many letters; the reference to it.
        fn text(&mut self, address: u64, kind: u64, length: u32, rest: &[u8]) -> u64 {
            self.put(address, &(64 * kind + 1).to_ne_bytes());
            self.put(address + 12, &length.to_ne_bytes());
            self.put(address + 16, rest);
            address + 1
        }
    }

    fn words(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    fn text_of(fake: &Fake, text: u64) -> Option<String> {
        let layout = Layout { instance_type: 12, ..Layout::default() };
        Heap::new(&layout, fake).text(text)
    }

    #[test]
    fn texts_are_read_in_all_their_forms() {
        let mut fake = Fake::new();
        let latin = fake.text(0x2800, 8, 5, b"gr\xf6\xdfe");
        assert_eq!(text_of(&fake, latin).as_deref(), Some("größe"));
        let wide: Vec<u8> = "漢字".encode_utf16().flat_map(u16::to_ne_bytes).collect();
        let wide = fake.text(0x2900, 0, 2, &wide);
        assert_eq!(text_of(&fake, wide).as_deref(), Some("漢字"));
        let both = fake.text(0x2a00, 1, 7, &words(&[latin, wide]));
        assert_eq!(text_of(&fake, both).as_deref(), Some("größe漢字"));
        let part = fake.text(0x2b00, 3, 4, &words(&[both, 2 << 32]));
        assert_eq!(text_of(&fake, part).as_deref(), Some("öße漢"));
        let thin = fake.text(0x2c00, 5, 4, &words(&[part]));
        assert_eq!(text_of(&fake, thin).as_deref(), Some("öße漢"));
        fake.put(0x2d80, b"abc");
        let elsewhere = fake.text(0x2d00, 10, 3, &words(&[0, 0x2d80]));
        assert_eq!(text_of(&fake, elsewhere).as_deref(), Some("abc"));
    }

    #[test]
    fn what_is_no_text_is_none() {
        let mut fake = Fake::new();
        let latin = fake.text(0x2800, 8, 5, b"abcde");
        assert_eq!(text_of(&fake, latin - 1), None, "a number");
        assert_eq!(text_of(&fake, latin + 2), None, "a weak reference");
        assert_eq!(text_of(&fake, 0x7ff0_0001), None, "it cannot be read");
        let beyond = fake.text(0x2900, 3, 4, &words(&[latin, 2 << 32]));
        assert_eq!(text_of(&fake, beyond), None, "a part that the whole does not have");
        let circle = fake.text(0x2a00, 5, 4, &words(&[0x2a01]));
        assert_eq!(text_of(&fake, circle), None, "it is itself");
    }

    #[test]
    fn what_was_read_is_known_to_be_the_same() {
        let mut fake = Fake::new();
        let text = fake.text(0x2800, 8, 5, b"abcde");
        let layout = Layout { instance_type: 12, ..Layout::default() };
        let heap = Heap::new(&layout, &fake);
        heap.text(text).unwrap();
        let before = fake.1.get();
        heap.text(text).unwrap();
        assert_eq!(fake.1.get() - before, 1, "only the type is read again");
        let reads = heap.into_reads();
        let now = |fake: &Fake| {
            let mut bytes = Vec::new();
            fake.read_pieces(reads.pieces(), &mut bytes).then_some(bytes)
        };
        assert_eq!(now(&fake).as_deref(), Some(reads.bytes()));
        fake.put(0x2812, b"X");
        assert_ne!(now(&fake).as_deref(), Some(reads.bytes()));
    }
}
