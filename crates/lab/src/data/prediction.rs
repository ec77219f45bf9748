//! What published programs that are known to be wrong answer on a given file.
//!
//! Each prediction follows from the file's bytes alone, by the rules of the
//! program and of the library under it. It reads the file in pieces, so that
//! its size does not matter.

mod lines;
mod scanner;
mod search;

use crate::data::file_bytes::FileBytes;
use crate::data::truth::Answer;
use fathom_model::{MethodId, Operation, Setting, Settings};
use std::io;

/// What one operation of `method` answers on a file, where Fathom knows its
/// program; `None` for every other method, and where the program fails.
pub(crate) fn predict(
    method: &MethodId,
    operation: Operation,
    file: &FileBytes,
    settings: &Settings,
) -> io::Result<Option<Answer>> {
    if method.driver != "go" {
        return Ok(None);
    }
    let word = settings.text(Setting::Pattern);
    let workers = settings.number(Setting::Threads).max(1);
    let found = |count: io::Result<u64>| {
        count.map(|count| Some(Answer { bytes: file.length(), digest: count, count, ..Answer::default() }))
    };
    match (operation, method.name.as_str()) {
        (Operation::Search, "pread-quarters") => found(search::quarters(file, word.as_bytes(), workers)),
        (Operation::Search, "open+Seek+Scanner") => found(search::scanners(file, word.as_bytes(), workers)),
        (Operation::Lines, "os.OpenFile+Scanner.Text") => lines::scanned(file),
        (Operation::Lines, "pread-4KiB+Scanner") => lines::pieces(file).map(Some),
        (Operation::Lines, "pread-4KiB+Scanner+gather") => lines::gathered(file).map(Some),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests;
