//! What Maglev keeps of its code for the time when it has to be given up: for each call, which functions
//! were made part of it and where in their bytecode they stand.

use super::heap::{Heap, small_integer};
use super::operations::Operations;
use super::positions::Numbers;

/// In the table of calls: how many there are, of how many bytes a part of an entry is, and where they begin.
const COUNT_AT: usize = 4;
const SIZES_AT: usize = 8;
const HEADER_BYTES: u64 = 16;
const MOST_CALLS: u64 = 1 << 16;
/// Operations and frames of one call.
const MOST_OPERATIONS: usize = 1 << 14;
const MOST_FRAMES: u64 = 64;

/// The first operations are frames of functions, the next ones those of V8's own in JavaScript.
const OF_FUNCTIONS: u8 = 2;
const OF_JAVASCRIPT: u8 = 4;

/// A function at a call: where in its bytecode it stands, and which literal it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TranslatedFrame {
    pub(super) offset: u64,
    pub(super) literal: u64,
}

/// Which of the points where code may be given up belongs to the call that goes on at a place of it.
/// `table` is the address of the table of calls.
pub(super) fn call_index(heap: &Heap<'_>, table: u64, place: u64) -> Option<u64> {
    let header = heap.bytes(table, HEADER_BYTES)?;
    let word = |at: usize| header.get(at..)?.first_chunk().map(|word| u32::from_ne_bytes(*word));
    let count = u64::from(word(COUNT_AT)?);
    let sizes = word(SIZES_AT)?;
    let size = |bits: u32| usize::try_from(sizes >> bits & 7).ok().filter(|size| *size <= 4);
    let (register_bytes, place_bytes, index_bytes) = (size(1)?, size(4)?, size(7)?);
    (sizes & 1 == 1 && sizes < 1 << 10 && count < MOST_CALLS).then_some(())?;
    let entry_bytes = 2 * place_bytes + index_bytes + 1 + register_bytes;
    let entries = heap.bytes(table.checked_add(HEADER_BYTES)?, count * u64::try_from(entry_bytes).ok()?)?;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    let is_it = |entry: &&[u8]| {
        let (at, rest) = entry.split_at(place_bytes);
        // Where it returns to once it is given up, counted from -1.
        let given_up = rest.get(index_bytes..index_bytes + place_bytes).map_or(0, number);
        number(at) == place || given_up.checked_sub(1) == Some(place)
    };
    let entry = entries.chunks_exact(entry_bytes).find(is_it)?;
    number(entry.get(place_bytes..place_bytes + index_bytes)?).checked_sub(1)
}

/// The functions of the call whose translation begins at an index, the outermost first.
pub(super) fn frames(
    table: &[u8],
    begin: usize,
    operations: &'static Operations,
) -> Option<Vec<TranslatedFrame>> {
    let mut reader = Reader::new(table, begin, operations);
    // How far back another one is that is repeated, how many frames, and how many of JavaScript.
    let (_, begins) = reader.next()?;
    let of_javascript = begins.get(2)? >> 1;
    (reader.is_begin(*table.get(begin)?) && of_javascript <= MOST_FRAMES).then_some(())?;
    let mut found = Vec::new();
    let mut javascript = 0;
    for _ in 0..MOST_OPERATIONS {
        if javascript == of_javascript {
            break;
        }
        let (operation, operands) = reader.next()?;
        javascript += u64::from(operation < OF_JAVASCRIPT);
        if operation < OF_FUNCTIONS {
            let signed = |number: &u64| (*number & 1 == 0).then_some(number >> 1);
            let (offset, literal) = (operands.first().and_then(signed)?, operands.get(1).and_then(signed)?);
            found.push(TranslatedFrame { offset, literal });
        }
    }
    (javascript == of_javascript && !found.is_empty()).then_some(found)
}

/// Reads operations, those that are repeated where they were said first.
struct Reader<'a> {
    table: &'a [u8],
    operations: &'static Operations,
    now: usize,
    /// In the earlier translation, and how many operations of it are repeated still.
    earlier: usize,
    repeated: u64,
    /// How many operations were read since `earlier` was moved.
    behind: u64,
}

impl<'a> Reader<'a> {
    fn new(table: &'a [u8], begin: usize, operations: &'static Operations) -> Self {
        Self { table, operations, now: begin, earlier: 0, repeated: 0, behind: 0 }
    }

    /// The next operation and its operands.
    fn next(&mut self) -> Option<(u8, Vec<u64>)> {
        self.repeated = self.repeated.saturating_sub(1);
        if self.repeated > 0 {
            return self.next_earlier();
        }
        let began = self.now;
        let last = u8::try_from(self.operations.operands.len()).ok()?.checked_sub(1)?;
        let operation = *self.table.get(began)?;
        if operation < last {
            self.behind += 1;
            let (operands, end) = self.operands(operation, began)?;
            self.now = end;
            if self.is_begin(operation) {
                self.behind = 1;
                // So far back is one of which it repeats something.
                let back = usize::try_from(*operands.first()?).ok()?;
                if back > 0 {
                    self.earlier = began.checked_sub(back)?;
                    self.is_begin(*self.table.get(self.earlier)?).then_some(())?;
                }
            }
            return Some((operation, operands));
        }
        // Behind the last one stand the most frequent counts of what is repeated.
        self.repeated = if operation == last {
            let (operands, end) = self.operands(operation, began)?;
            self.now = end;
            *operands.first()?
        } else {
            self.now = began + 1;
            u64::from(operation - last - 1)
        };
        for _ in 0..self.behind {
            self.next_earlier()?;
        }
        self.behind = 0;
        self.next_earlier()
    }

    fn next_earlier(&mut self) -> Option<(u8, Vec<u64>)> {
        let operation = *self.table.get(self.earlier).filter(|_| self.earlier < self.now)?;
        let (operands, end) = self.operands(operation, self.earlier)?;
        self.earlier = end;
        Some((operation, operands))
    }

    /// The operands of an operation as they are packed, and where they end.
    fn operands(&self, operation: u8, at: usize) -> Option<(Vec<u64>, usize)> {
        let count = *self.operations.operands.get(usize::from(operation))?;
        let mut numbers = Numbers(self.table.get(at + 1..)?);
        let operands: Option<Vec<u64>> = (0..count).map(|_| numbers.unsigned()).collect();
        Some((operands?, self.table.len() - numbers.0.len()))
    }

    fn is_begin(&self, operation: u8) -> bool {
        (self.operations.begin..=self.operations.begin + 1).contains(&operation)
    }
}

/// The index of a translation in the table, of one of the points where code may be given up.
pub(super) fn begin(heap: &Heap<'_>, data: u64, first: u64, index: u64) -> Option<usize> {
    // Of each: where in the bytecode, the translation, and where the code goes on.
    let at = index.checked_mul(3)?.checked_add(first)?.checked_add(1)?;
    usize::try_from(small_integer(heap.item(data, at)?)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of functions have three operands, those of V8's own one; 5 is a value, 6 and 7 begin, 8 repeats.
    const OPERATIONS: Operations = Operations { operands: &[3, 3, 1, 1, 0, 1, 3, 3, 1], begin: 6 };

    fn of(table: &[u8], begin: usize) -> Option<Vec<(u64, u64)>> {
        static KNOWN: Operations = OPERATIONS;
        let found = frames(table, begin, &KNOWN)?;
        Some(found.into_iter().map(|frame| (frame.offset, frame.literal)).collect())
    }

    #[test]
    fn frames_are_those_that_a_call_has_the_outermost_first() {
        // Two frames, both of functions, with values between them.
        let table = [6, 0, 4, 4, 1, 20, 2, 0, 5, 9, 4, 0, 90, 6, 0, 5, 1];
        assert_eq!(of(&table, 0), Some(vec![(10, 1), (45, 3)]));
        // A frame of V8's own stands between.
        let table = [7, 0, 6, 6, 1, 20, 2, 0, 2, 7, 0, 90, 6, 0];
        assert_eq!(of(&table, 0), Some(vec![(10, 1), (45, 3)]));
    }

    #[test]
    fn what_an_earlier_call_has_may_be_repeated() {
        let first = [6, 0, 4, 4, 1, 20, 2, 0, 5, 9, 0, 90, 6, 0];
        // It begins 14 bytes further, repeats two operations, and has a frame of its own.
        let second = [6, 14, 4, 4, 8, 2, 0, 70, 8, 0];
        let table = [&first[..], &second].concat();
        assert_eq!(of(&table, 14), Some(vec![(10, 1), (35, 4)]));
        // The count may stand in the operation: 9 is none, 11 two.
        let table = [&first[..], &[6, 14, 4, 4, 11, 0, 70, 8, 0]].concat();
        assert_eq!(of(&table, 14), Some(vec![(10, 1), (35, 4)]));
        // Its own frame, then the value and the frame of the earlier one.
        let table = [&first[..], &[6, 14, 4, 4, 1, 30, 2, 0, 11]].concat();
        assert_eq!(of(&table, 14), Some(vec![(15, 1), (45, 3)]));
    }

    #[test]
    fn what_is_no_translation_has_no_frames() {
        assert_eq!(of(&[], 0), None);
        assert_eq!(of(&[5, 9, 1, 20, 2, 0], 0), None, "it does not begin");
        assert_eq!(of(&[6, 0, 4, 4, 1, 20, 2, 0], 0), None, "it has no end");
        assert_eq!(of(&[6, 9, 4, 4], 0), None, "nothing stands before it");
        assert_eq!(of(&[6, 0, 2, 2, 1, 21, 2, 0], 0), None, "before the first bytecode");
        assert_eq!(of(&[6, 0, 0, 0], 0), None);
    }
}
