//! What a lab hands to scenarios, which are built on it: whoever makes the lab says who tries them.

use crate::observer::Observer;
use fathom_catalog::Scenario;
use fathom_model::{Outcome, Place};
use std::sync::atomic::AtomicBool;

/// A place's index in the record and its name for people (`ext4 /home`), or why it cannot be used.
type Known = Result<(usize, String), String>;

/// With what a scenario is tried.
#[derive(Debug, Clone, Copy)]
pub struct Conditions<'a> {
    /// The places of the plan, each with its index in the record and its name for people
    /// (`ext4 /home`), or why it cannot be used.
    pub places: &'a [(&'a Place, Known)],
    /// File systems may be made and mounted where nobody else sees them.
    pub mount: bool,
    /// Raised when the user interrupts.
    pub stop: &'a AtomicBool,
}

/// Tries a scenario everywhere. The outcomes, and false when it was interrupted.
pub type TryScenario = fn(Scenario, &Conditions<'_>, &mut dyn Observer) -> (Vec<Outcome>, bool);
