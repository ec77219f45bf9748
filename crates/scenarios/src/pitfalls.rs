//! Hazards of opening files, each as a trial: descriptors that are never
//! closed, a check that is overtaken, a link put in a file's place.

pub(super) mod check_then_open;
pub(super) mod descriptors;
pub(super) mod exchange;
pub(super) mod symlink_swap;

use super::Interrupted;
use super::ground::Ground;
use super::rows::Rows;

/// Tries all in one place.
pub(super) fn run(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    descriptors::try_all(ground, rows)?;
    check_then_open::try_all(ground, rows)?;
    symlink_swap::try_all(ground, rows)
}
