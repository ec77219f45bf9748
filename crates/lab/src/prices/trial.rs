//! A trial: some conditions that are priced together, because one call undoes
//! what another does.

use super::condition::Condition;
use super::ground::Ground;
use super::meter::Meter;
use super::{cold, descriptors, faults, memory, metadata, names, opening, reading, ring, syncing, writing};
use fathom_sys::SysError;
use rustix::io::Errno;

/// Why something could not be priced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Refusal(pub(super) String);

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Self {
        let name = fathom_trace::name_of_errno(errno.raw_os_error());
        let text = std::io::Error::from(errno).to_string();
        let words = text.split(" (os error").next().unwrap_or(&text).to_owned();
        Self(format!("{words} ({name})"))
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        match Errno::from_io_error(&error) {
            Some(errno) => Self::from(errno),
            None => Self(error.to_string()),
        }
    }
}

impl From<SysError> for Refusal {
    fn from(error: SysError) -> Self {
        match error.errno() {
            Some(Errno::NOSYS) => Self("this kernel or architecture has no such call".to_owned()),
            Some(errno) => Self::from(errno),
            None => Self(error.to_string()),
        }
    }
}

type Run<'a> = Box<dyn FnMut(&mut Meter, &[Condition]) -> Result<(), Refusal> + 'a>;

/// Conditions, and how one batch of each is taken.
pub(super) struct Trial<'a> {
    pub(super) conditions: Vec<Condition>,
    /// More batches than this in one process would change what is priced.
    pub(super) batches_max: Option<u32>,
    run: Run<'a>,
}

impl<'a> Trial<'a> {
    /// A trial; `run` gets its conditions in the order given.
    pub(super) fn new(
        conditions: impl Into<Vec<Condition>>,
        run: impl FnMut(&mut Meter, &[Condition]) -> Result<(), Refusal> + 'a,
    ) -> Self {
        Self { conditions: conditions.into(), batches_max: None, run: Box::new(run) }
    }

    /// The same, in so many batches at most and without warming up for each.
    pub(super) fn at_most(self, batches: u32) -> Self {
        Self { batches_max: Some(batches), ..self }
    }

    /// Takes a batch of each condition.
    pub(super) fn run(&mut self, meter: &mut Meter) -> Result<(), Refusal> {
        (self.run)(meter, &self.conditions)
    }
}

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

/// The answer of a call that has to fail in one way.
pub(super) fn failing_with<T>(wanted: Errno, answer: Result<T, Errno>) -> Result<(), Errno> {
    answer.map_or_else(
        |errno| if errno == wanted { Ok(()) } else { Err(errno) },
        // It went well where it must not: no call of these fails so.
        |_| Err(Errno::NOTUNIQ),
    )
}
