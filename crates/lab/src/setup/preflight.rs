//! Before anything is counted or timed: does a variant work here, and is what
//! it delivers right to the last byte?

use crate::data::truth::Answer;
use crate::drivers::driver_set::Driver;
use crate::processes::expected::Expected;
use crate::processes::process::{DriverProcess, ProcessError};
use crate::processes::protocol::{Batch, RunArguments};
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
    if arguments.methods.iter().any(|name| driver.is_own_function(name)) {
        return try_own(process, expected);
    }
    if arguments.methods.iter().any(|name| driver.may_answer_otherwise(name)) {
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
    let refused = |error: crate::processes::expected::WrongData| PreflightError::Refused(error.to_string());
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

/// A function of the user's, on each file: what it answers is compared later, with the file's bytes
/// or with the others' counts (see `own_functions`).
fn try_own(mut process: DriverProcess, expected: &Expected) -> Result<Tried, PreflightError> {
    let verified = process.verify(0)?;
    let (mut answers, mut first_ns) = (Vec::new(), 0.0_f64);
    for _ in expected.answers() {
        let done = process.batch(Batch { slot: 0, operations: 1, preroll: 0 })?;
        answers.push(expected.answered(&done));
        first_ns = first_ns.max(done.ns as f64);
    }
    process.quit()?;
    let Some(first) = answers.first_mut() else { return Ok(Tried { answers, first_ns }) };
    // A count has no bytes, and its checksum is that of its digits.
    let is_count =
        verified.bytes == 0 && verified.crc32 == crc32fast::hash(first.digest.to_string().as_bytes());
    if first.bytes != verified.bytes || (!is_count && first.bytes == 0 && first.digest != 0) {
        let reason = "answers the same file otherwise the second time: its rows could not be compared";
        return Err(PreflightError::Refused(reason.to_owned()));
    }
    first.crc32 = verified.crc32;
    for answer in &mut answers {
        answer.is_count = is_count;
    }
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
