//! Scripts: how they are called, which function of them is meant, and on which line a letter stands.

use super::heap::{Heap, small_integer, total};
use std::collections::HashMap;

/// Of longer sources no lines are counted.
const MOST_LETTERS: u64 = 1 << 27;
const LETTERS_AT_ONCE: u64 = 1 << 16;
/// Sources whose lines are kept at once.
const MOST_SOURCES: usize = 1 << 10;
/// Words of a scope behind its variables in which its function's name is looked for.
const NAME_WORDS: u64 = 4;
/// Bits of a scope: its function has a name, or one by what it was assigned to.
const HAS_NAME: u64 = 7 << 12;
/// With more variables a scope keeps their names elsewhere.
const MOST_OWN_NAMES: u64 = 75;

/// The lines of sources, each counted once.
#[derive(Debug, Clone, Default)]
pub(super) struct Sources(HashMap<SourceKey, Vec<u64>>);

/// What tells a source from others: its script's number and name, where it lies and what stands before
/// its letters, their hash and length among it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct SourceKey {
    number: u64,
    name: String,
    source: u64,
    head: Vec<u8>,
}

impl Sources {
    /// The line, from 1, of a letter of a script.
    pub(super) fn line(&mut self, heap: &Heap<'_>, script: u64, letter: u64) -> Option<u32> {
        let layout = heap.layout;
        let source = heap.field(script, layout.script_source)?;
        let key = SourceKey {
            number: heap.field(script, layout.script_number)?,
            name: name(heap, script).unwrap_or_default(),
            source,
            head: heap.bytes(source.checked_sub(1)?, 16)?,
        };
        if self.0.len() >= MOST_SOURCES && !self.0.contains_key(&key) {
            self.0.clear();
        }
        let starts = match self.0.entry(key) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => new.insert(line_starts(heap, source)?),
        };
        // The last one is where the source ends.
        let (end, starts) = starts.split_last()?;
        (letter <= *end).then_some(())?;
        let first = small_integer(heap.field(script, layout.script_first_line)?)?;
        let line = starts.partition_point(|start| *start <= letter);
        u32::try_from(first).ok()?.checked_add(u32::try_from(line).ok()?)
    }
}

/// The path or the name of a script; `None` where it has none.
pub(super) fn name(heap: &Heap<'_>, script: u64) -> Option<String> {
    let name = heap.text(heap.field(script, heap.layout.script_name)?)?;
    let name = match name.strip_prefix("file://") {
        Some(path) => unescaped(path),
        None => name,
    };
    (!name.is_empty()).then_some(name)
}

/// The name of a function by what all closures of it share.
pub(super) fn function(heap: &Heap<'_>, shared: u64) -> Option<String> {
    let named = heap.field(shared, heap.layout.shared_name)?;
    // Its flags and how many variables it has.
    heap.note(named, 32)?;
    if heap.type_of(named)? != heap.layout.scope_info_type {
        return heap.text(named).filter(|name| !name.is_empty());
    }
    let word = |index: u64| heap.field(named, 8 + 8 * index);
    let flags = word(0)?;
    let flags = small_integer(flags).unwrap_or(flags);
    if flags & HAS_NAME == 0 {
        return None;
    }
    let variables = small_integer(word(heap.layout.scope_variables)?)?;
    // Of each its name and what it is.
    let words = if variables < MOST_OWN_NAMES { 2 * variables } else { variables.checked_add(1)? };
    let first = heap.layout.scope_first_variable + words;
    (first..first + NAME_WORDS).find_map(|index| heap.text(word(index)?).filter(|text| !text.is_empty()))
}

/// Where each line of a source begins, and where the last one ends.
fn line_starts(heap: &Heap<'_>, source: u64) -> Option<Vec<u64>> {
    let pieces = heap.letters(source).filter(|pieces| total(pieces) <= MOST_LETTERS)?;
    let mut lines = Lines { starts: vec![0], letters: 0, after_return: false };
    for piece in pieces {
        let (mut address, mut rest) = (piece.address(), piece.bytes());
        while rest > 0 {
            let length = rest.min(LETTERS_AT_ONCE);
            lines.add_units(piece.units(&heap.unnoted(address, length)?).into_iter());
            (address, rest) = (address.checked_add(length)?, rest - length);
        }
    }
    lines.starts.push(lines.letters);
    Some(lines.starts)
}

struct Lines {
    starts: Vec<u64>,
    letters: u64,
    /// The last letter was a carriage return, with which a line feed makes one end.
    after_return: bool,
}

impl Lines {
    fn add_units(&mut self, units: impl Iterator<Item = u16>) {
        for unit in units {
            self.letters += 1;
            let is_end = matches!(unit, 0x0a | 0x0d | 0x2028 | 0x2029);
            if unit == 0x0a && self.after_return {
                self.starts.pop();
            }
            if is_end {
                self.starts.push(self.letters);
            }
            self.after_return = unit == 0x0d;
        }
    }
}

/// A path as it stood before it was made a URL.
fn unescaped(path: &str) -> String {
    let hexadecimal = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let Some((first, others)) = rest.split_first() {
        let escaped = match others {
            [high, low, ..] if *first == b'%' => hexadecimal(high).zip(hexadecimal(low)),
            _ => None,
        };
        bytes.push(escaped.map_or(*first, |(high, low)| high << 4 | low));
        rest = &others[if escaped.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(pieces: &[&str]) -> Vec<u64> {
        let mut lines = Lines { starts: vec![0], letters: 0, after_return: false };
        for piece in pieces {
            lines.add_units(piece.encode_utf16());
        }
        lines.starts
    }

    #[test]
    fn lines_end_as_in_javascript() {
        assert_eq!(starts(&["a\nb\r\nc\rd\u{2028}e\u{2029}"]), [0, 2, 5, 7, 9, 11]);
        assert_eq!(starts(&["a\r", "\nb"]), [0, 3], "one end, in two pieces");
        assert_eq!(starts(&["\n\r"]), [0, 1, 2]);
        assert_eq!(starts(&["漢\n字"]), [0, 2], "by letters, not bytes");
        assert_eq!(starts(&[]), [0]);
    }

    #[test]
    fn paths_are_those_before_they_were_urls() {
        assert_eq!(unescaped("/a/gr%C3%B6%c3%9fe%20b.mjs"), "/a/größe b.mjs");
        assert_eq!(unescaped("/100%/%zz%4"), "/100%/%zz%4");
    }
}
