//! Experiments by name.

use anyhow::Context;
use fathom_catalog::{Entry, SHIPPED};
use fathom_lab::limited_read::read_text;
use std::path::Path;

/// The experiment of a file of the user's, or of the catalog.
pub(in crate::command) fn entry_named(name: &str) -> anyhow::Result<Option<Entry>> {
    let is_file = Path::new(name).extension().is_some_and(|ending| ending == "toml");
    if is_file {
        let text = read_text(Path::new(name)).with_context(|| format!("failed to read {name}"))?;
        return Ok(Some(Entry::parse(name, &text)?));
    }
    let shipped = SHIPPED.iter().find(|file| file.name == name);
    Ok(shipped.map(|file| Entry::parse(file.file, file.text)).transpose()?)
}
