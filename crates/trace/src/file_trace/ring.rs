//! The calls of the file path through a ring of the kernel's: programs at the returns of
//! calls write records, a thread empties the ring, records become events as those of a
//! tracer do. The command runs on meanwhile, a quarter to a half slower; it takes
//! `CAP_BPF` and `CAP_PERFMON`.
//!
//! What the ring has no room for is lost and counted ([`super::Unseen::Lost`]).

mod assembly;
mod attachment;
mod counts;
mod drain;
mod follower;
mod group;
mod growth;
mod kernel_types;
mod known_stack;
mod plan;
mod probe;
mod programs;
mod record;
mod refusal;
mod running;
mod script_stops;
mod stacks;
mod standing_clock;
mod watch;

pub use attachment::{AttachmentEnd, RingAttachment};
pub use counts::{LiveCount, LiveCounts, LiveDirectory, LiveFile, LiveSubject};
pub use group::{GroupAttachment, Observed};
pub use refusal::RingRefusal;
pub use running::GroupMember;
pub(super) use running::{listed, mounts_of, number_inside, running, see_from};

use super::calls::Calls;
use super::unseen::Unseen;
use super::{FileTraceEnd, TraceError};
use crate::session::io_error;
use drain::{Backlog, drain, records};
use fathom_events::{FileEvent, PathTable};
use fathom_sys::held_start::start_held;
use follower::{Delivered, Followed, Follower};
use growth::GrowingRing;
use probe::{Probe, RingSize};
use record::Record;
use rustix::fd::BorrowedFd;
use script_stops::ScriptStops;
use stacks::RingStacks;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, Thread};
use std::time::Duration;
use watch::{Watched, watch_child};

/// Room for so many bytes of records.
const RING_BYTES: u32 = 16 << 20;
/// And at first.
const FIRST_RING_BYTES: u32 = 4 << 20;

/// How a command is watched, or a process that runs already.
#[derive(Debug, Clone, Copy, Default)]
pub struct RingOptions<'a> {
    /// After this long every process of a command is killed; a process that ran already
    /// is left alone then.
    pub time_limit: Option<Duration>,
    /// Where a handler puts the number of a signal. It reaches the command, unless it did
    /// from the terminal by itself; it ends the watch of a process that ran already.
    pub signal: Option<&'a AtomicUsize>,
    /// When it becomes true, every process of a command is killed.
    pub stop: Option<&'a AtomicBool>,
}

/// Programs that are loaded and watch; nobody is followed yet.
#[derive(Debug)]
pub struct RingCapture {
    probe: Probe,
    ring: GrowingRing,
    calls: Calls,
}

/// What is wanted of a capture beside calls, each at its own cost.
#[derive(Debug, Clone, Copy, Default)]
pub struct RingWants<'a> {
    /// Which places in the program calls come from, as far as the top of the stack tells.
    pub stacks: bool,
    /// How long calls took, and how long of that they waited.
    pub times: bool,
    /// How long calls waited alone, where `times` is not set: that costs nothing at a call's beginning, and little
    /// where a CPU goes from one thread to another. The events have no duration then.
    pub waits: bool,
    /// The directory of a control group (v2): every thread in it or below it is followed from its next
    /// call on.
    pub cgroup: Option<BorrowedFd<'a>>,
}

/// Whether a ring can be had here, and why not.
pub fn ring_availability() -> Result<(), RingRefusal> {
    RingCapture::prepare(RingWants::default()).map(|_| ())
}

impl RingCapture {
    /// Loads the programs and puts them onto their tracepoints. Until this is dropped every call of
    /// every process takes some 80 ns more, with times some 140 ns (docs/OVERHEAD.md).
    pub fn prepare(wants: RingWants<'_>) -> Result<Self, RingRefusal> {
        if let Some(foreseen) = RingRefusal::foreseen() {
            return Err(foreseen);
        }
        let calls = Calls::new();
        let too_old =
            |refusal: RingRefusal| refusal.of_kernel(&rustix::system::uname().release().to_string_lossy());
        let size = RingSize { first_bytes: FIRST_RING_BYTES, bytes: RING_BYTES };
        let (mut probe, ring) = Probe::load(&calls, size, wants).map_err(too_old)?;
        probe.attach()?;
        Ok(Self { probe, ring, calls })
    }

    /// Runs `command` from its exec to the end of the last of its processes and gives every
    /// call of the file path to `sink`, as [`super::trace_files`] does, in the order in
    /// which the kernel's records were reserved. `sink` is called by the calling thread.
    ///
    /// The command keeps its privileges, and lives on if this process ends. It is not traced, but for processes
    /// that run scripts where stacks are wanted.
    pub fn trace_files(
        self,
        command: &mut Command,
        options: &RingOptions<'_>,
        sink: &mut dyn FnMut(FileEvent, &PathTable),
    ) -> Result<FileTraceEnd, TraceError> {
        let Self { probe, ring, calls } = self;
        let program = command.get_program().to_string_lossy().into_owned();
        let delivered = Delivered::default();
        let directory =
            command.get_current_dir().map(Path::to_owned).or_else(|| std::env::current_dir().ok());
        let stacks = probe.stacks().map(RingStacks::new);
        let stacks = stacks.map(|stacks| match probe.scripts() {
            Some(kernel) => stacks.with_scripts(|table| ScriptStops::new(kernel, table)),
            None => stacks,
        });
        let scripts = stacks.as_ref().and_then(RingStacks::scripts).cloned();
        let follower = Follower::new(calls, probe.requests(), Delivered::clone(&delivered));
        let mut follower = follower.with_stacks(stacks, directory).telling_waits(probe.tells_waits());
        let Watched { status, cut } = through_ring(ring, &mut follower, sink, || {
            let child = start_held(command, &mut |pid| {
                let process = pid.as_raw_nonzero().get().cast_unsigned();
                probe.follow(process);
                if let Some(scripts) = &scripts {
                    scripts.trace_child(process);
                }
            });
            let child = child.map_err(|error| TraceError::Start { program, error })?;
            watch_child(child, &probe, options, &delivered).map_err(|source| io_error("wait", source))
        })?;
        let Followed { events, processes, reservations, stacks, .. } = conclude(&probe, follower, sink);
        let unseen = reservations.into_vec();
        let (stacks, without_stack) = stacks.unzip();
        let_go(probe);
        Ok(FileTraceEnd {
            status,
            cut: cut.map(fathom_model::Cut::from),
            events,
            processes,
            unseen,
            stacks: stacks.map(Arc::new),
            without_stack: without_stack.unwrap_or(0),
            hook: None,
        })
    }

    /// Follows a process that runs already, with all its threads, and the children that it
    /// makes from now on.
    pub fn attach(self, process: u32) -> Result<RingAttachment, TraceError> {
        RingAttachment::new(self, process)
    }

    /// Follows processes that run already, the children that they make, and whoever comes into the control
    /// group that the capture was prepared for.
    pub fn attach_group(self, processes: &[u32]) -> GroupAttachment {
        GroupAttachment::new(self, processes)
    }
}

/// Has `live` run while the ring is emptied and its records become events; when it has
/// returned, what is in the ring is the last.
fn through_ring<T: Send>(
    ring: GrowingRing,
    follower: &mut Follower,
    sink: &mut dyn FnMut(FileEvent, &PathTable),
    live: impl FnOnce() -> Result<T, TraceError> + Send,
) -> Result<T, TraceError> {
    let backlog = &Backlog::default();
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        // The ring is unmapped there too, beside the last that is taken in.
        let no_thread = |error| io_error("clone", error);
        let draining = thread::Builder::new().spawn_scoped(scope, move || drain(ring, backlog, sender));
        let drainer = draining.map_err(no_thread)?.thread().clone();
        // Made here, so that a thread that cannot be made ends the other too.
        let ending = Ending { backlog, drainer };
        let living = thread::Builder::new().spawn_scoped(scope, move || {
            let _ending = ending;
            live()
        });
        let living = living.map_err(no_thread)?;
        take_in(&receiver, backlog, follower, sink);
        living.join().map_err(|_| io_error("watch", io::Error::other("the thread that watches panicked")))?
    })
}

/// Ends a backlog when it goes, however that comes.
struct Ending<'a> {
    backlog: &'a Backlog,
    /// Who empties the ring, and may be resting.
    drainer: Thread,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.backlog.end();
        self.drainer.unpark();
    }
}

fn take_in(
    pieces: &Receiver<drain::Piece>,
    backlog: &Backlog,
    follower: &mut Follower,
    sink: &mut dyn FnMut(FileEvent, &PathTable),
) {
    for piece in pieces {
        for record in records(&piece).filter_map(Record::read) {
            follower.take(&record, sink);
        }
        backlog.taken(&piece);
    }
}

/// Takes programs off their tracepoints, beside what is done with the events: the kernel waits
/// for all CPUs each time.
fn let_go(probe: Probe) {
    // Where no thread can be had it is dropped here.
    let _ = thread::Builder::new().spawn(move || drop(probe));
}

/// Ends the story, with what was lost.
fn conclude(probe: &Probe, follower: Follower, sink: &mut dyn FnMut(FileEvent, &PathTable)) -> Followed {
    let mut followed = follower.finish(sink);
    let (lost, skipped) = (probe.lost(), probe.skipped());
    if lost > 0 {
        followed.reservations.add(Unseen::Lost { events: lost });
    }
    if skipped > 0 {
        followed.reservations.add(Unseen::Skipped { runs: skipped });
    }
    followed
}
