//! The operations, and what is to be known of each.

use super::{AnswerKind, OperationFacts, Question, Transfer, WorksOn};
use crate::{Content, Setting};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
