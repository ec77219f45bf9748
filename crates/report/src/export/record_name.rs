//! What names a record, or anything else, in a collection: when it was begun, and a digest of it.

use crate::export_error::ExportError;
use fathom_model::Record;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Bytes of a digest that name a file.
const NAME_BYTES: usize = 8;

/// A name for the file of something that was begun then, made of a digest of it.
pub fn data_name(created: &str, digested: &[u8]) -> String {
    let mut name: String = created.chars().filter(|c| !matches!(c, '-' | ':')).collect();
    name.push('-');
    for byte in &Sha256::digest(digested)[..NAME_BYTES] {
        write!(name, "{byte:02x}").expect("a String grows");
    }
    name
}

/// What names a record wherever it lies: all but its experiments, of which it may hold one here.
pub(super) fn record_id(record: &Record) -> Result<String, ExportError> {
    let head = Record { experiments: Vec::new(), ..record.clone() };
    Ok(data_name(&record.created, &serde_json::to_vec(&head)?))
}
