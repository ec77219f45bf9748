//! What of a log could not be read, counted by kind; the first of it by line.

/// How many notes are kept word for word.
const KEPT: usize = 20;

/// How much of a line is kept, in bytes.
const KEPT_BYTES: usize = 120;

/// Why something of a log was not read, or not surely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteKind {
    /// A line that strace does not print: a program's output, say.
    Foreign,
    /// A line without its end.
    Cut,
    /// A line of more bytes than are kept.
    TooLong,
    /// A call of a name that is not known.
    UnknownCall,
    /// A call whose arguments were not understood.
    Arguments,
    /// A result that was not understood.
    Result,
    /// An argument with a name of a number that is not known; the rest was read.
    UnknownName,
    /// A path whose end strace left out, or shown as an address.
    CutPath,
    /// The rest of a call whose beginning is not in the log.
    NoBeginning,
    /// A call whose rest is not in the log.
    NeverResumed,
    /// A thread that one of several calls made, and whose end that tells it is not there.
    UnsureParent,
    /// A stack beyond the number that is kept.
    StackDropped,
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StraceNote {
    /// The line, counted from 1.
    pub line: u64,
    /// Why.
    pub kind: NoteKind,
    /// The beginning of the line.
    pub text: String,
}

/// All that could not be read.
#[derive(Debug, Clone, Default)]
pub struct StraceNotes {
    counts: [u64; NoteKind::ALL.len()],
    first: Vec<StraceNote>,
}

impl NoteKind {
    /// All kinds, in the order in which they are declared.
    pub const ALL: [Self; 12] = [
        Self::Foreign,
        Self::Cut,
        Self::TooLong,
        Self::UnknownCall,
        Self::Arguments,
        Self::Result,
        Self::UnknownName,
        Self::CutPath,
        Self::NoBeginning,
        Self::NeverResumed,
        Self::UnsureParent,
        Self::StackDropped,
    ];

    /// What it says, of several lines: `lines that strace does not print`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Foreign => "lines that strace does not print",
            Self::Cut => "lines without their end",
            Self::TooLong => "lines that are too long",
            Self::UnknownCall => "calls of unknown name",
            Self::Arguments => "calls whose arguments were not understood",
            Self::Result => "calls whose result was not understood",
            Self::UnknownName => "calls with an unknown flag, read without it",
            Self::CutPath => "calls whose path is not whole in the log",
            Self::NoBeginning => "calls whose beginning is not in the log",
            Self::NeverResumed => "calls whose end is not in the log",
            Self::UnsureParent => "threads whose making is not in the log",
            Self::StackDropped => "stacks beyond the number that is kept",
        }
    }
}

impl StraceNotes {
    /// How many of a kind there are.
    pub fn count(&self, kind: NoteKind) -> u64 {
        self.counts[kind as usize]
    }

    /// Every kind there is something of, and how many.
    pub fn counts(&self) -> impl Iterator<Item = (NoteKind, u64)> + '_ {
        NoteKind::ALL.into_iter().map(|kind| (kind, self.count(kind))).filter(|(_, count)| *count > 0)
    }

    /// The first of all kinds, by line.
    pub fn first(&self) -> &[StraceNote] {
        &self.first
    }

    /// True when all was read.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    pub(super) fn add(&mut self, line: u64, kind: NoteKind, text: &[u8]) {
        self.counts[kind as usize] += 1;
        if self.first.len() < KEPT {
            self.first.push(StraceNote { line, kind, text: beginning(text) });
        }
    }
}

/// The beginning of a line, fit for a message.
pub(super) fn beginning(text: &[u8]) -> String {
    let shown = String::from_utf8_lossy(&text[..text.len().min(KEPT_BYTES)]).into_owned();
    shown.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_counted_and_the_first_kept() {
        let mut notes = StraceNotes::default();
        for line in 1..=30 {
            notes.add(line, NoteKind::Cut, b"read(3,\x1b");
        }
        notes.add(31, NoteKind::StackDropped, b"");
        assert_eq!(notes.counts().collect::<Vec<_>>(), [(NoteKind::Cut, 30), (NoteKind::StackDropped, 1)]);
        assert_eq!(
            (notes.first().len(), notes.first()[0].line, notes.first()[0].text.as_str()),
            (20, 1, "read(3, ")
        );
        for (position, kind) in NoteKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, position, "{}", kind.words());
        }
    }
}
