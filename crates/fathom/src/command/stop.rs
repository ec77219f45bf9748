//! How Ctrl-C is heard by what runs other programs.

use crate::interrupt;
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
