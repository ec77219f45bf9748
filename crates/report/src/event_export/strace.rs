//! What strace prints (`-f -ttt -T`), so that its readers read events of any capture. Arguments that
//! events do not have are `?`; data that was read or written is an empty string that goes on
//! (`""...`). Requests of `io_uring` look like the calls that they stand for.

mod arguments;
mod quoted;
mod words;

use super::timeline::Timeline;
use super::{EventExportError, EventExporter, EventSource, EventsWritten};
use arguments::push_arguments;
use fathom_audit::errno_name;
use fathom_events::{CallOutcome, FileAction, FileEvent, PathTable};
use std::io::Write;

/// Errnos that no program sees: the kernel makes the call again, or says that a signal came.
const RESTARTS: [(i32, &str); 4] =
    [(512, "ERESTARTSYS"), (513, "ERESTARTNOINTR"), (514, "ERESTARTNOHAND"), (516, "ERESTART_RESTARTBLOCK")];

/// Writes a log.
pub(super) struct StraceText<'a> {
    source: EventSource<'a>,
    out: &'a mut (dyn Write + Send),
    timeline: Timeline,
    line: Vec<u8>,
    written: EventsWritten,
}

impl<'a> StraceText<'a> {
    pub(super) fn begin(source: EventSource<'a>, out: &'a mut (dyn Write + Send)) -> Self {
        let timeline = Timeline::new(source.running);
        Self { source, out, timeline, line: Vec::new(), written: EventsWritten::default() }
    }

    /// Who and when: the time at which the call began, where that is known.
    fn push_head(&mut self, event: &FileEvent, began_ns: Option<u64>) {
        self.line.clear();
        // In a log without numbers, the first process is 0; strace names it nowhere.
        if event.thread > 0 {
            let _infallible = write!(self.line, "{} ", event.thread);
        }
        if let (true, Some(epoch_ns)) = (self.source.survey.has_times, self.source.began_epoch_ns) {
            let at_ns = epoch_ns.saturating_add(began_ns.unwrap_or(event.at_ns));
            let _infallible = write!(self.line, "{}.{:09} ", at_ns / 1_000_000_000, at_ns % 1_000_000_000);
        }
    }

    fn push_outcome(&mut self, event: &FileEvent) {
        let line = &mut self.line;
        let _infallible = match event.outcome {
            CallOutcome::Value(value) => match event.action {
                FileAction::Map { .. } | FileAction::Remap { .. } => write!(line, " = {value:#x}"),
                FileAction::Mask { .. } if value != 0 => write!(line, " = 0{value:o}"),
                _ => write!(line, " = {value}"),
            },
            CallOutcome::Failed(errno) => match RESTARTS.iter().find(|(number, _)| *number == errno) {
                Some((_, name)) => write!(line, " = ? {name} (To be restarted)"),
                None => match errno_name(errno) {
                    name if name.starts_with("errno ") => write!(line, " = -1 ({name})"),
                    name => write!(line, " = -1 {name}"),
                },
            },
            CallOutcome::Unfinished => write!(line, " = ?"),
            CallOutcome::Unknown => write!(line, " = ? <unavailable>"),
        };
    }
}

impl std::fmt::Debug for StraceText<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("StraceText").field("written", &self.written).finish_non_exhaustive()
    }
}

impl EventExporter for StraceText<'_> {
    fn take(&mut self, event: &FileEvent, paths: &PathTable) -> Result<(), EventExportError> {
        let began_ns = self.timeline.follow(event).began_ns;
        self.push_head(event, began_ns);
        if began_ns.is_some() {
            self.written.slices += 1;
        } else {
            self.written.instants += 1;
        }
        if let FileAction::Exit { code, .. } = event.action {
            let _infallible = match code {
                Some(code) => writeln!(self.line, "+++ exited with {code} +++"),
                None => writeln!(self.line, "+++ killed by SIG_UNKNOWN +++"),
            };
            return Ok(self.out.write_all(&self.line)?);
        }
        self.line.extend_from_slice(event.call.as_bytes());
        self.line.push(b'(');
        push_arguments(&mut self.line, event, paths);
        self.line.push(b')');
        self.push_outcome(event);
        if let Some(began) = began_ns {
            let took = event.at_ns - began;
            let _infallible = write!(self.line, " <{}.{:09}>", took / 1_000_000_000, took % 1_000_000_000);
        }
        self.line.push(b'\n');
        Ok(self.out.write_all(&self.line)?)
    }

    fn finish(self: Box<Self>) -> Result<EventsWritten, EventExportError> {
        self.out.flush()?;
        Ok(EventsWritten { moved: self.timeline.moved, ..self.written })
    }
}
