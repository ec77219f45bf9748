//! The conformance list: drivers/PROTOCOL.md as a test of any driver.

mod contents;
mod evidence;
mod exercises;
mod left_behind;
mod subjects;

use crate::drivers::driver_set::Driver;
use crate::processes::protocol::RunArguments;
use exercises::{Fault, exercise, hang_up, missing_file, nonsense_line, with_directory};
use fathom_model::{AnswerKind, MethodDescription, Operation, Setting, WorksOn};
use fathom_sys::child_wait::output_within;
use fathom_trace::{CountPlan, DataPaths, Options, TraceError};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
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

/// The work asked for takes milliseconds: a driver silent for longer hangs.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);

/// A refusal is some lines, soon.
const REFUSAL_LIMIT: Duration = Duration::from_mins(1);
const REFUSAL_MAX_BYTES: usize = 1 << 20;

/// Runs the list, of these operations only where some are named. `each` hears of every check as it
/// ends. An error means that the list itself could not be run (no place for its files), or was
/// interrupted by `stop`.
pub fn check_driver(
    driver: &Driver,
    operations: &[Operation],
    stop: &AtomicBool,
    each: &mut dyn FnMut(&Check),
) -> io::Result<Vec<Check>> {
    let scratch = tempfile::Builder::new().prefix(".fathom-check-").tempdir()?;
    let mut list = List { driver, operations, folder: scratch.path(), stop, each, checks: Vec::new() };
    list.check_description();
    match list.check_methods() {
        Ok(()) => list.check_refusals(),
        // It would hang again, and be waited for each time.
        Err(GivenUp::Hangs) => {
            let outcome = Outcome::Skipped("not checked: the driver hangs".to_owned());
            list.push(Check { name: "the rest of the list".to_owned(), outcome });
        }
        Err(GivenUp::Failed(error)) => return Err(error),
    }
    Ok(list.checks)
}

/// Why the list ends early.
enum GivenUp {
    Failed(io::Error),
    /// The driver did not answer or did not end, and was killed.
    Hangs,
}

impl From<io::Error> for GivenUp {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

struct List<'a> {
    driver: &'a Driver,
    /// Those that are checked; all where it is empty.
    operations: &'a [Operation],
    folder: &'a Path,
    stop: &'a AtomicBool,
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
        if let Some(manifest) = self.driver.manifest() {
            let result = unlike_manifest(methods, &manifest.methods).map_or(Ok(()), Err);
            self.note("describe: the methods of its driver.toml, in their order", result);
        }
    }

    fn check_methods(&mut self) -> Result<(), GivenUp> {
        for method in &self.driver.description.methods {
            let is_wanted =
                |operation: &&Operation| self.operations.is_empty() || self.operations.contains(operation);
            for &operation in method.operations.iter().filter(is_wanted) {
                self.check_method(method, operation)?;
                if self.stop.load(Ordering::Relaxed) {
                    return Err(io::Error::from(io::ErrorKind::Interrupted).into());
                }
            }
        }
        Ok(())
    }

    fn check_method(&mut self, method: &MethodDescription, operation: Operation) -> Result<(), GivenUp> {
        if let Some(reason) = &method.unavailable {
            let name = format!("{operation} {}", method.name);
            self.push(Check { name, outcome: Outcome::Skipped(reason.clone()) });
            return Ok(());
        }
        for (label, subject) in subjects::of(self.folder, method, operation)? {
            let shown = exercise(self.driver, &subject, self.stop);
            self.tell(format!("{operation} {}: {label}", method.name), shown)?;
        }
        for (label, shown) in contents::checks(self.driver, method, operation, self.folder, self.stop) {
            self.tell(format!("{operation} {}: {label}", method.name), shown)?;
        }
        self.check_marks(method, operation)?;
        // What is missing is what these are about, or they read nothing.
        let facts = operation.facts();
        let reads_paths =
            operation.takes_files() && !matches!(facts.works_on, WorksOn::Nothing | WorksOn::MissingFiles);
        if reads_paths && facts.answer != AnswerKind::Page {
            let name =
                format!("{operation} {}: a missing file is an error, and the driver goes on", method.name);
            if method.name != "null" {
                let result = missing_file(self.driver, method, operation, self.folder, self.stop);
                self.note(name, result);
                if !operation.writes() && facts.works_on != WorksOn::EmptiedFiles {
                    let good = subjects::for_marks(self.folder, method, operation)?.arguments.paths.remove(0);
                    let shown = evidence::failing_schedule(self.driver, method, operation, &good, self.stop);
                    self.tell(format!("{operation} {}: an error ends a schedule", method.name), shown)?;
                }
            }
        }
        if facts.works_on == WorksOn::MissingFiles && method.name != "null" {
            let shown = evidence::found_file(self.driver, method, operation, self.folder, self.stop);
            self.tell(format!("{operation} {}: a file that is there is an error", method.name), shown)?;
        }
        let arguments = subjects::for_marks(self.folder, method, operation)?.arguments;
        let shown = evidence::latencies(self.driver, &arguments, self.folder, self.stop);
        self.tell(format!("{operation} {}: each operation's own time", method.name), shown)?;
        if Setting::Close.concerns(operation) {
            let mut arguments = subjects::for_marks(self.folder, method, operation)?.arguments;
            arguments.parameters.settings.set(Setting::Close, "all".into());
            let shown = evidence::latencies(self.driver, &arguments, self.folder, self.stop);
            let name = format!("{operation} {}: each operation's own time, over all phases", method.name);
            self.tell(name, shown)?;
        }
        Ok(())
    }

    fn tell(&mut self, name: String, shown: Result<(), Fault>) -> Result<(), GivenUp> {
        let outcome = match shown {
            Ok(()) => Outcome::Passed,
            Err(Fault::Unsupported(reason)) => Outcome::Skipped(reason),
            Err(Fault::Wrong(how)) => Outcome::Failed(how),
            Err(Fault::Hangs(how)) => {
                self.push(Check { name, outcome: Outcome::Failed(how) });
                return Err(GivenUp::Hangs);
            }
        };
        self.push(Check { name, outcome });
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
            let mut command = self.driver.command().map_err(io::Error::other)?;
            let output =
                output_within(command.args(words), REFUSAL_LIMIT, REFUSAL_MAX_BYTES, Some(self.stop))?;
            Ok(output.status.code())
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
        let unfit = self.driver.description.methods.iter().find_map(|method| {
            let all = self.driver.description.methods.iter().flat_map(|other| &other.operations);
            let unfit = all.into_iter().find(|operation| !method.operations.contains(operation))?;
            Some((method.name.as_str(), unfit.word()))
        });
        let mut wrong: Vec<Vec<&str>> = vec![
            vec![],
            vec!["measure"],
            vec!["run"],
            vec!["run", "--operation", "null"],
            vec!["run", "--method", "null"],
            vec!["run", "--operation", "null", "--method", "null", "--path", "/", "--size", "0", "more"],
        ];
        if let Some((method, operation)) = unfit {
            wrong.push(vec![
                "run",
                "--operation",
                operation,
                "--method",
                method,
                "--path",
                "/",
                "--size",
                "1",
            ]);
        }
        let result = wrong
            .iter()
            .try_for_each(|words| is_2(run(words)).map_err(|how| format!("`{}`: {how}", words.join(" "))));
        self.note("arguments that are missing, too many or unfit end it with exit code 2", result);
        let nonsense = nonsense_line(self.driver, self.stop);
        self.note("a line that makes no sense is an error, and the driver goes on", nonsense);
        let hang_up = hang_up(self.driver, self.stop);
        self.note("the end of its input ends it with exit code 0", hang_up);
    }
}

/// Where what a driver says of its methods is not what its manifest does, for people.
fn unlike_manifest(described: &[MethodDescription], listed: &[MethodDescription]) -> Option<String> {
    // Whether a method can run here is not for a manifest to say.
    let here = |method: &MethodDescription| MethodDescription { unavailable: None, ..method.clone() };
    let differs = |(described, listed): (&MethodDescription, &MethodDescription)| {
        (here(described) != *listed).then(|| format!("`{}` is not `{}`", described.name, listed.name))
    };
    let unequal = || format!("{} methods, {} in driver.toml", described.len(), listed.len());
    let first = described.iter().zip(listed).find_map(differs);
    first.or_else(|| (described.len() != listed.len()).then(unequal))
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
    let failed = |error| TraceError::Start { program: driver.facts.program.clone(), error };
    let arguments = &with_directory(arguments).map_err(failed)?;
    let plan = CountPlan { warm_up: 1, operations: 2, repetitions: 1, ..CountPlan::default() };
    let script = plan.script();
    let mut command = driver.command().map_err(|error| failed(io::Error::other(error)))?;
    command.args(arguments.to_words());
    let options = Options { stdin: script.as_bytes(), ..Options::default() };
    let run = fathom_trace::run(&mut command, &options)?;
    fathom_trace::count_pass(&run, &plan, &DataPaths::new(arguments.paths.clone())).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_has_the_same_methods_in_the_same_order() {
        let method = |name: &str, unavailable: Option<&str>| MethodDescription {
            name: name.to_owned(),
            operations: vec![Operation::OpenClose],
            does: String::new(),
            unavailable: unavailable.map(str::to_owned),
            takes: Vec::new(),
            flaw: None,
        };
        let listed = [method("a", None), method("b", None)];
        assert_eq!(unlike_manifest(&[method("a", None), method("b", Some("not here"))], &listed), None);
        let swapped = unlike_manifest(&[method("b", None), method("a", None)], &listed);
        assert_eq!(swapped.as_deref(), Some("`b` is not `a`"));
        let fewer = unlike_manifest(&[method("a", None)], &listed);
        assert_eq!(fewer.as_deref(), Some("1 methods, 2 in driver.toml"));
    }
}
