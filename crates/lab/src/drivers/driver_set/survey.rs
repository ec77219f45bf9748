//! What there is of each shipped driver, without building any: all are asked at once, and nobody is
//! waited for longer than the caller wants.

use super::{Driver, shipped_manifests};
use crate::drivers::driver_build::{Looked, cache_directory, look_for};
use crate::drivers::driver_source::{DriverSource, MPI, SHIPPED};
use crate::drivers::launcher::ranks_manifest;
use fathom_catalog::{CatalogError, Toolchain};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often the stop flag is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// What there is of a shipped driver.
#[derive(Debug)]
pub enum DriverState {
    /// It is built, and answered.
    Ready(Box<Driver>),
    /// Its toolchain, of this version, is there; it is built on first use.
    NotBuilt {
        /// What the toolchain says of itself.
        toolchain: String,
    },
    /// Why it cannot be had.
    Unavailable(String),
    /// It, or its toolchain, did not answer until the deadline, or until the survey was stopped.
    NotKnown,
}

/// What there is of each shipped driver, by name, without building any. Who has not answered at
/// `deadline`, or when `stop` is raised, is [`DriverState::NotKnown`], and is ended.
pub fn shipped_survey(
    deadline: Option<Instant>,
    stop: &AtomicBool,
) -> Result<Vec<(String, DriverState)>, CatalogError> {
    let all: Vec<_> = SHIPPED.iter().zip(shipped_manifests()?).chain([(&MPI, ranks_manifest()?)]).collect();
    let given_up = AtomicBool::new(false);
    let mut states: Vec<DriverState> = all.iter().map(|_| DriverState::NotKnown).collect();
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        for (index, (source, manifest)) in all.iter().enumerate() {
            let (sender, given_up) = (sender.clone(), &given_up);
            let ask = move || {
                let state = look(source, &manifest.toolchain, given_up);
                // Nobody listens any more after the deadline.
                let _late = sender.send((index, state.unwrap_or_else(DriverState::Unavailable)));
            };
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, ask) {
                states[index] = DriverState::Unavailable(format!("no thread can be made to ask it: {error}"));
            }
        }
        drop(sender);
        hear(&receiver, deadline, stop, &mut states);
        given_up.store(true, Ordering::Relaxed);
    });
    Ok(all.into_iter().map(|(_, manifest)| manifest.name).zip(states).collect())
}

/// Keeps what comes until everybody has answered, or the wait is over.
fn hear(
    receiver: &Receiver<(usize, DriverState)>,
    deadline: Option<Instant>,
    stop: &AtomicBool,
    states: &mut [DriverState],
) {
    while !stop.load(Ordering::Relaxed) {
        let left = deadline.map_or(LOOK, |deadline| deadline.saturating_duration_since(Instant::now()));
        match receiver.recv_timeout(left.min(LOOK)) {
            Ok((index, state)) => states[index] = state,
            Err(RecvTimeoutError::Timeout) if left.is_zero() => return,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn look(source: &DriverSource, toolchain: &Toolchain, stop: &AtomicBool) -> Result<DriverState, String> {
    let looked = cache_directory().and_then(|cache| look_for(source, toolchain, &cache, stop));
    let built = match looked {
        Ok(Looked::NotBuilt(toolchain)) => return Ok(DriverState::NotBuilt { toolchain }),
        Ok(Looked::Built(built)) => Driver::of_build(source, built, Some(stop)),
        Err(error) => Err(error.into()),
    };
    let driver = Driver::or_built_in(source, built, Some(stop)).map_err(|error| error.to_string())?;
    Ok(DriverState::Ready(Box::new(driver)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_waited_for_after_the_deadline_or_a_stop() {
        let (sender, receiver) = channel();
        sender.send((1, DriverState::Unavailable("none".to_owned()))).unwrap();
        let hear_until = |deadline, stop: bool| {
            let mut states = [DriverState::NotKnown, DriverState::NotKnown];
            hear(&receiver, deadline, &AtomicBool::new(stop), &mut states);
            states
        };
        // What has come by then is kept; the sender that lives on is the one that says nothing.
        let states = hear_until(Some(Instant::now()), false);
        assert!(matches!(&states, [DriverState::NotKnown, DriverState::Unavailable(_)]), "{states:?}");
        let states = hear_until(None, true);
        assert!(matches!(&states, [DriverState::NotKnown, DriverState::NotKnown]), "{states:?}");
        drop(sender);
        hear_until(None, false);
    }
}
