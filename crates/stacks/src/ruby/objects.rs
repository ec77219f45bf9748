//! Ruby's objects: what kind one is, texts, and what leads to a code.

use super::layout::Layout;
use crate::process_memory::word_of;
use crate::remembered::Reader;

const LONGEST_TEXT_BYTES: u64 = 1 << 14;
/// The kinds of objects, by the lowest bits of their flags.
const KIND: u64 = 0x1f;
const TEXT: u64 = 0x05;
const ARRAY: u64 = 0x07;
const INTERNAL: u64 = 0x1a;
/// Of an internal object: what it is.
const INTERNAL_KIND: u64 = 0xf << 12;
const CODE: u64 = 7 << 12;
/// Of a text: it does not lie in its object; else its length.
const TEXT_ELSEWHERE: u64 = 1 << 13;
const SHORT_LENGTH: u64 = 0x1f;
const SHORT_LENGTH_SHIFT: u32 = 14;
/// Of an array: its elements lie in its object.
const ARRAY_HERE: u64 = 1 << 13;
/// What stands behind the flags and the class of an object.
const CONTENT: u64 = 16;

/// Where the body of a code is, where there is one.
pub(super) fn code_body(address: u64, reader: &mut Reader<'_>) -> Option<u64> {
    let flags = reader.glance(address)?;
    if flags & KIND != INTERNAL || flags & INTERNAL_KIND != CODE {
        return None;
    }
    reader.word(address.checked_add(CONTENT)?)
}

/// The file of a code: its path, and the real one where the former depends on where the program runs.
pub(super) fn path(address: u64, layout: &Layout, reader: &mut Reader<'_>) -> Option<String> {
    let flags = reader.glance(address)?;
    if flags & KIND == TEXT {
        return text(address, layout, reader);
    }
    if flags & KIND != ARRAY || flags & ARRAY_HERE == 0 {
        return None;
    }
    let both = reader.bytes(address.checked_add(CONTENT)?, 16)?;
    let (path, real) = (word_of(both, 0)?, word_of(both, 8)?);
    let path = text(path, layout, reader)?;
    if path.starts_with(['/', '<', '(']) {
        return Some(path);
    }
    Some(text(real, layout, reader).unwrap_or(path))
}

/// A text.
pub(super) fn text(address: u64, layout: &Layout, reader: &mut Reader<'_>) -> Option<String> {
    let flags = reader.glance(address)?;
    if !address.is_multiple_of(8) || flags & KIND != TEXT {
        return None;
    }
    let content = address.checked_add(CONTENT)?;
    let is_here = flags & TEXT_ELSEWHERE == 0;
    let (length, letters) = if is_here && layout.short_lengths_in_flags {
        (flags >> SHORT_LENGTH_SHIFT & SHORT_LENGTH, content)
    } else {
        let behind = content.checked_add(8)?;
        (reader.word(content)?, if is_here { behind } else { reader.word(behind)? })
    };
    let length = usize::try_from(length).ok().filter(|length| *length as u64 <= LONGEST_TEXT_BYTES)?;
    // With the end of a short one, whose length is not compared later.
    let bytes = reader.bytes(letters, length + usize::from(is_here))?;
    let ends = bytes[length..].iter().all(|byte| *byte == 0);
    ends.then(|| String::from_utf8_lossy(&bytes[..length]).into_owned())
}
