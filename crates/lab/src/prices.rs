//! Prices of calls on one file system: taken untraced, kept with the machine they
//! were taken on, used again while they fit. How a price is found for a call, and what
//! times are made of, is `fathom-stats`'.
//!
//! **Invariant:** no tracer is anywhere near, and between two readings of a clock
//! there are the priced calls and nothing else.

mod cold;
mod descriptors;
mod faults;
mod ground;
mod kept;
mod memory;
mod metadata;
mod meter;
mod names;
mod opening;
mod process;
mod reading;
mod refusal;
mod ring;
mod sitting;
mod syncing;
mod trial;
mod trials;
mod writing;

pub use kept::{Kept, all, fitting, folder, keep, read};
pub use process::{PRICE_PROCESS_WORD, perform};

use crate::files::scratch::ScratchError;
use crate::observer::{Event, Observer};
use fathom_collect::{CollectError, machine};
use fathom_model::{PlaceFacts, PriceList, Reading};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The form of a kept list. It rises when a reader of the older form would
/// misread the newer one.
pub const PRICE_LIST_VERSION: u32 = 1;

/// How long to take prices in one place, and in how many processes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Fresh processes; each gives one value of every price.
    pub processes: u32,
    /// Time of all of them together.
    pub time: Duration,
}

impl Effort {
    /// What a list rests on that is taken by the way.
    pub const QUICK: Self = Self { processes: 10, time: Duration::from_secs(10) };
    /// What a list rests on that was asked for.
    pub const FULL: Self = Self { processes: 20, time: Duration::from_secs(40) };

    /// The same processes in another time.
    #[must_use]
    pub fn lasting(self, time: Duration) -> Self {
        Self { time, ..self }
    }
}

/// Why there is no price list.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PriceError {
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
    /// No files can be made there.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// The place cannot be looked at.
    #[error(transparent)]
    Place(#[from] CollectError),
    /// A process that takes prices failed.
    #[error("a process that takes prices failed: {0}")]
    Process(String),
    /// There is nowhere to keep lists.
    #[error("no folder for price lists: neither XDG_DATA_HOME nor HOME is set")]
    NoFolder,
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// A file is something else.
    #[error("{} is not a price list: {what}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
}

/// Takes the prices of a directory's file system now: of the calls named in `only`, by the kernel's
/// names, or of all where none is named. Errors: no price of a named call is taken at all.
pub fn take(
    directory: &Path,
    effort: Effort,
    only: &[String],
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<PriceList, PriceError> {
    let of = effort.processes;
    let mut tell = |done| observer.event(&Event::Pricing { directory, done, of });
    tell(0);
    sitting::take(directory, effort, only, stop, &mut tell)
}

/// Prices of a directory's file system that were kept, where they fit this
/// machine; else they are taken now and kept.
pub(crate) fn kept_or_taken(
    directory: &Path,
    facts: &PlaceFacts,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Reading<PriceList> {
    if let Ok(Some((_, list))) = fitting(&machine(), facts) {
        return Reading::Value(list);
    }
    let list = take(directory, Effort::QUICK, &[], stop, observer);
    if let Ok(list) = &list {
        // They are as good where they cannot be kept.
        let _not_kept = keep(list);
    }
    list.map_err(|error| format!("no prices of calls: {error}")).into()
}
