//! What can be wrong with a catalog text or a request, where, and what to do
//! about it. Not printing: the binary writes `error:` and `hint:`.

use fathom_model::{ClaimPath, MethodId, Operation, ParseClaimPathError};
use std::fmt;

/// A mistake in an experiment file, a driver manifest or a request.
///
/// Its text is one lower-case fragment that begins with the place of the
/// mistake; [`CatalogError::hint`] says what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{origin}{problem}")]
pub struct CatalogError {
    /// Where the mistake stands.
    pub origin: Origin,
    /// What is wrong.
    pub problem: Box<Problem>,
    hint: Option<String>,
}

impl CatalogError {
    /// What to write instead, when that is known: ``did you mean `go:os.Open`?``.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    pub(crate) fn new(origin: &Origin, problem: Problem, hint: Option<String>) -> Self {
        Self { origin: origin.clone(), problem: Box::new(problem), hint }
    }
}

/// Where a value was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// In a file; line and column count from 1, columns in characters.
    File {
        /// The file's name as it was given.
        file: String,
        /// The line.
        line: u32,
        /// The column.
        column: u32,
    },
    /// In an option of the command line: `--methods`.
    Option(&'static str),
    /// Nowhere: a default, or a text without context.
    Unstated,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { file, line, .. } => write!(f, "{file}:{line}: "),
            Self::Option(name) => write!(f, "{name}: "),
            Self::Unstated => Ok(()),
        }
    }
}

/// A value and where it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub origin: Origin,
}

impl<T> Located<T> {
    pub(crate) fn new(value: T, origin: &Origin) -> Self {
        Self { value, origin: origin.clone() }
    }

    /// An error at this value.
    pub(crate) fn error(&self, problem: Problem, hint: Option<String>) -> CatalogError {
        CatalogError::new(&self.origin, problem, hint)
    }
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is not TOML.
    #[error("not valid TOML: {0}")]
    Syntax(String),
    /// A key that has no meaning in its table.
    #[error("unknown key `{0}`")]
    UnknownKey(String),
    /// A required key is absent.
    #[error("missing key `{0}`")]
    MissingKey(String),
    /// A value of another type than the key asks for.
    #[error("`{key}` takes {expected}, not {found}")]
    WrongType {
        /// The key.
        key: String,
        /// What it takes.
        expected: &'static str,
        /// What stands there.
        found: &'static str,
    },
    /// Two keys of which only one may be given.
    #[error("`{0}` and `{1}` exclude each other")]
    Exclusive(&'static str, &'static str),
    /// A text or list with nothing in it.
    #[error("`{0}` is empty")]
    Empty(String),
    /// The same thing listed twice.
    #[error("{0} `{1}` is listed twice")]
    Repeated(&'static str, String),
    /// A number outside its range.
    #[error("`{0}` is out of range: {1}")]
    OutOfRange(String, String),
    /// A word outside its fixed list.
    #[error("unknown {0} `{1}`")]
    UnknownWord(&'static str, String),
    /// A name with characters that names do not have.
    #[error("`{0}` is no name for {1}")]
    BadName(String, &'static str),
    /// A text that is no size in bytes.
    #[error("`{0}` is no size: {1}")]
    BadSize(String, &'static str),
    /// A range of sizes that cannot be walked.
    #[error("impossible range of sizes: {0}")]
    BadSweep(&'static str),
    /// No driver has this method.
    #[error("unknown method `{0}`")]
    UnknownMethod(String),
    /// No manifest has this driver.
    #[error("unknown driver `{0}`")]
    UnknownDriver(String),
    /// The method exists and does something else.
    #[error("`{0}` cannot perform `{1}`")]
    CannotPerform(MethodId, Operation),
    /// A wildcard that stands for nothing.
    #[error("`{0}` stands for no method that performs `{1}`")]
    NothingMatches(String, Operation),
    /// The baseline is none of the compared things.
    #[error("baseline `{0}` is not among the {1}")]
    BaselineAbsent(String, &'static str),
    /// A setting that the operation does not have.
    #[error("`{0}` has no meaning for `{1}`")]
    Meaningless(&'static str, Operation),
    /// Direct I/O asked for at unaligned offsets.
    #[error("`{0}` cannot read unaligned blocks: direct I/O takes aligned offsets only")]
    DirectUnaligned(MethodId),
    /// Direct I/O asked for with a piece that no device can deliver.
    #[error("`{0}` cannot read {1} at once: direct I/O takes multiples of 512 B only")]
    DirectBlock(MethodId, String),
    /// Blocks of a file that holds no whole block.
    #[error("a file of {size} holds no {alignment} block of {block}")]
    NoWholeBlock {
        /// The file's size.
        size: String,
        /// The block's size.
        block: String,
        /// `aligned`, or how else blocks start.
        alignment: &'static str,
    },
    /// Blocks to write of more than what they are cut from.
    #[error("blocks of {0} cannot be written: {1} at most")]
    BlockTooLarge(String, String),
    /// A setting that the method does not obey.
    #[error("`{0}` does not take `{1}`")]
    DoesNotTake(MethodId, &'static str),
    /// Files that are not the documents which the operation reads.
    #[error("`{0}` cannot read {1}: it takes whole documents of 1 KiB")]
    NoDocument(Operation, String),
    /// A claim written without its experiment.
    #[error("{0}")]
    BadClaimPath(ParseClaimPathError),
    /// A claim that no experiment has.
    #[error("there is no claim `{0}`")]
    UnknownClaim(ClaimPath),
    /// A driver that lacks the method `null` for something it performs.
    #[error("driver `{0}` has no method `null` that performs `{1}`")]
    NoNull(String, Operation),
}
