//! All trials, in the order in which they are made.

use super::ground::Ground;
use super::trial::Trial;
use super::{cold, descriptors, faults, memory, metadata, names, opening, reading, ring, syncing, writing};

/// Everything that is tried on a ground.
pub(super) fn all(ground: &Ground) -> Vec<Trial<'_>> {
    let mut trials = Vec::new();
    trials.extend(opening::trials(ground));
    trials.extend(metadata::trials(ground));
    trials.extend(descriptors::trials(ground));
    trials.extend(reading::trials(ground));
    trials.extend(writing::trials(ground));
    trials.extend(syncing::trials(ground));
    trials.extend(names::trials(ground));
    trials.extend(ring::trials(ground));
    trials.extend(memory::trials(ground));
    trials.extend(faults::trials(ground));
    trials.extend(cold::trials(ground));
    trials
}
