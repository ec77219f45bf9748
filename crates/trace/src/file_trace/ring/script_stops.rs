//! Frames of scripts by the ring: threads of a runtime that interprets or compiles scripts are stopped at the
//! return of some of their calls, while their stack is read as by ptrace, and go on.
//!
//! Which calls those are is decided in the kernel (`programs/stop.rs`), which sends the thread a signal there.
//! Each process of a runtime has a tracer, a thread of ours, that takes the signal away: the program never has
//! it. The call is over by then, so that nothing is broken off. A process that runs no runtime is let go at
//! its exec, but for shells and programs that do nothing but execute another: what they start may be a runtime,
//! whose script may be over before its exec is read from the ring.

use super::probe::KernelScripts;
use super::programs::STOPPING_SIGNAL;
use super::running;
use super::standing_clock::HeldUp;
use crate::file_trace::sleep::scheduler_times;
use crate::file_trace::stacks::{Stacks, locked};
use crate::tracee::StoppedThread;
use crate::witness::Tracee;
use fathom_events::StackId;
use fathom_stacks::StackTable;
use fathom_sys::capability::effective;
use fathom_sys::ptrace_support::{self as ptrace, Resume, TraceeChange};
use rustix::process::Pid;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fs;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// So many processes are traced at once.
const MOST_TRACED: usize = 256;
/// A stack that has not been read by then is not waited for any more.
const PATIENCE: Duration = Duration::from_secs(2);
/// Its bit among capabilities. Without it, a program that gives privileges would run without them for the sake
/// of its tracer.
const CAP_SYS_PTRACE: u32 = 19;
/// Threads of a process are listed again until no new ones are found, at most so often.
const LISTINGS: u32 = 8;
/// The first stop of a new thread, and every group-stop.
const EVENT_STOP: i32 = 128;
const NOT_ALLOWED: &str =
    "by the ring they are read with CAP_SYS_PTRACE; `--capture ptrace` needs no privilege";
const HANDLES_SIGNAL: &str = "it handles SIGURG, by which threads are stopped at the return of their calls; \
     `--capture ptrace` reads them without";
/// How often it is looked whether the end of a child was taken.
const LOOK: Duration = Duration::from_millis(1);
/// How programs that hold a runtime are called, before a version. Others are known by what they map.
const RUNTIMES: [&str; 8] = ["python", "pypy", "node", "ruby", "php", "java", "javac", "jshell"];

/// Programs that start others: they are traced for that, and never stopped at a call.
const WRAPPERS: [&str; 18] = [
    "sh", "dash", "bash", "ash", "busybox", "zsh", "ksh", "ksh93", "mksh", "fish", "env", "nice", "nohup",
    "timeout", "setsid", "stdbuf", "ionice", "xargs",
];

/// What tracers and who takes the records share.
#[derive(Debug, Clone)]
pub(super) struct ScriptStops(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    kernel: KernelScripts,
    table: Arc<Mutex<StackTable>>,
    known: Mutex<Known>,
    changed: Condvar,
    may_trace: bool,
}

#[derive(Debug, Default)]
struct Known {
    /// The command's first process, whose end is another thread's to take.
    child: Option<u32>,
    /// Processes whose threads are traced, or are about to be.
    traced: HashSet<u32>,
    /// Those that run scripts, until the last record of each was taken in.
    with_scripts: HashSet<u32>,
    threads: HashSet<u32>,
    /// Stacks that were read and not asked for yet, by thread, with their numbers.
    read: HashMap<u32, VecDeque<Look>>,
}

/// What was read of a thread at one of its stops.
#[derive(Debug, Clone, Copy)]
struct Look {
    /// Which stop of the thread's it is.
    number: u32,
    stack: Option<StackId>,
    held_up: HeldUp,
}

impl ScriptStops {
    pub(super) fn new(kernel: KernelScripts, table: Arc<Mutex<StackTable>>) -> Self {
        let may_trace = effective().is_ok_and(|effective| effective >> CAP_SYS_PTRACE & 1 != 0);
        Self(Arc::new(Shared { kernel, table, known: Mutex::default(), changed: Condvar::new(), may_trace }))
    }

    /// Has a child of this process traced that is to execute its program. It is let go there unless that
    /// holds a runtime.
    pub(super) fn trace_child(&self, process: u32) {
        self.0.known().child = Some(process);
        self.trace(process, true);
    }

    /// Has a process traced that holds a runtime, unless it is already.
    pub(super) fn trace_runtime(&self, process: u32) {
        if !self.0.may_trace {
            locked(&self.0.table).script_unknown(NOT_ALLOWED.to_owned());
        }
        self.trace(process, false);
    }

    /// The same where the name of its program says so.
    pub(super) fn trace_if_runtime(&self, process: u32) {
        if holds_runtime(process) {
            self.trace_runtime(process);
        }
    }

    /// True where the stacks of a process have the frames of its scripts, or are not known.
    pub(super) fn has(&self, process: u32) -> bool {
        self.0.known().with_scripts.contains(&process)
    }

    /// Nothing more comes: says why frames of scripts are not known.
    pub(super) fn conclude(&self) {
        if self.0.kernel.met_handler() {
            locked(&self.0.table).script_unknown(HANDLES_SIGNAL.to_owned());
        }
    }

    /// The last record of a process was taken in.
    pub(super) fn ended(&self, process: u32) {
        self.0.known().with_scripts.remove(&process);
    }

    /// The stack of a thread at one of its stops, which are numbered from 1, and how long that held it up. `None`
    /// where it was not looked at.
    pub(super) fn look(&self, thread: u32, number: u32) -> Option<(Option<StackId>, HeldUp)> {
        let until = Instant::now() + PATIENCE;
        let mut known = self.0.known();
        loop {
            let read = known.read.get_mut(&thread);
            let next = read.and_then(|read| {
                while read.front().is_some_and(|look| look.number < number) {
                    read.pop_front();
                }
                read.front().copied()
            });
            match next {
                Some(look) => return (look.number == number).then_some((look.stack, look.held_up)),
                None if !known.threads.contains(&thread) => return None,
                None => {}
            }
            let left = until.checked_duration_since(Instant::now())?;
            let waited = self.0.changed.wait_timeout(known, left);
            known = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn trace(&self, process: u32, is_child: bool) {
        if !self.0.may_trace {
            return;
        }
        {
            let mut known = self.0.known();
            if known.traced.len() >= MOST_TRACED || !known.traced.insert(process) {
                return;
            }
        }
        let (seized, is_seized) = channel();
        let shared = Arc::clone(&self.0);
        let tracing = thread::Builder::new().spawn(move || {
            // What a child will be is known at its exec.
            Tracer::new(shared).run(process, !is_child, seized);
        });
        match tracing {
            // Ends when the threads are seized, or cannot be.
            Ok(_) => {
                let _ = is_seized.recv();
            }
            Err(_) => {
                self.0.known().traced.remove(&process);
            }
        }
    }
}

/// Lets a stopped thread go on, or go. Where that fails the thread was killed meanwhile; one that was not would
/// stand for ever, so that it is tried again.
fn let_go_on<E>(call: impl Fn() -> Result<(), E>) {
    let _ = call().or_else(|_| call()).or_else(|_| call());
}

impl Shared {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who traces a process and those that it makes.
struct Tracer {
    shared: Arc<Shared>,
    stacks: Stacks,
    threads: HashMap<i32, Traced>,
    /// Processes whose maker has told of them, and not they themselves: whether they run its script.
    made: HashMap<u32, bool>,
    /// What the kernel's side had counted when a process's mappings were read.
    mapped: HashMap<u32, u64>,
}

struct Traced {
    process: u32,
    /// Stopped at some of its calls.
    has_scripts: bool,
    /// How often it has been stopped.
    stops: u32,
    /// How long it had waited for a CPU when it was stopped last, in ns.
    waited_ns: u64,
}

impl Tracer {
    fn new(shared: Arc<Shared>) -> Self {
        let stacks = Stacks::in_table(Arc::clone(&shared.table));
        Self { shared, stacks, threads: HashMap::new(), made: HashMap::new(), mapped: HashMap::new() }
    }

    fn run(mut self, process: u32, has_scripts: bool, seized: Sender<()>) {
        self.seize(process, has_scripts);
        drop(seized);
        while let Ok((thread, change)) = ptrace::next_change() {
            match change {
                TraceeChange::Stopped => self.stopped(thread),
                TraceeChange::Ended => {
                    self.forget(id(thread));
                    let child = self.shared.known().child;
                    if child == Some(id(thread).cast_unsigned()) {
                        // It is reported until it is taken, which is done as soon as it has ended.
                        thread::sleep(LOOK);
                    } else {
                        // It may be gone already.
                        let _ = ptrace::take_end(thread);
                    }
                }
            }
        }
        let left: Vec<i32> = self.threads.keys().copied().collect();
        for thread in left {
            self.forget(thread);
        }
        self.shared.known().traced.remove(&process);
    }

    fn seize(&mut self, process: u32, has_scripts: bool) {
        for _ in 0..LISTINGS {
            let mut is_new = false;
            for entry in fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let thread = name.to_str().and_then(|name| Pid::from_raw(name.parse().ok()?));
                let Some(thread) = thread.filter(|thread| !self.threads.contains_key(&id(*thread))) else {
                    continue;
                };
                if ptrace::seize_running(thread).is_ok() {
                    self.add(id(thread), process, has_scripts);
                    is_new = true;
                }
            }
            if !is_new {
                return;
            }
        }
    }

    /// A thread is traced from now on.
    fn add(&mut self, thread: i32, process: u32, has_scripts: bool) {
        if self.threads.contains_key(&thread) {
            return;
        }
        let number = thread.cast_unsigned();
        let mut known = self.shared.known();
        known.read.remove(&number);
        known.threads.insert(number);
        known.traced.insert(process);
        drop(known);
        let traced = Traced { process, has_scripts: false, stops: 0, waited_ns: waited_ns(number) };
        self.threads.insert(thread, traced);
        self.set_scripts(thread, has_scripts);
    }

    /// Has a thread that is traced be stopped at some of its calls from now on, or no more.
    fn set_scripts(&mut self, thread: i32, has_scripts: bool) {
        let Some(traced) = self.threads.get_mut(&thread) else { return };
        if std::mem::replace(&mut traced.has_scripts, has_scripts) == has_scripts {
            return;
        }
        if has_scripts {
            traced.stops = 0;
            self.shared.known().with_scripts.insert(traced.process);
            self.shared.kernel.add(thread.cast_unsigned());
        } else {
            self.shared.kernel.remove(thread.cast_unsigned());
        }
    }

    /// A thread stands at its beginning. One of a process that is known runs what that does; another process what
    /// its maker did, which may be told later.
    fn began(&mut self, thread: i32, process: u32) {
        let known = self.threads.values().find(|known| known.process == process);
        let of_process = known.map(|known| known.has_scripts);
        let of_maker = self.made.remove(&process);
        let has_scripts = of_process.or(of_maker).unwrap_or_else(|| holds_runtime(process));
        self.add(thread, process, has_scripts);
    }

    /// A thread has ended, or is traced no more.
    fn forget(&mut self, thread: i32) {
        self.set_scripts(thread, false);
        let Some(Traced { process, .. }) = self.threads.remove(&thread) else { return };
        let is_last = !self.threads.values().any(|other| other.process == process);
        let mut known = self.shared.known();
        known.threads.remove(&thread.cast_unsigned());
        if is_last {
            known.traced.remove(&process);
        }
        drop(known);
        self.shared.changed.notify_all();
        if is_last {
            self.stacks.left(process);
            self.mapped.remove(&process);
        }
    }

    fn stopped(&mut self, thread: Pid) {
        let Ok(Some((signal, event))) = ptrace::take_stop(thread) else { return };
        let how = match event {
            0 if signal == STOPPING_SIGNAL && self.is_ours(thread) => {
                self.read_stack(thread);
                Resume::Continue(0)
            }
            0 => Resume::Continue(signal),
            EVENT_STOP if ptrace::stops_a_group(signal) => Resume::Listen,
            EVENT_STOP => {
                if let Some(process) = StoppedThread(thread).process() {
                    self.began(id(thread), process.cast_unsigned());
                }
                Resume::Continue(0)
            }
            libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK => {
                self.made_process(thread);
                Resume::Continue(0)
            }
            libc::PTRACE_EVENT_EXEC => {
                if !self.executed(thread) {
                    let_go_on(|| ptrace::detach(thread));
                    return;
                }
                Resume::Continue(0)
            }
            _ => Resume::Continue(0),
        };
        let_go_on(|| ptrace::resume(thread, how));
    }

    /// Whether the signal that a thread stands at is that of the kernel's side: it has counted one more.
    fn is_ours(&mut self, thread: Pid) -> bool {
        let Some(known) = self.threads.get_mut(&id(thread)) else { return false };
        let counted = self.shared.kernel.stops(id(thread).cast_unsigned());
        let is_ours = counted != known.stops;
        known.stops = counted;
        is_ours
    }

    fn read_stack(&mut self, thread: Pid) {
        let Some(Traced { process, stops, waited_ns: before_ns, .. }) = self.threads.get_mut(&id(thread))
        else {
            return;
        };
        let number = id(thread).cast_unsigned();
        let now_ns = waited_ns(number);
        let waited_ns = now_ns.saturating_sub(std::mem::replace(before_ns, now_ns));
        // Asked before the mappings are read.
        let mapped = self.shared.kernel.mapped();
        if self.mapped.insert(*process, mapped) != Some(mapped) {
            self.stacks.mapped(*process, 0, u64::MAX);
        }
        let stack = self.stacks.take(*process, &StoppedThread(thread));
        let look = Look { number: *stops, stack, held_up: HeldUp { waited_ns, until_ns: running::now_ns() } };
        self.shared.known().read.entry(number).or_default().push_back(look);
        self.shared.changed.notify_all();
    }

    /// A thread stands where it has made a process, which has its memory.
    fn made_process(&mut self, maker: Pid) {
        let child = ptrace::event_message(maker).ok().and_then(|child| u32::try_from(child).ok());
        let (Some(child), Some(maker)) = (child, self.threads.get(&id(maker))) else { return };
        let (process, has_scripts) = (maker.process, maker.has_scripts);
        self.stacks.forked(process, child);
        if !self.threads.contains_key(&child.cast_signed()) {
            self.made.insert(child, has_scripts);
        } else if has_scripts {
            self.set_scripts(child.cast_signed(), true);
        }
    }

    /// The process runs another program, and this is its only thread. False where it is to be let go.
    fn executed(&mut self, thread: Pid) -> bool {
        let process = id(thread).cast_unsigned();
        self.stacks.left(process);
        let has_scripts = holds_runtime(process);
        let is_kept = has_scripts || starts_others(process);
        let of_process = self.threads.iter().filter(|(_, traced)| traced.process == process);
        let others = of_process.map(|(known, _)| *known).filter(|known| !is_kept || *known != id(thread));
        // Before it goes on, so that its calls are told by their own stacks.
        for other in others.collect::<Vec<_>>() {
            self.forget(other);
        }
        if is_kept {
            self.add(id(thread), process, has_scripts);
            self.set_scripts(id(thread), has_scripts);
        }
        if !has_scripts {
            self.shared.known().with_scripts.remove(&process);
        }
        is_kept
    }
}

/// How long a thread has waited for a CPU since it began, in ns; 0 where the kernel does not say.
fn waited_ns(thread: u32) -> u64 {
    scheduler_times(&format!("/proc/{thread}/schedstat")).map_or(0, |[_, waited_ns, _]| waited_ns)
}

/// The name of the program of a process; empty where that is not known.
fn program_name(process: u32) -> String {
    let program = fs::read_link(format!("/proc/{process}/exe")).unwrap_or_default();
    program.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether the program of a process is one of those that start others, by its name.
fn starts_others(process: u32) -> bool {
    WRAPPERS.contains(&program_name(process).as_str())
}

/// Whether it is one of those that hold a runtime, by its name.
fn holds_runtime(process: u32) -> bool {
    let name = program_name(process);
    RUNTIMES.iter().any(|runtime| {
        let version = name.strip_prefix(runtime);
        version.is_some_and(|version| {
            !version.starts_with(|letter: char| letter.is_alphabetic() || letter == '-')
        })
    })
}

fn id(thread: Pid) -> i32 {
    thread.as_raw_nonzero().get()
}
