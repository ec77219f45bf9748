//! The words of `fathom decide`.

use super::Redaction;
use crate::completion;
use clap::{Args, ValueEnum};
use fathom_catalog::parse_size;
use fathom_model::CacheState;
use fathom_stats::Pattern;
use std::path::PathBuf;

pub(crate) const DECIDE_EXAMPLES: &str = "\
Examples:
  fathom decide
  fathom decide --size 2KiB --count 10000 --language go
  fathom decide --pattern whole --cache warm --language python --place .
  fathom decide decide.json --language c++ --size 1MiB --format json
  fathom decide decide.json --format markdown

It measures nothing. Without a record it reads those in the default directory that were made on this
machine and kernel, of each experiment the newest; `fathom bench decide` makes what it needs. What a
question leaves open is listed, value by value. Without a question it prints the whole matrix.
The exit code is 3 when nothing asked is decided. docs/deciding.md says how it decides.";

/// Arguments of `fathom decide`.
#[derive(Debug, Args)]
pub(crate) struct Decide {
    /// Records written by `fathom bench`
    #[arg(add = completion::records())]
    pub(crate) records: Vec<PathBuf>,

    /// Bytes of each file: 128, 4KiB, 1GiB
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) size: Option<u64>,

    /// How many files, or blocks: what switching saves is told of so many
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: Option<u64>,

    /// What is done with files
    #[arg(long, value_enum)]
    pub(crate) pattern: Option<PatternWord>,

    /// The page cache's state
    #[arg(long, value_enum)]
    pub(crate) cache: Option<CacheWord>,

    /// The language: c, rust, c++, go, java, zig, python, node, or a driver of your own
    #[arg(long)]
    pub(crate) language: Option<String>,

    /// A directory, a type of file system (ext4), or the word memfd
    #[arg(long, value_name = "DIR|FS")]
    pub(crate) place: Option<String>,

    /// Text for people, the answer or the matrix as JSON, or a Markdown table
    #[arg(long, value_enum, default_value_t = DecideFormat::Text)]
    pub(crate) format: DecideFormat,

    /// In text, also the figures of every case, every caveat and what is never advised
    #[arg(long)]
    pub(crate) full: bool,

    #[command(flatten)]
    pub(crate) redaction: Redaction,
}

/// Patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PatternWord {
    /// Open a file, read all of it, close it
    Whole,
    /// Read blocks at random offsets of a file that stays open
    Random,
    /// Read blocks one after the other
    Sequential,
    /// Open a file and close it
    Open,
    /// Make files, or write blocks
    Write,
}

impl From<PatternWord> for Pattern {
    fn from(word: PatternWord) -> Self {
        match word {
            PatternWord::Whole => Self::Whole,
            PatternWord::Random => Self::Random,
            PatternWord::Sequential => Self::Sequential,
            PatternWord::Open => Self::Open,
            PatternWord::Write => Self::Write,
        }
    }
}

/// Cache states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CacheWord {
    /// The files are in the page cache
    Warm,
    /// They are not
    Cold,
}

impl From<CacheWord> for CacheState {
    fn from(word: CacheWord) -> Self {
        match word {
            CacheWord::Warm => Self::Warm,
            CacheWord::Cold => Self::Cold,
        }
    }
}

/// Forms of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecideFormat {
    /// Sentences and tables for a terminal
    Text,
    /// As docs/deciding.md describes it
    Json,
    /// A table for a README
    Markdown,
}

fn size(text: &str) -> Result<u64, String> {
    parse_size("--size", text).map_err(|error| error.to_string())
}
