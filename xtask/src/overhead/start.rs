//! `cargo xtask overhead --start`: what an audit of a command that does nothing takes, by the ring and by
//! ptrace, beside the command alone and Fathom's own start; and the same of an earlier build. The runs
//! are fresh processes in an order drawn anew each round.

use super::judging::{Run, timed};
use crate::calibrate::figures::Middle;
use crate::calibrate::note;
use anyhow::ensure;
use fathom_collect::{NoiseSnapshot, noise_between};
use fathom_model::Reading;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Alone,
    Version,
    Ptrace,
    Ring,
}

/// A build of Fathom: the first is the one at hand, the second an earlier one.
type Build = usize;

/// What was run of which build.
type Runs = BTreeMap<(What, Build), Vec<Run>>;

/// Measures and returns the table.
pub(super) fn measure(fathom: &Path, before: Option<&Path>, rounds: u32) -> anyhow::Result<String> {
    let builds: Vec<PathBuf> = [Some(fathom), before].into_iter().flatten().map(Path::to_owned).collect();
    let noise = NoiseSnapshot::take();
    let mut runs = Runs::new();
    for round in 0..rounds {
        note(&format!("round {} of {rounds}", round + 1));
        let mut order = arms(builds.len());
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(u64::from(round)));
        for (what, build) in order {
            let run = timed(&mut what.command(&builds[build]))?;
            runs.entry((what, build)).or_default().push(run);
        }
    }
    let noise = noise_between(&noise, &NoiseSnapshot::take());
    let load = |reading: &Reading<f64>| reading.value().map_or("?".to_owned(), |load| format!("{load:.1}"));
    let loads = (load(&noise.load_average_start), load(&noise.load_average_end));
    let text = table(&runs);
    ensure!(!text.is_empty(), "no rounds: --forks");
    Ok(format!("Load {} to {}.\n\n{text}", loads.0, loads.1))
}

/// The command alone is of no build.
fn arms(builds: usize) -> Vec<(What, Build)> {
    let of_builds =
        (0..builds).flat_map(|build| [What::Version, What::Ptrace, What::Ring].map(|what| (what, build)));
    [(What::Alone, 0)].into_iter().chain(of_builds).collect()
}

impl What {
    fn command(self, fathom: &Path) -> Command {
        let by = |capture: &str| {
            let mut command = Command::new(fathom);
            command.args(["audit", "--no-config", "--capture", capture, "--", "true"]);
            command
        };
        match self {
            Self::Alone => Command::new("true"),
            Self::Version => {
                let mut command = Command::new(fathom);
                command.arg("--version");
                command
            }
            Self::Ptrace => by("ptrace"),
            Self::Ring => by("ring"),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Alone => "`true`",
            Self::Version => "`fathom --version`",
            Self::Ptrace => "`fathom audit --capture ptrace -- true`",
            Self::Ring => "`fathom audit --capture ring -- true`",
        }
    }
}

/// Differences are medians of those within a round.
fn table(runs: &Runs) -> String {
    let mut text = String::new();
    let Some(alone) = runs.get(&(What::Alone, 0)) else { return text };
    text.push_str("| run | ms | CPU, ms | above `true`, ms | above `true`, ms of CPU | n |\n|---|---:|---:|---:|---:|---:|\n");
    for ((what, build), of) in runs {
        let middle = |value: fn(&Run) -> f64| Middle::of(&of.iter().map(value).collect::<Vec<_>>());
        let above = |value: fn(&Run) -> f64| {
            let differences: Vec<_> =
                of.iter().zip(alone).map(|(run, alone)| value(run) - value(alone)).collect();
            Middle::of(&differences).map_or_else(String::new, |middle| middle.text(1))
        };
        let (Some(wall), Some(cpu)) = (middle(|run| run.wall), middle(|run| run.cpu)) else { continue };
        let before = if *build == 0 { "" } else { ", before" };
        let (above_wall, above_cpu) = match what {
            What::Alone => ("–".to_owned(), "–".to_owned()),
            _ => (above(|run| run.wall), above(|run| run.cpu)),
        };
        let _infallible = writeln!(
            text,
            "| {}{before} | {} | {} | {above_wall} | {above_cpu} | {} |",
            what.name(),
            wall.text(1),
            cpu.text(1),
            wall.n
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_those_within_a_round() {
        // A machine that becomes slower: the difference stays.
        let of = |extra: f64| {
            [1.0, 2.0, 4.0].map(|slow| Run { wall: slow + 2.0 * extra, cpu: slow + extra }).to_vec()
        };
        let runs: Runs = arms(2)
            .into_iter()
            .map(|(what, build)| {
                ((what, build), of(if what == What::Alone { 0.0 } else { 10.0 * (1.0 + build as f64) }))
            })
            .collect();
        let text = table(&runs);
        let row = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        assert!(row("| `true` |").contains("| 2.0 [?, ?] | 2.0 [?, ?] | – | – | 3 |"), "{text}");
        assert!(
            row("| `fathom audit --capture ring -- true` |").contains("| 20.0 [?, ?] | 10.0 [?, ?] | 3 |"),
            "{text}"
        );
        assert!(
            row("| `fathom audit --capture ring -- true`, before |")
                .contains("| 40.0 [?, ?] | 20.0 [?, ?] | 3 |"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 2 + 7, "{text}");
    }
}
