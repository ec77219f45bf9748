//! Runs a driver program under ptrace: its standard streams, and its calls divided
//! by the marks it makes.

use crate::course::Course;
use crate::error::TraceError;
use crate::placement::Placement;
use crate::recorder::{Recorded, Recorder};
use crate::region::{RunCut, TracedRun};
use crate::session::{Cut, Session, Traced, io_error, trace_to_end};
use crate::signal_name::signal_name;
use crate::stops::Leftovers;
use rustix::fs::{MemfdFlags, memfd_create};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

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
    /// The program runs the script of a plan that is brief: it is killed once enough was
    /// seen of a long operation, and what was seen of one that is cut short is kept.
    pub brief: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            stdin: &[],
            cpu: None,
            time_limit: Duration::from_mins(1),
            stop: None,
            events_per_region: 1024,
            brief: false,
        }
    }
}

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
    let course = options.brief.then(|| Arc::new(Course::default()));
    // A long operation stops a million times and more: what lifted the binding is bound anew while
    // one thread makes all the stops.
    let placement = options.brief.then(Placement::new);
    let session = Session {
        cpu: options.cpu,
        time_limit: Some(options.time_limit),
        stop: options.stop,
        leftovers: Leftovers::Killed,
        course: course.as_deref(),
        placement: placement.as_ref(),
        ..Session::default()
    };
    let recorder = Recorder::new(options.events_per_region, course.clone());
    let traced = trace_to_end(command, &session, recorder)?;
    match traced.cut {
        Some(_) if options.brief => assemble(program, traced, streams),
        Some(Cut::TimedOut(limit)) => Err(TraceError::TimedOut { program, limit }),
        Some(Cut::Stopped | Cut::Signaled(_) | Cut::Enough) => Err(TraceError::Interrupted),
        None => assemble(program, traced, streams),
    }
}

fn assemble(program: String, traced: Traced<Recorder>, streams: Streams) -> Result<TracedRun, TraceError> {
    let Traced { pid, status, witness: recorder, cut, .. } = traced;
    let pid = pid.as_raw_nonzero().get();
    let (stdout, stderr) = streams.collect().map_err(|source| io_error("read the output", source))?;
    if let Some(signal) = status.terminating_signal().filter(|_| cut.is_none()) {
        let stderr = tail(&stderr);
        return Err(TraceError::Killed { program, pid, signal: signal_name(signal), stderr });
    }
    let Recorded { regions, between, threads, mark_fault, unfinished } = recorder.finish(cut.is_some());
    let status = ExitStatus::from_raw(status.as_raw());
    let cut = cut.map(|cut| match cut {
        Cut::Enough => RunCut::Enough,
        Cut::Stopped | Cut::Signaled(_) => RunCut::Interrupted,
        Cut::TimedOut(limit) => RunCut::TimedOut(limit),
    });
    Ok(TracedRun { regions, between, mark_fault, unfinished, cut, stdout, stderr, status, threads })
}

/// The end of what a program said, as text.
pub(crate) fn tail(output: &[u8]) -> String {
    let start = output.len().saturating_sub(STDERR_TAIL_BYTES);
    String::from_utf8_lossy(&output[start..]).trim().to_owned()
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
