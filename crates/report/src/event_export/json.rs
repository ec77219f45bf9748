//! Pieces of JSON, written as they come: a document of a million events is never held.

use fathom_events::PathTable;
use std::io::Write as _;

use super::call::Value;
use super::name::shown;

/// Appends a text in quotes.
pub(super) fn push_text(line: &mut Vec<u8>, text: &str) {
    // Writing into memory cannot fail, and every text is JSON.
    let _infallible = serde_json::to_writer(&mut *line, text);
}

/// Appends `"key":value`, and a comma before it where something stands before.
pub(super) fn push_fact(line: &mut Vec<u8>, key: &str, value: &Value<'_>, paths: &PathTable) {
    push_key(line, key);
    match value {
        Value::Path(path) => push_text(line, &shown(paths.path(*path))),
        Value::Text(text) => push_text(line, text),
        Value::Number(number) => {
            let _infallible = write!(line, "{number}");
        }
    }
}

/// Appends `"key":`, and a comma before it where something stands before.
pub(super) fn push_key(line: &mut Vec<u8>, key: &str) {
    if !matches!(line.last(), None | Some(b'{' | b'[')) {
        line.push(b',');
    }
    push_text(line, key);
    line.push(b':');
}

/// Appends ns as µs with all their digits.
pub(super) fn push_microseconds(line: &mut Vec<u8>, ns: u64) {
    let _infallible = if ns.is_multiple_of(1000) {
        write!(line, "{}", ns / 1000)
    } else {
        write!(line, "{}.{:03}", ns / 1000, ns % 1000)
    };
}
