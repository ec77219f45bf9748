//! Runs of the released `fathom`, each with its record kept, and the directory
//! that measured files lie in.

use super::{Interrupted, note, programs};
use anyhow::{Context, bail, ensure};
use fathom_model::{Comparison, Record};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Everything that checks share.
#[derive(Debug)]
pub(super) struct Session {
    fathom: PathBuf,
    out: PathBuf,
    dir: PathBuf,
    /// Programs that are built for this run.
    programs: tempfile::TempDir,
    stop: Arc<AtomicBool>,
    records: Vec<Record>,
}

/// One `fathom bench`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bench<'a> {
    /// Names its record.
    pub(super) name: &'a str,
    pub(super) operation: &'a str,
    /// Methods, separated by commas.
    pub(super) methods: &'a str,
    pub(super) seconds: f64,
    /// Further words of the command line.
    pub(super) words: &'a [&'a str],
    /// Keep `fathom` and its drivers on this CPU.
    pub(super) cpu: Option<u32>,
}

impl Session {
    /// Builds `fathom`. Records go to `out`, measured files to `dir`.
    pub(super) fn begin(out: &Path, dir: &Path) -> anyhow::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&stop))?;
        }
        let dir = std::fs::canonicalize(dir).with_context(|| format!("failed to use {}", dir.display()))?;
        let programs = tempfile::tempdir().context("failed to make a directory for programs")?;
        let fathom = programs::build_fathom();
        if stop.load(Ordering::Relaxed) {
            return Err(Interrupted.into());
        }
        Ok(Self { fathom: fathom?, out: out.to_owned(), dir, programs, stop, records: Vec::new() })
    }

    /// Every record so far.
    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }

    /// Where measured files lie.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Turns true when the user interrupts.
    pub(super) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Compiles a C source for this run.
    pub(super) fn compile(&self, source: &str, name: &str) -> anyhow::Result<PathBuf> {
        programs::compile(source, name, self.programs.path())
    }

    /// Keeps something else that was measured beside the records.
    pub(super) fn keep(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let path = self.out.join(name);
        std::fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))
    }

    /// Runs another program to its end; an error when it fails.
    pub(super) fn run(&self, command: &mut Command) -> anyhow::Result<Output> {
        self.check_stop()?;
        let program = command.get_program().to_string_lossy().into_owned();
        let output =
            command.stdin(Stdio::null()).output().with_context(|| format!("failed to start {program}"))?;
        self.check_stop()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            bail!("{program} ended with {}: {said}", output.status);
        }
        Ok(output)
    }

    /// Runs a comparison; `Err` in the result is the reason why nothing was measured.
    pub(super) fn bench(&mut self, bench: Bench<'_>) -> anyhow::Result<Result<Comparison, String>> {
        note(&format!("{:>4}  {}", self.records.len() + 1, bench.name));
        let path = self.out.join(format!("{:04}-{}.json", self.records.len() + 1, bench.name));
        let mut command = Command::new(&self.fathom);
        command
            .args(["bench", bench.operation, "--methods", bench.methods])
            .args(["--time", &bench.seconds.to_string()])
            .args(bench.words)
            .args(["--dir".as_ref(), self.dir.as_os_str(), "--output".as_ref(), path.as_os_str()]);
        let done = {
            let _pinned = bench.cpu.map(Pinned::to).transpose()?;
            self.run(&mut command)
        };
        // A run that measures nothing fails with a code of its own, but says why in its record.
        let Ok(text) = std::fs::read(&path) else {
            return match done {
                Err(error) => Err(error),
                Ok(_) => bail!("fathom wrote no record to {}", path.display()),
            };
        };
        self.check_stop()?;
        let record: Record =
            serde_json::from_slice(&text).with_context(|| format!("failed to read {}", path.display()))?;
        let found = comparison_of(&record);
        ensure!(done.is_ok() || found.is_err(), "{} failed: {:#}", bench.name, done.expect_err("it is one"));
        self.records.push(record);
        Ok(found)
    }

    pub(super) fn check_stop(&self) -> Result<(), Interrupted> {
        if self.stop.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
    }
}

/// The only comparison of a record, or why there is none.
fn comparison_of(record: &Record) -> Result<Comparison, String> {
    let experiment = record.experiments.first().ok_or("the record is empty")?;
    let found = experiment.comparisons.first().filter(|comparison| !comparison.forks.is_empty());
    found.cloned().ok_or_else(|| {
        let reasons = experiment.unmeasured.iter().map(|item| format!("{}: {}", item.method, item.reason));
        reasons.collect::<Vec<_>>().join("; ")
    })
}

/// The CPUs that this process may run on.
pub(crate) fn cpus() -> Vec<u32> {
    let Ok(set) = sched_getaffinity(None) else { return vec![0] };
    (0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).filter_map(|cpu| u32::try_from(cpu).ok()).collect()
}

/// This thread, and what it starts, on one CPU until dropped.
pub(crate) struct Pinned(CpuSet);

impl Pinned {
    pub(crate) fn to(cpu: u32) -> anyhow::Result<Self> {
        let before = sched_getaffinity(None)?;
        let mut set = CpuSet::new();
        set.set(cpu as usize);
        sched_setaffinity(None, &set).with_context(|| format!("failed to pin to CPU {cpu}"))?;
        Ok(Self(before))
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // It was allowed before; should it fail, later checks run on fewer CPUs.
        let _ = sched_setaffinity(None, &self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_is_undone() {
        std::thread::spawn(|| {
            let before = cpus();
            let last = *before.last().unwrap();
            let pinned = Pinned::to(last).unwrap();
            assert_eq!(cpus(), [last]);
            drop(pinned);
            assert_eq!(cpus(), before);
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_record_without_a_comparison_gives_the_reasons() {
        let mut record = fathom_testkit::complete();
        assert!(comparison_of(&record).is_ok());
        record.experiments[0].comparisons.clear();
        record.experiments[0].unmeasured = fathom_testkit::troubled().experiments[0].unmeasured.clone();
        let reasons = comparison_of(&record).unwrap_err();
        assert!(reasons.contains(&record.experiments[0].unmeasured[0].reason), "{reasons}");
    }
}
