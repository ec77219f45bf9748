//! The file systems that `--mount KINDS` asks for.

use crate::arguments::MachineChanges;
use crate::hinted::Hinted;
use fathom_lab::{FreshMounts, FreshMountsError};
use fathom_model::{Severity, Warning};
use std::path::Path;

/// Makes and mounts them, with images in `in_dir` or the current directory; `None` where no
/// kinds were named. Call it before any other thread is started.
pub(crate) fn make(changes: &MachineChanges, in_dir: Option<&String>) -> anyhow::Result<Option<FreshMounts>> {
    let Some(kinds) = changes.mount.as_ref().filter(|kinds| !kinds.is_empty()) else { return Ok(None) };
    let directory = in_dir.filter(|word| Path::new(word).is_dir()).map_or(".", String::as_str);
    let mounts = FreshMounts::make(kinds, Path::new(directory)).map_err(|error| match error {
        FreshMountsError::Namespace(_) => Hinted::error(
            format!("failed to mount file systems: {error}"),
            "--mount with kinds needs root; without it, measure in directories with --dir",
        ),
        other @ FreshMountsError::Scratch(_) => other.into(),
    })?;
    if mounts.places().is_empty() {
        let (kind, reason) = &mounts.failed[0];
        anyhow::bail!("failed to make a file system: {kind}: {reason}");
    }
    Ok(Some(mounts))
}

/// What could not be made, and why.
pub(crate) fn warnings(mounts: &FreshMounts) -> Vec<Warning> {
    let warning = |(kind, reason): &(String, String)| {
        Warning::new(Severity::Warning, "not-mounted", format!("no {kind} was made: {reason}"))
    };
    mounts.failed.iter().map(warning).collect()
}
