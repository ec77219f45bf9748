//! Where records go.

use anyhow::Context;
use std::path::PathBuf;

/// Where records go that the user did not name a file for: `fathom/records`
/// below `XDG_DATA_HOME` or `~/.local/share`.
pub(crate) fn default_folder() -> anyhow::Result<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_DATA_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".local/share")))
        .context("no place for the record: neither XDG_DATA_HOME nor HOME is set")?;
    Ok(base.join("fathom/records"))
}
