//! The speed at which data sets are made (random bytes, synced, extents
//! checked) against dd in the same directory. The three take turns in rotating
//! order, because a virtual disk has bursts and is throttled afterwards.

use super::figures::Middle;
use super::finding::{Finding, Outcome};
use super::session::Session;
use anyhow::Context;
use fathom_lab::data_set::{Target, make};
use fathom_lab::scratch::Scratch;
use fathom_model::{Content, DataSet};
use fathom_stats::{Interval, median};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A data set is made at no less than this share of dd's speed.
const LEAST: f64 = 0.9;
const PIECE_BYTES: usize = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Maker {
    Fathom,
    /// `dd` of /dev/zero.
    Zeros,
    /// `dd` of random bytes that lie in memory.
    Random,
}

/// Seconds that each maker took, in order of rounds.
#[derive(Debug, Clone, Default)]
struct Times {
    fathom: Vec<f64>,
    zeros: Vec<f64>,
    random: Vec<f64>,
}

/// Makes a file of `bytes` in each of the ways, `rounds` times.
pub(super) fn check(session: &Session, bytes: u64, rounds: u32) -> anyhow::Result<Vec<Finding>> {
    let folder = tempfile::Builder::new().prefix(".calibrate-").tempdir_in(session.dir())?;
    // Without room in memory the zeros alone are the yardstick.
    let source = source_in_memory(bytes);
    let mut makers = vec![Maker::Fathom, Maker::Zeros];
    if source.is_ok() {
        makers.push(Maker::Random);
    }
    let mut times = Times::default();
    for _ in 0..rounds {
        super::note("      data-set-speed");
        for &maker in &makers {
            session.check_stop()?;
            let seconds = match (maker, &source) {
                (Maker::Fathom, _) => time_fathom(session, folder.path(), bytes)?,
                (Maker::Random, Ok((_, path))) => time_dd(session, path, folder.path(), bytes)?,
                (Maker::Zeros | Maker::Random, _) => {
                    time_dd(session, "/dev/zero".as_ref(), folder.path(), bytes)?
                }
            };
            times.of(maker).push(seconds);
        }
        makers.rotate_left(1);
    }
    session.keep("data-set-speed.tsv", &times.raw())?;
    let reason = source.err().map(|error| format!("not run: {error:#}"));
    Ok(findings(&times, bytes, reason.as_deref()))
}

impl Times {
    fn of(&mut self, maker: Maker) -> &mut Vec<f64> {
        match maker {
            Maker::Fathom => &mut self.fathom,
            Maker::Zeros => &mut self.zeros,
            Maker::Random => &mut self.random,
        }
    }

    fn raw(&self) -> String {
        let mut text = "maker\tseconds\n".to_owned();
        for (name, times) in
            [("fathom", &self.fathom), ("dd-zeros", &self.zeros), ("dd-random", &self.random)]
        {
            for seconds in times {
                writeln!(text, "{name}\t{seconds}").expect("a String takes all");
            }
        }
        text
    }
}

/// Random bytes in a memory file system, for dd to read.
fn source_in_memory(bytes: u64) -> anyhow::Result<(tempfile::TempDir, PathBuf)> {
    let folder =
        tempfile::Builder::new().prefix("calibrate-").tempdir_in("/dev/shm").context("no /dev/shm")?;
    let path = folder.path().join("random");
    let mut file = std::fs::File::create(&path)?;
    let mut piece = vec![0; PIECE_BYTES];
    for start in (0..bytes).step_by(PIECE_BYTES) {
        Content::Random.fill(7, start, &mut piece);
        file.write_all(&piece).context("no room in /dev/shm")?;
    }
    Ok((folder, path))
}

fn time_fathom(session: &Session, folder: &Path, bytes: u64) -> anyhow::Result<f64> {
    let data = DataSet { files: 1, size_bytes: bytes, content: Content::Random };
    let scratch = Scratch::create(folder)?;
    rustix::fs::sync();
    let begun = Instant::now();
    let made = make(Target::Scratch(&scratch), &data, 7, &mut |_, _| (), session.stop());
    let seconds = begun.elapsed().as_secs_f64();
    session.check_stop()?;
    made.context("failed to make the data set")?;
    Ok(seconds)
}

fn time_dd(session: &Session, source: &Path, folder: &Path, bytes: u64) -> anyhow::Result<f64> {
    let path = folder.join("dd");
    let mut command = Command::new("dd");
    command.arg(format!("if={}", source.display())).arg(format!("of={}", path.display())).args([
        "bs=1M",
        "conv=fsync",
        &format!("count={}", bytes / PIECE_BYTES as u64),
    ]);
    rustix::fs::sync();
    let begun = Instant::now();
    let done = session.run(&mut command);
    let seconds = begun.elapsed().as_secs_f64();
    let written = std::fs::metadata(&path).map(|found| found.len()).unwrap_or_default();
    std::fs::remove_file(&path).context("dd left no file")?;
    done?;
    anyhow::ensure!(written == bytes, "dd wrote {written} bytes of {bytes}");
    Ok(seconds)
}

fn findings(times: &Times, bytes: u64, reason: Option<&str>) -> Vec<Finding> {
    let random = match reason {
        Some(reason) => {
            Finding::reported("Data sets: against dd of random bytes", "dd from /dev/shm", 0, reason)
        }
        None => judge("random bytes in memory", &times.fathom, &times.random, bytes),
    };
    let zeros = judge("/dev/zero", &times.fathom, &times.zeros, bytes);
    vec![random, zeros]
}

fn judge(source: &str, fathom: &[f64], dd: &[f64], bytes: u64) -> Finding {
    let check = format!("Data sets: speed against dd of {source}");
    let done = format!("{} MiB, random, synced and checked, in turn with dd bs=1M conv=fsync", bytes >> 20);
    let logarithms: Vec<f64> = fathom.iter().zip(dd).map(|(fathom, dd)| (dd / fathom).ln()).collect();
    let (Some(ratio), Some(fathom_s), Some(dd_s)) =
        (Middle::of_logarithms(&logarithms), median(fathom), median(dd))
    else {
        return Finding::reported(check, done, 0, "no round was run");
    };
    let speed = |seconds: f64| bytes as f64 / seconds / f64::from(1 << 20);
    let result = format!(
        "{:.0} MiB/s against {:.0} MiB/s: ratio of medians {:.2}; paired {}",
        speed(fathom_s),
        speed(dd_s),
        dd_s / fathom_s,
        ratio.text(2)
    );
    let region = Interval::at_least(LEAST);
    Finding::reported(check, done, ratio.n, result)
        .judged("at least 0.9", Outcome::of_interval(ratio.interval, region, ratio.n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_maker_fails_and_a_fast_one_passes() {
        let times = |seconds: f64| -> Vec<f64> { (0..8).map(|i| seconds + 0.001 * f64::from(i)).collect() };
        let outcome = |fathom| judge("x", &times(fathom), &times(2.0), 1 << 30).outcome;
        assert_eq!(outcome(2.1), Outcome::Passed);
        assert_eq!(outcome(2.5), Outcome::Failed);
        assert_eq!(judge("x", &[2.0], &[2.0], 1 << 30).outcome, Outcome::Undecided);
        assert_eq!(judge("x", &[], &[2.0], 1 << 30).outcome, Outcome::Reported);
    }

    #[test]
    fn without_memory_the_zeros_are_still_compared() {
        let times = Times { fathom: vec![1.0; 5], zeros: vec![1.0; 5], random: Vec::new() };
        let found = findings(&times, 1 << 20, Some("not run: no room"));
        assert_eq!((found[0].n, found[0].outcome, found[1].n), (0, Outcome::Reported, 5));
    }
}
