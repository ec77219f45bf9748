//! Where `CPython` keeps what leads from a thread to its frames. From 3.13 on the interpreter publishes
//! it at the start of its runtime (`_Py_DebugOffsets`); of 3.8 to 3.12 it is known: bytes of 64-bit
//! builds, by `offsetof` with the headers of 3.8.18, 3.9.18, 3.10.13, 3.11.7 and 3.12.1. Minor versions
//! keep their layout.

use super::lines::LineForm;
use crate::process_memory::{ProcessMemory, word_of};
use std::ops::RangeInclusive;

/// At the start of a runtime that publishes its offsets.
const COOKIE: &[u8] = b"xdebugpy";
/// As much of the offsets as is used.
const OFFSETS_BYTES: usize = 8 * 64;

/// How a thread's state leads to its innermost frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Current {
    /// It has its address.
    At(u64),
    /// It has the address of what has that.
    Behind(u64, u64),
}

/// Offsets in bytes, each from the beginning of what holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) interpreters: u64,
    pub(super) next_interpreter: u64,
    pub(super) threads: u64,
    pub(super) next_thread: u64,
    pub(super) thread_id: u64,
    pub(super) current: Current,
    pub(super) frame_bytes: usize,
    pub(super) frame_code: u64,
    pub(super) frame_previous: u64,
    pub(super) frame_instruction: u64,
    /// Who owns the frame, a byte: 3 and more are the interpreter's own.
    pub(super) frame_owner: Option<u64>,
    pub(super) code_file: u64,
    pub(super) code_function: u64,
    pub(super) code_lines: u64,
    pub(super) code_first_line: u64,
    /// Where the instructions begin, where frames have the address of one.
    pub(super) code_instructions: Option<u64>,
    pub(super) line_form: LineForm,
    /// Before the letters of a text of ASCII; others have two words more up to 3.11, else 16 bytes more.
    pub(super) ascii_bytes: u64,
    pub(super) compact_bytes: u64,
}

const OF_3_8: Layout = Layout {
    interpreters: 32,
    next_interpreter: 0,
    threads: 8,
    next_thread: 8,
    thread_id: 176,
    current: Current::At(24),
    frame_bytes: 112,
    frame_code: 32,
    frame_previous: 24,
    frame_instruction: 104,
    frame_owner: None,
    code_file: 104,
    code_function: 112,
    code_lines: 120,
    code_first_line: 40,
    code_instructions: None,
    line_form: LineForm::Increments,
    ascii_bytes: 48,
    compact_bytes: 72,
};

const OF_3_10: Layout = Layout { frame_instruction: 96, line_form: LineForm::Ranges, ..OF_3_8 };

const OF_3_11: Layout = Layout {
    interpreters: 40,
    next_interpreter: 0,
    threads: 16,
    next_thread: 8,
    thread_id: 152,
    current: Current::Behind(56, 8),
    frame_bytes: 80,
    frame_code: 32,
    frame_previous: 48,
    frame_instruction: 56,
    frame_owner: Some(69),
    code_file: 112,
    code_function: 128,
    code_lines: 136,
    code_first_line: 72,
    code_instructions: Some(184),
    line_form: LineForm::Locations,
    ascii_bytes: 48,
    compact_bytes: 72,
};

const OF_3_12: Layout = Layout {
    threads: 72,
    thread_id: 136,
    current: Current::Behind(56, 0),
    frame_code: 0,
    frame_previous: 8,
    frame_owner: Some(70),
    code_first_line: 68,
    code_instructions: Some(192),
    ascii_bytes: 40,
    compact_bytes: 56,
    ..OF_3_11
};

impl Layout {
    /// The minor versions whose layout is known.
    pub(super) const KNOWN: RangeInclusive<u8> = 8..=14;

    /// That of version 3.`minor`, whose runtime is at an address; `None` where it is not known.
    pub(super) fn of(minor: u8, runtime: u64, memory: &dyn ProcessMemory) -> Option<Self> {
        match minor {
            8 | 9 => Some(OF_3_8),
            10 => Some(OF_3_10),
            11 => Some(OF_3_11),
            12 => Some(OF_3_12),
            13 | 14 => {
                let mut offsets = Vec::new();
                memory.read_pieces(&[(runtime, OFFSETS_BYTES)], &mut offsets).then_some(())?;
                Self::published(minor, &offsets)
            }
            _ => None,
        }
    }

    /// True where frames have the number of an instruction and not its address.
    pub(super) fn counts_instructions(&self) -> bool {
        self.code_instructions.is_none()
    }

    /// How many bytes of a code the number of an instruction stands for.
    pub(super) fn bytes_per_instruction(&self) -> u64 {
        if self.line_form == LineForm::Ranges { 2 } else { 1 }
    }

    /// From the words that 3.13 and 3.14 publish: groups of them, each with a size first. Builds without
    /// the lock of all threads have other objects.
    fn published(minor: u8, offsets: &[u8]) -> Option<Self> {
        let word = |index: usize| word_of(offsets, 8 * index as u64);
        let is_free_threaded = word(2)? != 0;
        let version = word(1)?;
        if !offsets.starts_with(COOKIE) || is_free_threaded || version >> 16 != 0x0300 + u64::from(minor) {
            return None;
        }
        let interpreter = 6;
        let (words_of_interpreter, words_of_frame) = if minor == 13 { (13, 6) } else { (16, 8) };
        let thread = interpreter + words_of_interpreter;
        let frame = thread + 9;
        let code = frame + words_of_frame;
        Some(Self {
            interpreters: word(5)?,
            next_interpreter: word(interpreter + 2)?,
            threads: word(interpreter + 3)?,
            next_thread: word(thread + 2)?,
            thread_id: word(thread + 5)?,
            current: Current::At(word(thread + 4)?),
            frame_bytes: usize::try_from(word(frame)?).ok()?,
            frame_previous: word(frame + 1)?,
            frame_code: word(frame + 2)?,
            frame_instruction: word(frame + 3)?,
            frame_owner: Some(word(frame + 5)?),
            code_file: word(code + 1)?,
            code_function: word(code + 3)?,
            code_lines: word(code + 4)?,
            code_first_line: word(code + 5)?,
            code_instructions: Some(word(code + 9)?),
            line_form: LineForm::Locations,
            ascii_bytes: 40,
            compact_bytes: 56,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that are their own numbers, as 3.13 or 3.14 would have them.
    fn words(minor: u64) -> Vec<u8> {
        let mut words: Vec<u64> = (0..64).collect();
        words[0] = u64::from_ne_bytes(*COOKIE.first_chunk().unwrap());
        (words[1], words[2]) = (0x0300_00f0 | minor << 16, 0);
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    #[test]
    fn published_offsets_are_found_by_the_groups_of_each_version() {
        let of_13 = Layout::published(13, &words(13)).unwrap();
        assert_eq!((of_13.interpreters, of_13.threads, of_13.thread_id), (5, 9, 24));
        assert_eq!((of_13.frame_bytes, of_13.frame_owner, of_13.code_file), (28, Some(33), 35));
        let of_14 = Layout::published(14, &words(14)).unwrap();
        assert_eq!((of_14.interpreters, of_14.threads, of_14.thread_id), (5, 9, 27));
        assert_eq!((of_14.frame_bytes, of_14.frame_owner, of_14.code_file), (31, Some(36), 40));
    }

    #[test]
    fn what_does_not_say_that_it_is_that_version_is_not_believed() {
        assert_eq!(Layout::published(13, &words(14)), None);
        assert_eq!(Layout::published(13, &words(13)[..256]), None);
        let mut other = words(13);
        other[0] = b'y';
        assert_eq!(Layout::published(13, &other), None);
        let mut free_threaded = words(13);
        free_threaded[16] = 1;
        assert_eq!(Layout::published(13, &free_threaded), None);
    }
}
