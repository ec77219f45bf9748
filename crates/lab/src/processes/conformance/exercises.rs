//! What a driver is asked in its runs, and what it has to answer.

use super::subjects::{BLOCK, OFFSET_SEED, Subject};
use super::{ANSWER_LIMIT, left_behind};
use crate::drivers::driver_set::Driver;
use crate::processes::launch::Launch;
use crate::processes::process::{DriverProcess, ProcessError};
use crate::processes::protocol::{Answer, Batch, Done, RunArguments};
use fathom_model::{Content, DataSet, MethodDescription, Operation, Parameters, WorksOn};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Operations of the last batch of an exercise.
const LAST: u32 = 20;

/// Why an exercise was not passed.
pub(super) enum Fault {
    Unsupported(String),
    Wrong(String),
    /// It did not answer or did not end, and was killed.
    Hangs(String),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Wrong(error.to_string())
    }
}

impl From<ProcessError> for Fault {
    fn from(error: ProcessError) -> Self {
        match error {
            ProcessError::Unsupported(reason) => Self::Unsupported(reason),
            hangs @ (ProcessError::Silent { .. } | ProcessError::LivesOn { .. }) => {
                Self::Hangs(hangs.to_string())
            }
            other => Self::Wrong(other.to_string()),
        }
    }
}

/// Everything a driver is asked in a run, each answer checked.
pub(super) fn exercise(driver: &Driver, subject: &Subject, stop: &AtomicBool) -> Result<(), Fault> {
    let arguments = with_directory(&subject.arguments)?;
    let mut process = DriverProcess::start(driver, &arguments, 0, stop)?;
    process.limit_answers(ANSWER_LIMIT);
    if arguments.methods.iter().any(|name| driver.method(name).is_some_and(|m| m.flaw.is_some())) {
        return answers_alike(process, arguments.paths.len());
    }
    let mut performed = [0_u64; 2];
    let mut check = |slot: usize, operations: u32, preroll: u32, done: &Done| {
        let first = performed[slot] + u64::from(preroll);
        performed[slot] = first + u64::from(operations);
        subject.expected.check(done, first, operations).map_err(|error| Fault::Wrong(error.to_string()))
    };
    for (slot, operations, preroll) in [(0, 1, 0), (0, 7, 2), (1, 3, 1)] {
        let done = process.batch(Batch { slot, operations, preroll })?;
        check(slot, operations, preroll, &done)?;
        if done.ns == 0 && operations > 1 {
            return Err(Fault::Wrong("a batch of several operations took 0 ns".into()));
        }
    }
    let schedule = [(1, 2, 1), (0, 4, 0), (1, 1, 0)];
    let batches = schedule.map(|(slot, operations, preroll)| Batch { slot, operations, preroll });
    let answers = process.blocks(&batches)?;
    for ((slot, operations, preroll), done) in schedule.into_iter().zip(&answers) {
        check(slot, operations, preroll, done)?;
    }
    verify(&mut process, subject)?;
    process.release()?;
    if let Some(path) = arguments.paths.iter().find(|path| left_behind::holds(process.pid(), path)) {
        return Err(Fault::Wrong(format!("release left {} open or mapped", path.display())));
    }
    let done = process.batch(Batch { slot: 0, operations: 2, preroll: 0 })?;
    check(0, 2, 0, &done)?;
    // Long enough that a clock which runs wild shows: the time of each batch is checked.
    process.batch(Batch { slot: 0, operations: LAST, preroll: 0 })?;
    let status = process.quit()?;
    if !status.success() {
        return Err(Fault::Wrong(format!("quit ended with {status}")));
    }
    written_files(&arguments, performed[0] + performed[1])?;
    left_behind::written_data(&arguments, &subject.expected, performed[0], LAST).map_err(Fault::Wrong)
}

/// A method with a known flaw has only to answer, and twice the same.
fn answers_alike(mut process: DriverProcess<'_>, files: usize) -> Result<(), Fault> {
    let mut answers = Vec::new();
    for _ in 0..2 * files {
        let done = process.batch(Batch { slot: 0, operations: 1, preroll: 0 })?;
        let counted = ["lines", "matches"].map(|what| done.figures.get(what).copied());
        answers.push((done.bytes, done.digest, counted));
    }
    if answers[..files] == answers[files..] {
        return Ok(());
    }
    Err(Fault::Wrong("it answers differently from one time to the next".to_owned()))
}

/// What an operation says it made is there.
fn written_files(arguments: &RunArguments, performed: u64) -> Result<(), Fault> {
    let (Some(directory), Some(size)) = (&arguments.directory, arguments.operation.facts().leaves) else {
        return Ok(());
    };
    let size = arguments.parameters.settings.number(size);
    let (mut files, mut of_size) = (0, 0);
    for batch in fs::read_dir(directory)? {
        for file in fs::read_dir(batch?.path())? {
            files += 1;
            let length = file?.metadata()?.len();
            of_size += u64::from(length == size);
        }
    }
    // What the clock check and `verify` made comes on top; `null` makes nothing.
    let null = arguments.methods.iter().all(|name| name == "null");
    match (null, files) {
        (true, 0) => Ok(()),
        (true, _) => Err(Fault::Wrong(format!("null made {files} files"))),
        (false, _) if files < performed => {
            Err(Fault::Wrong(format!("made {files} files in {performed} operations")))
        }
        (false, _) if of_size < files => {
            Err(Fault::Wrong(format!("{of_size} of {files} files hold {size} bytes")))
        }
        (false, _) => Ok(()),
    }
}

/// An operation that writes gets a new directory for each process.
pub(super) fn with_directory(arguments: &RunArguments) -> io::Result<RunArguments> {
    let folder = arguments.directory.as_ref();
    let made = folder.map(|folder| tempfile::Builder::new().prefix("writing-").tempdir_in(folder));
    // The folder goes with everything in it.
    Ok(RunArguments { directory: made.transpose()?.map(tempfile::TempDir::keep), ..arguments.clone() })
}

fn verify(process: &mut DriverProcess<'_>, subject: &Subject) -> Result<(), Fault> {
    // The null method holds the data in memory; `verify` speaks of it all the same.
    let verified = process.verify(1)?;
    let (bytes, crc32) = (
        subject.expected.bytes_per_operation(),
        subject.expected.crc32().map_err(|error| Fault::Wrong(error.to_string()))?,
    );
    if verified.bytes != bytes {
        return Err(Fault::Wrong(format!("verify delivered {} bytes of {bytes}", verified.bytes)));
    }
    if verified.crc32 != crc32 {
        return Err(Fault::Wrong(format!("verify gave crc32 {:08x}, must be {crc32:08x}", verified.crc32)));
    }
    Ok(())
}

pub(super) fn plain_arguments(operation: Operation, method: &str, path: PathBuf) -> RunArguments {
    let data = DataSet { files: 1, size_bytes: 8192, content: Content::Random };
    RunArguments {
        operation,
        methods: vec![method.to_owned()],
        paths: vec![path],
        size_bytes: data.size_bytes,
        parameters: Parameters::new(data, BLOCK),
        seed: OFFSET_SEED,
        marks: false,
        directory: None,
        latencies: None,
        evicts: false,
        path_list: None,
        launch: Launch::default(),
    }
}

pub(super) fn missing_file(
    driver: &Driver,
    method: &MethodDescription,
    operation: Operation,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<(), String> {
    let missing = folder.join("no such file");
    let mut arguments = plain_arguments(operation, &method.name, missing.clone());
    arguments.directory = operation.writes().then(|| folder.to_owned());
    let arguments = with_directory(&arguments).map_err(|error| error.to_string())?;
    let mut process = match DriverProcess::start(driver, &arguments, 0, stop) {
        Ok(process) => process,
        // A driver may find out while it prepares; for read-block it has to.
        Err(ProcessError::Operation(error)) if error.errno == "ENOENT" => return Ok(()),
        Err(ProcessError::Ended { said, .. }) if !said.is_empty() => return Ok(()),
        Err(ProcessError::Unsupported(_)) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    for _ in 0..2 {
        match process.ask("batch 1") {
            // Some ways of opening for writing create the file.
            Ok(Answer::Done(_))
                if operation.facts().works_on == WorksOn::EmptiedFiles && missing.exists() =>
            {
                fs::remove_file(&missing).map_err(|error| error.to_string())?;
            }
            Ok(Answer::Error(error)) if error.errno == "ENOENT" && error.path.contains("no such file") => {}
            Ok(other) => return Err(format!("answered {other:?}")),
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(())
}

/// Lines that no driver obeys: unknown words, numbers that are none, methods that were not given.
const NONSENSE: [&str; 8] = [
    "what is this",
    "batch",
    "batch x",
    "batch -1",
    "batch 1 method=1",
    "batch 1 preroll=x",
    "blocks 0:1",
    "verify method=1",
];

pub(super) fn nonsense_line(driver: &Driver, stop: &AtomicBool) -> Result<(), String> {
    let arguments = plain_arguments(Operation::Null, "null", PathBuf::from("/"));
    let mut process = DriverProcess::start(driver, &arguments, 0, stop).map_err(|error| error.to_string())?;
    for line in NONSENSE {
        match process.ask(line).map_err(|error| format!("{line}: {error}"))? {
            Answer::Error(error) if error.operation == "protocol" && error.errno == "EINVAL" => {}
            other => return Err(format!("answered `{line}` with {other:?}")),
        }
    }
    match process.ask("batch 1").map_err(|error| error.to_string())? {
        Answer::Done(_) => Ok(()),
        other => Err(format!("then answered {other:?}")),
    }
}

pub(super) fn hang_up(driver: &Driver, stop: &AtomicBool) -> Result<(), String> {
    let arguments = plain_arguments(Operation::Null, "null", PathBuf::from("/"));
    let process = DriverProcess::start(driver, &arguments, 0, stop).map_err(|error| error.to_string())?;
    let status = process.hang_up().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(status.to_string()) }
}
