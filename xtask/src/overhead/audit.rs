//! `cargo xtask overhead --audit`: how much slower a program of nothing but open and
//! close runs under the audit, by the ring and by ptrace, beside strace. Fresh drivers of
//! every arm, in an order drawn anew for each fork.

use super::worker::{Place, Program, Work, Worker};
use crate::calibrate::figures::Middle;
use crate::calibrate::note;
use anyhow::Context;
use fathom_stats::median;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Who watches the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Watch {
    Nobody,
    Ring,
    RingWithout,
    Ptrace,
    PtraceWithout,
    Strace,
}

/// What one fork found: ns per pair of calls, by who watched.
type Fork = BTreeMap<Watch, f64>;

/// How much slower it may be, as the audit promises.
const RING_AT_MOST: f64 = 1.7;
const PTRACE_AT_MOST: f64 = 10.0;
/// A batch lasts about so long: a few of many are preempted, hence not the median.
const BATCH_NS: f64 = 2e6;
const PROBE: u32 = 64;
const OPERATIONS_MAX: f64 = 50_000.0;
/// Batches of a driver that count, after one that does not. All of them together are far less
/// than what the ring has room for while nobody judges.
const BATCHES: usize = 21;

/// Measures and returns the table.
pub(super) fn measure(program: &Program, place: &Place, forks: u32) -> anyhow::Result<String> {
    let mut refused: BTreeMap<Watch, String> = BTreeMap::new();
    let mut found = Vec::new();
    for number in 0..forks {
        note(&format!("fork {} of {forks}", number + 1));
        let mut order: Vec<Watch> =
            Watch::ALL.into_iter().filter(|watch| !refused.contains_key(watch)).collect();
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(u64::from(number)));
        let mut fork = Fork::new();
        for watch in order {
            match watch.pair_ns(program, place) {
                Ok(ns) => {
                    fork.insert(watch, ns);
                }
                // Without it there is nothing to compare with.
                Err(error) if watch == Watch::Nobody => return Err(error),
                Err(error) => {
                    note(&format!("{}: {error:#}", watch.name()));
                    refused.insert(watch, format!("{error:#}"));
                }
            }
        }
        found.push(fork);
    }
    Ok(table(&found, &refused))
}

impl Watch {
    const ALL: [Self; 6] =
        [Self::Nobody, Self::Ring, Self::RingWithout, Self::Ptrace, Self::PtraceWithout, Self::Strace];

    fn name(self) -> &'static str {
        match self {
            Self::Nobody => "nobody",
            Self::Ring => "`fathom audit --capture ring`",
            Self::RingWithout => "`fathom audit --capture ring --no-lines`",
            Self::Ptrace => "`fathom audit --capture ptrace`",
            Self::PtraceWithout => "`fathom audit --capture ptrace --no-lines`",
            Self::Strace => "`strace -f --seccomp-bpf`, of the same calls",
        }
    }

    fn at_most(self) -> Option<f64> {
        match self {
            Self::Ring | Self::RingWithout => Some(RING_AT_MOST),
            Self::Ptrace | Self::PtraceWithout => Some(PTRACE_AT_MOST),
            Self::Nobody | Self::Strace => None,
        }
    }

    /// The words that start the driver so.
    fn words(self, fathom: &Path, driver: Vec<String>, out: &Path) -> Vec<String> {
        let (fathom, out) = (fathom.to_string_lossy(), out.to_string_lossy());
        let before: Vec<&str> = match self {
            Self::Nobody => Vec::new(),
            Self::Ring => vec![&fathom, "audit", "--capture", "ring", "--lines", "-o", &out, "--"],
            Self::RingWithout => {
                vec![&fathom, "audit", "--capture", "ring", "--no-lines", "-o", &out, "--"]
            }
            Self::Ptrace => vec![&fathom, "audit", "--capture", "ptrace", "--lines", "-o", &out, "--"],
            Self::PtraceWithout => {
                vec![&fathom, "audit", "--capture", "ptrace", "--no-lines", "-o", &out, "--"]
            }
            Self::Strace => {
                vec!["strace", "-f", "--seccomp-bpf", "-e", "trace=%file,%desc,%process", "-o", &out, "--"]
            }
        };
        before.into_iter().map(str::to_owned).chain(driver).collect()
    }

    /// The median over batches of the time of an open and a close.
    fn pair_ns(self, program: &Program, place: &Place) -> anyhow::Result<f64> {
        let folder = tempfile::tempdir()?;
        let driver = program.words(Work::OpenClose, place);
        let words = self.words(&program.fathom, driver, &folder.path().join("out"));
        let mut worker = Worker::start(&words)?;
        let each_ns = worker.batch(PROBE)?.max(1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let operations = (BATCH_NS / each_ns).clamp(f64::from(PROBE), OPERATIONS_MAX) as u32;
        worker.batch(operations)?;
        let times = (0..BATCHES).map(|_| worker.batch(operations)).collect::<anyhow::Result<Vec<_>>>()?;
        worker.quit()?;
        median(&times).context("no batch was timed")
    }
}

fn table(forks: &[Fork], refused: &BTreeMap<Watch, String>) -> String {
    let mut text = "### Opening and closing a warm file under the audit (two calls)\n\n\
                    | watched by | ns | times as long | at most | n |\n|---|---:|---:|---:|---:|\n"
        .to_owned();
    for watch in Watch::ALL {
        let name = watch.name();
        if let Some(reason) = refused.get(&watch) {
            let _infallible = writeln!(text, "| {name} | not had here: {reason} | | | |");
            continue;
        }
        let ns: Vec<f64> = forks.iter().filter_map(|fork| fork.get(&watch).copied()).collect();
        let Some(middle) = Middle::of(&ns) else { continue };
        let ratio = (watch != Watch::Nobody).then(|| ratio(forks, watch)).flatten();
        let ratio = ratio.map_or("–".to_owned(), |ratio| ratio.text(2));
        let at_most = watch.at_most().map_or("–".to_owned(), |at_most| at_most.to_string());
        let _infallible =
            writeln!(text, "| {name} | {} | {ratio} | {at_most} | {} |", middle.text(0), middle.n);
    }
    text
}

/// How much longer it takes than with nobody, paired in the fork.
fn ratio(forks: &[Fork], watch: Watch) -> Option<Middle> {
    let pairs = forks.iter().filter_map(|fork| Some((fork.get(&watch)? / fork.get(&Watch::Nobody)?).ln()));
    Middle::of_logarithms(&pairs.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_paired_in_the_fork() {
        let fork = |level: f64| Fork::from([(Watch::Nobody, level), (Watch::Ring, 1.5 * level)]);
        let forks: Vec<_> = [500.0, 900.0, 700.0, 2000.0].map(fork).to_vec();
        assert!((ratio(&forks, Watch::Ring).unwrap().value - 1.5).abs() < 1e-9);
        assert!(ratio(&forks, Watch::Ptrace).is_none());
        let refused = BTreeMap::from([(Watch::Ptrace, "no".to_owned())]);
        let text = table(&forks, &refused);
        assert!(text.contains("| 1.50 [") && text.contains("not had here: no"), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("| ")).count(), 4, "{text}");
    }
}
