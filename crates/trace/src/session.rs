//! One traced run, whatever is to be learned from it: the tracer's thread and
//! CPU, the time limit, the wish to stop, signals to pass on.
//!
//! The tracer has a thread of its own, so that it waits for its tracees and for
//! no other child of Fathom; the calling thread watches the limit.

use crate::availability::explain_refusal;
use crate::course::Course;
use crate::error::TraceError;
use crate::hook::HookPlan;
use crate::hooking::HookTally;
use crate::placement::Placement;
use crate::signal_name::signal_name;
use crate::stops::{AtExec, Leftovers, Live, Stops, Tracing};
use crate::witness::Witness;
use fathom_sys::ptrace_support::{SpawnTracedError, spawn_filtered, spawn_traced};
use fathom_sys::seccomp_filter::{FilterOutcome, SeccompFilter};
use rustix::process::{Pid, Signal, WaitStatus};
use rustix::thread::{CpuSet, sched_setaffinity};
use std::io;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How a program is traced.
#[derive(Clone, Copy, Default)]
pub(crate) struct Session<'a> {
    /// The CPU that the tracer and the program share.
    pub(crate) cpu: Option<u32>,
    /// The calls to stop at; every one where there is none, or the kernel refuses it.
    pub(crate) filter: Option<&'a SeccompFilter>,
    /// Who binds tracer and tracees to one CPU while that makes tracing cheaper.
    pub(crate) placement: Option<&'a Placement>,
    /// After this long everything is killed.
    pub(crate) time_limit: Option<Duration>,
    /// When it becomes true, everything is killed.
    pub(crate) stop: Option<&'a AtomicBool>,
    /// The number of a signal that is to reach the program; 0 for none.
    pub(crate) signal: Option<&'a AtomicUsize>,
    /// Called at the program's exec.
    pub(crate) at_exec: AtExec<'a>,
    /// What becomes of processes that outlive the program.
    pub(crate) leftovers: Leftovers,
    /// By which most calls are made without a stop.
    pub(crate) hook: Option<&'a HookPlan>,
    /// Told of the time that has passed; when it says so, everything is killed.
    pub(crate) course: Option<&'a Course>,
}

/// What is left after a run.
#[derive(Debug)]
pub(crate) struct Traced<W> {
    pub(crate) pid: Pid,
    pub(crate) status: WaitStatus,
    pub(crate) witness: W,
    pub(crate) cut: Option<Cut>,
    pub(crate) filter: Option<FilterOutcome>,
    pub(crate) hook: Option<HookTally>,
}

/// Why a run did not go its own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Everything needed was seen.
    Enough,
    /// The wish to stop.
    Stopped,
    /// The time limit.
    TimedOut(Duration),
    /// This signal was asked for; the program was not killed by us.
    Signaled(i32),
}

impl From<Cut> for fathom_model::Cut {
    fn from(cut: Cut) -> Self {
        match cut {
            Cut::TimedOut(limit) => Self::TimeLimit(limit.as_secs_f64()),
            Cut::Signaled(number) => Self::Interrupted(signal_name(number)),
            Cut::Stopped | Cut::Enough => Self::Interrupted("a wish to stop".to_owned()),
        }
    }
}

/// How often the limit and the wish to stop are looked at.
const WATCH_INTERVAL: Duration = Duration::from_millis(20);
/// How long a signal of the terminal may take to reach the program by itself.
const TERMINAL_DELAY: Duration = Duration::from_millis(100);

/// Runs `command` traced from its exec to its end, with all its threads and
/// children, and tells `witness`. `command` is spent afterwards.
pub(crate) fn trace_to_end<W: Witness + Send>(
    command: &mut Command,
    session: &Session<'_>,
    witness: W,
) -> Result<Traced<W>, TraceError> {
    let live = Live::default();
    let root = AtomicI32::new(0);
    thread::scope(|scope| {
        let (alive, ended) = channel::<()>();
        let tracer = thread::Builder::new().spawn_scoped(scope, || {
            let _alive = alive;
            trace(command, session, &live, &root, witness)
        });
        let tracer = tracer.map_err(|error| io_error("clone", error))?;
        let cut = watch(&ended, session, &live, &root);
        let traced = tracer.join().map_err(|_| io_error("trace", io::Error::other("the tracer panicked")))?;
        traced.map(|traced| Traced { cut, ..traced })
    })
}

/// Waits as long as a signal of the terminal may take to reach the program by itself.
pub(crate) fn terminal_delay() {
    thread::sleep(TERMINAL_DELAY);
}

/// A failed call of our own.
pub(crate) fn io_error(call: &'static str, error: io::Error) -> TraceError {
    TraceError::Io { call, error }
}

fn trace<W: Witness + Send>(
    command: &mut Command,
    session: &Session<'_>,
    live: &Live,
    announced: &AtomicI32,
    witness: W,
) -> Result<Traced<W>, TraceError> {
    let program = command.get_program().to_string_lossy().into_owned();
    if let Some(cpu) = session.cpu {
        pin_this_thread(cpu).map_err(|source| io_error("sched_setaffinity", source))?;
    }
    let spawned = match session.filter {
        None => spawn_traced(command).map(|pid| (pid, None)),
        Some(filter) => spawn_filtered(command, filter).map(|(pid, outcome)| (pid, Some(outcome))),
    };
    let (pid, filter) = spawned.map_err(|error| match error {
        SpawnTracedError::Start(error) => TraceError::Start { program, error },
        SpawnTracedError::Seize(errno) => TraceError::Forbidden { program, reason: explain_refusal(errno) },
    })?;
    announced.store(pid.as_raw_nonzero().get(), Ordering::SeqCst);
    let filtered = filter.is_some_and(|outcome| !matches!(outcome, FilterOutcome::Refused(_)));
    let tracing = Tracing {
        leftovers: session.leftovers,
        at_exec: session.at_exec,
        filtered,
        placement: session.placement,
        // Without a filter nothing passes, the hook's calls neither.
        hook: session.hook.filter(|_| filtered),
    };
    let stops = Stops::new(pid, live, tracing, witness);
    let (status, witness, hook) = stops.run_to_end().map_err(|(call, errno)| io_error(call, errno.into()))?;
    Ok(Traced { pid, status, witness, cut: None, filter, hook })
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

/// Waits for the tracer's end; kills the program when it must not go on, passes
/// signals on, and says what came between.
fn watch(ended: &Receiver<()>, session: &Session<'_>, live: &Live, root: &AtomicI32) -> Option<Cut> {
    let started = Instant::now();
    let mut cut = None;
    while ended.recv_timeout(WATCH_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        if let Some(placement) = session.placement {
            placement.release_idle();
        }
        let asked = asked_signal(session);
        if let Some(course) = session.course {
            course.set_elapsed(started.elapsed());
        }
        if session.course.is_some_and(Course::is_enough) {
            cut.get_or_insert(Cut::Enough);
        } else if session.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            cut.get_or_insert(Cut::Stopped);
        } else if let Some(limit) = session.time_limit.filter(|limit| started.elapsed() > *limit) {
            cut.get_or_insert(Cut::TimedOut(limit));
        } else if let Some(number) = asked {
            pass_on(number, live, root);
            cut = Some(Cut::Signaled(number));
        } else {
            // Of before; what the terminal sends reaches both at once.
            live.forget_delivered();
        }
        if matches!(cut, Some(Cut::Stopped | Cut::TimedOut(_) | Cut::Enough)) {
            // Again at every turn: a child may be born between the list and the signal.
            live.kill_all();
        }
    }
    cut.or_else(|| asked_signal(session).map(Cut::Signaled))
}

fn asked_signal(session: &Session<'_>) -> Option<i32> {
    let number = session.signal?.swap(0, Ordering::SeqCst);
    i32::try_from(number).ok().filter(|number| *number != 0)
}

/// A terminal gives its signal to the whole foreground group, hence to the
/// program too; whoever signals Fathom alone means the program.
fn pass_on(number: i32, live: &Live, root: &AtomicI32) {
    terminal_delay();
    let Some(signal) = Signal::from_named_raw(number) else { return };
    if live.was_delivered(number) {
        return;
    }
    let root = Pid::from_raw(root.load(Ordering::SeqCst));
    if !root.is_some_and(|root| live.signal(root, signal)) {
        live.signal_all(signal);
    }
}
