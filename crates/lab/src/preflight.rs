//! Before anything is counted or timed: does a variant work here, and is what
//! it delivers right to the last byte?

use crate::driver_set::Driver;
use crate::expected::Expected;
use crate::process::{DriverProcess, ProcessError};
use crate::protocol::{Batch, RunArguments};
use crate::truth::Answer;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Of an operation that takes so long, one is enough: the count pass and the time pass
/// check the answers of the next.
const LONG: Duration = Duration::from_secs(1);

/// What a variant did when it was tried.
#[derive(Debug)]
pub(crate) struct Tried {
    /// What it answered for each file.
    pub(crate) answers: Vec<Answer>,
    /// What its first operation took, roughly: nothing was warm, and a checksum may be in it.
    pub(crate) first_ns: f64,
}

/// Runs one operation of the only method of `arguments`, untimed, and checks
/// bytes, digest and checksum. The error is a reason for people.
///
/// Of a method with a known flaw only one thing is asked: it answers. What it
/// answered for each file is returned, and has to be answered again whenever it is timed.
pub(crate) fn preflight(
    driver: &Driver,
    arguments: &RunArguments,
    expected: &Expected,
    stop: &AtomicBool,
) -> Result<Tried, PreflightError> {
    let mut process = DriverProcess::start(driver, arguments, 0, stop)?;
    let flawed = arguments.methods.iter().any(|name| driver.method(name).is_some_and(|m| m.flaw.is_some()));
    if flawed {
        let (mut answers, mut first_ns) = (Vec::new(), 0.0_f64);
        for _ in expected.answers() {
            let done = process.batch(Batch { slot: 0, operations: 1, preroll: 0 })?;
            answers.push(expected.answered(&done));
            first_ns = first_ns.max(done.ns as f64);
        }
        process.quit()?;
        return Ok(Tried { answers, first_ns });
    }
    let begun = Instant::now();
    let verified = process.verify(0)?;
    let bytes = expected.bytes_per_operation();
    if verified.bytes != bytes {
        return Err(PreflightError::Refused(format!("delivers {} bytes of {bytes}", verified.bytes)));
    }
    let refused = |error: crate::expected::WrongData| PreflightError::Refused(error.to_string());
    if verified.crc32 != expected.crc32().map_err(refused)? {
        return Err(PreflightError::Refused("delivers something else than the file holds".into()));
    }
    let took = begun.elapsed();
    let trials = expected.trial_operations();
    if took >= LONG && trials == 1 && !expected.answers().is_empty() {
        process.quit()?;
        return Ok(Tried { answers: expected.answers().to_vec(), first_ns: took.as_nanos() as f64 });
    }
    let (mut answers, mut first_ns) = (Vec::new(), 0.0_f64);
    for number in 0..trials {
        let done = process.batch(Batch { slot: 0, operations: 1, preroll: 0 })?;
        expected.check(&done, number.into(), 1).map_err(refused)?;
        answers.push(expected.answered(&done));
        first_ns = first_ns.max(done.ns as f64);
    }
    process.quit()?;
    Ok(Tried { answers, first_ns })
}

/// Why a variant cannot be measured.
#[derive(Debug)]
pub(crate) enum PreflightError {
    /// The user interrupted it.
    Interrupted,
    /// The reason.
    Refused(String),
}

impl From<ProcessError> for PreflightError {
    fn from(error: ProcessError) -> Self {
        match error {
            ProcessError::Interrupted => Self::Interrupted,
            other => Self::Refused(other.to_string()),
        }
    }
}
