//! The prices by which calls are told: those that were asked for, else those that
//! are kept for the file system at hand.

use crate::command::Hinted;
use fathom_collect::place_facts;
use fathom_lab::prices::{self, PriceError};
use fathom_model::{Environment, Place, PriceList, Reading};
use std::path::{Path, PathBuf};

/// The prices of a file that was named, else those kept for the file system of the current
/// directory; each with its file.
pub(crate) fn asked_or_kept(
    asked: Option<&Path>,
    environment: &Environment,
) -> anyhow::Result<Reading<(PathBuf, PriceList)>> {
    match asked {
        Some(path) => Ok(Reading::Value((path.to_owned(), read(path)?))),
        None => Ok(kept(environment)),
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
fn kept(environment: &Environment) -> Reading<(PathBuf, PriceList)> {
    let found = || {
        let directory = std::env::current_dir().map_err(|error| error.to_string())?;
        let place = Place::Directory(directory.clone());
        let place = place_facts(&place, &directory).map_err(|error| error.to_string())?;
        let kept = prices::fitting(environment, &place).map_err(|error| error.to_string())?;
        kept.ok_or_else(|| {
            let file_system = &place.file_system;
            format!("no kept ones fit the {file_system} of this directory; `fathom prices` takes them")
        })
    };
    Reading::from(found())
}
