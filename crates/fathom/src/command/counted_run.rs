//! One run of a command whose calls are counted by their classes and held against budgets, live or
//! from a kept trace.

use crate::arguments::{Capture, Source};
use crate::command::audit::{End, Ground, Judge, Settings, Start, listen_to_file, to_command_on};
use crate::command::repository::without_git_variables;
use crate::command::stop::{Interrupted, Stop};
use anyhow::Context;
use fathom_audit::{
    Audit, Auditor, Budget, CallFilter, FactKind, Gap, PathClasses, PriceList as Priced, RunCalls,
};
use fathom_events::TraceReader;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How runs are counted.
#[derive(Clone, Copy)]
pub(in crate::command) struct Counting<'a> {
    pub(in crate::command) settings: &'a Settings,
    pub(in crate::command) prices: &'a Priced<'a>,
    pub(in crate::command) stop: &'a Stop,
    pub(in crate::command) limit: Duration,
    /// True where the stack of every call is taken.
    pub(in crate::command) stacks: bool,
}

/// One run.
pub(in crate::command) struct CountedRun {
    pub(in crate::command) audit: Audit,
    pub(in crate::command) calls: RunCalls,
    /// Exit code and signal.
    pub(in crate::command) exit: (Option<i32>, Option<i32>),
    pub(in crate::command) gaps: Vec<Gap>,
    pub(in crate::command) capture: Option<String>,
    pub(in crate::command) command: Vec<String>,
}

/// What came of trying to run a command.
pub(in crate::command) enum Tried {
    Ran(Box<CountedRun>),
    /// It did not start, for this reason.
    DidNotStart(String),
}

impl Counting<'_> {
    /// Runs a command once in a directory, with nothing to read and nobody who listens.
    pub(in crate::command) fn run(
        &self,
        directory: &Path,
        words: &[String],
        classes: PathClasses,
        filter: CallFilter,
        budgets: &[Budget],
    ) -> anyhow::Result<Tried> {
        self.stop.check()?;
        let Some((program, rest)) = words.split_first() else { unreachable!("a command has words") };
        let mut process = Command::new(program);
        process.args(rest).current_dir(directory);
        process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        without_git_variables(&mut process);
        let source = Source {
            strace: None,
            stacks: self.stacks,
            cheap_stacks: false,
            wants_lines: false,
            capture: Capture::Auto,
            pid: None,
            container: None,
            cgroup: None,
            seconds: None,
            command: words.iter().map(OsString::from).collect(),
        };
        let ground = Ground {
            directory: directory.to_owned(),
            time_limit: Some(self.limit),
            signal: &self.stop.number,
            stop: Some(&self.stop.flag),
        };
        let mut judge = self.judge(budgets, filter, classes);
        let end = match to_command_on(&ground, &mut process, &source, &mut judge) {
            Ok(end) => end,
            Err(error) => {
                self.stop.check()?;
                return match error.to_string() {
                    text if text.starts_with("failed to start") => Ok(Tried::DidNotStart(text)),
                    _ => Err(error),
                };
            }
        };
        if end.interrupted {
            return Err(Interrupted.into());
        }
        self.stop.check()?;
        Ok(Tried::Ran(Box::new(self.judged(judge, &end, budgets, Sources::as_they_are(directory)))))
    }

    /// The run that a trace kept. Paths are classed by the directory in which it was started.
    pub(in crate::command) fn kept(
        &self,
        path: &Path,
        classes: impl Fn(Option<&str>) -> PathClasses,
        budgets: &[Budget],
    ) -> anyhow::Result<CountedRun> {
        let failed = || format!("failed to read {}", path.display());
        let opened = BufReader::new(File::open(path).with_context(failed)?);
        let directory = TraceReader::new(opened).ok().and_then(|reader| reader.header().directory.clone());
        let mut judge = self.judge(budgets, CallFilter::new(), classes(directory.as_deref()));
        let end = listen_to_file(path, &mut judge)?;
        // What lies there now may be another version than what was traced.
        Ok(self.judged(judge, &end, budgets, Sources::unread()))
    }

    fn judge(&self, budgets: &[Budget], filter: CallFilter, classes: PathClasses) -> Judge<'static> {
        let auditor = Auditor::new()
            .with_budgets(budgets)
            .with_tolerances(self.settings.tolerances.clone())
            .with_rules(self.settings.rules.clone())
            .counting_classes(filter, classes);
        Judge { auditor, start: Start::default(), prices: None }
    }

    fn judged(&self, judge: Judge<'_>, end: &End, budgets: &[Budget], mut sources: Sources) -> CountedRun {
        let Judge { auditor, start, .. } = judge;
        let mut explain = end.stacks.clone().into_explain();
        let (mut audit, calls) =
            auditor.finish_with_classes(&mut explain, &mut |file, line| sources.line(file, line));
        audit.command = start.command(end);
        audit.admit(end.gaps.iter().cloned());
        audit.price(self.prices);
        audit.settle(budgets);
        let capture = end.facts.iter().find(|fact| fact.kind == FactKind::Capture);
        CountedRun {
            gaps: audit.gaps.clone(),
            audit,
            calls,
            exit: (end.exit_code, end.signal),
            capture: capture.map(|fact| fact.text.clone()),
            command: start.command,
        }
    }
}

/// Lines of the sources that a run was built from.
struct Sources {
    /// Where it was started; `None` where they are not read.
    directory: Option<PathBuf>,
    files: HashMap<String, Vec<String>>,
}

impl Sources {
    /// The largest file that is read, in bytes.
    const BYTES_MAX: u64 = 4 << 20;
    /// Where the packages of a Java program begin, below where it is started.
    const PACKAGES: [&str; 3] = ["", "src/main/java", "src"];

    fn as_they_are(directory: &Path) -> Self {
        Self { directory: Some(directory.to_owned()), files: HashMap::new() }
    }

    fn unread() -> Self {
        Self { directory: None, files: HashMap::new() }
    }

    /// Where a file is that a stack names.
    fn place(directory: &Path, file: &str) -> Option<PathBuf> {
        if Path::new(file).is_absolute() {
            return Some(PathBuf::from(file));
        }
        // By its package; any other relative name may be meant from anywhere.
        file.strip_suffix(".java")?;
        let mut places = Self::PACKAGES.iter().map(|packages| directory.join(packages).join(file));
        places.find(|place| place.is_file())
    }

    /// A line, from 1, without the space around it.
    fn line(&mut self, file: &str, line: u32) -> Option<String> {
        let directory = self.directory.as_ref()?;
        let lines = self.files.entry(file.to_owned()).or_insert_with(|| {
            let is_source = |facts: std::fs::Metadata| facts.is_file() && facts.len() <= Self::BYTES_MAX;
            let place = Self::place(directory, file);
            let place = place.filter(|place| std::fs::metadata(place).is_ok_and(is_source));
            let text = place.and_then(|place| std::fs::read_to_string(place).ok()).unwrap_or_default();
            text.lines().map(|line| line.trim().to_owned()).collect()
        });
        lines.get(usize::try_from(line).ok()?.checked_sub(1)?).cloned()
    }
}

/// How a run ended, in words.
pub(in crate::command) fn ended((code, signal): (Option<i32>, Option<i32>)) -> String {
    match (code, signal) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "an unknown status".to_owned(),
    }
}
