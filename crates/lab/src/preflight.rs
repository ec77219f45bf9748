//! Before anything is counted or timed: does a variant work here, and is what
//! it delivers right to the last byte?

use crate::driver_set::Driver;
use crate::expected::Expected;
use crate::process::{DriverProcess, ProcessError};
use crate::protocol::{Batch, RunArguments};
use crate::truth::Answer;
use std::sync::atomic::AtomicBool;

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
) -> Result<Vec<Answer>, PreflightError> {
    let mut process = DriverProcess::start(driver, arguments, 0, stop)?;
    let flawed = arguments.methods.iter().any(|name| driver.method(name).is_some_and(|m| m.flaw.is_some()));
    if flawed {
        let mut answers = Vec::new();
        for _ in expected.answers() {
            let done = process.batch(Batch { slot: 0, operations: 1, preroll: 0 })?;
            answers.push(expected.answered(&done));
        }
        process.quit()?;
        return Ok(answers);
    }
    let verified = process.verify(0)?;
    let bytes = expected.bytes_per_operation();
    if verified.bytes != bytes {
        return Err(PreflightError::Refused(format!("delivers {} bytes of {bytes}", verified.bytes)));
    }
    if verified.crc32 != expected.crc32() {
        return Err(PreflightError::Refused("delivers something else than the file holds".into()));
    }
    let done = process.batch(Batch { slot: 0, operations: 1, preroll: 0 })?;
    expected.check(&done, 0, 1).map_err(|error| PreflightError::Refused(error.to_string()))?;
    process.quit()?;
    Ok(vec![expected.answered(&done)])
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
