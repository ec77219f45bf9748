//! The logical file actions that methods perform.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One logical file action. Its word in catalogs and on the command line is
/// the kebab-case name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Nothing but the loop: prices the harness of a driver.
    Null,
    /// Open an existing file and close it.
    OpenClose,
    /// Try to open a file that does not exist.
    OpenMissing,
    /// Open an existing file for writing and close it.
    OpenWriteClose,
    /// Open, one read of `block` bytes at offset 0, close.
    OpenReadClose,
    /// Open, read the whole file, close.
    ReadWhole,
    /// Read one block of a file that stays open.
    ReadBlock,
    /// Hand every line of a file to the program.
    Lines,
    /// Count the occurrences of a word in a file.
    Search,
    /// Compute a digest (MD5, XXH64) of a file.
    Hash,
    /// Make a file, perhaps write into it, and close it.
    Create,
    /// Write one block into a file that stays open.
    WriteBlock,
    /// Copy a file.
    Copy,
    /// Read and parse every file of a configuration.
    ConfigLoad,
    /// Render a page from its template.
    Template,
    /// Make sure that what is held of a file is current.
    Reload,
}

impl Operation {
    /// Every operation, in the order of the documentation.
    pub const ALL: [Self; 16] = [
        Self::Null,
        Self::OpenClose,
        Self::OpenMissing,
        Self::OpenWriteClose,
        Self::OpenReadClose,
        Self::ReadWhole,
        Self::ReadBlock,
        Self::Lines,
        Self::Search,
        Self::Hash,
        Self::Create,
        Self::WriteBlock,
        Self::Copy,
        Self::ConfigLoad,
        Self::Template,
        Self::Reload,
    ];

    /// The word used in catalogs, records and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::OpenClose => "open-close",
            Self::OpenMissing => "open-missing",
            Self::OpenWriteClose => "open-write-close",
            Self::OpenReadClose => "open-read-close",
            Self::ReadWhole => "read-whole",
            Self::ReadBlock => "read-block",
            Self::Lines => "lines",
            Self::Search => "search",
            Self::Hash => "hash",
            Self::Create => "create",
            Self::WriteBlock => "write-block",
            Self::Copy => "copy",
            Self::ConfigLoad => "config-load",
            Self::Template => "template",
            Self::Reload => "reload",
        }
    }

    /// One sentence on what a single operation does.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Null => "nothing but the loop, which prices the harness of a driver",
            Self::OpenClose => "open an existing file for reading and close it",
            Self::OpenMissing => "try to open a file that does not exist",
            Self::OpenWriteClose => "open an existing file for writing and close it",
            Self::OpenReadClose => "open, one read of the block size at offset 0, close",
            Self::ReadWhole => "open, read the whole file, close",
            Self::ReadBlock => "read one block of a file that stays open",
            Self::Lines => "hand every line of a file to the program",
            Self::Search => "count the occurrences of a word in a file",
            Self::Hash => "compute a digest of a whole file",
            Self::Create => "make a file, perhaps write into it, and close it",
            Self::WriteBlock => "write one block into a file that stays open",
            Self::Copy => "copy a file",
            Self::ConfigLoad => "read and parse every file of a configuration",
            Self::Template => "render a page from its template",
            Self::Reload => "make sure that what is held of a file is current",
        }
    }

    /// True when the operation hands data of a file to the program.
    pub fn delivers_data(self) -> bool {
        !matches!(
            self,
            Self::Null | Self::OpenClose | Self::OpenMissing | Self::OpenWriteClose | Self::Template
        ) && !self.writes()
    }

    /// True when the size of a block and the use of a buffer mean something to it.
    pub fn takes_buffer(self) -> bool {
        self.delivers_data() || self == Self::WriteBlock
    }

    /// True when the order and the alignment of blocks mean something to it.
    pub fn takes_offsets(self) -> bool {
        matches!(self, Self::ReadBlock | Self::WriteBlock)
    }

    /// True when its answer cannot be had without reading the file, so that a
    /// cold one reads a device.
    pub fn must_read(self) -> bool {
        (self.delivers_data() && self != Self::Reload) || self == Self::Copy
    }

    /// True when the operation writes files of its own.
    pub fn writes(self) -> bool {
        matches!(self, Self::Create | Self::WriteBlock | Self::Copy)
    }

    /// True when it works on files that are there before.
    pub fn takes_files(self) -> bool {
        !matches!(self, Self::Create | Self::WriteBlock)
    }

    /// True when it only reads, and knows what to make of any file: it can be done to files of
    /// the user's.
    pub fn reads_own_files(self) -> bool {
        matches!(
            self,
            Self::OpenClose
                | Self::OpenReadClose
                | Self::ReadWhole
                | Self::ReadBlock
                | Self::Lines
                | Self::Search
                | Self::Hash
                | Self::Reload
        )
    }

    /// True when the operation takes a block size.
    pub fn takes_block(self) -> bool {
        matches!(self, Self::OpenReadClose | Self::ReadBlock | Self::WriteBlock)
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
