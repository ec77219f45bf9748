//! A table as a Parquet file, column by column. What knows the library is `parquet_table/library.rs`; a build
//! without the feature `parquet` refuses instead.

#[cfg(not(feature = "parquet"))]
mod absent;
#[cfg(feature = "parquet")]
mod library;

#[cfg(not(feature = "parquet"))]
pub(crate) use absent::{Rows, TableWriter, read_rows};
use bytes::Bytes;
#[cfg(feature = "parquet")]
pub(crate) use library::{Rows, TableWriter, read_rows};
use std::collections::BTreeMap;
use std::error::Error;

/// Why there is no Parquet file.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The feature `parquet` was off.
    #[error(
        "this build of fathom has no Parquet; `cargo build --release --features parquet` makes one that has"
    )]
    Missing,
    /// What the library says.
    #[error("failed to write Parquet: {0}")]
    Library(#[source] Box<dyn Error + Send + Sync>),
}

/// Refuses where this build can neither write nor read Parquet.
///
/// # Errors
///
/// [`TableError::Missing`].
pub fn require_parquet() -> Result<(), TableError> {
    if cfg!(feature = "parquet") { Ok(()) } else { Err(TableError::Missing) }
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// UTF-8.
    Text,
    /// Any bytes.
    Bytes,
    /// 64 bits with a sign.
    Number,
    /// A double.
    Real,
    Flag,
}

/// How a column is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Values that repeat are stored once.
    Dictionary,
    /// Each value as it is, for values that hardly ever repeat.
    Plain,
    /// Differences between neighbours, for whole numbers that hardly ever repeat.
    Deltas,
}

/// One column of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Whether it may be null.
    pub(crate) is_optional: bool,
    pub(crate) packing: Packing,
}

impl Column {
    /// A column in which values repeat.
    pub(crate) const fn new(name: &'static str, kind: Kind, is_optional: bool) -> Self {
        Self { name, kind, is_optional, packing: Packing::Dictionary }
    }
}

/// The cells of one column, a row each. `Text` is for texts and bytes.
pub(crate) enum Cells<'a> {
    Text(&'a mut dyn Iterator<Item = Option<Bytes>>),
    Number(&'a mut dyn Iterator<Item = Option<i64>>),
    Real(&'a mut dyn Iterator<Item = Option<f64>>),
    Flag(&'a mut dyn Iterator<Item = Option<bool>>),
}

/// A cell that was read. Cells of other kinds are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReadCell {
    Text(String),
    Number(i64),
}

/// A row that was read: its cells by column.
pub(crate) type ReadRow = BTreeMap<String, ReadCell>;

/// A text as a cell.
pub(crate) fn text_cell(text: String) -> Bytes {
    Bytes::from(text.into_bytes())
}

/// A count as a cell: no file has more bytes than this, and no batch lasts 292 years.
pub(crate) fn number_cell(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(not(feature = "parquet"))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExportFormat, export, read_record_parts, record_files};

    #[test]
    fn without_parquet_each_form_says_how_to_get_it() {
        let record = fathom_testkit::complete();
        let refusals = [
            export(&record, ExportFormat::Parquet).unwrap_err().to_string(),
            record_files(&record, None).unwrap_err().to_string(),
            read_record_parts(b"PAR1".to_vec()).unwrap_err(),
            require_parquet().unwrap_err().to_string(),
        ];
        for refusal in refusals {
            assert!(refusal.contains("cargo build --release --features parquet"), "{refusal}");
        }
    }
}
