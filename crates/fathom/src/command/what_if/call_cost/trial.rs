//! One run of the command: alone, or with calls made again or delayed in it.

use super::written::Written;
use crate::command::Hinted;
use crate::command::explained;
use crate::command::stop::{Interrupted, Stop};
use anyhow::Context;
use fathom_audit::CostRun;
use fathom_events::{CallName, FileAction, FileEvent, Target};
use fathom_model::Cut;
use fathom_sys::child_usage;
use fathom_sys::child_wait::{Waited, die_with_starter, kill_group, wait_for};
use fathom_trace::{FileTraceEnd, FileTraceOptions, Repetition, Window, trace_files};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::hash::{BuildHasher, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Where runs are made.
pub(super) struct Ground<'a> {
    pub(super) command: &'a [OsString],
    pub(super) shown: Vec<String>,
    pub(super) directory: PathBuf,
    pub(super) limit: Duration,
    pub(super) output: PathBuf,
    pub(super) errors: PathBuf,
    pub(super) hashes: std::hash::RandomState,
    pub(super) stop: &'a Stop,
}

/// How a run went.
pub(super) struct Trial {
    pub(super) run: CostRun,
    /// Its place in the block before that was shuffled.
    pub(super) which: usize,
    /// How often each call was made again, or the delay in its own units; `None` without the instrument.
    pub(super) amount: Option<u32>,
    pub(super) behavior: Behavior,
    /// Calls that were treated, by name, with the number of those whose answer was known.
    pub(super) treated: BTreeMap<String, (u64, u64)>,
    /// Answers that turned out to be others than was known.
    pub(super) differing: u64,
    /// What is in the files that are written.
    pub(super) written: Vec<u64>,
    /// The calls of the first thread in their order, as a number.
    pub(super) order: u64,
    pub(super) refusals: Vec<String>,
    pub(super) left_open: u64,
    /// Windows in which what was done changed.
    pub(super) windows: Vec<Window>,
    /// About how many bytes the hook writes of its calls, all together.
    pub(super) noted_bytes: u64,
    /// The program's own calls, by name; none where they were not watched.
    pub(super) calls: BTreeMap<CallName, u64>,
}

/// What others see of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Behavior {
    pub(super) exit_code: Option<i32>,
    pub(super) signal: Option<i32>,
    pub(super) output: u64,
    pub(super) errors: u64,
}

impl Trial {
    /// Calls whose answer was known from a call before.
    pub(super) fn known(&self) -> u64 {
        self.treated.values().map(|(_, known)| known).sum()
    }
}

impl Ground<'_> {
    /// The command, with no input and what it writes in files.
    pub(super) fn command(&self) -> anyhow::Result<Command> {
        let (program, rest) = self.command.split_first().context("there is no command")?;
        let file =
            |path: &PathBuf| File::create(path).context("failed to make a file for what the command writes");
        let mut command = Command::new(program);
        command.args(rest).stdin(Stdio::null()).stdout(file(&self.output)?).stderr(file(&self.errors)?);
        // Ctrl-C is for Fathom, which ends the run in order.
        command.process_group(0);
        Ok(command)
    }

    pub(super) fn behavior(&self, status: std::process::ExitStatus) -> anyhow::Result<Behavior> {
        Ok(Behavior {
            exit_code: status.code(),
            signal: status.signal(),
            output: super::super::experiment::digest(&self.output, &self.hashes)?,
            errors: super::super::experiment::digest(&self.errors, &self.hashes)?,
        })
    }

    /// A run without the instrument.
    pub(super) fn alone(&self, written: &Written, block: u32) -> anyhow::Result<Trial> {
        self.stop.check()?;
        let mut command = self.command()?;
        // As the tracer does it in the other runs.
        die_with_starter(&mut command);
        let before = child_usage::of_awaited()?;
        let begun = Instant::now();
        let mut child =
            command.spawn().with_context(|| format!("failed to start {}", self.shown.join(" ")))?;
        let waited = wait_for(&mut child, self.limit, &self.stop.flag);
        let wall_ns = nanoseconds(begun.elapsed());
        let status = match waited {
            Ok(Waited::Ended(status)) => status,
            other => {
                kill_group(&mut child);
                return Err(match other {
                    Ok(Waited::Stopped) => Interrupted.into(),
                    Ok(_) => too_long(),
                    Err(error) => anyhow::Error::new(error).context("failed to wait for the command"),
                });
            }
        };
        let after = child_usage::of_awaited()?;
        let cpu_ns = (after.user_ns + after.system_ns).saturating_sub(before.user_ns + before.system_ns);
        Ok(Trial {
            run: CostRun {
                block,
                amount: None,
                wall_ns,
                held_ns: 0,
                held_others_ns: 0,
                cpu_ns,
                treated: 0,
                times: 0,
                treated_ns: 0,
                windows: 0,
            },
            which: 0,
            amount: None,
            behavior: self.behavior(status)?,
            treated: BTreeMap::new(),
            differing: 0,
            written: written.now(&self.hashes)?,
            order: 0,
            refusals: Vec::new(),
            left_open: 0,
            windows: Vec::new(),
            noted_bytes: 0,
            calls: BTreeMap::new(),
        })
    }

    /// A run with calls made again, delayed or answered.
    pub(super) fn treated(
        &self,
        repetition: &Repetition,
        written: &Written,
        (block, which, amount): (u32, usize, u32),
    ) -> anyhow::Result<Trial> {
        let (mut calls, mut wall_ns, mut first) = (BTreeMap::<CallName, u64>::new(), 0, None);
        let (mut order, mut noted_bytes) = (Order::new(self), 0);
        let (end, cpu_ns) = self.traced(Some(repetition), &mut |event, paths| {
            *calls.entry(event.call).or_default() += 1;
            // From the exec of the first process to its end.
            let first = *first.get_or_insert(event.process);
            order.take(&event, paths);
            noted_bytes += noted(&event, paths);
            if event.process == first && matches!(event.action, FileAction::Exit { whole: true, .. }) {
                wall_ns = event.at_ns;
            }
        })?;
        let tally = end.hook.unwrap_or_default();
        let sum = |of: fn(&fathom_trace::Treated) -> u64| tally.treated.values().map(of).sum();
        Ok(Trial {
            run: CostRun {
                block,
                amount: None,
                wall_ns,
                held_ns: nanoseconds(tally.held),
                held_others_ns: nanoseconds(tally.held_others),
                cpu_ns,
                treated: sum(|treated| treated.calls),
                times: sum(|treated| treated.times),
                treated_ns: sum(|treated| nanoseconds(treated.took)),
                windows: tally.windows.len() as u64,
            },
            which,
            amount: Some(amount),
            behavior: self.behavior(end.status)?,
            differing: sum(|treated| treated.differing),
            treated: tally
                .treated
                .into_iter()
                .map(|(name, treated)| (name, (treated.calls, treated.known)))
                .collect(),
            written: written.now(&self.hashes)?,
            order: order.number(),
            refusals: tally.refusals,
            left_open: tally.left_open,
            windows: tally.windows,
            noted_bytes,
            calls,
        })
    }

    /// A run under the instrument; the time on CPUs that it took, in ns.
    pub(super) fn traced(
        &self,
        repetition: Option<&Repetition>,
        sink: &mut dyn FnMut(FileEvent, &fathom_events::PathTable),
    ) -> anyhow::Result<(FileTraceEnd, u64)> {
        self.traced_command(&mut self.command()?, repetition, sink)
    }

    /// The same of a command that is not the one that is asked about.
    pub(super) fn traced_command(
        &self,
        command: &mut Command,
        repetition: Option<&Repetition>,
        sink: &mut dyn FnMut(FileEvent, &fathom_events::PathTable),
    ) -> anyhow::Result<(FileTraceEnd, u64)> {
        self.stop.check()?;
        let options = FileTraceOptions {
            time_limit: Some(self.limit),
            stop: Some(&self.stop.flag),
            hook: true,
            repetition,
            ..FileTraceOptions::default()
        };
        let before = child_usage::of_awaited()?;
        let end = trace_files(command, &options, sink).map_err(explained)?;
        let after = child_usage::of_awaited()?;
        self.stop.check()?;
        match end.cut {
            Some(Cut::TimeLimit(_)) => return Err(too_long()),
            Some(Cut::Interrupted(_)) => return Err(Interrupted.into()),
            None => {}
        }
        let cpu_ns = (after.user_ns + after.system_ns).saturating_sub(before.user_ns + before.system_ns);
        Ok((end, cpu_ns))
    }
}

/// The calls of the first thread in their order, as a number.
pub(super) struct Order {
    first: Option<u32>,
    hasher: <std::hash::RandomState as BuildHasher>::Hasher,
}

impl Order {
    pub(super) fn new(ground: &Ground<'_>) -> Self {
        Self { first: None, hasher: ground.hashes.build_hasher() }
    }

    pub(super) fn take(&mut self, event: &FileEvent, paths: &fathom_events::PathTable) {
        if event.thread != *self.first.get_or_insert(event.process) {
            return;
        }
        self.hasher.write(event.call.as_bytes());
        self.hasher.write_i32(event.outcome.errno().unwrap_or(0));
        for target in event.action.targets().into_iter().flatten() {
            if let Target::Path { path, .. } = target {
                self.hasher.write(paths.path(*path).as_bytes());
            }
        }
    }

    pub(super) fn number(&self) -> u64 {
        self.hasher.finish()
    }
}

/// About how many bytes the hook writes of a call: its numbers, its paths, and what a `stat` left.
fn noted(event: &FileEvent, paths: &fathom_events::PathTable) -> u64 {
    const NUMBERS: u64 = 120;
    const STATX: u64 = 256;
    let paths = event.action.targets().into_iter().flatten().map(|target| match target {
        Target::Path { path, .. } => paths.path(*path).len() as u64 + 8,
        Target::Descriptor(_) => 0,
    });
    let left = if matches!(event.action, FileAction::Stat { .. }) { STATX } else { 0 };
    NUMBERS + left + paths.sum::<u64>()
}

fn too_long() -> anyhow::Error {
    Hinted::error("a run took longer than --limit", "give it longer: --limit SECONDS")
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
