//! Reading what strace wrote, in all its variants, as events: one line at a time, in
//! bounded memory. What a line says is read in `strace_log/`; here lines are told from
//! stacks and from files that are none of strace's.
//!
//! As with our own tracer, the call that made a thread comes before all that it did, a
//! process ends after all that its threads did, and a call that came back only to be
//! made again (`= ? ERESTARTSYS`) has failed with the kernel's number for it, 512 to
//! 516. The first process of a log whose lines name none is 0.

mod assembly;
mod clock;
mod constants;
mod decode;
mod facts;
mod line;
mod lines;
mod notes;
mod outcome;
mod scan;
mod stacks;
mod threads;
mod value;

pub use notes::{NoteKind, StraceNote, StraceNotes};
pub use stacks::StackFrame;

use assembly::Assembly;
use fathom_events::{FileEvent, PathTable, StackId};
use line::Body;
use lines::Lines;
use stacks::Stacks;
use std::io::{self, BufRead};
use std::path::Path;

/// So many lines without one of strace's make a file foreign.
const FOREIGN_LINES: u64 = 100;

/// Why a log cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StraceError {
    /// Reading failed.
    #[error("read line {line}")]
    Io {
        /// The line, counted from 1.
        line: u64,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// No line of it is one of strace's.
    #[error("this is no output of strace: the first line is `{first_line}`")]
    Foreign {
        /// Its beginning.
        first_line: String,
    },
}

/// Reads a log of strace's, event by event.
#[derive(Debug)]
pub struct StraceLog<R> {
    lines: Lines<R>,
    assembly: Assembly,
    stacks: Stacks,
    stack_text: Vec<u8>,
    first_line: Option<String>,
    recognized: bool,
}

impl<R: BufRead> StraceLog<R> {
    /// Reads what strace printed or wrote to its file.
    pub fn new(reader: R) -> Self {
        Self {
            lines: Lines::new(reader),
            assembly: Assembly::default(),
            stacks: Stacks::default(),
            stack_text: Vec::new(),
            first_line: None,
            recognized: false,
        }
    }

    /// The same of the log of one thread (`-ff`), whose number the file's name tells; it
    /// is taken as a process of its own, for its file does not tell whose it is.
    #[must_use]
    pub fn of_thread(mut self, thread: u32) -> Self {
        self.assembly.name_unnamed(thread);
        self
    }

    /// The next event; `None` after the last.
    pub fn next_event(&mut self, paths: &mut PathTable) -> Result<Option<FileEvent>, StraceError> {
        loop {
            if let Some(event) = self.assembly.next_ready() {
                return Ok(Some(event));
            }
            if !self.advance()? {
                self.assembly.end(paths);
                if !self.recognized && self.first_line.is_some() {
                    return Err(self.foreign());
                }
                return Ok(self.assembly.next_ready());
            }
            let text = self.lines.take();
            self.understand(&text, paths);
            self.lines.put_back(text);
            if self.lines.frame_follows() {
                self.read_stack()?;
            }
            if !self.recognized && self.lines.number() >= FOREIGN_LINES {
                return Err(self.foreign());
            }
        }
    }

    /// What could not be read so far.
    pub fn notes(&self) -> &StraceNotes {
        self.assembly.notes()
    }

    /// Lines read so far.
    pub fn lines(&self) -> u64 {
        self.lines.number()
    }

    /// The frames of an event's stack, the innermost first.
    pub fn frames(&self, stack: StackId) -> Vec<StackFrame> {
        self.stacks.frames(stack)
    }

    /// How many distinct stacks events have so far: numbers from 0 on.
    pub fn stacks(&self) -> u32 {
        self.stacks.len()
    }

    /// The directory in which the first process began, where the log tells it (`-y`)
    /// and was read that far.
    pub fn first_directory(&self) -> Option<&Path> {
        self.assembly.first_directory()
    }

    fn advance(&mut self) -> Result<bool, StraceError> {
        let line = self.lines.number() + 1;
        self.lines.advance().map_err(|source| StraceError::Io { line, source })
    }

    fn understand(&mut self, text: &[u8], paths: &mut PathTable) {
        self.assembly.begin_line(self.lines.number());
        if text.is_empty() {
            return;
        }
        if self.first_line.is_none() && !self.recognized {
            self.first_line = Some(notes::beginning(text));
        }
        if self.lines.is_too_long() {
            self.assembly.note(NoteKind::TooLong, text);
            return;
        }
        if self.lines.is_cut() {
            let body = line::line(text).body;
            self.recognized |= matches!(body, Body::Call(name, _) if self.assembly.knows(name));
            self.assembly.note(NoteKind::Cut, text);
            return;
        }
        self.recognized |= self.assembly.take_line(text, paths);
    }

    fn read_stack(&mut self) -> Result<(), StraceError> {
        self.stack_text.clear();
        while self.lines.frame_follows() {
            self.advance()?;
            self.stack_text.extend_from_slice(self.lines.current());
            self.stack_text.push(b'\n');
        }
        if self.assembly.awaits_stack() {
            let stack = self.stacks.number(&self.stack_text);
            self.assembly.give_stack(stack);
        }
        Ok(())
    }

    fn foreign(&mut self) -> StraceError {
        StraceError::Foreign { first_line: self.first_line.clone().unwrap_or_default() }
    }
}
