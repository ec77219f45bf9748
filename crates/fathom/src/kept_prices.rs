//! The prices by which calls are told: those that were asked for, else those that
//! are kept for the file system at hand.

use crate::hinted::Hinted;
use fathom_collect::{Machine, machine, place_facts};
use fathom_lab::prices::{self, PriceError};
use fathom_model::{Place, PriceList, Reading};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

/// Prices that are looked for beside other work.
#[derive(Debug)]
pub(crate) enum Sought {
    /// Of a file that was named.
    Asked(PathBuf, Box<PriceList>),
    /// Kept ones, by a thread of their own once that was begun and could be had.
    Kept(Option<JoinHandle<Reading<(PathBuf, PriceList)>>>),
}

impl Sought {
    /// Those of a file that was named, which has to be right before anything is done, else those
    /// that are kept for the file system of the current directory.
    pub(crate) fn asked_or_kept(asked: Option<&Path>) -> anyhow::Result<Self> {
        Ok(match asked {
            Some(path) => Self::Asked(path.to_owned(), Box::new(read(path)?)),
            None => Self::Kept(None),
        })
    }

    /// Begins to look for kept ones: not sooner than a command can be started, which would wait
    /// for it on a machine of few CPUs.
    pub(crate) fn begin(&mut self) {
        if let Self::Kept(thread @ None) = self {
            *thread = thread::Builder::new().spawn(|| kept(&machine())).ok();
        }
    }

    /// What was found, each with its file.
    pub(crate) fn found(self) -> Reading<(PathBuf, PriceList)> {
        match self {
            Self::Asked(path, list) => Reading::Value((path, *list)),
            Self::Kept(Some(thread)) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Self::Kept(None) => kept(&machine()),
        }
    }
}

/// The prices of a file that was named, else those kept for the file system of the current
/// directory; each with its file.
pub(crate) fn asked_or_kept(
    asked: Option<&Path>,
    machine: &Machine,
) -> anyhow::Result<Reading<(PathBuf, PriceList)>> {
    match asked {
        Some(path) => Ok(Reading::Value((path.to_owned(), read(path)?))),
        None => Ok(kept(machine)),
    }
}

fn read(path: &Path) -> anyhow::Result<PriceList> {
    prices::read(path).map_err(|error| match error {
        PriceError::Foreign { .. } => {
            Hinted::error(error.to_string(), "price lists are the JSON files that `fathom prices` writes")
        }
        other => anyhow::Error::from(other).context("failed to read prices"),
    })
}

/// The newest kept prices that fit this machine and the current directory's file system.
fn kept(machine: &Machine) -> Reading<(PathBuf, PriceList)> {
    let found = || {
        let directory = std::env::current_dir().map_err(|error| error.to_string())?;
        let place = Place::Directory(directory.clone());
        let place = place_facts(&place, &directory).map_err(|error| error.to_string())?;
        let kept = prices::fitting(machine, &place).map_err(|error| error.to_string())?;
        kept.ok_or_else(|| {
            let file_system = &place.file_system;
            format!("no kept ones fit the {file_system} of this directory; `fathom prices` takes them")
        })
    };
    Reading::from(found())
}
