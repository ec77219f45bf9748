//! Events in the forms of other programs: pictures of time, tables, a log of strace's. Events come
//! one by one and go out as they come; what is kept is what lives (processes, open descriptors) and
//! the paths that were named.
//!
//! **Invariant:** a call has a duration where the capture saw its beginning, and is an instant
//! where it did not. None is made up.

mod call;
mod chrome;
mod descriptors;
mod json;
mod marks;
mod name;
mod parquet;
mod perfetto;
mod processes;
mod speedscope;
mod strace;
mod survey;
#[cfg(test)]
mod tests;
mod timeline;

pub use marks::FindingMarks;
pub use survey::{EventSurvey, EventSurveyor};

use crate::parquet_table::TableError;
use crate::visible::visible;
use fathom_audit::{Frame, Owner};
use fathom_events::{FileEvent, PathTable};
use std::collections::HashMap;
use std::io::{self, Write};

/// A form that another program reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventFormat {
    /// Perfetto's own: a stream of protobuf messages.
    Perfetto,
    /// Chrome's trace event JSON.
    Chrome,
    /// Speedscope's JSON: one profile a thread.
    Speedscope,
    /// One row per event.
    Parquet,
    /// What strace prints.
    Strace,
}

/// What is known of a trace before its events go out: all but they.
#[derive(Debug, Clone, Copy)]
pub struct EventSource<'a> {
    /// What was traced, in words.
    pub subject: &'a str,
    /// Where events come from: `ptrace`, `ring`, `strace`.
    pub capture: &'a str,
    /// The command with its words; empty where it is not known.
    pub command: &'a [String],
    /// When it began, in ns since the epoch, where that is known.
    pub began_epoch_ns: Option<u64>,
    /// What a process that ran before had open.
    pub running: Option<&'a fathom_events::RunningProcess>,
    /// What is said of the trace, each with its word: how it ended, what was not seen.
    pub facts: &'a [(String, String)],
    /// The stacks that events have numbers of.
    pub stacks: &'a HashMap<u32, Vec<Frame>>,
    /// What a first look at the events found.
    pub survey: &'a EventSurvey,
    /// What the audit found, by the events that show it.
    pub marks: &'a FindingMarks,
}

impl EventSource<'_> {
    /// Where durations come from, for who looks at them.
    pub fn durations_words(&self) -> String {
        let (some, all) = (self.survey.with_duration, self.survey.events);
        match (some, self.capture) {
            (0, _) => "none: this capture saw no call begin, all calls are instants".to_owned(),
            (_, "ptrace") => {
                format!("of {some} of {all} calls, as the tracer saw them: its own stops are in them")
            }
            (_, "ring") => format!(
                "of {some} of {all} calls, by the kernel's clock at both ends; the programs that watch are in them"
            ),
            (_, capture) => format!("of {some} of {all} calls, as {capture} has them"),
        }
    }

    /// The innermost frame of an event's stack that is the program's own, or else the innermost.
    fn frame_words(&self, event: &FileEvent) -> Option<String> {
        let frames = self.stacks.get(&event.stack?.0)?;
        let own = frames.iter().find(|frame| frame.owner == Owner::Yours);
        own.or_else(|| frames.first()).map(frame_words)
    }
}

/// `main (src/main.c:12)`.
fn frame_words(frame: &Frame) -> String {
    let name = frame.function.as_deref().or(frame.module.as_deref()).unwrap_or("?");
    let words = match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{name} ({file}:{line})"),
        (Some(file), None) => format!("{name} ({file})"),
        (None, _) => name.to_owned(),
    };
    visible(&words)
}

/// What is said of a trace, in one line.
fn facts_words(facts: &[(String, String)]) -> String {
    let facts = facts.iter().map(|(word, text)| visible(&format!("{word}: {text}")));
    facts.collect::<Vec<_>>().join("; ")
}

/// Why events cannot be written in a form.
#[derive(Debug, thiserror::Error)]
pub enum EventExportError {
    /// Writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The columns could not be written.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EventsWritten {
    /// Calls with a duration.
    pub slices: u64,
    /// Calls without one.
    pub instants: u64,
    /// Descriptors' lives that began.
    pub lifetimes: u64,
    /// Findings that were marked.
    pub marks: u64,
    /// Calls that begin before the one before them on their thread ended, by the clock of the
    /// source: their beginnings were moved to that end.
    pub moved: u64,
}

/// Writes events in a form.
pub trait EventExporter {
    /// Takes the next event. Its paths are of this table, the same one for all.
    fn take(&mut self, event: &FileEvent, paths: &PathTable) -> Result<(), EventExportError>;

    /// Writes what comes after the last event.
    fn finish(self: Box<Self>) -> Result<EventsWritten, EventExportError>;
}

/// Begins to write in this form. Of Speedscope's, events are to be given once for each of
/// [`event_passes`], the same ones each time.
pub fn export_events<'a>(
    format: EventFormat,
    source: EventSource<'a>,
    out: &'a mut (dyn Write + Send),
) -> Result<Box<dyn EventExporter + 'a>, EventExportError> {
    Ok(match format {
        EventFormat::Perfetto => Box::new(perfetto::Perfetto::begin(source, out)?),
        EventFormat::Chrome => Box::new(chrome::Chrome::begin(source, out)?),
        EventFormat::Speedscope => Box::new(speedscope::Speedscope::begin(source, out)?),
        EventFormat::Parquet => Box::new(parquet::EventTable::begin(source, out)?),
        EventFormat::Strace => Box::new(strace::StraceText::begin(source, out)),
    })
}

/// How often all events are to be given, one pass after the other: more than once where a form has
/// them thread by thread and they are many.
pub fn event_passes(format: EventFormat, survey: &EventSurvey) -> usize {
    match format {
        EventFormat::Speedscope => speedscope::passes(survey),
        EventFormat::Perfetto | EventFormat::Chrome | EventFormat::Parquet | EventFormat::Strace => 1,
    }
}
