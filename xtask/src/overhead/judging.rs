//! `cargo xtask overhead --judging`: what `fathom audit` adds to `git status` of a repository of
//! many files, and to a command that does nothing. The arms run in an order drawn anew each time.

use super::worker::Place;
use crate::calibrate::figures::Middle;
use crate::calibrate::note;
use anyhow::{Context, ensure};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
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

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Arm {
    Git,
    Ring,
    Ptrace,
    Kept,
    Nothing,
    NothingByRing,
    NothingByPtrace,
}

/// A repository, and a trace of `git status` in it.
#[derive(Debug)]
struct Repository {
    folder: PathBuf,
    trace: PathBuf,
}

/// Measures and returns the table.
pub(super) fn measure(fathom: &Path, place: &Place, rounds: u32) -> anyhow::Result<String> {
    let repository = Repository::make(fathom, place.directory())?;
    let mut times: BTreeMap<Arm, Vec<f64>> = BTreeMap::new();
    for round in 0..rounds {
        note(&format!("round {} of {rounds}", round + 1));
        let mut order = Arm::ALL;
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(u64::from(round)));
        for arm in order {
            times.entry(arm).or_default().push(arm.ms(fathom, &repository)?);
        }
    }
    Ok(table(&times))
}

impl Repository {
    fn make(fathom: &Path, within: &Path) -> anyhow::Result<Self> {
        let (folder, trace) = (within.join("repository"), within.join("kept.trace"));
        for number in 0..FILES {
            let directory = folder.join(format!("d{:02}", number / FILES_OF_A_DIRECTORY));
            fs::create_dir_all(&directory)?;
            fs::write(directory.join(format!("file{number:04}.txt")), format!("{number}\n"))?;
        }
        // What is as new as git's index is read again by every `git status`.
        thread::sleep(Duration::from_millis(1_100));
        let identity = ["-c", "user.name=fathom", "-c", "user.email=fathom@localhost"];
        let steps: [&[&str]; 4] = [&["init", "-q"], &["add", "-A"], &["commit", "-qm", "all"], &["status"]];
        for step in steps {
            run(Command::new("git").args(identity).args(step).current_dir(&folder))?;
        }
        let mut keep = Command::new(fathom);
        keep.arg("trace").arg("-o").arg(&trace).args(["--", "git", "status"]).current_dir(&folder);
        run(&mut keep)?;
        Ok(Self { folder, trace })
    }
}

impl Arm {
    const ALL: [Self; 7] = [
        Self::Git,
        Self::Ring,
        Self::Ptrace,
        Self::Kept,
        Self::Nothing,
        Self::NothingByRing,
        Self::NothingByPtrace,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Git => "`git status`",
            Self::Ring => "`fathom audit --capture ring -- git status`",
            Self::Ptrace => "`fathom audit --capture ptrace -- git status`",
            Self::Kept => "`fathom audit --from` its kept trace",
            Self::Nothing => "`true`",
            Self::NothingByRing => "`fathom audit --capture ring -- true`",
            Self::NothingByPtrace => "`fathom audit --capture ptrace -- true`",
        }
    }

    /// How long it takes, in ms.
    fn ms(self, fathom: &Path, repository: &Repository) -> anyhow::Result<f64> {
        let audit = |words: &[&str]| {
            let mut command = Command::new(fathom);
            command.args(["audit", "--no-config"]).args(words);
            command
        };
        let mut command = match self {
            Self::Git => {
                let mut git = Command::new("git");
                git.arg("status");
                git
            }
            Self::Ring => audit(&["--capture", "ring", "--", "git", "status"]),
            Self::Ptrace => audit(&["--capture", "ptrace", "--", "git", "status"]),
            Self::Kept => audit(&["--from", &repository.trace.to_string_lossy()]),
            Self::Nothing => Command::new("true"),
            Self::NothingByRing => audit(&["--capture", "ring", "--", "true"]),
            Self::NothingByPtrace => audit(&["--capture", "ptrace", "--", "true"]),
        };
        command.current_dir(&repository.folder);
        let begun = Instant::now();
        run(&mut command)?;
        Ok(begun.elapsed().as_secs_f64() * 1e3)
    }
}

/// Runs it to its end; an audit may find something.
fn run(command: &mut Command) -> anyhow::Result<()> {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status =
        quiet.status().with_context(|| format!("failed to start {}", command.get_program().display()))?;
    ensure!(matches!(status.code(), Some(0 | 1)), "{command:?}: {status}");
    Ok(())
}

fn table(times: &BTreeMap<Arm, Vec<f64>>) -> String {
    let mut text = format!(
        "### `git status` of {FILES} files under the audit\n\n| run | ms | least | n |\n|---|---:|---:|---:|\n"
    );
    for (arm, ms) in times {
        let Some(middle) = Middle::of(ms) else { continue };
        let least = ms.iter().copied().fold(f64::INFINITY, f64::min);
        let _infallible =
            writeln!(text, "| {} | {} | {least:.1} | {} |", arm.name(), middle.text(1), middle.n);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_arm_is_a_row() {
        let times = Arm::ALL.into_iter().map(|arm| (arm, vec![3.0, 1.5, 2.0])).collect();
        let text = table(&times);
        assert_eq!(
            text.lines().filter(|line| line.ends_with("| 1.5 | 3 |")).count(),
            Arm::ALL.len(),
            "{text}"
        );
    }
}
