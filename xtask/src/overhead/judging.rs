//! `cargo xtask overhead --judging`: how much CPU time judging takes beside that of `git status`,
//! `tar` and `find` of many files, and what `fathom audit` adds to the first and to a command that does
//! nothing. The arms run in an order drawn anew each time.

use super::worker::Place;
use crate::calibrate::figures::Middle;
use crate::calibrate::note;
use anyhow::{Context, bail, ensure};
use fathom_sys::child_usage;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// So many files in directories of so many.
const FILES: usize = 6_000;
const FILES_OF_A_DIRECTORY: usize = 60;

/// What is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Program {
    GitStatus,
    Tar,
    TarOfNames,
    Find,
}

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Arm {
    Alone(Program),
    Judged(Program),
    Ring,
    Ptrace,
    Kept,
    Nothing,
    NothingByRing,
    NothingByPtrace,
}

/// A repository with traces of programs in it, and what judges those.
#[derive(Debug)]
struct Repository {
    folder: PathBuf,
    traces: PathBuf,
    fathom: PathBuf,
    judge: PathBuf,
}

/// One run, in ms.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) wall: f64,
    /// Of an arm that judges the judging alone, without what begins it.
    pub(super) cpu: f64,
}

/// Measures and returns the tables.
pub(super) fn measure(fathom: &Path, judge: &Path, place: &Place, rounds: u32) -> anyhow::Result<String> {
    let repository = Repository::make(fathom, judge, place.directory())?;
    let mut times: BTreeMap<Arm, Vec<Run>> = BTreeMap::new();
    for round in 0..rounds {
        note(&format!("round {} of {rounds}", round + 1));
        let mut order = Arm::all();
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(u64::from(round)));
        for arm in order {
            times.entry(arm).or_default().push(arm.run(&repository)?);
        }
    }
    Ok(format!("{}\n{}", shares(&times), table(&times)))
}

impl Program {
    const ALL: [Self; 4] = [Self::GitStatus, Self::Tar, Self::TarOfNames, Self::Find];

    fn words(self) -> &'static [&'static str] {
        match self {
            Self::GitStatus => &["git", "status"],
            Self::Tar => &["tar", "-cf", "../all.tar", "."],
            // It knows where that leads, and reads no file.
            Self::TarOfNames => &["tar", "-cf", "/dev/null", "."],
            Self::Find => &["find", ".", "-size", "+100k"],
        }
    }

    fn name(self) -> String {
        format!("`{}`", self.words().join(" "))
    }
}

impl Repository {
    fn make(fathom: &Path, judge: &Path, within: &Path) -> anyhow::Result<Self> {
        let (folder, traces) = (within.join("repository"), within.to_owned());
        make_repository(&folder)?;
        let (fathom, judge) = (fathom.to_owned(), judge.to_owned());
        let made = Self { folder, traces, fathom, judge };
        for program in Program::ALL {
            let mut keep = Command::new(&made.fathom);
            keep.arg("trace").arg("-o").arg(made.trace(program)).arg("--").args(program.words());
            run(keep.current_dir(&made.folder))?;
        }
        Ok(made)
    }

    fn trace(&self, program: Program) -> PathBuf {
        self.traces.join(format!("{program:?}.trace"))
    }
}

/// 6,000 files, committed.
pub(super) fn make_repository(folder: &Path) -> anyhow::Result<()> {
    for number in 0..FILES {
        let directory = folder.join(format!("d{:02}", number / FILES_OF_A_DIRECTORY));
        fs::create_dir_all(&directory)?;
        fs::write(directory.join(format!("file{number:04}.txt")), format!("{number}\n"))?;
    }
    // What is as new as git's index is read again by every `git status`.
    thread::sleep(Duration::from_millis(1_100));
    let identity = ["-c", "user.name=fathom", "-c", "user.email=fathom@localhost", "-c", "gc.auto=0"];
    let steps: [&[&str]; 4] = [&["init", "-q"], &["add", "-A"], &["commit", "-qm", "all"], &["status"]];
    for step in steps {
        run(Command::new("git").args(identity).args(step).current_dir(folder))?;
    }
    Ok(())
}

impl Arm {
    fn all() -> Vec<Self> {
        let of_programs = Program::ALL.into_iter().flat_map(|of| [Self::Alone(of), Self::Judged(of)]);
        let others =
            [Self::Ring, Self::Ptrace, Self::Kept, Self::Nothing, Self::NothingByRing, Self::NothingByPtrace];
        of_programs.chain(others).collect()
    }

    /// Its name in the second table; judging alone is in the first.
    fn name(self) -> Option<String> {
        Some(match self {
            Self::Alone(Program::GitStatus) => Program::GitStatus.name(),
            Self::Alone(_) | Self::Judged(_) => return None,
            Self::Ring => "`fathom audit --capture ring -- git status`".to_owned(),
            Self::Ptrace => "`fathom audit --capture ptrace -- git status`".to_owned(),
            Self::Kept => "`fathom audit --from` its kept trace".to_owned(),
            Self::Nothing => "`true`".to_owned(),
            Self::NothingByRing => "`fathom audit --capture ring -- true`".to_owned(),
            Self::NothingByPtrace => "`fathom audit --capture ptrace -- true`".to_owned(),
        })
    }

    /// How long it takes.
    fn run(self, repository: &Repository) -> anyhow::Result<Run> {
        let audit = |words: &[&str]| {
            let mut command = Command::new(&repository.fathom);
            command.args(["audit", "--no-config"]).args(words);
            command
        };
        let mut command = match self {
            Self::Judged(program) => return judged(repository, program),
            Self::Alone(program) => {
                let mut command = Command::new(program.words()[0]);
                command.args(&program.words()[1..]);
                command
            }
            Self::Ring => audit(&["--capture", "ring", "--", "git", "status"]),
            Self::Ptrace => audit(&["--capture", "ptrace", "--", "git", "status"]),
            Self::Kept => audit(&["--from", &repository.trace(Program::GitStatus).to_string_lossy()]),
            Self::Nothing => Command::new("true"),
            Self::NothingByRing => audit(&["--capture", "ring", "--", "true"]),
            Self::NothingByPtrace => audit(&["--capture", "ptrace", "--", "true"]),
        };
        timed(command.current_dir(&repository.folder))
    }
}

/// Runs a command to its end; an audit may find something.
pub(super) fn timed(command: &mut Command) -> anyhow::Result<Run> {
    let (before, begun) = (cpu_ms()?, Instant::now());
    run(command)?;
    Ok(Run { wall: begun.elapsed().as_secs_f64() * 1e3, cpu: cpu_ms()? - before })
}

/// A fresh process judges a trace once, and says how long that was on a CPU.
fn judged(repository: &Repository, program: Program) -> anyhow::Result<Run> {
    let mut command = Command::new(&repository.judge);
    let begun = Instant::now();
    let output = command.arg(repository.trace(program)).arg("1").stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("failed to start {}", repository.judge.display()))?;
    ensure!(output.status.success(), "{command:?}: {}", output.status);
    let text = String::from_utf8_lossy(&output.stdout);
    let ms = |name: &str| {
        let row = text.lines().find_map(|line| line.strip_prefix(name));
        let first = row.and_then(|row| row.split_whitespace().next()?.parse::<f64>().ok());
        first.with_context(|| format!("{} says nothing of {name}", repository.judge.display()))
    };
    Ok(Run { wall: begun.elapsed().as_secs_f64() * 1e3, cpu: ms("events")? + ms("findings")? })
}

/// CPU time of the children that ended.
fn cpu_ms() -> anyhow::Result<f64> {
    let used = child_usage::of_awaited()?;
    Ok((used.user_ns + used.system_ns) as f64 / 1e6)
}

/// Runs it to its end; an audit may find something. It is killed, which is an error, after a minute.
pub(super) fn run(command: &mut Command) -> anyhow::Result<()> {
    const LIMIT: Timespec = Timespec { tv_sec: 60, tv_nsec: 0 };
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child =
        quiet.spawn().with_context(|| format!("failed to start {}", command.get_program().display()))?;
    let end = pidfd_open(Pid::from_child(&child), PidfdFlags::empty())?;
    if poll(&mut [PollFd::new(&end, PollFlags::IN)], Some(&LIMIT))? == 0 {
        child.kill()?;
        child.wait()?;
        bail!("{command:?} did not end within {} s", LIMIT.tv_sec);
    }
    let status = child.wait()?;
    ensure!(matches!(status.code(), Some(0 | 1)), "{command:?}: {status}");
    Ok(())
}

/// CPU time of judging by that of the program, in each round.
fn shares(times: &BTreeMap<Arm, Vec<Run>>) -> String {
    let mut text = format!(
        "CPU time of judging beside that of the program, both of fresh processes in turn; {FILES} files:\n\n| program | its own, ms | judging, ms | share | n |\n|---|---:|---:|---:|---:|\n"
    );
    for program in Program::ALL {
        let cpu = |arm| times.get(&arm).into_iter().flatten().map(|run| run.cpu).collect::<Vec<_>>();
        let (own, judging) = (cpu(Arm::Alone(program)), cpu(Arm::Judged(program)));
        let logarithms: Vec<_> =
            own.iter().zip(&judging).map(|(own, judging)| (judging / own).ln()).collect();
        let middles = (Middle::of(&own), Middle::of(&judging), Middle::of_logarithms(&logarithms));
        let (Some(own), Some(judging), Some(share)) = middles else { continue };
        let _infallible = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            program.name(),
            own.text(1),
            judging.text(1),
            share.text(2),
            share.n
        );
    }
    text
}

fn table(times: &BTreeMap<Arm, Vec<Run>>) -> String {
    let mut text = "What an audit adds, with all that it does:\n\n| run | ms | least | CPU, ms | n |\n|---|---:|---:|---:|---:|\n".to_owned();
    for (arm, runs) in times {
        let [wall, cpu] =
            [|run: &Run| run.wall, |run: &Run| run.cpu].map(|of| runs.iter().map(of).collect::<Vec<_>>());
        let (Some(name), Some(wall_ms), Some(cpu_ms)) = (arm.name(), Middle::of(&wall), Middle::of(&cpu))
        else {
            continue;
        };
        let least = wall.iter().copied().fold(f64::INFINITY, f64::min);
        let _infallible = writeln!(
            text,
            "| {name} | {} | {least:.1} | {} | {} |",
            wall_ms.text(1),
            cpu_ms.text(1),
            wall_ms.n
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times() -> BTreeMap<Arm, Vec<Run>> {
        let runs = |cpu: f64| [3.0, 1.5, 2.0].map(|wall| Run { wall, cpu: cpu * wall }).to_vec();
        let cpu = |arm: &Arm| if matches!(arm, Arm::Judged(_)) { 1.0 } else { 4.0 };
        Arm::all().into_iter().map(|arm| (arm, runs(cpu(&arm)))).collect()
    }

    #[test]
    fn every_arm_is_a_row() {
        let text = table(&times());
        let named = Arm::all().into_iter().filter_map(Arm::name).count();
        assert_eq!(text.lines().filter(|line| line.contains("| 1.5 | 8.0 [")).count(), named, "{text}");
    }

    #[test]
    fn a_share_is_of_the_runs_beside_each_other() {
        let text = shares(&times());
        let rows = text.lines().filter(|line| line.contains("| 8.0 [?, ?] | 2.0 [?, ?] | 0.25 [?, ?] | 3 |"));
        assert_eq!(rows.count(), Program::ALL.len(), "{text}");
    }
}
