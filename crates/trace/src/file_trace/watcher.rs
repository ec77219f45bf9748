//! Follows every thread through its calls of the file path and makes events of
//! them, in the order in which they returned. A thread's beginning comes before
//! its first call, a process's end after its last.

use super::arguments::{self, Early, clone_flags, fork_action};
use super::calls::{Calls, Shape};
use super::outbox::Outbox;
use super::ring::{GroupMember, number_inside};
use super::sleep::Sleeps;
use super::stacks::Stacks;
use super::unseen::{Reservations, Unseen};
use crate::call::Call;
use crate::witness::{Memory, Returned, Tracee, Witness};
use fathom_events::{
    CallName, CallOutcome, FileAction, FileEvent, PathTable, RunningProcess, StackId, Target,
};
use fathom_model::{ExecutedProgram, FileKind, Reading};
use fathom_stacks::StackTable;
use fathom_sys::clock::monotonic_ns;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The followed threads.
#[derive(Debug)]
pub(super) struct Watcher {
    calls: Arc<Calls>,
    threads: FxHashMap<i32, Watched>,
    programs: FxHashMap<u32, PathBuf>,
    paths: PathTable,
    outbox: Outbox,
    reservations: Reservations,
    processes: u64,
    began: Instant,
    /// A time of the clock of `at`, and of the kernel's clock, which stand for each other.
    same_time: (Instant, u64),
    sleeps: Sleeps,
    /// Where they were asked for.
    stacks: Option<Stacks>,
    /// Processes of a group that ran before, and what they make; `None` of a command.
    members: Option<BTreeMap<u32, GroupMember>>,
}

/// What a watcher has learned, besides the events.
#[derive(Debug)]
pub(super) struct Watch {
    pub(super) events: u64,
    pub(super) processes: u64,
    pub(super) reservations: Reservations,
    pub(super) stacks: Option<StackTable>,
    /// Calls that have none, though they were asked for.
    pub(super) without_stack: u64,
    /// Who was there, where it was a group.
    pub(super) members: Vec<GroupMember>,
}

#[derive(Debug)]
struct Watched {
    /// Its process; 0 while that is unknown.
    process: u32,
    pending: Option<Pending>,
}

/// A call that is still to return.
#[derive(Debug)]
struct Pending {
    name: CallName,
    shape: Shape,
    arguments: [u64; 6],
    early: Early,
    /// Told already, since what it made was there before it returned.
    told: bool,
    stack: Option<StackId>,
    /// When the tracer saw it begin.
    entered: Instant,
}

/// An event without what every event has.
struct Told {
    call: CallName,
    action: FileAction,
    stack: Option<StackId>,
    took_ns: Option<u64>,
}

const PROT_EXEC: u32 = libc::PROT_EXEC.cast_unsigned();
const PR_SET_SECCOMP: u64 = 22;
const SECCOMP_MODE_STRICT: u64 = 1;
/// Of `seccomp`: the operations that set a filter or the strict mode.
const SECCOMP_SETS: [u64; 2] = [0, 1];

impl Watcher {
    /// Nobody is there yet. Time counts from the exec that starts the command.
    pub(super) fn new(calls: Arc<Calls>, outbox: Outbox, stacks: Option<Stacks>) -> Self {
        Self {
            calls,
            threads: FxHashMap::default(),
            programs: FxHashMap::default(),
            paths: PathTable::new(),
            outbox,
            reservations: Reservations::default(),
            processes: 0,
            began: Instant::now(),
            same_time: (Instant::now(), monotonic_ns()),
            sleeps: Sleeps::default(),
            stacks,
            members: None,
        }
    }

    /// A process that runs already, with these threads.
    pub(super) fn meet(&mut self, running: &RunningProcess, threads: &[i32]) {
        let process = running.process;
        for tid in threads {
            self.threads.insert(*tid, Watched { process, pending: None });
        }
        self.processes += 1;
        self.programs.insert(process, running.program.clone().unwrap_or_default().into());
        self.add_member(process, running.program.clone());
        self.outbox.meet(running.clone());
    }

    /// A process of a group; of a command's nobody keeps a list.
    pub(super) fn in_group(self) -> Self {
        Self { members: Some(BTreeMap::new()), ..self }
    }

    fn add_member(&mut self, process: u32, program: Option<String>) {
        if let Some(members) = &mut self.members {
            members.insert(process, GroupMember { process, inside: number_inside(process), program });
        }
    }

    /// Sends off what is left.
    pub(super) fn finish(self) -> Watch {
        let events = self.outbox.finish(&self.paths);
        let without_stack = self.stacks.as_ref().map_or(0, Stacks::not_had);
        let stacks = self.stacks.map(Stacks::finish);
        let members = self.members.unwrap_or_default().into_values().collect();
        let Self { processes, reservations, .. } = self;
        Watch { events, processes, reservations, stacks, without_stack, members }
    }

    /// The process of a thread, asked for where nobody told of it.
    fn process(&mut self, tid: i32, tracee: &dyn Tracee) -> u32 {
        let watched = self.threads.entry(tid).or_insert(Watched { process: 0, pending: None });
        if watched.process == 0 {
            watched.process = tracee.process().map_or(0, i32::cast_unsigned);
            if watched.process == tid.cast_unsigned() {
                self.processes += 1;
                self.reservations.add(Unseen::UnknownMaker { process: watched.process });
                if let Reading::Value(path) = tracee.program().path {
                    self.programs.insert(watched.process, path);
                }
            }
        }
        watched.process
    }

    fn note_filter(&mut self, process: u32, pending: &Pending, failed: bool) {
        let program = self.program(process).to_owned();
        let mode = if pending.name == "seccomp" { pending.arguments[0] + 1 } else { pending.arguments[1] };
        if !failed {
            self.reservations.add(Unseen::OwnFilter { program });
        } else if mode == SECCOMP_MODE_STRICT {
            self.reservations.add(Unseen::StrictModeRefused { program });
        }
    }

    fn program(&self, process: u32) -> &Path {
        self.programs.get(&process).map_or(Path::new("a program"), PathBuf::as_path)
    }

    fn tell(&mut self, tid: i32, process: u32, told: Told, outcome: CallOutcome) {
        self.tell_at(Instant::now(), (tid, process), told, outcome);
    }

    fn tell_at(&mut self, at: Instant, (tid, process): (i32, u32), told: Told, outcome: CallOutcome) {
        let at_ns = nanoseconds(at.saturating_duration_since(self.began));
        let thread = tid.cast_unsigned();
        let Told { call, action, stack, took_ns } = told;
        let (instant, instant_ns) = self.same_time;
        let returned_ns = instant_ns + nanoseconds(at.saturating_duration_since(instant));
        let began_ns = returned_ns.saturating_sub(took_ns.unwrap_or(0));
        let slept_ns = self.sleeps.before_call(thread, began_ns, returned_ns);
        let event = FileEvent {
            at_ns,
            process,
            thread,
            call,
            action,
            outcome,
            took_ns,
            waited_ns: None,
            slept_ns,
            stack,
        };
        self.outbox.push(event, &self.paths);
    }

    fn tell_call(
        &mut self,
        tid: i32,
        process: u32,
        pending: &Pending,
        outcome: CallOutcome,
        tracee: &dyn Tracee,
    ) {
        let result = match outcome {
            CallOutcome::Value(value) => Some(value),
            CallOutcome::Failed(_) | CallOutcome::Unfinished | CallOutcome::Unknown => None,
        };
        let (arguments, early) = (pending.arguments, &pending.early);
        let call = arguments::Call { arguments, early, result, memory: tracee };
        let action = call.action(pending.shape, &mut self.paths);
        if let Some(stacks) = &mut self.stacks {
            follow_mappings(stacks, process, &action, outcome);
        }
        let returned = !matches!(outcome, CallOutcome::Unfinished | CallOutcome::Unknown);
        let took_ns = returned.then(|| nanoseconds(pending.entered.elapsed()));
        self.tell(tid, process, Told { call: pending.name, action, stack: pending.stack, took_ns }, outcome);
    }

    /// A thread is gone; a call that never returns was still made.
    fn tell_unfinished(&mut self, tid: i32, watched: Watched) {
        if let Some(pending) = watched.pending
            && !pending.told
            && !matches!(pending.shape, Shape::FilterCalls)
        {
            self.tell_call(tid, watched.process, &pending, CallOutcome::Unfinished, &Gone);
        }
    }
}

impl Witness for Watcher {
    fn settle(&mut self) {
        self.outbox.settle();
    }

    fn born(&mut self, tid: i32, _tracee: &dyn Tracee) {
        // An id that is used again is another thread.
        self.threads.insert(tid, Watched { process: 0, pending: None });
    }

    fn made_by(&mut self, tid: i32, maker: i32) -> bool {
        // A call of another form was noted as that; whose thread it is, is asked later.
        let Some(Watched { process: makers, pending: Some(pending) }) = self.threads.get_mut(&maker) else {
            return false;
        };
        let flags = clone_flags(pending.shape, pending.arguments, &pending.early);
        let action = fork_action(flags);
        let FileAction::Fork { is_thread, .. } = action else { return false };
        pending.told = true;
        let (call, stack, makers) = (pending.name, pending.stack, *makers);
        let process = if is_thread { makers } else { tid.cast_unsigned() };
        // It may have ended already.
        if let Some(child) = self.threads.get_mut(&tid) {
            child.process = process;
        }
        if !is_thread {
            self.processes += 1;
            let program = self.programs.get(&makers).cloned();
            self.add_member(process, program.as_ref().map(|program| program.to_string_lossy().into_owned()));
            if let Some(program) = program {
                self.programs.insert(process, program);
            }
            if let Some(stacks) = &mut self.stacks {
                stacks.forked(makers, process);
            }
        }
        self.tell(
            maker,
            makers,
            Told { call, action, stack, took_ns: None },
            CallOutcome::Value(i64::from(tid)),
        );
        true
    }

    fn enter(&mut self, tid: i32, call: Call, arguments: [u64; 6], tracee: &dyn Tracee) {
        let process = self.process(tid, tracee);
        if call.foreign {
            let program = self.programs.get(&process).map_or(Path::new("a program"), PathBuf::as_path);
            self.reservations.foreign_call(program);
            return;
        }
        let Some((name, shape)) = self.calls.find(call) else { return };
        let is_followed = match shape {
            Shape::Affinity => false,
            Shape::FilterCalls if name == "seccomp" => SECCOMP_SETS.contains(&arguments[0]),
            Shape::FilterCalls => arguments[0] == PR_SET_SECCOMP,
            _ => true,
        };
        if is_followed && let Some(watched) = self.threads.get_mut(&tid) {
            let early = Early::read(shape, arguments, tracee);
            // Here and not at its return: an exec's program and its stack are gone then.
            let begun = Instant::now();
            let path = shape.paths().next().map(|argument| arguments[argument]);
            let who = (tid.cast_unsigned(), process);
            let stack = self.stacks.as_mut().and_then(|stacks| stacks.take_in_turn(who, path, tracee));
            let entered = Instant::now();
            self.began += entered - begun;
            watched.pending = Some(Pending { name, shape, arguments, early, told: false, stack, entered });
        }
    }

    fn leave(&mut self, tid: i32, result: i64, failed: bool, tracee: &dyn Tracee) {
        let Some(watched) = self.threads.get_mut(&tid) else { return };
        let (process, Some(pending)) = (watched.process, watched.pending.take()) else { return };
        if pending.told {
            return;
        }
        match pending.shape {
            Shape::FilterCalls => {
                self.note_filter(process, &pending, failed);
                return;
            }
            Shape::MakeRing if !failed => {
                let program = self.programs.get(&process).map_or(Path::new("a program"), PathBuf::as_path);
                self.reservations.ring(program);
            }
            _ => {}
        }
        self.tell_call(tid, process, &pending, outcome(result, failed), tracee);
    }

    fn returned(&mut self, tid: i32, made: &Returned<'_>) {
        let process = self.process(tid, made.tracee);
        let Some((call, shape)) = self.calls.find(made.call) else { return };
        let outcome = outcome(made.result, is_errno(made.result));
        let early = Early::default();
        let result = outcome.value();
        let told = arguments::Call { arguments: made.arguments, early: &early, result, memory: made.tracee };
        let action = told.action(shape, &mut self.paths);
        let mut stack = None;
        if let Some(stacks) = &mut self.stacks {
            let begun = Instant::now();
            let path = shape.paths().next().map(|argument| made.arguments[argument]);
            stack = stacks.take_in_turn((tid.cast_unsigned(), process), path, made.tracee);
            self.began += begun.elapsed();
            follow_mappings(stacks, process, &action, outcome);
        }
        let took_ns = Some(nanoseconds(made.took));
        self.tell_at(made.at, (tid, process), Told { call, action, stack, took_ns }, outcome);
    }

    fn needs_stops(&self, tid: i32) -> bool {
        let process = self.threads.get(&tid).map(|watched| watched.process);
        self.stacks.as_ref().zip(process).is_some_and(|(stacks, process)| stacks.needs_stops(process))
    }

    fn broken_off(&mut self, tid: i32, call: Call, arguments: [u64; 6]) {
        let Some((name, shape)) = self.calls.find(call) else { return };
        if let Some(watched) = self.threads.get_mut(&tid) {
            let (early, entered) = (Early::default(), Instant::now());
            watched.pending =
                Some(Pending { name, shape, arguments, early, told: false, stack: None, entered });
        }
    }

    /// After an exec by a thread, the thread has the id of its process.
    fn executed(&mut self, pid: i32, former: i32, tracee: &dyn Tracee) {
        let process = pid.cast_unsigned();
        let mut watched = self.threads.remove(&former);
        if former != pid
            && let Some(first) = self.threads.remove(&pid)
        {
            // It is gone without a word.
            self.tell_unfinished(pid, first);
        }
        if watched.is_none() {
            self.processes += 1;
            self.began = Instant::now();
        }
        if let Some(stacks) = &mut self.stacks {
            stacks.left(process);
        }
        // The exec that starts it all was made before anybody watched.
        let pending = watched.as_mut().and_then(|watched| watched.pending.take());
        self.threads.insert(pid, Watched { process, pending: None });
        if let Some(pending) = pending {
            self.tell_call(pid, process, &pending, CallOutcome::Value(0), tracee);
        } else {
            let path = self.paths.number(&tracee.executed_path().unwrap_or_default());
            let action = FileAction::Execute { target: Target::path(path) };
            self.tell(
                pid,
                process,
                Told { call: "execve", action, stack: None, took_ns: None },
                CallOutcome::Value(0),
            );
        }
        let ExecutedProgram { path, privilege_lost, .. } = tracee.program();
        if let Reading::Value(path) = path {
            if let Some(privilege) = privilege_lost {
                self.reservations.add(Unseen::PrivilegeLost { program: path.clone(), privilege });
            }
            if let Some(member) = self.members.as_mut().and_then(|members| members.get_mut(&process)) {
                member.program = Some(path.to_string_lossy().into_owned());
            }
            self.programs.insert(process, path);
        }
    }

    fn ended(&mut self, tid: i32, status: ExitStatus) {
        let Some(watched) = self.threads.remove(&tid) else { return };
        let process = watched.process;
        self.tell_unfinished(tid, watched);
        let whole = process == tid.cast_unsigned();
        let name = if whole { "exit_group" } else { "exit" };
        if whole {
            self.programs.remove(&process);
            if let Some(stacks) = &mut self.stacks {
                stacks.left(process);
            }
        }
        if process != 0 {
            let action = FileAction::Exit { code: status.code(), whole };
            self.tell(
                tid,
                process,
                Told { call: name, action, stack: None, took_ns: None },
                CallOutcome::Unfinished,
            );
        }
        self.sleeps.forget(tid.cast_unsigned());
    }
}

fn outcome(result: i64, failed: bool) -> CallOutcome {
    match i32::try_from(result.wrapping_neg()) {
        Ok(errno) if failed => CallOutcome::Failed(errno),
        _ => CallOutcome::Value(result),
    }
}

/// As the kernel tells errors from addresses.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only the hook tells so"))]
fn is_errno(result: i64) -> bool {
    (-4095..0).contains(&result)
}

fn nanoseconds(elapsed: Duration) -> u64 {
    u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX)
}

/// Code may have come to where other code was, or have gone.
fn follow_mappings(stacks: &mut Stacks, process: u32, action: &FileAction, outcome: CallOutcome) {
    match (action, outcome.value()) {
        (FileAction::Map { bytes, protection, .. }, Some(address)) if protection & PROT_EXEC != 0 => {
            stacks.mapped(process, address.cast_unsigned(), *bytes);
        }
        (FileAction::Unmap { address, bytes }, Some(_)) => stacks.mapped(process, *address, *bytes),
        _ => {}
    }
}

/// A thread that is no more: nothing can be asked of it.
struct Gone;

impl Memory for Gone {
    fn copy(&self, _address: u64, _buffer: &mut [u8]) -> usize {
        0
    }
}

impl Tracee for Gone {
    fn text(&self, _address: u64) -> Option<String> {
        None
    }
    fn file_kind(&self, _descriptor: i32) -> Option<FileKind> {
        None
    }
    fn process(&self) -> Option<i32> {
        None
    }
    fn name(&self) -> Option<String> {
        None
    }
    fn executed_path(&self) -> Option<OsString> {
        None
    }
    fn program(&self) -> ExecutedProgram {
        let path = Reading::Unavailable("the process is gone".to_owned());
        ExecutedProgram { path, arguments: Vec::new(), privilege_lost: None }
    }
}
