//! Several starts of a command at once: by threads of Fathom's own, or by the ranks behind an MPI launcher.

use super::launch::{Ended, Launcher, end_of};
use super::{CommandError, CommandWords};
use crate::drivers::driver_set::Driver;
use crate::processes::launch::Launch;
use crate::processes::process::{DriverProcess, ProcessError};
use crate::processes::protocol::{Answer, Done, RunArguments};
use fathom_model::{
    CommandArm, CommandRanks, CommandRun, Content, DataSet, Operation, Parameters, ProcessEnd, RankFacts,
    RankStart,
};
use fathom_sys::child_usage::ChildUsage;
use std::fmt::Write as _;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// From the agreement on a moment to that moment: threads that wait for it are woken meanwhile.
const AHEAD: Duration = Duration::from_millis(5);
/// The same for each of them.
const AHEAD_EACH: Duration = Duration::from_micros(100);
/// Ranks may be busy with their commands for so long; then they are given up.
const ROUND_LIMIT: Duration = Duration::from_hours(1);
/// A thread does little more than start a process.
const STACK_BYTES: usize = 256 << 10;

/// Who starts a command, on how many ranks.
#[derive(Debug, Clone)]
pub struct StartPlan {
    /// The ranks.
    pub ranks: u32,
    /// The driver that runs as ranks behind a launcher; without one Fathom starts commands itself.
    pub driver: Option<Driver>,
}

/// Ranks that are there.
#[derive(Debug)]
pub(super) struct Starter<'a> {
    pub(super) ranks: CommandRanks,
    process: Option<DriverProcess<'a>>,
}

impl<'a> Starter<'a> {
    pub(super) fn begin(plan: &StartPlan, stop: &'a AtomicBool) -> Result<Self, CommandError> {
        let Some(driver) = &plan.driver else {
            let ranks = (0..plan.ranks).map(rank_here).collect();
            return Ok(Self { ranks: CommandRanks { launcher: Vec::new(), ranks }, process: None });
        };
        let mut process = DriverProcess::start(driver, &arguments(), 0, stop).map_err(failed)?;
        process.limit_answers(ROUND_LIMIT);
        let launcher = driver.launcher().map_or_else(Vec::new, |launcher| launcher.words.clone());
        let ranks = CommandRanks { launcher, ranks: process.ranks().to_vec() };
        Ok(Self { ranks, process: Some(process) })
    }

    /// Starts a command on its ranks in one moment, and waits for the ends of all; true beside the run
    /// where processes of a command go on.
    pub(super) fn round(
        &mut self,
        launcher: &Launcher<'_>,
        command: &CommandWords,
        arm: CommandArm,
    ) -> Result<(CommandRun, bool), CommandError> {
        let all = match &mut self.process {
            None => start_here(launcher, command)?,
            Some(process) => {
                let done = process.ask(&line(command)).map_err(failed)?;
                read(done, command)?
            }
        };
        for (ended, rank) in all.iter().zip(&self.ranks.ranks) {
            launcher.check_at(
                &command.text,
                &format!(" on rank {} ({})", rank.rank, rank.host),
                &ended.end,
            )?;
        }
        Ok((together(&all, arm), all.iter().any(|ended| ended.left_processes)))
    }

    /// Ends the ranks in order.
    pub(super) fn quit(self) -> Result<(), CommandError> {
        self.process.map_or(Ok(()), |process| process.quit().map(drop).map_err(failed))
    }
}

fn failed(error: ProcessError) -> CommandError {
    match error {
        ProcessError::Interrupted => CommandError::Interrupted,
        error => CommandError::Ranks(error.to_string()),
    }
}

fn rank_here(rank: u32) -> RankFacts {
    let read =
        |path| std::fs::read_to_string(path).map_or("unknown".to_owned(), |text| text.trim().to_owned());
    RankFacts {
        rank,
        host: read("/proc/sys/kernel/hostname"),
        boot: read("/proc/sys/kernel/random/boot_id"),
        pid: std::process::id(),
        clock_offset_ns: 0,
        clock_error_ns: 0,
    }
}

/// A driver that is asked for no operation but `start`.
fn arguments() -> RunArguments {
    RunArguments {
        operation: Operation::Null,
        methods: vec!["null".to_owned()],
        paths: Vec::new(),
        size_bytes: 0,
        parameters: Parameters::new(DataSet { files: 1, size_bytes: 0, content: Content::Random }, 1),
        seed: 0,
        marks: false,
        directory: None,
        latencies: None,
        evicts: false,
        path_list: None,
        launch: Launch::default(),
    }
}

fn start_here(launcher: &Launcher<'_>, command: &CommandWords) -> Result<Vec<Ended>, CommandError> {
    let gate: OnceLock<Option<Instant>> = OnceLock::new();
    let gate = &gate;
    let start = move |rank: u32| {
        // Nobody starts where not all could.
        let moment = (*gate.wait()).ok_or(CommandError::Interrupted)?;
        std::thread::sleep(moment.saturating_duration_since(Instant::now()));
        launcher.run_as(&command.text, &command.words, Some(rank))
    };
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for rank in 0..command.starts {
            let thread =
                std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, move || start(rank));
            match thread {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    let _only_here = gate.set(None);
                    return Err(CommandError::Io { what: "failed to start a thread for a rank", error });
                }
            }
        }
        let _only_here = gate.set(Some(Instant::now() + AHEAD + AHEAD_EACH * command.starts));
        // All are waited for before the first that failed is named.
        let ended: Vec<_> =
            threads.into_iter().map(|thread| thread.join().expect("it panics nowhere")).collect();
        ended.into_iter().collect()
    })
}

/// The line that asks for a start: its words in hexadecimal, so that they may hold anything.
fn line(command: &CommandWords) -> String {
    let mut line = format!("start {}", command.starts);
    for word in &command.words {
        line.push(' ');
        word.bytes().for_each(|byte| write!(line, "{byte:02x}").expect("a String grows"));
    }
    line
}

fn read(answer: Answer, command: &CommandWords) -> Result<Vec<Ended>, CommandError> {
    match answer {
        Answer::Done(done) => {
            let all = (0..command.starts).map(|rank| start_of(&done, rank)).collect::<Option<Vec<_>>>();
            all.ok_or_else(|| {
                CommandError::Ranks("the mpi driver's answer to `start` lacks figures".to_owned())
            })
        }
        Answer::Error(error) => {
            Err(CommandError::Ranks(format!("failed to start `{}`: {error}", command.text)))
        }
        other => Err(CommandError::Ranks(format!("the mpi driver answered `start` with {other:?}"))),
    }
}

fn start_of(done: &Done, rank: u32) -> Option<Ended> {
    let figure = |name: &str| done.figures.get(&format!("rank{rank}_{name}")).copied();
    let (cpu_ns, system_ns) = (figure("cpu_ns")?, figure("system_ns")?);
    Some(Ended {
        begun_ns: figure("start_ns")?,
        wall_ns: figure("ns")?,
        usage: ChildUsage {
            user_ns: cpu_ns.saturating_sub(system_ns),
            system_ns,
            minor_faults: figure("minflt")?,
            major_faults: figure("majflt")?,
            voluntary_switches: figure("nvcsw")?,
            involuntary_switches: figure("nivcsw")?,
            peak_resident_bytes: figure("peak_bytes")?,
        },
        end: end_of(ExitStatus::from_raw(i32::try_from(figure("status")?).ok()?)),
        left_processes: figure("left")? > 0,
    })
}

/// The run that several starts are.
fn together(all: &[Ended], arm: CommandArm) -> CommandRun {
    let runs: Vec<CommandRun> = all.iter().map(|ended| ended.as_run(arm)).collect();
    let first_ns = all.iter().map(|ended| ended.begun_ns).min().unwrap_or(0);
    let last_ns = all.iter().map(|ended| ended.begun_ns + ended.wall_ns).max().unwrap_or(0);
    let sum = |figure: fn(&CommandRun) -> u64| runs.iter().map(figure).sum();
    let bad = runs.iter().map(|run| &run.end).find(|end| **end != ProcessEnd::Exited(0));
    let starts = all.iter().map(|ended| RankStart {
        start_ns: ended.begun_ns - first_ns,
        wall_ns: ended.wall_ns,
        cpu_ns: ended.usage.user_ns + ended.usage.system_ns,
        end: ended.end.clone(),
    });
    CommandRun {
        arm,
        wall_ns: last_ns - first_ns,
        user_ns: sum(|run| run.user_ns),
        system_ns: sum(|run| run.system_ns),
        minor_faults: sum(|run| run.minor_faults),
        major_faults: sum(|run| run.major_faults),
        voluntary_switches: sum(|run| run.voluntary_switches),
        involuntary_switches: sum(|run| run.involuntary_switches),
        peak_resident_bytes: runs.iter().map(|run| run.peak_resident_bytes).max().unwrap_or(0),
        end: bad.cloned().unwrap_or(ProcessEnd::Exited(0)),
        starts: starts.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(begun_ns: u64, wall_ns: u64, code: i32) -> Ended {
        let usage = ChildUsage {
            user_ns: 2,
            system_ns: 1,
            minor_faults: 0,
            major_faults: 0,
            voluntary_switches: 0,
            involuntary_switches: 0,
            peak_resident_bytes: begun_ns,
        };
        Ended { begun_ns, wall_ns, usage, end: ProcessEnd::Exited(code), left_processes: false }
    }

    #[test]
    fn a_round_lasts_from_the_first_start_to_the_last_end() {
        let run = together(&[ended(100, 50, 0), ended(90, 10, 3), ended(120, 20, 0)], CommandArm::New);
        assert_eq!((run.wall_ns, run.user_ns, run.peak_resident_bytes), (60, 6, 120));
        assert_eq!(run.end, ProcessEnd::Exited(3));
        let starts: Vec<_> = run.starts.iter().map(|one| (one.start_ns, one.wall_ns)).collect();
        assert_eq!(starts, [(10, 50), (0, 10), (30, 20)]);
    }

    #[test]
    fn words_of_a_start_may_hold_anything() {
        let words = ["sh", "a b\n"].map(str::to_owned).to_vec();
        let command = CommandWords { text: "x".to_owned(), words, starts: 3 };
        assert_eq!(line(&command), "start 3 7368 6120620a");
    }
}
