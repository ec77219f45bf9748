//! Lines become events: calls that others interrupted are put together, threads
//! are followed from their beginning to their end.

mod lives;
mod torn;

use super::clock::Clock;
use super::decode::{Decoding, Kept, known_calls};
use super::line::{self, Body};
use super::notes::{NoteKind, StraceNotes};
use super::outcome::{self, Ending};
use super::scan::Arguments;
use super::threads::{KnownCall, Pending, Threads};
use fathom_events::{CallName, CallOutcome, FileAction, FileEvent, PathTable, Shape, StackId};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::Path;
use torn::Torn;

/// What is known between lines.
#[derive(Debug)]
pub(super) struct Assembly {
    calls: HashMap<&'static [u8], Option<(CallName, Shape)>>,
    threads: Threads,
    clock: Clock,
    kept: Kept,
    notes: StraceNotes,
    ready: VecDeque<FileEvent>,
    /// Threads that were seen and whose making has not told yet whose they are.
    awaiting: BTreeSet<u32>,
    torn: Option<Torn>,
    line: u64,
    /// The line's own call is the last event of this thread.
    awaits_stack: Option<u32>,
}

impl Default for Assembly {
    fn default() -> Self {
        Self {
            calls: known_calls(),
            threads: Threads::default(),
            clock: Clock::default(),
            kept: Kept::default(),
            notes: StraceNotes::default(),
            ready: VecDeque::new(),
            awaiting: BTreeSet::new(),
            torn: None,
            line: 0,
            awaits_stack: None,
        }
    }
}

impl Assembly {
    pub(super) fn name_unnamed(&mut self, thread: u32) {
        self.threads.name_unnamed(thread);
    }

    pub(super) fn next_ready(&mut self) -> Option<FileEvent> {
        if self.awaiting.is_empty() { self.ready.pop_front() } else { None }
    }

    pub(super) fn notes(&self) -> &StraceNotes {
        &self.notes
    }

    pub(super) fn first_directory(&self) -> Option<&Path> {
        self.kept.first_directory.as_deref()
    }

    /// True for the name of a call.
    pub(super) fn knows(&self, name: &[u8]) -> bool {
        self.calls.contains_key(name)
    }

    pub(super) fn begin_line(&mut self, line: u64) {
        self.line = line;
        self.awaits_stack = None;
    }

    pub(super) fn note(&mut self, kind: NoteKind, text: &[u8]) {
        self.notes.add(self.line, kind, text);
    }

    /// The stack that follows is of the last event.
    pub(super) fn awaits_stack(&self) -> bool {
        self.awaits_stack.is_some()
    }

    pub(super) fn give_stack(&mut self, stack: Option<StackId>) {
        if stack.is_none() {
            self.note(NoteKind::StackDropped, b"");
        }
        let Some(thread) = self.awaits_stack else { return };
        if let Some(event) = self.ready.iter_mut().rfind(|event| event.thread == thread) {
            event.stack = stack;
        }
    }

    /// Takes a whole line; true when only strace prints such.
    pub(super) fn take_line(&mut self, text: &[u8], paths: &mut PathTable) -> bool {
        if self.continue_torn(text, paths) {
            return true;
        }
        let line = line::line(text);
        if line.body == Body::Foreign {
            self.note(NoteKind::Foreign, text);
            return false;
        }
        let at_ns = self.clock.at_ns(line.stamp);
        let mut head = Head { number: line.thread, at_ns, is_return: false, text, paths };
        match line.body {
            Body::Call(name, rest) => return self.call(&mut head, name, rest),
            Body::Attached(thread) => {
                self.meet(&mut head, Some(thread), None);
                return true;
            }
            Body::Remark | Body::Foreign => return false,
            Body::Resumed(name, rest) => self.resumed(&mut head, name, rest),
            Body::Ended(code) => self.thread_ended(&mut head, code),
            Body::Superseded(by) => self.superseded(&mut head, by),
            Body::Signal => {}
        }
        self.give_up_torn();
        true
    }

    /// The log ends, and with it all calls.
    pub(super) fn end(&mut self, paths: &mut PathTable) {
        self.give_up_torn();
        while let Some((thread, pending)) = self.threads.take_any() {
            self.never_ended(thread, 0, &pending, paths);
        }
        self.tell_left(0, true);
        self.give_up_awaiting();
    }

    fn call(&mut self, head: &mut Head<'_, '_>, name: &[u8], rest: &[u8]) -> bool {
        let has_end = || line::unfinished(rest).is_some() || line::has_ending(rest);
        let Some((name, how)) = self.calls.get_key_value(name).map(|(name, how)| (*name, *how)) else {
            let kind = if has_end() { NoteKind::UnknownCall } else { NoteKind::Foreign };
            self.note(kind, head.text);
            return false;
        };
        self.give_up_torn();
        let thread = self.meet(head, head.number, None);
        let call = Text { thread, call: (name, how), arguments: rest, child: None };
        self.take_call(head, &call);
        // Cheap to ask, for the tear is rare.
        self.torn.is_none()
    }

    fn resumed(&mut self, head: &mut Head<'_, '_>, name: &[u8], rest: &[u8]) {
        let thread = self.meet(head, head.number, Some(name));
        let Some(mut pending) = self.threads.take(thread) else {
            if name != b"???" && self.calls.get(name).is_none_or(Option::is_some) {
                self.note(NoteKind::NoBeginning, head.text);
            }
            return;
        };
        if pending.call.0 != name {
            self.note(NoteKind::NoBeginning, head.text);
            self.never_ended(thread, head.at_ns, &pending, head.paths);
            return;
        }
        head.is_return = true;
        pending.text.extend_from_slice(rest);
        let Pending { call, text, child, .. } = pending;
        self.take_call(head, &Text { thread, call, arguments: &text, child });
    }

    /// A call as far as its text goes: whole, unfinished, or torn.
    fn take_call(&mut self, head: &mut Head<'_, '_>, call: &Text<'_>) {
        if let Some(before) = line::unfinished(call.arguments) {
            if let Some(lost) = self.threads.keep(call.thread, call.pending(before, self.line)) {
                self.note(NoteKind::NeverResumed, &lost.text);
                self.never_ended(call.thread, head.at_ns, &lost, head.paths);
            }
            return;
        }
        if let Some((before, thread)) = line::before_remark(call.arguments) {
            let mut pending = call.pending(before, self.line);
            if let Some(thread) = thread.filter(|thread| self.threads.is_new(*thread)) {
                self.made_before_end(head, call.thread, &mut pending, thread);
            }
            self.torn = Some(Torn { thread: call.thread, at_ns: head.at_ns, pending });
            return;
        }
        let Some(known) = call.call.1 else {
            if !line::has_ending(call.arguments) {
                self.tear(head, call);
            }
            return;
        };
        let (arguments, after) = Arguments::split(call.arguments);
        let Some(after) = after.filter(|after| !after.trim_ascii().is_empty()) else {
            return self.tear(head, call);
        };
        let ending = outcome::ending(after);
        match ending {
            None => self.note(NoteKind::Result, head.text),
            Some(ending) if ending.cut => self.note(NoteKind::Cut, head.text),
            Some(_) => {}
        }
        let ending = ending.unwrap_or(Ending { outcome: CallOutcome::Unknown, duration_ns: None, cut: true });
        if call.child.is_some_and(|child| self.is_told(head, child, ending.outcome)) {
            return;
        }
        let at_ns = head.returned_at_ns(ending.duration_ns);
        let told = Told { thread: call.thread, at_ns, call: known, ending: Some(ending), line: head.text };
        self.emit(&told, arguments, head.paths);
        self.awaits_stack = Some(call.thread);
    }

    /// True when the thread that a call made has this number, which was told when
    /// the thread was seen.
    fn is_told(&mut self, head: &Head<'_, '_>, child: u32, outcome: CallOutcome) -> bool {
        let same = outcome.value() == Some(i64::from(child));
        if !same {
            self.note(NoteKind::UnsureParent, head.text);
        }
        same && !self.awaiting.contains(&child)
    }

    fn emit(&mut self, told: &Told<'_>, arguments: Arguments<'_>, paths: &mut PathTable) {
        let (call, shape) = told.call;
        let mut decoding = Decoding::new(arguments, told.ending, paths, &mut self.kept);
        let action = decoding.action(shape);
        let (outcome, unknown_name, cut_path) =
            (decoding.outcome(), decoding.unknown_name, decoding.cut_path);
        // Killed in the midst of it, a call's arguments may be missing.
        if action.is_none() && outcome != CallOutcome::Unfinished {
            self.note(NoteKind::Arguments, told.line);
        }
        if unknown_name {
            self.note(NoteKind::UnknownName, told.line);
        }
        if cut_path {
            self.note(NoteKind::CutPath, told.line);
        }
        let mut action = action.unwrap_or(FileAction::Other);
        let (at_ns, thread) = (told.at_ns, told.thread);
        let process = self.threads.process(thread);
        if let FileAction::Exit { code, whole } = &mut action {
            let Some(is_last) = self.threads.leaves(thread, *code, *whole) else { return };
            *whole = is_last;
        }
        let took_ns = told.ending.and_then(|ending| ending.duration_ns);
        let made = self.made_by(&action, outcome, at_ns, process);
        let event = FileEvent {
            at_ns,
            process,
            thread,
            call,
            action,
            outcome,
            took_ns,
            waited_ns: None,
            slept_ns: None,
            stack: None,
        };
        match made.filter(|made| self.awaiting.remove(made)) {
            Some(made) => self.push_before(made, event),
            None => self.push(event),
        }
    }
}

/// What a line tells beside its kind.
struct Head<'a, 'p> {
    number: Option<u32>,
    at_ns: u64,
    /// It was printed when a call returned, not when it was made.
    is_return: bool,
    text: &'a [u8],
    paths: &'p mut PathTable,
}

impl Head<'_, '_> {
    fn returned_at_ns(&self, duration_ns: Option<u64>) -> u64 {
        if self.is_return { self.at_ns } else { self.at_ns.saturating_add(duration_ns.unwrap_or(0)) }
    }
}

/// A call's text from its first argument on.
struct Text<'a> {
    thread: u32,
    call: KnownCall,
    arguments: &'a [u8],
    child: Option<u32>,
}

impl Text<'_> {
    fn pending(&self, text: &[u8], line: u64) -> Pending {
        Pending { call: self.call, text: text.to_vec(), line, child: self.child }
    }
}

/// A call to become an event.
struct Told<'a> {
    thread: u32,
    at_ns: u64,
    call: (CallName, Shape),
    ending: Option<Ending>,
    line: &'a [u8],
}
