//! The calls of the file path of any command, as events: a seccomp filter stops it
//! at these calls and at no others, ptrace tells arguments and results. It needs no
//! privilege.
//!
//! Times say in which order things happened and roughly when; they are a tracer's.

mod arguments;
mod attached;
mod calls;
mod hooked;
mod memory;
mod outbox;
mod ring;
mod sleep;
mod stacks;
mod turns;
mod unseen;
mod watcher;

pub use attached::trace_group;
pub(crate) use hooked::every_call;
pub use ring::{
    AttachmentEnd, GroupAttachment, GroupMember, LiveCount, LiveCounts, LiveDirectory, LiveFile, LiveSubject,
    Observed, RingAttachment, RingCapture, RingOptions, RingRefusal, RingWants, ring_availability,
};
pub use unseen::Unseen;

use crate::error::TraceError;
use crate::hook::HookPlan;
use crate::hooking::HookTally;
use crate::placement::Placement;
use crate::repetition::{Repetition, has_path};
use crate::session::{Session, Traced, io_error, trace_to_end};
use crate::stops::Leftovers;
use calls::Calls;
use fathom_events::{FileEvent, PathTable};
use fathom_model::Cut;
use fathom_stacks::StackTable;
use fathom_sys::seccomp_filter::{FilterOutcome, PassingCall, SeccompFilter};
use rustix::process::Pid;
use stacks::Stacks;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::thread;
use std::time::Duration;
use watcher::{Watch, Watcher};

/// How a command is traced.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own, named where it is given")]
pub struct FileTraceOptions<'a> {
    /// After this long every process is killed.
    pub time_limit: Option<Duration>,
    /// Where a handler puts the number of a signal that is to reach the command.
    /// One that came from the terminal has reached it by itself and is not sent again.
    pub signal: Option<&'a AtomicUsize>,
    /// When it becomes true, every process is killed.
    pub stop: Option<&'a AtomicBool>,
    /// Called by the tracer's thread when the command stands at its exec, before
    /// its first instruction.
    pub at_exec: Option<&'a (dyn Fn(Pid) + Sync)>,
    /// Stop at every call, without a filter: several times slower, and what the
    /// command's own filter refuses is seen.
    pub every_call: bool,
    /// Leave tracer and command where the scheduler puts them. Otherwise they share
    /// a CPU while one thread alone makes calls, which is three to five times cheaper;
    /// the command sees it in `/proc/self/status` alone.
    pub unbound: bool,
    /// Take the stack of every call. The command runs slower by some µs a call.
    pub stacks: bool,
    /// With `stacks`: of runtimes that run scripts, leave out many calls that come by one stack of their own.
    pub fewer_stacks: bool,
    /// Make most calls in the program's own process, without a stop ([`hook_availability`] says
    /// where that can be had; elsewhere it changes nothing). It is experimental. Not with
    /// `every_call`, nor under a filter that is in force already. With `stacks` what has frames of a script
    /// or of code that it made itself is not hooked.
    pub hook: bool,
    /// Calls that the hook makes again or delays; they are no events of their own. Only where `hook`
    /// works: [`HookTally::treated`] says which were reached.
    pub repetition: Option<&'a Repetition>,
}

/// How a trace ended.
#[derive(Debug, Clone)]
pub struct FileTraceEnd {
    /// How the command's first process ended.
    pub status: ExitStatus,
    /// What ended it before that, or a signal that was asked for.
    pub cut: Option<Cut>,
    /// How many events there were.
    pub events: u64,
    /// How many processes.
    pub processes: u64,
    /// What was not seen, or not as wished.
    pub unseen: Vec<Unseen>,
    /// The stacks that events name, where they were asked for.
    pub stacks: Option<Arc<StackTable>>,
    /// How many calls have none, since it could not be copied.
    pub without_stack: u64,
    /// How calls went, where they were to be hooked.
    pub hook: Option<HookTally>,
}

/// Whether calls can be hooked here, and why not.
pub fn hook_availability() -> Result<(), String> {
    if inherits_filter() {
        return Err("a seccomp filter is in force here already".to_owned());
    }
    HookPlan::new(&hooked::calls(&Calls::new()), None, false).map(|_| ())
}

/// What the instrument itself adds to a call of this name that the hook makes again, in ns: the filter
/// is asked at each. `None` of a call that is not followed, and where that cannot be measured.
pub fn repetition_cost_ns(call: &str) -> Option<f64> {
    Calls::new().find(crate::call::Call::named(call)?)?;
    SeccompFilter::passing_cost_ns(match call {
        "open" | "openat" => PassingCall::Open,
        _ if has_path(call) => PassingCall::Path,
        _ => PassingCall::Descriptor,
    })
}

/// Runs `command` traced from its exec to the end of the last of its processes and
/// gives every call of the file path to `sink`, in the order of their returns. Its
/// streams and process group are left as `command` has them; all processes die with
/// the tracer. `command` is spent afterwards.
///
/// The first event is the exec that starts it. `sink` is called by the calling thread,
/// for many events at a time: not before the command's next call, when it makes few.
/// A call that a signal broke off has failed with the kernel's number for it, 512 to
/// 516, whether it is made again or the command sees `EINTR`.
pub fn trace_files(
    command: &mut Command,
    options: &FileTraceOptions<'_>,
    sink: &mut dyn FnMut(FileEvent, &PathTable),
) -> Result<FileTraceEnd, TraceError> {
    let calls = Arc::new(Calls::new());
    let inherits = inherits_filter();
    let filtered = !options.every_call && !inherits;
    let hook = (options.hook && filtered)
        .then(|| HookPlan::new(&hooked::calls(&calls), options.repetition, options.stacks).ok());
    let hook = hook.flatten();
    let passing_at = hook.as_ref().map(HookPlan::passing_at).unwrap_or_default();
    let filter = filtered.then(|| calls.filter(&passing_at, options.repetition.is_some()));
    let placement = (!options.unbound).then(Placement::new);
    let session = Session {
        filter: filter.as_ref(),
        placement: placement.as_ref(),
        time_limit: options.time_limit,
        signal: options.signal,
        stop: options.stop,
        at_exec: options.at_exec,
        leftovers: Leftovers::Awaited,
        hook: hook.as_ref(),
        ..Session::default()
    };
    let (outbox, inbox) = outbox::queue(hook.is_some() && options.repetition.is_some());
    thread::scope(|scope| {
        let stacks = options.stacks.then(Stacks::new);
        let stacks = stacks.map(|stacks| if options.fewer_stacks { stacks.in_turns() } else { stacks });
        let watcher = Watcher::new(calls, outbox, stacks);
        let session = &session;
        // Where there is none, the watcher goes with its end of the queue.
        let tracing = thread::Builder::new().spawn_scoped(scope, move || {
            trace_to_end(command, session, watcher).map(|traced| conclude(traced, inherits))
        });
        let tracing = tracing.map_err(|error| io_error("clone", error))?;
        inbox.deliver(sink);
        tracing.join().map_err(|_| io_error("trace", io::Error::other("the tracer's watch panicked")))?
    })
}

/// True when this process, and so every command that it starts, is under a seccomp filter: its
/// refusals outrank the stops of another filter, which would miss the calls that it refuses. Where
/// that cannot be read, there may be one.
pub(crate) fn inherits_filter() -> bool {
    std::fs::read_to_string("/proc/self/status").map_or(true, |status| filters_calls(&status))
}

/// By the text of `/proc/PID/status`: 1 is the strict mode, 2 a filter.
fn filters_calls(status: &str) -> bool {
    let mode = status.lines().find_map(|line| line.strip_prefix("Seccomp:"));
    mode.is_some_and(|mode| mode.trim() != "0")
}

/// Closes the queue, which ends its delivery.
fn conclude(traced: Traced<Watcher>, inherits_filter: bool) -> FileTraceEnd {
    let Traced { status, witness, cut, filter, hook, .. } = traced;
    let Watch { events, processes, mut reservations, stacks, without_stack, .. } = witness.finish();
    match filter {
        None => reservations.every_call_was_seen(),
        Some(FilterOutcome::Refused(errno)) => {
            reservations.every_call_was_seen();
            reservations.add(Unseen::EveryCall { errno: errno.raw_os_error() });
        }
        Some(FilterOutcome::Installed | FilterOutcome::InstalledWithoutNewPrivileges) => {}
    }
    if inherits_filter {
        reservations.add(Unseen::InheritedFilter);
    }
    FileTraceEnd {
        status: ExitStatus::from_raw(status.as_raw()),
        cut: cut.map(Cut::from),
        events,
        processes,
        unseen: reservations.into_vec(),
        stacks: stacks.map(Arc::new),
        without_stack,
        hook,
    }
}

impl std::fmt::Debug for FileTraceOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { time_limit, signal, stop, at_exec, every_call, unbound, stacks, .. } = self;
        let Self { fewer_stacks, hook, repetition, .. } = self;
        f.debug_struct("FileTraceOptions")
            .field("time_limit", time_limit)
            .field("signal", signal)
            .field("stop", stop)
            .field("at_exec", &at_exec.is_some())
            .field("every_call", every_call)
            .field("unbound", unbound)
            .field("stacks", stacks)
            .field("fewer_stacks", fewer_stacks)
            .field("hook", hook)
            .field("repetition", &repetition.is_some())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::filters_calls;

    #[test]
    fn inherited_filters_stand_in_the_status() {
        assert!(filters_calls("Name:\tx\nSeccomp:\t2\nSeccomp_filters:\t1\n"));
        assert!(!filters_calls("Name:\tx\nSeccomp:\t0\nSeccomp_filters:\t0\n"));
        assert!(!filters_calls("Name:\tx\n"), "a kernel without seccomp");
    }
}
