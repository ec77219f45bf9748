//! Runs a program under ptrace: its standard streams, the tracer's thread and
//! CPU, the time limit and the wish to stop.
//!
//! The tracer has a thread of its own, so that it waits for its tracees and for
//! no other child of Fathom; the calling thread watches the limit.

use crate::availability::explain_refusal;
use crate::error::TraceError;
use crate::recorder::{Recorded, Recorder};
use crate::region::TracedRun;
use crate::stops::{Live, Stops};
use fathom_sys::ptrace_support::{SpawnTracedError, spawn_traced};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::WaitStatus;
use rustix::thread::{CpuSet, sched_setaffinity};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How a program is traced.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// What the program reads on standard input.
    pub stdin: &'a [u8],
    /// The CPU that the tracer and the program share: three to five times
    /// cheaper than waking another one at every stop. The program inherits the
    /// binding and may lift it.
    pub cpu: Option<u32>,
    /// After this long the program is killed.
    pub time_limit: Duration,
    /// When it becomes true, the program is killed.
    pub stop: Option<&'a AtomicBool>,
    /// How many calls of each region are kept with their arguments; all are counted.
    pub events_per_region: usize,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            stdin: &[],
            cpu: None,
            time_limit: Duration::from_mins(1),
            stop: None,
            events_per_region: 1024,
        }
    }
}

/// How often the limit and the wish to stop are looked at.
const WATCH_INTERVAL: Duration = Duration::from_millis(20);
/// More output than any driver makes; what comes after is not kept.
const OUTPUT_LIMIT_BYTES: u64 = 64 << 20;
const STDERR_TAIL_BYTES: usize = 2000;

/// Runs `command` traced from its exec to its end, with all its threads and
/// children, and divides its calls by the marks it makes.
///
/// Its standard streams are replaced by memory files, it gets a process group
/// of its own, and dies with the tracer. `command` is spent afterwards.
pub fn run(command: &mut Command, options: &Options<'_>) -> Result<TracedRun, TraceError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let streams =
        Streams::attach(command, options.stdin).map_err(|source| io_error("memfd_create", source))?;
    command.process_group(0);
    let live = Live::default();
    let traced = thread::scope(|scope| {
        let (alive, ended) = channel::<()>();
        let tracer = scope.spawn(|| {
            let _alive = alive;
            trace(command, options, &live)
        });
        let cut = watch(&ended, &program, options, &live);
        let traced = tracer.join().map_err(|_| io_error("trace", io::Error::other("the tracer panicked")))?;
        cut.map_or(traced, Err)
    })?;
    assemble(program, traced, streams)
}

/// The words in which the kernel names a signal: `SIGKILL`.
fn signal_name(number: i32) -> String {
    nix::sys::signal::Signal::try_from(number)
        .map_or_else(|_| format!("signal {number}"), |signal| signal.as_str().to_owned())
}

struct Traced {
    pid: i32,
    status: WaitStatus,
    recorder: Recorder,
}

fn trace(command: &mut Command, options: &Options<'_>, live: &Live) -> Result<Traced, TraceError> {
    let program = command.get_program().to_string_lossy().into_owned();
    if let Some(cpu) = options.cpu {
        pin_this_thread(cpu).map_err(|source| io_error("sched_setaffinity", source))?;
    }
    let root = spawn_traced(command).map_err(|error| match error {
        SpawnTracedError::Start(source) => TraceError::Start { program, source },
        SpawnTracedError::Seize(errno) => TraceError::Forbidden { program, reason: explain_refusal(errno) },
    })?;
    let stops = Stops::new(root, live, Recorder::new(options.events_per_region));
    let (status, recorder) = stops.run_to_end().map_err(|errno| io_error("waitpid", errno.into()))?;
    Ok(Traced { pid: root.as_raw_nonzero().get(), status, recorder })
}

fn pin_this_thread(cpu: u32) -> io::Result<()> {
    let cpu = usize::try_from(cpu).unwrap_or(usize::MAX);
    if cpu >= CpuSet::MAX_CPU {
        return Err(rustix::io::Errno::INVAL.into());
    }
    let mut set = CpuSet::new();
    set.set(cpu);
    Ok(sched_setaffinity(None, &set)?)
}

/// Waits for the tracer's end; kills the program when it must not go on, and says why.
fn watch(ended: &Receiver<()>, program: &str, options: &Options<'_>, live: &Live) -> Option<TraceError> {
    let started = Instant::now();
    let mut cut = None;
    while ended.recv_timeout(WATCH_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        if options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            cut.get_or_insert(TraceError::Interrupted);
        } else if started.elapsed() > options.time_limit {
            let limit = options.time_limit;
            cut.get_or_insert(TraceError::TimedOut { program: program.to_owned(), limit });
        }
        if cut.is_some() {
            // Again at every turn: a child may be born between the list and the signal.
            live.kill_all();
        }
    }
    cut
}

fn assemble(program: String, traced: Traced, streams: Streams) -> Result<TracedRun, TraceError> {
    let Traced { pid, status, recorder } = traced;
    let (stdout, stderr) = streams.collect().map_err(|source| io_error("read the output", source))?;
    if let Some(signal) = status.terminating_signal() {
        let stderr = tail(&stderr);
        return Err(TraceError::Killed { program, pid, signal: signal_name(signal), stderr });
    }
    let Recorded { regions, between, threads, mark_fault } = recorder.finish();
    let status = ExitStatus::from_raw(status.as_raw());
    Ok(TracedRun { regions, between, mark_fault, stdout, stderr, status, threads })
}

/// The end of what a program said, as text.
pub(crate) fn tail(output: &[u8]) -> String {
    let start = output.len().saturating_sub(STDERR_TAIL_BYTES);
    String::from_utf8_lossy(&output[start..]).trim().to_owned()
}

fn io_error(call: &'static str, source: io::Error) -> TraceError {
    TraceError::Io { call, source }
}

/// Memory files: unlike pipes they never fill, so nobody need feed or drain them.
struct Streams {
    stdout: File,
    stderr: File,
}

impl Streams {
    fn attach(command: &mut Command, stdin: &[u8]) -> io::Result<Self> {
        let memory_file =
            || Ok::<_, io::Error>(File::from(memfd_create("fathom-stream", MemfdFlags::CLOEXEC)?));
        let (mut input, stdout, stderr) = (memory_file()?, memory_file()?, memory_file()?);
        input.write_all(stdin)?;
        input.rewind()?;
        command.stdin(input).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
        Ok(Self { stdout, stderr })
    }

    fn collect(self) -> io::Result<(Vec<u8>, Vec<u8>)> {
        let read = |mut file: File| {
            let mut bytes = Vec::new();
            file.rewind()?;
            file.take(OUTPUT_LIMIT_BYTES).read_to_end(&mut bytes)?;
            Ok::<_, io::Error>(bytes)
        };
        Ok((read(self.stdout)?, read(self.stderr)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_names_and_real_time_ones_numbers() {
        assert_eq!(signal_name(libc::SIGSEGV), "SIGSEGV");
        assert_eq!(signal_name(40), "signal 40");
    }

    #[test]
    fn the_tail_is_the_end() {
        assert_eq!(tail(b" said\n"), "said");
        let long = [b"first ".repeat(1000), b"last".to_vec()].concat();
        assert!(tail(&long).ends_with("last") && tail(&long).len() <= STDERR_TAIL_BYTES);
    }
}
