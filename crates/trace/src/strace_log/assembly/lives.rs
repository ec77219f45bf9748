//! Threads and processes begin, take each other's place, and end.

use super::{Assembly, Head, Told};
use crate::strace_log::decode::Decoding;
use crate::strace_log::notes::NoteKind;
use crate::strace_log::outcome::Ending;
use crate::strace_log::scan::Arguments;
use crate::strace_log::threads::{Left, Pending};
use fathom_events::{CallOutcome, FileAction, FileEvent, PathTable};
use memchr::memmem;

/// Most events that are kept until it is told whose a thread is.
const MOST_AWAITING: usize = 10_000;

impl Assembly {
    pub(super) fn thread_ended(&mut self, head: &mut Head<'_, '_>, code: Option<i32>) {
        let thread = self.meet(head, head.number, None);
        let process = self.threads.process(thread);
        let (pending, was_told) = self.threads.end(thread);
        if let Some(pending) = pending {
            self.never_ended_of(thread, process, head.at_ns, &pending, head.paths);
        }
        if !was_told {
            self.exit(head.at_ns, Left { thread, process, code });
        }
        self.tell_left(head.at_ns, false);
        self.awaits_stack = Some(thread);
    }

    /// Tells the ends of threads of which no line will.
    pub(super) fn tell_left(&mut self, at_ns: u64, all: bool) {
        for left in self.threads.take_left(all) {
            self.exit(at_ns, left);
        }
    }

    fn exit(&mut self, at_ns: u64, left: Left) {
        let Left { thread, process, code } = left;
        let whole = thread == process;
        let call = if whole { "exit_group" } else { "exit" };
        let (action, outcome) = (FileAction::Exit { code, whole }, CallOutcome::Unfinished);
        self.push(FileEvent {
            at_ns,
            process,
            thread,
            call,
            action,
            outcome,
            took_ns: None,
            waited_ns: None,
            slept_ns: None,
            stack: None,
        });
    }

    /// A thread that executes a program goes on with its process's number.
    pub(super) fn superseded(&mut self, head: &mut Head<'_, '_>, by: u32) {
        let thread = self.meet(head, head.number, None);
        if let Some(pending) = self.threads.take(thread) {
            self.never_ended(thread, head.at_ns, &pending, head.paths);
        }
        if let (Some(executing), _) = self.threads.end(by) {
            self.threads.keep(thread, executing);
        }
    }

    /// The thread of a line; where it is new, the call that made it is told first.
    pub(super) fn meet(
        &mut self,
        head: &mut Head<'_, '_>,
        number: Option<u32>,
        resumed: Option<&[u8]>,
    ) -> u32 {
        let met = self.threads.meet(number, resumed);
        if met.unsure {
            self.awaiting.insert(met.thread);
        }
        if let Some(maker) = met.made_by
            && let Some(mut pending) = self.threads.take(maker)
        {
            self.made_before_end(head, maker, &mut pending, met.thread);
            self.threads.keep(maker, pending);
        }
        met.thread
    }

    /// A thread was seen before the end of the call that made it.
    pub(super) fn made_before_end(
        &mut self,
        head: &mut Head<'_, '_>,
        maker: u32,
        pending: &mut Pending,
        child: u32,
    ) {
        let Some(call) = pending.call.1.filter(|_| pending.makes_thread()) else {
            self.threads.begin(child, child);
            return;
        };
        pending.child = Some(child);
        let tells_shared =
            matches!(pending.call.0, b"fork" | b"vfork") || memmem::find(&pending.text, b"flags=").is_some();
        if !tells_shared {
            // Old versions print the arguments of `clone` when it ends.
            self.awaiting.insert(child);
            self.threads.begin(child, child);
            return;
        }
        let (arguments, _) = Arguments::split(&pending.text);
        let ending = Ending { outcome: CallOutcome::Value(i64::from(child)), duration_ns: None, cut: false };
        let told = Told { thread: maker, at_ns: head.at_ns, call, ending: Some(ending), line: &pending.text };
        self.emit(&told, arguments, head.paths);
        if self.threads.is_new(child) {
            self.threads.begin(child, child);
        }
    }

    pub(super) fn never_ended(&mut self, thread: u32, at_ns: u64, pending: &Pending, paths: &mut PathTable) {
        let process = self.threads.process(thread);
        self.never_ended_of(thread, process, at_ns, pending, paths);
    }

    /// A call that its thread or the log ended in.
    fn never_ended_of(
        &mut self,
        thread: u32,
        process: u32,
        at_ns: u64,
        pending: &Pending,
        paths: &mut PathTable,
    ) {
        let Some((call, shape)) = pending.call.1.filter(|_| pending.child.is_none()) else { return };
        let (arguments, _) = Arguments::split(&pending.text);
        let action = Decoding::new(arguments, None, paths, &mut self.kept).action(shape);
        if let Some(FileAction::Exit { code, whole }) = action {
            let _ = self.threads.leaves(thread, code, whole);
            return;
        }
        let (action, outcome) = (action.unwrap_or(FileAction::Other), CallOutcome::Unfinished);
        self.push(FileEvent {
            at_ns,
            process,
            thread,
            call,
            action,
            outcome,
            took_ns: None,
            waited_ns: None,
            slept_ns: None,
            stack: None,
        });
    }

    /// The thread that a call made. One of its number that was there has ended.
    pub(super) fn made_by(
        &mut self,
        action: &FileAction,
        outcome: CallOutcome,
        at_ns: u64,
        process: u32,
    ) -> Option<u32> {
        let FileAction::Fork { is_thread, .. } = action else { return None };
        let made = outcome.value().and_then(|made| u32::try_from(made).ok()).filter(|made| *made > 0)?;
        if let Some(left) = self.threads.take_one_left(made) {
            self.exit(at_ns, left);
        }
        self.threads.belongs(made, if *is_thread { process } else { made });
        Some(made)
    }

    /// Gives an event. Nothing goes out while it is not told whose a thread is.
    pub(super) fn push(&mut self, event: FileEvent) {
        self.ready.push_back(event);
        if self.ready.len() >= MOST_AWAITING {
            self.give_up_awaiting();
        }
    }

    /// Puts the making of a thread before all that it did.
    pub(super) fn push_before(&mut self, made: u32, mut making: FileEvent) {
        let process = self.threads.process(made);
        let first = self.ready.iter().position(|event| event.thread == made);
        for event in self.ready.iter_mut().filter(|event| event.thread == made) {
            event.process = process;
        }
        let Some(first) = first else { return self.push(making) };
        making.at_ns = self.ready[first].at_ns;
        self.ready.insert(first, making);
    }

    /// Takes threads whose making is not in the log as processes of their own.
    pub(super) fn give_up_awaiting(&mut self) {
        for thread in std::mem::take(&mut self.awaiting) {
            self.note(NoteKind::UnsureParent, thread.to_string().as_bytes());
        }
    }
}
