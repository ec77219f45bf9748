//! The conformance list: drivers/PROTOCOL.md as a test of any driver.

mod subjects;

use crate::driver_set::Driver;
use crate::launch::Launch;
use crate::process::{DriverProcess, ProcessError};
use crate::protocol::{Answer, Batch, Done, RunArguments};
use fathom_model::{Content, DataSet, MethodDescription, Operation, Parameters, Setting};
use fathom_trace::{CountPlan, DataPaths, Options, TraceError};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use subjects::{BLOCK, OFFSET_SEED, Subject};

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// As the protocol has it.
    Passed,
    /// Not as the protocol has it, and how.
    Failed(String),
    /// The driver says it cannot do this here, or it cannot be seen here.
    Skipped(String),
}

/// One item of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was checked: `read-whole os.ReadFile: verify, 10000 B`.
    pub name: String,
    /// What it showed.
    pub outcome: Outcome,
}

/// The work asked for takes milliseconds: a driver silent for longer hangs.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);

static NEVER: AtomicBool = AtomicBool::new(false);

/// Runs the whole list. `each` hears of every check as it ends. An error means
/// that the list itself could not be run (no place for its files).
pub fn check_driver(driver: &Driver, each: &mut dyn FnMut(&Check)) -> io::Result<Vec<Check>> {
    let scratch = tempfile::Builder::new().prefix(".fathom-check-").tempdir()?;
    let mut list = List { driver, folder: scratch.path(), each, checks: Vec::new() };
    list.check_description();
    for method in &driver.description.methods {
        for &operation in &method.operations {
            list.check_method(method, operation)?;
        }
    }
    list.check_refusals();
    Ok(list.checks)
}

struct List<'a> {
    driver: &'a Driver,
    folder: &'a Path,
    each: &'a mut dyn FnMut(&Check),
    checks: Vec<Check>,
}

impl List<'_> {
    fn note(&mut self, name: impl Into<String>, result: Result<(), String>) {
        let outcome = result.map_or_else(Outcome::Failed, |()| Outcome::Passed);
        self.push(Check { name: name.into(), outcome });
    }

    fn push(&mut self, check: Check) {
        (self.each)(&check);
        self.checks.push(check);
    }

    fn check_description(&mut self) {
        let methods = &self.driver.description.methods;
        let names: BTreeSet<_> = methods.iter().map(|method| &method.name).collect();
        let unique = names.len() == methods.len();
        self.note(
            "describe: every method has a name of its own",
            unique.then_some(()).ok_or("a name stands twice".into()),
        );
        let wanted: BTreeSet<Operation> = methods
            .iter()
            .flat_map(|method| method.operations.iter().copied())
            .chain([Operation::Null])
            .collect();
        let null = methods.iter().find(|method| method.name == "null");
        let missing: Vec<_> = wanted
            .iter()
            .filter(|operation| !null.is_some_and(|null| null.operations.contains(operation)))
            .map(|operation| operation.word())
            .collect();
        let result = if missing.is_empty() { Ok(()) } else { Err(format!("not for {}", missing.join(", "))) };
        self.note("describe: the method null is there for every operation", result);
    }

    fn check_method(&mut self, method: &MethodDescription, operation: Operation) -> io::Result<()> {
        if let Some(reason) = &method.unavailable {
            let name = format!("{operation} {}", method.name);
            self.push(Check { name, outcome: Outcome::Skipped(reason.clone()) });
            return Ok(());
        }
        for (label, subject) in subjects::of(self.folder, method, operation)? {
            let name = format!("{operation} {}: {label}", method.name);
            let outcome = match exercise(self.driver, &subject) {
                Ok(()) => Outcome::Passed,
                Err(Fault::Unsupported(reason)) => Outcome::Skipped(reason),
                Err(Fault::Wrong(how)) => Outcome::Failed(how),
            };
            self.push(Check { name, outcome });
        }
        self.check_marks(method, operation)?;
        // What is missing is what these are about, or they read nothing.
        let reads_paths =
            operation.takes_files() && !matches!(operation, Operation::OpenMissing | Operation::Template);
        if operation != Operation::Null && reads_paths {
            let name =
                format!("{operation} {}: a missing file is an error, and the driver goes on", method.name);
            if method.name != "null" {
                let result = missing_file(self.driver, method, operation, self.folder);
                self.note(name, result);
            }
        }
        Ok(())
    }

    /// Under a tracer the clock's region can be found, with `--marks` only.
    fn check_marks(&mut self, method: &MethodDescription, operation: Operation) -> io::Result<()> {
        let name = format!("{operation} {}: marks", method.name);
        let mut arguments = subjects::for_marks(self.folder, method, operation)?.arguments;
        arguments.methods.truncate(1);
        let outcome = match fathom_trace::availability() {
            Err(reason) => Outcome::Skipped(reason),
            Ok(()) => marks_outcome(self.driver, arguments),
        };
        self.push(Check { name, outcome });
        Ok(())
    }

    fn check_refusals(&mut self) {
        let run = |words: &[&str]| {
            self.driver.command().args(words).stdin(Stdio::null()).output().map(|output| output.status.code())
        };
        let is_2 = |code: io::Result<Option<i32>>| match code {
            Ok(Some(2)) => Ok(()),
            Ok(code) => Err(format!("exit code {code:?}")),
            Err(error) => Err(error.to_string()),
        };
        let unknown_method =
            run(&["run", "--operation", "null", "--method", "no such method", "--path", "/", "--size", "0"]);
        let unknown_operation =
            run(&["run", "--operation", "no-such", "--method", "null", "--path", "/", "--size", "0"]);
        let unknown_argument = run(&["run", "--no-such-argument"]);
        self.note("an unknown method ends it with exit code 2", is_2(unknown_method));
        self.note("an unknown operation ends it with exit code 2", is_2(unknown_operation));
        self.note("an unknown argument ends it with exit code 2", is_2(unknown_argument));
        let nonsense = nonsense_line(self.driver);
        self.note("a line that makes no sense is an error, and the driver goes on", nonsense);
        let hang_up = hang_up(self.driver);
        self.note("the end of its input ends it with exit code 0", hang_up);
    }
}

fn marks_outcome(driver: &Driver, arguments: RunArguments) -> Outcome {
    let without = trace(driver, &arguments);
    let with = trace(driver, &RunArguments { marks: true, ..arguments });
    match (with, without) {
        (Err(TraceError::Exited { code: 77, .. }), _) => Outcome::Skipped("not supported here".into()),
        (Err(error), _) => Outcome::Failed(error.to_string()),
        (Ok(()), Err(TraceError::Marks { .. })) => Outcome::Passed,
        (Ok(()), Err(error)) => Outcome::Failed(format!("without --marks: {error}")),
        (Ok(()), Ok(())) => Outcome::Failed("marks are made without --marks too".into()),
    }
}

/// Counts a few operations: an error when the marks are missing or out of place.
fn trace(driver: &Driver, arguments: &RunArguments) -> Result<(), TraceError> {
    let failed = |source| TraceError::Start { program: driver.facts.program.clone(), source };
    let arguments = &with_directory(arguments).map_err(failed)?;
    let plan = CountPlan { warm_up: 1, operations: 2, repetitions: 1, ..CountPlan::default() };
    let script = plan.script();
    let mut command = driver.command();
    command.args(arguments.to_words());
    let options = Options { stdin: script.as_bytes(), ..Options::default() };
    let run = fathom_trace::run(&mut command, &options)?;
    fathom_trace::count_pass(&run, &plan, &DataPaths::new(arguments.paths.clone())).map(drop)
}

enum Fault {
    Unsupported(String),
    Wrong(String),
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
            other => Self::Wrong(other.to_string()),
        }
    }
}

/// Everything a driver is asked in a run, each answer checked.
fn exercise(driver: &Driver, subject: &Subject) -> Result<(), Fault> {
    let arguments = with_directory(&subject.arguments)?;
    let mut process = DriverProcess::start(driver, &arguments, 0, &NEVER)?;
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
    let done = process.batch(Batch { slot: 0, operations: 2, preroll: 0 })?;
    check(0, 2, 0, &done)?;
    clock_is_sane(&mut process)?;
    let status = process.quit()?;
    if !status.success() {
        return Err(Fault::Wrong(format!("quit ended with {status}")));
    }
    written_files(&arguments, performed[0] + performed[1])
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

/// What `create` says it made is there.
fn written_files(arguments: &RunArguments, performed: u64) -> Result<(), Fault> {
    let Some(directory) = &arguments.directory else { return Ok(()) };
    if arguments.operation != Operation::Create {
        return Ok(());
    }
    let size = arguments.parameters.settings.number(Setting::Write);
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
fn with_directory(arguments: &RunArguments) -> io::Result<RunArguments> {
    let folder = arguments.directory.as_ref();
    let made = folder.map(|folder| tempfile::Builder::new().prefix("writing-").tempdir_in(folder));
    // The folder goes with everything in it.
    Ok(RunArguments { directory: made.transpose()?.map(tempfile::TempDir::keep), ..arguments.clone() })
}

fn verify(process: &mut DriverProcess<'_>, subject: &Subject) -> Result<(), Fault> {
    // The null method holds the data in memory; `verify` speaks of it all the same.
    let verified = process.verify(1)?;
    let (bytes, crc32) = (subject.expected.bytes_per_operation(), subject.expected.crc32());
    if verified.bytes != bytes {
        return Err(Fault::Wrong(format!("verify delivered {} bytes of {bytes}", verified.bytes)));
    }
    if verified.crc32 != crc32 {
        return Err(Fault::Wrong(format!("verify gave crc32 {:08x}, must be {crc32:08x}", verified.crc32)));
    }
    Ok(())
}

/// The time a driver reports lies within the time its answer took.
fn clock_is_sane(process: &mut DriverProcess<'_>) -> Result<(), Fault> {
    let begun = std::time::Instant::now();
    let done = process.batch(Batch { slot: 0, operations: 20, preroll: 0 })?;
    let passed = begun.elapsed().as_nanos();
    if u128::from(done.ns) > passed {
        return Err(Fault::Wrong(format!("a batch of {} ns answered within {passed} ns", done.ns)));
    }
    Ok(())
}

fn plain_arguments(operation: Operation, method: &str, path: PathBuf) -> RunArguments {
    let data = DataSet { files: 1, size_bytes: 8192, content: Content::Random };
    RunArguments {
        operation,
        methods: vec![method.to_owned()],
        paths: vec![path],
        parameters: Parameters::new(data, BLOCK),
        seed: OFFSET_SEED,
        marks: false,
        directory: None,
        latencies: None,
        launch: Launch::default(),
    }
}

fn missing_file(
    driver: &Driver,
    method: &MethodDescription,
    operation: Operation,
    folder: &Path,
) -> Result<(), String> {
    let missing = folder.join("no such file");
    let arguments = plain_arguments(operation, &method.name, missing.clone());
    let mut process = match DriverProcess::start(driver, &arguments, 0, &NEVER) {
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
            Ok(Answer::Done(_)) if operation == Operation::OpenWriteClose && missing.exists() => {
                fs::remove_file(&missing).map_err(|error| error.to_string())?;
            }
            Ok(Answer::Error(error)) if error.errno == "ENOENT" && error.path.contains("no such file") => {}
            Ok(other) => return Err(format!("answered {other:?}")),
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(())
}

fn nonsense_line(driver: &Driver) -> Result<(), String> {
    let arguments = plain_arguments(Operation::Null, "null", PathBuf::from("/"));
    let mut process =
        DriverProcess::start(driver, &arguments, 0, &NEVER).map_err(|error| error.to_string())?;
    match process.ask("what is this").map_err(|error| error.to_string())? {
        Answer::Error(error) if error.operation == "protocol" && error.errno == "EINVAL" => {}
        other => return Err(format!("answered {other:?}")),
    }
    match process.ask("batch 1").map_err(|error| error.to_string())? {
        Answer::Done(_) => Ok(()),
        other => Err(format!("then answered {other:?}")),
    }
}

fn hang_up(driver: &Driver) -> Result<(), String> {
    let arguments = plain_arguments(Operation::Null, "null", PathBuf::from("/"));
    let process = DriverProcess::start(driver, &arguments, 0, &NEVER).map_err(|error| error.to_string())?;
    let status = process.hang_up().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(status.to_string()) }
}
