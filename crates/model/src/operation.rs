//! The logical file actions that methods perform, and what is to be known of each.

mod table;

use crate::{Content, Setting, Settings};
use std::fmt;
use std::str::FromStr;

pub use table::Operation;

/// What is to be known of an operation. Everybody reads it here, and nothing has a
/// default: what an operation lacks does not compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationFacts {
    /// The word used in catalogs, records and on the command line.
    pub word: &'static str,
    /// One sentence on what a single operation does.
    pub sentence: &'static str,
    /// The files it is done to.
    pub works_on: WorksOn,
    /// The bytes that one operation moves.
    pub transfers: Transfer,
    /// What the program has in the end.
    pub answer: AnswerKind,
    /// The setting that says how many bytes each file of its own has in the end.
    pub leaves: Option<Setting>,
    /// True when no way to perform it does without a system call; a mapped block, a
    /// template in the program and a watched file may.
    pub needs_call: bool,
    /// True when a call that fails is part of it.
    pub may_fail: bool,
    /// What the method choice asks it for.
    pub question: Option<Question>,
    /// Size of a file in bytes, unless another is asked for; `None` for documents, which
    /// have one of their own.
    pub size_bytes: Option<u64>,
    /// Content of its files, unless another is asked for.
    pub content: Content,
    /// Settings that every method obeys, beside those of any operation.
    pub settings: &'static [Setting],
    /// Settings that the methods obey which say so.
    pub method_settings: &'static [Setting],
}

/// The files that an operation is done to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorksOn {
    /// None, though they are there.
    Nothing,
    /// The files in turn, which it opens.
    Files,
    /// All files at once.
    AllFiles,
    /// Existing files, which some methods empty.
    EmptiedFiles,
    /// Files that stay open.
    OpenFiles,
    /// Paths of files that do not exist.
    MissingFiles,
    /// A file of its own for each operation of a batch.
    OwnFiles,
    /// One file of its own, which stays open.
    OwnFile,
}

/// The bytes that one operation moves, where it is about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transfer {
    /// None, or what it moves is not what it is about.
    Nothing,
    /// A block at the beginning of the file, as far as the file goes.
    FirstBlock,
    /// A whole block at an offset.
    Block,
    /// The whole file.
    File,
    /// As many bytes as a setting says.
    Setting(Setting),
}

/// What an operation delivers, and by which its correctness is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKind {
    /// Nothing.
    Nothing,
    /// Data of the file.
    Data,
    /// Data of the file that need not be read again.
    HeldData,
    /// The lines of the file.
    Lines,
    /// The number of a word's occurrences.
    Matches,
    /// The digest of the file.
    Digest,
    /// The values of a configuration.
    Values,
    /// The page of a template.
    Page,
    /// Nothing but a file with what was written.
    Written,
    /// Nothing but a copy of the file.
    Copied,
}

/// What the method choice distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Whole files are read.
    Whole,
    /// Blocks are read.
    Blocks,
    /// Files are opened.
    Open,
    /// Files are written.
    Write,
}

impl Operation {
    /// The word used in catalogs, records and on the command line.
    pub const fn word(self) -> &'static str {
        self.facts().word
    }

    /// One sentence on what a single operation does.
    pub fn sentence(self) -> &'static str {
        self.facts().sentence
    }

    /// True when the operation hands data of a file to the program.
    pub fn delivers_data(self) -> bool {
        match self.facts().answer {
            AnswerKind::Data
            | AnswerKind::HeldData
            | AnswerKind::Lines
            | AnswerKind::Matches
            | AnswerKind::Digest
            | AnswerKind::Values => true,
            AnswerKind::Nothing | AnswerKind::Page | AnswerKind::Written | AnswerKind::Copied => false,
        }
    }

    /// True when the operation writes files of its own.
    pub fn writes(self) -> bool {
        let works_on_own = matches!(self.facts().works_on, WorksOn::OwnFiles | WorksOn::OwnFile);
        works_on_own || self.facts().answer == AnswerKind::Copied
    }

    /// True when a driver makes files for it: it writes, or ranks make what another one reads.
    pub fn makes_files(self, settings: &Settings) -> bool {
        self.writes() || settings.number(Setting::RankShift) > 0
    }

    /// True when only ranks perform it: of one process the files would be as its own calls left them.
    pub fn is_of_ranks(self) -> bool {
        self.facts().works_on == WorksOn::OwnFiles && self.facts().answer == AnswerKind::Nothing
    }

    /// True when it works on files that are there before.
    pub fn takes_files(self) -> bool {
        !matches!(self.facts().works_on, WorksOn::OwnFiles | WorksOn::OwnFile)
    }

    /// True when its answer cannot be had without reading the file, so that a
    /// cold one reads a device.
    pub fn must_read(self) -> bool {
        match self.facts().answer {
            AnswerKind::HeldData => false,
            AnswerKind::Copied => true,
            _ => self.delivers_data(),
        }
    }

    /// True when the size of a block and the use of a buffer mean something to it.
    pub fn takes_buffer(self) -> bool {
        self.delivers_data() || self.takes_offsets()
    }

    /// True when the order and the alignment of blocks mean something to it.
    pub fn takes_offsets(self) -> bool {
        self.facts().transfers == Transfer::Block
    }

    /// True when the operation takes a block size.
    pub fn takes_block(self) -> bool {
        matches!(self.facts().transfers, Transfer::FirstBlock | Transfer::Block)
    }

    /// True when it reads blocks of files that stay open.
    pub fn reads_blocks(self) -> bool {
        self.takes_offsets() && self.delivers_data()
    }

    /// True when its files are documents, which are whole or do not parse.
    pub fn takes_documents(self) -> bool {
        self.facts().content.document_bytes().is_some()
    }

    /// True when it only reads, and knows what to make of any file: it can be done to files of
    /// the user's.
    pub fn reads_own_files(self) -> bool {
        matches!(self.facts().works_on, WorksOn::Files | WorksOn::OpenFiles)
            && !self.writes()
            && !self.takes_documents()
    }

    /// True when a device can be opened in the place of its files.
    pub fn takes_device(self) -> bool {
        Setting::NamedDevice.concerns(self)
    }
}

impl Setting {
    /// True when it means something for this operation.
    pub fn concerns(self, operation: Operation) -> bool {
        match self {
            Self::PathDepth | Self::Symlinks | Self::Entries | Self::Acl => operation.takes_files(),
            Self::ReadAhead => operation.delivers_data(),
            Self::Operations
            | Self::User
            | Self::Preload
            | Self::Environment
            | Self::WarmUp
            | Self::Timeline
            | Self::Ranks => true,
            Self::Threads
            | Self::QueueDepth
            | Self::Algorithm
            | Self::Pattern
            | Self::Existing
            | Self::Write
            | Self::Close
            | Self::Sync
            | Self::NamedDevice
            | Self::Keep
            | Self::Sharing
            | Self::RankShift
            | Self::TreeDepth
            | Self::TreeBranch
            | Self::Nesting => {
                let facts = operation.facts();
                facts.settings.contains(&self) || facts.method_settings.contains(&self)
            }
        }
    }

    /// True when every method of the operation obeys it; else only those that
    /// say so (`takes`).
    pub fn is_for_all_methods(self, operation: Operation) -> bool {
        self.concerns(operation) && !operation.facts().method_settings.contains(&self)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The word is not an operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown operation `{0}`")]
pub struct ParseOperationError(pub String);

impl FromStr for Operation {
    type Err = ParseOperationError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|operation| operation.word() == word)
            .ok_or_else(|| ParseOperationError(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_parses_back_and_equals_its_serde_name() {
        for operation in Operation::ALL {
            assert_eq!(operation.word().parse(), Ok(operation));
            assert_eq!(serde_json::to_value(operation).unwrap(), operation.word());
        }
    }
}
