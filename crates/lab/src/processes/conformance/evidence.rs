//! What a driver cannot only say: its operations' own times, where a schedule ends, and that a
//! file which is there is not missing.

use super::exercises::{Fault, plain_arguments, with_directory};
use crate::drivers::driver_set::Driver;
use crate::processes::process::{DriverProcess, ProcessError};
use crate::processes::protocol::{Answer, Batch, RunArguments};
use fathom_model::{MethodDescription, Operation};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// `--latencies` appends each timed operation's own time, and they fit into their batches.
pub(super) fn latencies(
    driver: &Driver,
    arguments: &RunArguments,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let file = folder.join("latencies");
    let arguments = RunArguments { latencies: Some(file.clone()), ..with_directory(arguments)? };
    let mut process = DriverProcess::start(driver, &arguments, 0, stop)?;
    let mut expected = Vec::new();
    for (operations, preroll) in [(5, 2), (3, 0)] {
        let done = process.batch(Batch { slot: 0, operations, preroll })?;
        expected.push((operations as usize, done.ns));
    }
    process.quit()?;
    let bytes = fs::read(&file)?;
    fs::remove_file(&file)?;
    let mut times = bytes.chunks(8).map(|ns| ns.try_into().map_or(u64::MAX, u64::from_le_bytes));
    for (operations, ns) in expected {
        let own: Vec<u64> = times.by_ref().take(operations).collect();
        let sum = own.iter().fold(0_u64, |sum, own| sum.saturating_add(*own));
        if own.len() != operations || sum > ns {
            let found = own.len();
            return Err(Fault::Wrong(format!(
                "{found} times of {operations}, {sum} ns together, in a batch of {ns} ns"
            )));
        }
    }
    if times.next().is_some() { Err(Fault::Wrong("more times than operations".to_owned())) } else { Ok(()) }
}

/// An operation that fails ends a schedule, and nothing follows.
pub(super) fn failing_schedule(
    driver: &Driver,
    method: &MethodDescription,
    operation: Operation,
    good: &Path,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let mut arguments = plain_arguments(operation, &method.name, good.to_owned());
    arguments.paths.push(good.with_file_name("no such file"));
    let mut process = match DriverProcess::start(driver, &arguments, 0, stop) {
        Ok(process) => process,
        // It opens all files beforehand.
        Err(ProcessError::Operation(_) | ProcessError::Ended { .. }) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    match process.blocks(&[Batch { slot: 0, operations: 1, preroll: 0 }; 3]) {
        Err(ProcessError::Operation(error)) if error.errno == "ENOENT" => {}
        Err(error) => return Err(error.into()),
        Ok(_) => return Err(Fault::Wrong("a missing file is no error in a schedule".to_owned())),
    }
    match process.ask("release")? {
        Answer::Released => Ok(()),
        other => Err(Fault::Wrong(format!("after the error of a schedule it answered {other:?}"))),
    }
}

/// Where a file is to be missing, one that is there is the error.
pub(super) fn found_file(
    driver: &Driver,
    method: &MethodDescription,
    operation: Operation,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let there = folder.join("is there");
    fs::write(&there, "x")?;
    let arguments = plain_arguments(operation, &method.name, there);
    let mut process = DriverProcess::start(driver, &arguments, 0, stop)?;
    match process.ask("batch 1")? {
        Answer::Error(error) if error.errno == "EEXIST" => Ok(()),
        other => Err(Fault::Wrong(format!("answered {other:?}"))),
    }
}
