//! Documents of which a chore writes one section, between two markers.

/// The document with `text` between its markers; `None` where it has none.
pub(crate) fn replace_section(document: &str, begin: &str, end: &str, text: &str) -> Option<String> {
    let (before, rest) = document.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n{}\n{end}{after}", text.trim()))
}
