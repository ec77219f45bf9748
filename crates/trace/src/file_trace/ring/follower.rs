//! Records become events: who calls is known by then, births come before calls, and what
//! ptrace tells of a process's life is told here in the same words.

mod group;
mod lives;
mod requests;
#[cfg(test)]
mod tests;

use super::plan::{Copies, plans};
use super::programs::RequestFields;
use super::record::{Kind, Record};
use super::running::GroupMember;
use super::stacks::RingStacks;
use super::standing_clock::StandingClock;
use crate::call::Call as CallNumber;
use crate::file_trace::arguments::{Call, Early};
use crate::file_trace::calls::{Calls, Shape};
use crate::file_trace::sleep::Sleeps;
use crate::file_trace::unseen::Reservations;
use fathom_events::{CallName, CallOutcome, FileAction, FileEvent, PathTable};
use fathom_stacks::StackTable;
use group::Group;
pub(super) use group::Newcomers;
use requests::Requests;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Where events go.
pub(super) type Sink<'a> = dyn FnMut(FileEvent, &PathTable) + 'a;

/// Signals that reached the program, most of which nobody asks for.
pub(super) type Delivered = Arc<Mutex<Vec<i32>>>;

/// The threads that are followed, and what they did.
#[derive(Debug)]
pub(super) struct Follower {
    calls: Calls,
    plans: Vec<Option<Copies>>,
    threads: HashMap<u32, Thread>,
    processes: BTreeMap<u32, Process>,
    requests: Requests,
    stacks: Option<RingStacks>,
    /// Whether the kernel keeps how long calls waited also where it does not keep when they began.
    tells_waits: bool,
    paths: PathTable,
    reservations: Reservations,
    delivered: Delivered,
    /// Records before the exec with which everything begins are the starter's own.
    has_begun: bool,
    began_ns: u64,
    clock: StandingClock,
    sleeps: Sleeps,
    last_ns: u64,
    events: u64,
    processes_seen: u64,
    /// The process with which everything begins, and how it ended.
    first: Option<u32>,
    first_code: Option<i32>,
    /// Where it begins.
    directory: Option<PathBuf>,
    /// Where all of a group are followed.
    group: Option<Group>,
}

/// What a follower has learned, besides the events.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) events: u64,
    pub(super) processes: u64,
    pub(super) reservations: Reservations,
    /// How the first process ended, as the kernel has it.
    pub(super) first_code: Option<i32>,
    /// The stacks that events name, where they were taken, and how many calls have none.
    pub(super) stacks: Option<(StackTable, u64)>,
    /// Who was followed of a group.
    pub(super) members: Vec<GroupMember>,
}

#[derive(Debug)]
struct Thread {
    process: u32,
    /// A call that a signal broke off: whether it returned or the thread ended in it is
    /// known by the next record.
    held: Option<FileEvent>,
    /// A thread of the kernel's own, which works for `io_uring`.
    is_worker: bool,
}

#[derive(Debug, Default)]
struct Process {
    program: PathBuf,
    threads: u32,
    /// How the first thread ended, when it was not the last.
    code: Option<i32>,
}

/// Errnos by which the kernel says that a signal struck: it kills, or the call is made again.
const BROKEN_OFF: [i32; 5] = [libc::EINTR, 512, 513, 514, 516];
const LARGEST_ERRNO: i64 = 4095;

impl Follower {
    /// Nobody is there yet; everything begins with an exec.
    pub(super) fn new(calls: Calls, requests: Option<RequestFields>, delivered: Delivered) -> Self {
        let mut table = Vec::new();
        for (number, copies) in plans(&calls) {
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            if table.len() <= number {
                table.resize(number + 1, None);
            }
            table[number] = Some(copies);
        }
        Self {
            calls,
            plans: table,
            threads: HashMap::new(),
            processes: BTreeMap::new(),
            requests: Requests::new(requests),
            stacks: None,
            tells_waits: false,
            paths: PathTable::new(),
            reservations: Reservations::default(),
            delivered,
            has_begun: false,
            began_ns: 0,
            clock: StandingClock::default(),
            sleeps: Sleeps::default(),
            last_ns: 0,
            events: 0,
            processes_seen: 0,
            first: None,
            first_code: None,
            directory: None,
            group: None,
        }
    }

    /// The same, which also tells the stacks of calls. A command begins in this directory.
    pub(super) fn with_stacks(self, stacks: Option<RingStacks>, directory: Option<PathBuf>) -> Self {
        Self { stacks, directory, ..self }
    }

    /// One whose records say how long calls waited.
    pub(super) fn telling_waits(self, tells_waits: bool) -> Self {
        Self { tells_waits, ..self }
    }

    /// A process that runs already, with these threads. Everything begins now.
    pub(super) fn meet(&mut self, process: u32, threads: &[u32], program: PathBuf, now_ns: u64) {
        self.has_begun = true;
        self.began_ns = now_ns;
        self.first = Some(process);
        self.processes_seen += 1;
        self.processes.insert(process, Process { program, ..Process::default() });
        if let Some(stacks) = &mut self.stacks {
            stacks.meet(process);
        }
        for thread in threads {
            self.add(*thread, process, false);
        }
    }

    /// Takes in the next record.
    pub(super) fn take(&mut self, record: &Record<'_>, sink: &mut Sink<'_>) {
        let head = record.head;
        if !self.has_begun && head.kind != Kind::Exec {
            return;
        }
        if self.group.is_some() {
            self.let_in(&head);
        }
        match head.kind {
            Kind::Call => self.returned(record, sink),
            Kind::ForeignCall => self.reservations.foreign_call(&self.program(head.process)),
            Kind::Birth => self.born(&head, sink),
            Kind::Exec => self.executed(record, sink),
            Kind::End => self.ended(&head, sink),
            Kind::Signal => {
                if let (Ok(signal), Ok(mut delivered)) =
                    (i32::try_from(head.arguments[0]), self.delivered.lock())
                {
                    delivered.push(signal);
                }
            }
            Kind::Request => self.submitted(record),
            Kind::Answer => self.answered(&head, sink),
            Kind::Stack => {
                if let Some(stacks) = &mut self.stacks {
                    stacks.copied(record);
                }
            }
        }
    }

    /// Says what is left to be said.
    pub(super) fn finish(mut self, sink: &mut Sink<'_>) -> Followed {
        let mut held: Vec<FileEvent> =
            self.threads.values_mut().filter_map(|thread| thread.held.take()).collect();
        held.sort_by_key(|event| (event.at_ns, event.thread));
        for event in held {
            self.tell(event, sink);
        }
        self.requests.reserve(&mut self.reservations);
        let members = self.take_members();
        let Self { events, processes_seen: processes, reservations, first_code, stacks, .. } = self;
        let stacks = stacks.map(RingStacks::finish);
        Followed { events, processes, reservations, first_code, stacks, members }
    }

    /// A call returned.
    fn returned(&mut self, record: &Record<'_>, sink: &mut Sink<'_>) {
        let head = record.head;
        let (stack, held_up) = self.stacks.as_mut().map_or((None, None), |stacks| stacks.of_call(&head));
        self.release(head.thread, sink);
        if let Some(held_up) = held_up {
            self.clock.stand(head.time_ns.saturating_sub(held_up.waited_ns), held_up.until_ns);
        }
        let number = CallNumber { number: u64::from(head.call), foreign: false };
        let copies = self.plans.get(usize::from(head.call)).copied().flatten();
        let (Some((name, shape)), Some(copies)) = (self.calls.find(number), copies) else { return };
        let outcome = match i32::try_from(head.result.wrapping_neg()) {
            Ok(errno) if (-LARGEST_ERRNO..0).contains(&head.result) => CallOutcome::Failed(errno),
            _ => CallOutcome::Value(head.result),
        };
        // Births and execs are told where they happen; the child of a fork returns from it, too.
        if outcome.value().is_some() && tells_itself(shape) {
            return;
        }
        let memory = record.memory(&copies);
        let early = Early::before(shape, head.arguments, &memory, head.result);
        let call =
            Call { arguments: head.arguments, early: &early, result: outcome.value(), memory: &memory };
        let action = call.action(shape, &mut self.paths);
        let at_ns = head.time_ns;
        let event = FileEvent {
            at_ns,
            process: head.process,
            thread: head.thread,
            call: name,
            action,
            outcome,
            took_ns: head.began_ns.map(|began| at_ns.saturating_sub(began)),
            waited_ns: (self.tells_waits || head.began_ns.is_some()).then_some(head.waited_ns),
            slept_ns: None,
            stack,
        };
        if let Some(stacks) = &mut self.stacks {
            stacks.follow(&event, &self.paths);
        }
        match outcome.errno() {
            Some(errno) if BROKEN_OFF.contains(&errno) => {
                let process = head.process;
                let thread = self.threads.entry(head.thread);
                thread.or_insert(Thread { process, held: None, is_worker: false }).held = Some(event);
            }
            _ => self.tell(event, sink),
        }
        if let Some(held_up) = held_up {
            self.sleeps.stood(head.thread, held_up.until_ns);
        }
    }

    /// Tells of a call that was broken off: the thread goes on.
    fn release(&mut self, thread: u32, sink: &mut Sink<'_>) {
        if let Some(event) = self.threads.get_mut(&thread).and_then(|thread| thread.held.take()) {
            self.tell(event, sink);
        }
    }

    fn tell_action(
        &mut self,
        (process, thread): (u32, u32),
        (time_ns, took_ns, call): (u64, Option<u64>, CallName),
        action: FileAction,
        outcome: CallOutcome,
        sink: &mut Sink<'_>,
    ) {
        self.tell(
            FileEvent {
                at_ns: time_ns,
                process,
                thread,
                call,
                action,
                outcome,
                took_ns,
                waited_ns: None,
                slept_ns: None,
                stack: None,
            },
            sink,
        );
    }

    /// Times are the kernel's until here, and those at which threads were held up from here on none. Clocks of two
    /// CPUs may differ by less than records do.
    fn tell(&mut self, event: FileEvent, sink: &mut Sink<'_>) {
        // Where its beginning is not known, a call took at least as long as its thread was blocked in it.
        let took_ns = event.took_ns.or(event.waited_ns).unwrap_or(0);
        let began_ns = event.at_ns.saturating_sub(took_ns);
        let slept_ns = self.sleeps.before_call(event.thread, began_ns, event.at_ns);
        if matches!(event.action, FileAction::Exit { .. }) {
            self.sleeps.forget(event.thread);
        }
        let at_ns = self.clock.at(event.at_ns).saturating_sub(self.began_ns).max(self.last_ns);
        self.last_ns = at_ns;
        self.events += 1;
        sink(FileEvent { at_ns, slept_ns, ..event }, &self.paths);
    }

    fn program(&self, process: u32) -> PathBuf {
        let known = self.processes.get(&process).map(|process| process.program.as_path());
        known.filter(|path| *path != Path::new("")).unwrap_or(Path::new("a program")).to_owned()
    }
}

fn tells_itself(shape: Shape) -> bool {
    matches!(shape, Shape::Clone | Shape::CloneWithStructure | Shape::Fork | Shape::Execute(_))
}
