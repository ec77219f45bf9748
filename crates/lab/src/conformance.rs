//! The conformance list: drivers/PROTOCOL.md as a test of any driver.

use crate::driver_set::Driver;
use crate::expected::Expected;
use crate::process::{DriverProcess, ProcessError};
use crate::protocol::{Answer, Batch, Done, RunArguments};
use fathom_model::{
    Access, Alignment, BufferUse, Content, DataSet, MethodDescription, Operation, Parameters,
};
use fathom_trace::{CountPlan, DataPaths, Options, TraceError};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

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

/// Sizes of files that whole-file methods meet: nothing, one byte, a page and
/// its neighbors, and more than a buffer.
const WHOLE_SIZES: [u64; 6] = [0, 1, 4095, 4096, 10_000, 200_001];
const BLOCK: u64 = 4096;
/// The work asked for takes milliseconds: a driver silent for longer hangs.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);
const OFFSET_SEED: u64 = 42;

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

/// Files to run on and what is right for them.
struct Subject {
    arguments: RunArguments,
    expected: Expected,
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
        for (label, subject) in self.subjects(method, operation)? {
            let name = format!("{operation} {}: {label}", method.name);
            let outcome = match exercise(self.driver, &subject) {
                Ok(()) => Outcome::Passed,
                Err(Fault::Unsupported(reason)) => Outcome::Skipped(reason),
                Err(Fault::Wrong(how)) => Outcome::Failed(how),
            };
            self.push(Check { name, outcome });
        }
        self.check_marks(method, operation)?;
        if operation != Operation::Null {
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
        let size = match operation {
            Operation::ReadBlock => 100_000,
            Operation::OpenWriteClose => 0,
            _ => 10_000,
        };
        let settings = (size, Access::Random, Alignment::Aligned, BufferUse::Reused, 1);
        let Subject { mut arguments, .. } = self.subject(method, operation, settings)?;
        arguments.methods.truncate(1);
        let outcome = match fathom_trace::availability() {
            Err(reason) => Outcome::Skipped(reason),
            Ok(()) => marks_outcome(self.driver, arguments),
        };
        self.push(Check { name, outcome });
        Ok(())
    }

    fn subjects(
        &self,
        method: &MethodDescription,
        operation: Operation,
    ) -> io::Result<Vec<(String, Subject)>> {
        let subject = |size, access, alignment, buffer, files| {
            self.subject(method, operation, (size, access, alignment, buffer, files))
        };
        let (random, sequential) = (Access::Random, Access::Sequential);
        let (aligned, unaligned) = (Alignment::Aligned, Alignment::Unaligned);
        let (reused, fresh) = (BufferUse::Reused, BufferUse::Fresh);
        let mut all = Vec::new();
        match operation {
            Operation::OpenWriteClose => {
                // Some ways truncate: the file is empty from the start.
                all.push(("two empty files in turn".to_owned(), subject(0, random, aligned, reused, 2)?));
            }
            Operation::Lines | Operation::Search | Operation::Hash => {
                for size in WHOLE_SIZES {
                    all.push((format!("{size} B"), subject(size, random, aligned, reused, 1)?));
                }
                all.push(("two files in turn".into(), subject(10_000, random, aligned, reused, 2)?));
            }
            Operation::Null | Operation::OpenClose => {
                all.push(("two files in turn".to_owned(), subject(100, random, aligned, reused, 2)?));
            }
            Operation::OpenReadClose => {
                for size in [100, 10_000] {
                    all.push((format!("{size} B"), subject(size, random, aligned, reused, 2)?));
                }
                all.push(("a fresh buffer each time".into(), subject(10_000, random, aligned, fresh, 1)?));
            }
            Operation::ReadWhole => {
                for size in WHOLE_SIZES {
                    all.push((format!("{size} B"), subject(size, random, aligned, reused, 1)?));
                }
                all.push(("two files in turn".into(), subject(10_000, random, aligned, reused, 2)?));
                all.push(("a fresh buffer each time".into(), subject(10_000, random, aligned, fresh, 1)?));
            }
            Operation::ReadBlock => {
                for (access, alignment) in
                    [(random, aligned), (sequential, aligned), (random, unaligned), (sequential, unaligned)]
                {
                    if alignment == unaligned && method.name.contains("O_DIRECT") {
                        continue;
                    }
                    let label = format!("{access:?}, {alignment:?}").to_lowercase();
                    all.push((label, subject(100_000, access, alignment, reused, 1)?));
                }
                all.push(("two files in turn".into(), subject(100_000, random, aligned, fresh, 2)?));
            }
        }
        Ok(all)
    }

    fn subject(
        &self,
        method: &MethodDescription,
        operation: Operation,
        (size_bytes, access, alignment, buffer, files): (u64, Access, Alignment, BufferUse, u32),
    ) -> io::Result<Subject> {
        let content = content_for(operation);
        let data = DataSet { files, size_bytes, content };
        let parameters = Parameters { data, block_bytes: BLOCK, access, alignment, buffer };
        let seeds: Vec<u64> = (0..u64::from(files)).map(|file| 100 + file).collect();
        let mut paths = Vec::new();
        for &seed in &seeds {
            paths.push(make_file(self.folder, size_bytes, content, seed)?);
        }
        let expected = Expected::new(operation, &parameters, seeds, OFFSET_SEED);
        let methods = vec![method.name.clone(), method.name.clone()];
        let arguments =
            RunArguments { operation, methods, paths, parameters, seed: OFFSET_SEED, marks: false };
        Ok(Subject { arguments, expected })
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

impl From<ProcessError> for Fault {
    fn from(error: ProcessError) -> Self {
        match error {
            ProcessError::Unsupported(reason) => Self::Unsupported(reason),
            other => Self::Wrong(other.to_string()),
        }
    }
}

/// Text for what looks for lines and words, bytes that are neither for the rest.
fn content_for(operation: Operation) -> Content {
    match operation {
        Operation::Lines | Operation::Search | Operation::Hash => Content::LogLines,
        _ => Content::Random,
    }
}

fn make_file(folder: &Path, size_bytes: u64, content: Content, seed: u64) -> io::Result<PathBuf> {
    let path = folder.join(format!("{content}-{seed}-{size_bytes}"));
    if !path.exists() {
        let length = usize::try_from(size_bytes).map_err(io::Error::other)?;
        let mut bytes = vec![0; length];
        content.fill(seed, 0, &mut bytes);
        let file = fs::File::create(&path)?;
        io::Write::write_all(&mut &file, &bytes)?;
        file.sync_all()?;
    }
    Ok(path)
}

/// Everything a driver is asked in a run, each answer checked.
fn exercise(driver: &Driver, subject: &Subject) -> Result<(), Fault> {
    let mut process = DriverProcess::start(driver, &subject.arguments, 0, &NEVER)?;
    process.limit_answers(ANSWER_LIMIT);
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
    if status.success() { Ok(()) } else { Err(Fault::Wrong(format!("quit ended with {status}"))) }
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
        parameters: Parameters {
            data,
            block_bytes: BLOCK,
            access: Access::Random,
            alignment: Alignment::Aligned,
            buffer: BufferUse::Reused,
        },
        seed: OFFSET_SEED,
        marks: false,
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
