//! Why something has no such form, whatever is exported.

use crate::parquet_table::TableError;

/// Why something has no such form.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Nothing in the record can be said in this form.
    #[error("it holds {0}")]
    Nothing(&'static str),
    /// The row could not be written.
    #[error("failed to write a row: {0}")]
    Csv(#[from] ::csv::Error),
    /// The object could not be written.
    #[error("failed to write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The report could not be written.
    #[error("failed to write XML: {0}")]
    Xml(#[from] quick_junit::SerializeError),
    /// The columns could not be written.
    #[error(transparent)]
    Table(#[from] TableError),
}
