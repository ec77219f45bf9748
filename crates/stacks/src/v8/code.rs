//! Which code that V8 made holds an address, and what it says of itself.

use super::heap::{Heap, is_object};
use std::collections::BTreeMap;
use std::ops::Bound;

/// Instructions begin at a multiple of it.
const ALIGNMENT: u64 = 32;
/// So far back from an address its code is looked for.
const LONGEST_CODE_BYTES: u64 = 4 << 20;
const BYTES_AT_ONCE: u64 = 4096;
/// In the word that says so, which code it is.
const KIND_MASK: u32 = 15;
/// Codes that are kept before all are looked for anew.
const MOST_CODES: usize = 1 << 14;

/// The codes of a process that were met, by where their instructions begin.
#[derive(Debug, Clone, Default)]
pub(super) struct Codes {
    known: BTreeMap<u64, u64>,
    /// The map of what holds instructions, once one was met.
    holder_map: Option<u64>,
}

/// Code that was made of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MadeCode {
    /// The object that describes it.
    pub(super) object: u64,
    pub(super) start: u64,
    /// Where its instructions end, and its tables begin.
    pub(super) end: u64,
    pub(super) kind: u32,
}

impl Codes {
    /// The code that holds the instruction before an address.
    pub(super) fn at(&mut self, heap: &Heap<'_>, address: u64) -> Option<MadeCode> {
        let header = heap.layout.code.holder_instructions;
        let last = self.known.range((Bound::Unbounded, Bound::Excluded(address))).next_back();
        if let Some((start, end)) = last.map(|(start, end)| (*start, *end))
            && address <= end
        {
            let now = code_at(heap, start.wrapping_sub(header)).filter(|now| now.end == end);
            if now.is_some() {
                return now;
            }
            self.known.remove(&start);
        }
        if self.known.len() >= MOST_CODES {
            self.known.clear();
        }
        let holder = self.find(&heap.afresh(), address)?;
        let code = code_at(heap, holder)?;
        self.known.insert(code.start, code.end);
        Some(code)
    }

    /// Looks for what holds it in the memory before an address.
    fn find(&mut self, heap: &Heap<'_>, address: u64) -> Option<u64> {
        let header = heap.layout.code.holder_instructions;
        let mut end = address & !7;
        let last = address.saturating_sub(LONGEST_CODE_BYTES);
        while end > last {
            let start = (end - 1) / BYTES_AT_ONCE * BYTES_AT_ONCE;
            let bytes = heap.unnoted(start, end - start)?;
            for (word, offset) in bytes.rchunks_exact(8).zip((0..end - start).rev().skip(7).step_by(8)) {
                let word = word.first_chunk().map(|word| u64::from_ne_bytes(*word))?;
                let holder = start + offset;
                let may_be = match self.holder_map {
                    Some(map) => word == map,
                    None => is_object(word) && (holder + header).is_multiple_of(ALIGNMENT),
                };
                if may_be && code_at(heap, holder).is_some_and(|code| address <= code.end) {
                    self.holder_map = Some(word);
                    return Some(holder);
                }
            }
            end = start;
        }
        // Another isolate may have another one.
        self.holder_map = None;
        None
    }
}

/// The code whose holder lies at an address.
fn code_at(heap: &Heap<'_>, holder: u64) -> Option<MadeCode> {
    let layout = &heap.layout.code;
    let object = holder | 1;
    (heap.type_of(object)? == layout.holder_type).then_some(())?;
    let described = match layout.holder_code {
        Some(offset) => heap.typed(object, offset, layout.code_type)?,
        None => object,
    };
    let last = layout.size.max(layout.flags).max(layout.positions).max(layout.deoptimization);
    heap.note(described, last + 8)?;
    let start = holder.checked_add(layout.holder_instructions)?;
    let end = start.checked_add(u64::from(heap.short_field(described, layout.size)?))?;
    let kind = heap.short_field(described, layout.flags)? & KIND_MASK;
    Some(MadeCode { object: described, start, end, kind })
}
