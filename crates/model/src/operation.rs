//! The logical file actions that methods perform, and what is to be known of each.

use crate::{Content, Setting, Settings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

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

const PAGE: Option<u64> = Some(4096);
/// Enough for the work on the data to outweigh the open.
const SCAN: Option<u64> = Some(1 << 20);
/// Enough for random blocks to differ.
const BLOCKS: Option<u64> = Some(16 << 20);

/// The enum, its list and its table from one text.
macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident: $facts:expr,)*) => {
        /// One logical file action. Its word in catalogs and on the command line is
        /// the kebab-case name.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(rename_all = "kebab-case")]
        pub enum Operation {
            $($(#[$doc])* $name,)*
        }

        impl Operation {
            /// Every operation, in the order of the documentation.
            pub const ALL: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];

            /// What is to be known of it.
            pub const fn facts(self) -> &'static OperationFacts {
                match self {
                    $(Self::$name => const { &$facts },)*
                }
            }
        }
    };
}

operations! {
    /// Nothing but the loop: prices the harness of a driver.
    Null: OperationFacts {
        word: "null",
        sentence: "nothing but the loop, which prices the harness of a driver",
        works_on: WorksOn::Nothing,
        transfers: Transfer::Nothing,
        answer: AnswerKind::Nothing,
        leaves: None,
        needs_call: false,
        may_fail: false,
        question: None,
        size_bytes: PAGE,
        content: Content::Random,
        settings: &[],
        method_settings: &[],
    },
    /// Open an existing file and close it.
    OpenClose: OperationFacts {
        word: "open-close",
        sentence: "open an existing file for reading and close it",
        works_on: WorksOn::Files,
        transfers: Transfer::Nothing,
        answer: AnswerKind::Nothing,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: Some(Question::Open),
        size_bytes: PAGE,
        content: Content::Random,
        settings: &[Setting::NamedDevice],
        method_settings: &[Setting::RankShift],
    },
    /// Try to open a file that does not exist.
    OpenMissing: OperationFacts {
        word: "open-missing",
        sentence: "try to open a file that does not exist",
        works_on: WorksOn::MissingFiles,
        transfers: Transfer::Nothing,
        answer: AnswerKind::Nothing,
        leaves: None,
        needs_call: true,
        may_fail: true,
        question: None,
        size_bytes: PAGE,
        content: Content::Random,
        settings: &[],
        method_settings: &[],
    },
    /// Open an existing file for writing and close it.
    OpenWriteClose: OperationFacts {
        word: "open-write-close",
        sentence: "open an existing file for writing and close it",
        works_on: WorksOn::EmptiedFiles,
        transfers: Transfer::Nothing,
        answer: AnswerKind::Nothing,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: None,
        // On an empty file methods that empty it do what the others do.
        size_bytes: Some(0),
        content: Content::Random,
        settings: &[Setting::NamedDevice],
        method_settings: &[],
    },
    /// Open, one read of `block` bytes at offset 0, close.
    OpenReadClose: OperationFacts {
        word: "open-read-close",
        sentence: "open, one read of the block size at offset 0, close",
        works_on: WorksOn::Files,
        transfers: Transfer::FirstBlock,
        answer: AnswerKind::Data,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: None,
        size_bytes: PAGE,
        content: Content::Random,
        settings: &[],
        method_settings: &[],
    },
    /// Open, read the whole file, close.
    ReadWhole: OperationFacts {
        word: "read-whole",
        sentence: "open, read the whole file, close",
        works_on: WorksOn::Files,
        transfers: Transfer::File,
        answer: AnswerKind::Data,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: Some(Question::Whole),
        size_bytes: PAGE,
        content: Content::Random,
        settings: &[],
        method_settings: &[Setting::Threads, Setting::QueueDepth, Setting::RankShift],
    },
    /// Read one block of a file that stays open.
    ReadBlock: OperationFacts {
        word: "read-block",
        sentence: "read one block of a file that stays open",
        works_on: WorksOn::OpenFiles,
        transfers: Transfer::Block,
        answer: AnswerKind::Data,
        leaves: None,
        needs_call: false,
        may_fail: false,
        question: Some(Question::Blocks),
        size_bytes: BLOCKS,
        content: Content::Random,
        settings: &[],
        method_settings: &[Setting::Threads, Setting::QueueDepth, Setting::RankShift],
    },
    /// Hand every line of a file to the program.
    Lines: OperationFacts {
        word: "lines",
        sentence: "hand every line of a file to the program",
        works_on: WorksOn::Files,
        transfers: Transfer::File,
        answer: AnswerKind::Lines,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: None,
        size_bytes: SCAN,
        content: Content::LogLines,
        settings: &[],
        method_settings: &[],
    },
    /// Count the occurrences of a word in a file.
    Search: OperationFacts {
        word: "search",
        sentence: "count the occurrences of a word in a file",
        works_on: WorksOn::Files,
        transfers: Transfer::File,
        answer: AnswerKind::Matches,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: None,
        size_bytes: SCAN,
        content: Content::LogLines,
        settings: &[Setting::Threads, Setting::Pattern],
        method_settings: &[],
    },
    /// Compute a digest (MD5, XXH64) of a file.
    Hash: OperationFacts {
        word: "hash",
        sentence: "compute a digest of a whole file",
        works_on: WorksOn::Files,
        transfers: Transfer::File,
        answer: AnswerKind::Digest,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: None,
        size_bytes: SCAN,
        content: Content::Random,
        settings: &[],
        method_settings: &[Setting::Algorithm],
    },
    /// Make a file, perhaps write into it, and close it.
    Create: OperationFacts {
        word: "create",
        sentence: "make a file, perhaps write into it, and close it",
        works_on: WorksOn::OwnFiles,
        transfers: Transfer::Setting(Setting::Write),
        answer: AnswerKind::Written,
        leaves: Some(Setting::Write),
        needs_call: true,
        may_fail: false,
        question: Some(Question::Write),
        size_bytes: PAGE,
        content: Content::Random,
        settings: &[Setting::Existing, Setting::Write, Setting::Close, Setting::Sync],
        method_settings: &[Setting::Sharing, Setting::TreeDepth, Setting::TreeBranch],
    },
    /// Write one block into a file that stays open.
    WriteBlock: OperationFacts {
        word: "write-block",
        sentence: "write one block into a file that stays open",
        works_on: WorksOn::OwnFile,
        transfers: Transfer::Block,
        answer: AnswerKind::Written,
        leaves: None,
        needs_call: false,
        may_fail: false,
        question: Some(Question::Write),
        size_bytes: BLOCKS,
        content: Content::Random,
        settings: &[Setting::Existing, Setting::Sync],
        method_settings: &[Setting::Sharing],
    },
    /// Copy a file.
    Copy: OperationFacts {
        word: "copy",
        sentence: "copy a file",
        works_on: WorksOn::Files,
        transfers: Transfer::File,
        answer: AnswerKind::Copied,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: None,
        size_bytes: PAGE,
        content: Content::Random,
        settings: &[Setting::Sync],
        method_settings: &[],
    },
    /// Read and parse every file of a configuration.
    ConfigLoad: OperationFacts {
        word: "config-load",
        sentence: "read and parse every file of a configuration",
        works_on: WorksOn::AllFiles,
        transfers: Transfer::File,
        answer: AnswerKind::Values,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: None,
        size_bytes: None,
        content: Content::ConfigJson,
        settings: &[],
        method_settings: &[],
    },
    /// Render a page from its template.
    Template: OperationFacts {
        word: "template",
        sentence: "render a page from its template",
        works_on: WorksOn::Files,
        transfers: Transfer::Nothing,
        answer: AnswerKind::Page,
        leaves: None,
        needs_call: false,
        may_fail: false,
        question: None,
        size_bytes: None,
        content: Content::Template,
        settings: &[],
        method_settings: &[],
    },
    /// Make sure that what is held of a file is current.
    Reload: OperationFacts {
        word: "reload",
        sentence: "make sure that what is held of a file is current",
        works_on: WorksOn::Files,
        transfers: Transfer::Nothing,
        answer: AnswerKind::HeldData,
        leaves: None,
        needs_call: false,
        may_fail: true,
        question: None,
        size_bytes: PAGE,
        content: Content::Random,
        settings: &[],
        method_settings: &[],
    },
    /// Cut a file to fewer bytes.
    Truncate: OperationFacts {
        word: "truncate",
        sentence: "cut a file that is there to fewer bytes, opening and closing it where the method does",
        works_on: WorksOn::OwnFiles,
        transfers: Transfer::Nothing,
        answer: AnswerKind::Written,
        leaves: Some(Setting::Keep),
        needs_call: true,
        may_fail: false,
        question: None,
        size_bytes: PAGE,
        content: Content::Pattern,
        settings: &[Setting::Keep],
        method_settings: &[],
    },
    /// Look up what a file is that ranks made.
    Stat: OperationFacts {
        word: "stat",
        sentence: "look up what a file is, which a rank made before the clock",
        works_on: WorksOn::OwnFiles,
        transfers: Transfer::Nothing,
        answer: AnswerKind::Nothing,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: None,
        size_bytes: Some(0),
        content: Content::Pattern,
        settings: &[],
        method_settings: &[Setting::Sharing, Setting::RankShift, Setting::TreeDepth, Setting::TreeBranch],
    },
    /// Remove a file that ranks made.
    Remove: OperationFacts {
        word: "remove",
        sentence: "remove a file, which a rank made before the clock",
        works_on: WorksOn::OwnFiles,
        transfers: Transfer::Nothing,
        answer: AnswerKind::Nothing,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: None,
        size_bytes: Some(0),
        content: Content::Pattern,
        settings: &[],
        method_settings: &[Setting::Sharing, Setting::RankShift, Setting::TreeDepth, Setting::TreeBranch],
    },
    /// Make a directory.
    MakeDirectory: OperationFacts {
        word: "make-directory",
        sentence: "make a directory",
        works_on: WorksOn::OwnFiles,
        transfers: Transfer::Nothing,
        answer: AnswerKind::Nothing,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: None,
        size_bytes: Some(0),
        content: Content::Pattern,
        settings: &[],
        method_settings: &[Setting::Sharing, Setting::TreeDepth, Setting::TreeBranch, Setting::Nesting],
    },
    /// Look up what a directory is that ranks made.
    StatDirectory: OperationFacts {
        word: "stat-directory",
        sentence: "look up what a directory is, which a rank made before the clock",
        works_on: WorksOn::OwnFiles,
        transfers: Transfer::Nothing,
        answer: AnswerKind::Nothing,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: None,
        size_bytes: Some(0),
        content: Content::Pattern,
        settings: &[],
        method_settings: &[
            Setting::Sharing,
            Setting::RankShift,
            Setting::TreeDepth,
            Setting::TreeBranch,
            Setting::Nesting,
        ],
    },
    /// Remove a directory that ranks made.
    RemoveDirectory: OperationFacts {
        word: "remove-directory",
        sentence: "remove an empty directory, which a rank made before the clock",
        works_on: WorksOn::OwnFiles,
        transfers: Transfer::Nothing,
        answer: AnswerKind::Nothing,
        leaves: None,
        needs_call: true,
        may_fail: false,
        question: None,
        size_bytes: Some(0),
        content: Content::Pattern,
        settings: &[],
        method_settings: &[
            Setting::Sharing,
            Setting::RankShift,
            Setting::TreeDepth,
            Setting::TreeBranch,
            Setting::Nesting,
        ],
    },
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
