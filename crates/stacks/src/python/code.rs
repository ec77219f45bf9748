//! A code object: the file, the function and the table of lines, with all the bytes that say so, since
//! its memory may be given to another one.

use super::layout::Layout;
use crate::process_memory::{ProcessMemory, word, word_of};

/// Beyond these nothing is a name or a table.
const LONGEST_TEXT_BYTES: u64 = 1 << 14;
const LONGEST_TABLE_BYTES: u64 = 1 << 22;
/// In a text and in bytes: their length; of a text what its letters are; where bytes begin.
const LENGTH_AT: u64 = 16;
const TEXT_STATE_AT: u64 = 32;
const BYTES_AT: u64 = 32;
/// In an object: its type.
const TYPE_AT: u64 = 8;

#[derive(Debug, Clone)]
pub(super) struct Code {
    file: String,
    function: String,
    lines: Vec<u8>,
    first_line: i64,
    /// The addresses of file, function and lines, the type, and the first line.
    head: [u64; 5],
    /// Where the text of the file, of the function, and the table are, with what stands before them.
    known: [Known; 3],
}

/// Memory as it was read.
#[derive(Debug, Clone, Default)]
struct Known {
    address: u64,
    bytes: Vec<u8>,
}

impl Code {
    /// Reads one; `None` of what is no object of the type `code` with names and lines.
    pub(super) fn read(
        address: u64,
        code_type: u64,
        layout: &Layout,
        memory: &dyn ProcessMemory,
    ) -> Option<Self> {
        let mut bytes = Vec::new();
        memory.read_pieces(&[(address, head_bytes(layout))], &mut bytes).then_some(())?;
        let head = head(&bytes, layout)?;
        if head[3] != code_type {
            return None;
        }
        let (file, known_file) = text(head[0], layout, memory)?;
        let (function, known_function) = text(head[1], layout, memory)?;
        let length =
            word(memory, head[2].checked_add(LENGTH_AT)?).filter(|length| *length <= LONGEST_TABLE_BYTES)?;
        let known_lines = Known::read(head[2], BYTES_AT + length, memory)?;
        let lines = known_lines.bytes.get(usize::try_from(BYTES_AT - LENGTH_AT).ok()?..)?.to_vec();
        let first_line = i64::from(u32::try_from(head[4]).ok()?.cast_signed());
        Some(Self {
            file,
            function,
            lines,
            first_line,
            head,
            known: [known_file, known_function, known_lines],
        })
    }

    /// What has to be read to see whether it is the same still.
    pub(super) fn pieces(&self, address: u64, layout: &Layout) -> [(u64, usize); 4] {
        let [file, function, lines] = &self.known;
        let piece = |known: &Known| (known.address, known.bytes.len());
        [(address, head_bytes(layout)), piece(file), piece(function), piece(lines)]
    }

    /// Whether it is, by those pieces.
    pub(super) fn is_still(&self, bytes: &[u8], layout: &Layout) -> bool {
        let Some((now, mut rest)) = bytes.split_at_checked(head_bytes(layout)) else { return false };
        let is_same = |known: &Known| {
            let found = rest.split_at_checked(known.bytes.len());
            found.is_some_and(|(own, others)| {
                rest = others;
                own == known.bytes
            })
        };
        head(now, layout) == Some(self.head) && self.known.iter().all(is_same)
    }

    pub(super) fn file(&self) -> &str {
        &self.file
    }

    pub(super) fn function(&self) -> &str {
        &self.function
    }

    /// The line of a frame of this code, which lies at an address: where its instruction is, or the
    /// number of it.
    pub(super) fn line(&self, layout: &Layout, address: u64, instruction: u64) -> Option<u32> {
        let at = if let Some(instructions) = layout.code_instructions {
            instruction.checked_sub(address.checked_add(instructions)?)?
        } else {
            // Of bytes up to 3.9, of instructions in 3.10; -1 where it has not begun.
            let number = u64::try_from(u32::try_from(instruction).ok()?.cast_signed()).ok()?;
            number * layout.bytes_per_instruction()
        };
        layout.line_form.line(&self.lines, self.first_line, at)
    }
}

impl Known {
    /// From the length of an object on, up to so many bytes of it.
    fn read(object: u64, end: u64, memory: &dyn ProcessMemory) -> Option<Self> {
        let mut bytes = Vec::new();
        let address = object.checked_add(LENGTH_AT)?;
        let length = usize::try_from(end.checked_sub(LENGTH_AT)?).ok()?;
        memory.read_pieces(&[(address, length)], &mut bytes).then_some(Self { address, bytes })
    }
}

fn head_bytes(layout: &Layout) -> usize {
    let last = layout.code_file.max(layout.code_function).max(layout.code_lines).max(layout.code_first_line);
    usize::try_from(last.min(1 << 12)).unwrap_or(0) + 8
}

fn head(bytes: &[u8], layout: &Layout) -> Option<[u64; 5]> {
    let first_line = word_of(bytes, layout.code_first_line)? & u64::from(u32::MAX);
    let at = |offset| word_of(bytes, offset);
    Some([at(layout.code_file)?, at(layout.code_function)?, at(layout.code_lines)?, at(TYPE_AT)?, first_line])
}

/// A text in its compact form, which those of codes have.
fn text(address: u64, layout: &Layout, memory: &dyn ProcessMemory) -> Option<(String, Known)> {
    let length =
        word(memory, address.checked_add(LENGTH_AT)?).filter(|length| *length <= LONGEST_TEXT_BYTES)?;
    let state = word(memory, address.checked_add(TEXT_STATE_AT)?)?;
    // 3.14 keeps in 16 bits what the others keep in two.
    let bits = if state & 0xffff <= 3 { state >> 16 } else { state >> 2 };
    let (letter_bytes, is_compact, is_ascii) = (bits & 7, bits & 8 != 0, bits & 16 != 0);
    if !is_compact || !matches!(letter_bytes, 1 | 2 | 4) {
        return None;
    }
    let start = if is_ascii { layout.ascii_bytes } else { layout.compact_bytes };
    let known = Known::read(address, start + length * letter_bytes, memory)?;
    let letters = known.bytes.get(usize::try_from(start - LENGTH_AT).ok()?..)?;
    let letter = |bytes: &[u8]| {
        let number = bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte));
        char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER)
    };
    let text = letters.chunks_exact(usize::try_from(letter_bytes).ok()?).map(letter).collect();
    Some((text, known))
}
