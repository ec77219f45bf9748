//! Loops that open and never close: when the collector saves them, and when it does not.

use crate::Interrupted;
use crate::go_program;
use crate::ground::{Ground, write};
use crate::performer::Trouble;
use crate::rows::{Found, Rows};
use serde::Deserialize;

const CASE: &str = "open without close in Go";
/// Opens of a loop; the published one makes the many.
const TRIES: u64 = 20_000;
const MANY: u64 = 1_000_000;
/// Descriptors that the process may have.
const LIMIT: u64 = 1024;

/// What the loop does with each file, the part's word for it, how often, and its limit (0: as it is).
const FORMS: [(&str, &str, u64, u64); 8] = [
    ("dropped, nothing else allocated, limit 1,024", "dropped", TRIES, LIMIT),
    ("dropped, nothing else allocated, the limit as it is", "dropped", MANY, 0),
    ("dropped, 64 KiB allocated beside each", "allocating", TRIES, LIMIT),
    ("dropped, 64 KiB allocated beside each, GOGC=off", "uncollected", TRIES / 10, LIMIT),
    ("dropped, runtime.GC every 100 opens", "collected", TRIES, LIMIT),
    ("kept in a slice, runtime.GC every 100 opens", "kept-collected", TRIES / 10, LIMIT),
    ("kept in a slice", "kept", TRIES, LIMIT),
    ("syscall.Open, dropped, runtime.GC every 100 opens", "descriptor", TRIES / 10, LIMIT),
];

/// What the part says.
#[derive(Debug, Deserialize)]
struct Leaked {
    limit: u64,
    tries: u64,
    opened: u64,
    refused: u64,
    /// The number of the first open that was refused; 0 of none.
    first: u64,
    collections: u64,
    open_at_end: u64,
}

/// Tries every form.
pub(super) fn try_all(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    for (setting, form, tries, limit) in FORMS {
        rows.attempt(CASE, setting, || {
            let directory = ground.fresh()?;
            write(&directory.join("file"), b"content")?;
            let words = ["leak", form, &tries.to_string(), &limit.to_string()];
            let leaked: Result<Leaked, Trouble> = go_program::start(ground, &words, &directory)?.answer();
            leaked.map(|leaked| found(&leaked))
        })?;
    }
    Ok(())
}

fn found(leaked: &Leaked) -> Found {
    let Leaked { limit, tries, opened, refused, first, collections, open_at_end } = *leaked;
    let meaning = if refused == 0 {
        format!(
            "No open is refused: {collections} collections closed what could not be reached, and {open_at_end} \
             descriptors are open at the end."
        )
    } else {
        format!(
            "Open number {first} is the first that fails with EMFILE, {refused} of {tries} in all, after \
             {collections} collections."
        )
    };
    Found::meaning(meaning)
        .count("limit", limit)
        .count("tries", tries)
        .count("opened", opened)
        .count("EMFILE", refused)
        .count("collections", collections)
        .count("open at the end", open_at_end)
}
