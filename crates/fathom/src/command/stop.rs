//! How Ctrl-C is heard by what runs other programs.

use crate::interrupt;
use fathom_lab::Driver;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A signal ended the run before it was done.
#[derive(Debug)]
pub(in crate::command) struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// How Ctrl-C is heard.
#[derive(Debug)]
pub(in crate::command) struct Stop {
    pub(in crate::command) flag: Arc<AtomicBool>,
    pub(in crate::command) number: Arc<AtomicUsize>,
}

impl Stop {
    /// Listens from now on.
    pub(in crate::command) fn listen() -> anyhow::Result<Self> {
        Ok(Self { flag: interrupt::flag()?, number: interrupt::number()? })
    }

    /// An error where a signal came.
    pub(in crate::command) fn check(&self) -> anyhow::Result<()> {
        if self.flag.load(Ordering::Relaxed) { Err(Interrupted.into()) } else { Ok(()) }
    }
}

/// A driver that the user brings: an interrupt ends the wait for what it says of itself.
pub(in crate::command) fn own_driver(program: &Path) -> anyhow::Result<Driver> {
    let stop = interrupt::flag()?;
    Driver::from_program(program, &stop)
        .map_err(|error| if stop.load(Ordering::Relaxed) { Interrupted.into() } else { error.into() })
}
