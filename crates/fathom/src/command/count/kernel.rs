//! What the kernel counts of a command: attached at its exec, read after its end, in a run
//! without the tracer, whose stops take time and change what a file system does.

use fathom_collect::{CounterReading, CounterSet, place_facts, release_tracepoints};
use fathom_model::{KernelCounter, Place, Reading, Scope};
use fathom_trace::{CommandOptions, TraceError};
use rustix::fs::{FileType, SeekFrom, fstat, seek};
use rustix::process::Pid;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::sync::Mutex;

/// What the untraced run showed.
#[derive(Debug)]
pub(super) struct Untraced {
    pub(super) status: ExitStatus,
    pub(super) counters: Vec<KernelCounter>,
}

/// Runs the command untraced, with the counters attached. The inner error says why it cannot be
/// run twice: what it reads from a pipe is gone after the first time.
pub(super) fn run_untraced(
    command: &mut Command,
    options: &CommandOptions<'_>,
) -> Result<Result<Untraced, String>, TraceError> {
    let input = std::io::stdin();
    let kind = fstat(&input).map(|stat| FileType::from_raw_mode(stat.st_mode));
    if matches!(kind, Ok(FileType::Fifo | FileType::Socket)) {
        let reason = "the command would have to run twice, and its standard input can be read only once: \
                      give it a file, or </dev/null";
        return Ok(Err(reason.to_owned()));
    }
    let position = seek(&input, SeekFrom::Current(0));
    let watched = Watched::default();
    let attach = |pid| watched.attach(pid);
    let options = CommandOptions { at_exec: Some(&attach), ..*options };
    let status = fathom_trace::run_untraced(command, &options)?;
    let counters = watched.finish();
    if let (Ok(FileType::RegularFile), Ok(position)) = (kind, position) {
        // The second run finds what the first found.
        let _read_to_its_end = seek(&input, SeekFrom::Start(position));
    }
    Ok(Ok(Untraced { status, counters }))
}

/// The counters of a command, once it has begun.
#[derive(Debug, Default)]
struct Watched(Mutex<Option<(CounterSet, Vec<CounterReading>)>>);

impl Watched {
    /// Attaches to a process that is stopped at its exec.
    fn attach(&self, pid: Pid) {
        let Ok(pid) = u32::try_from(pid.as_raw_nonzero().get()) else { return };
        let mut counters = CounterSet::attach(pid, device().as_deref());
        let before = counters.read();
        if let Ok(mut watched) = self.0.lock() {
            *watched = Some((counters, before));
        }
    }

    /// What changed until now; nothing where nothing was attached.
    fn finish(self) -> Vec<KernelCounter> {
        let Ok(Some((mut counters, before))) = self.0.into_inner() else { return Vec::new() };
        let after = counters.read();
        release_tracepoints();
        after.into_iter().filter(is_kept).map(|after| difference(&before, after)).collect()
    }
}

/// Perf events outlive the process, `/proc` does not; what the machine keeps is everybody's.
fn is_kept(reading: &CounterReading) -> bool {
    let outlives = reading.scope != Scope::Task || !reading.source.starts_with("/proc");
    outlives && reading.scope != Scope::Machine
}

fn difference(before: &[CounterReading], after: CounterReading) -> KernelCounter {
    let CounterReading { name, source, scope, unit, value } = after;
    let earlier = before.iter().find(|earlier| earlier.name == name && earlier.scope == scope);
    let signed = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    let differences = match (earlier.map(|earlier| &earlier.value), value) {
        (Some(Reading::Value(before)), Reading::Value(after)) => {
            Reading::Value(vec![signed(after) - signed(*before)])
        }
        (Some(Reading::Unavailable(reason)), _) => Reading::unavailable(reason.clone()),
        (_, Reading::Unavailable(reason)) => Reading::Unavailable(reason),
        (None, _) => Reading::unavailable("it was not there when the command began"),
    };
    KernelCounter { name, source, scope, unit, differences }
}

/// The number of the device below the current directory.
fn device() -> Option<String> {
    let directory: PathBuf = std::env::current_dir().ok()?;
    let facts = place_facts(&Place::Directory(directory.clone()), &directory).ok()?;
    facts.device.value().map(|device| device.number.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::CounterUnit;

    fn reading(name: &str, source: &str, scope: Scope, value: u64) -> CounterReading {
        let (name, source) = (name.to_owned(), source.to_owned());
        CounterReading { name, source, scope, unit: CounterUnit::Events, value: Reading::Value(value) }
    }

    #[test]
    fn what_does_not_outlive_the_command_is_left_out() {
        let kept = |name, source, scope| is_kept(&reading(name, source, scope, 1));
        assert!(kept("minor-faults", "perf_event page-faults-min", Scope::Task));
        assert!(kept("device-reads", "/sys/dev/block/1:0/stat", Scope::Device));
        assert!(kept("context-switches", "perf_event context-switches", Scope::Task));
        assert!(!kept("rusage-minor-faults", "/proc/PID/stat", Scope::Task));
        assert!(!kept("dentries", "/proc/sys/fs/dentry-state", Scope::Machine));
    }

    #[test]
    fn a_counter_is_what_was_added_since_the_exec() {
        let before = [reading("block_bio_queue", "perf_event", Scope::Device, 40)];
        let after = reading("block_bio_queue", "perf_event", Scope::Device, 47);
        assert_eq!(difference(&before, after.clone()).differences, Reading::Value(vec![7]));
        assert!(difference(&[], after).differences.value().is_none());
    }
}
