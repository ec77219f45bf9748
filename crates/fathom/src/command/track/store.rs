//! Where runs are kept: a directory, or a branch. Each run is a file of its own that is never written again.

use super::kept::{Kept, RunFiles};
use super::{branch, directory};
use crate::arguments::StoreWords;
use crate::command::Hinted;
use crate::command::stop::Stop;
use crate::output;
use fathom_audit::TrackedRun;
use fathom_report::TableError;
use std::io::Write;
use std::path::PathBuf;

/// A store.
#[derive(Debug)]
pub(super) enum Store<'a> {
    Directory(PathBuf),
    Branch { name: String, stop: &'a Stop },
}

impl<'a> Store<'a> {
    /// The one that is named, checked before anything runs.
    pub(super) fn of(words: &StoreWords, stop: &'a Stop) -> anyhow::Result<Self> {
        match (&words.store, &words.branch) {
            (Some(path), _) => {
                directory::check(path)?;
                Ok(Self::Directory(path.clone()))
            }
            (None, Some(name)) => {
                branch::check(name, stop)?;
                Ok(Self::Branch { name: name.clone(), stop })
            }
            (None, None) => unreachable!("the command line asks for one of them"),
        }
    }

    /// Its name in sentences.
    pub(super) fn described(&self) -> String {
        match self {
            Self::Directory(path) => path.display().to_string(),
            Self::Branch { name, .. } => format!("branch {name}"),
        }
    }

    /// Everything in it; `None` where nothing was kept yet.
    pub(super) fn read(&self) -> anyhow::Result<Option<Kept>> {
        match self {
            Self::Directory(path) => directory::read(path),
            Self::Branch { name, stop } => branch::read(name, stop),
        }
    }

    /// Keeps one more run. Where that fails, its lines go to the directory for temporary files.
    pub(super) fn add(&self, run: &TrackedRun) -> anyhow::Result<()> {
        let files = RunFiles::of(run)?;
        if files.table.is_none() {
            output::note(&format!("the run's Parquet file is left out: {}", TableError::Missing));
        }
        let kept = match self {
            Self::Directory(path) => directory::add(path, &files),
            Self::Branch { name, stop } => branch::add(name, &files, stop),
        };
        kept.map_err(|error| {
            let problem = format!("failed to keep the run in {}: {error:#}", self.described());
            match keep_elsewhere(&files.lines) {
                Ok(path) => {
                    let path = path.display();
                    Hinted::error(
                        problem,
                        format!("it is in {path}: `fathom track add … --from {path}` keeps it when that works again"),
                    )
                }
                Err(also) => anyhow::anyhow!("{problem}; it is lost: {also:#}"),
            }
        })
    }
}

/// A new file in the directory for temporary files, whatever else lies there.
fn keep_elsewhere(lines: &[u8]) -> anyhow::Result<PathBuf> {
    let mut file = tempfile::Builder::new().prefix("fathom-track-").suffix(".jsonl").tempfile()?;
    file.write_all(lines)?;
    file.as_file().sync_all()?;
    Ok(file.into_temp_path().keep()?)
}
