//! All trials, in the order in which they are made.

use super::ground::Ground;
use super::trial::Trial;
use super::{cold, descriptors, faults, memory, metadata, names, opening, reading, ring, syncing, writing};

/// What has to be tried for the prices of these calls; everything where none is named. Errors: a
/// name of which no price is taken.
pub(super) fn of_calls<'a>(ground: &'a Ground, calls: &[String]) -> Result<Vec<Trial<'a>>, String> {
    let mut trials = all(ground);
    let prices = |trial: &Trial<'_>, call: &String| trial.conditions.iter().any(|of| of.call == *call);
    if let Some(unknown) = calls.iter().find(|call| !trials.iter().any(|trial| prices(trial, call))) {
        return Err(format!("no price of `{unknown}` is taken"));
    }
    trials.retain(|trial| calls.is_empty() || calls.iter().any(|call| prices(trial, call)));
    Ok(trials)
}

/// Everything that is tried on a ground.
fn all(ground: &Ground) -> Vec<Trial<'_>> {
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
