//! Chrome's trace event form (JSON): complete events (`X`) and instants (`i`) on threads, lives of
//! descriptors as asynchronous events (`b`, `e`), findings as instants of their process. Times are
//! µs since the trace began, with the ns behind the point.

use super::call::{Value, describe, leads_to};
use super::json::{push_fact, push_key, push_microseconds, push_text};
use super::name::shown;
use super::timeline::{Step, Timeline};
use super::{EventExportError, EventExporter, EventSource, EventsWritten, facts_words};
use crate::visible::visible;
use fathom_events::{FileEvent, PathTable};
use std::io::Write;

/// Writes a trace.
pub(super) struct Chrome<'a> {
    source: EventSource<'a>,
    out: &'a mut (dyn Write + Send),
    timeline: Timeline,
    line: Vec<u8>,
    is_first: bool,
    written: EventsWritten,
}

impl<'a> Chrome<'a> {
    pub(super) fn begin(
        source: EventSource<'a>,
        out: &'a mut (dyn Write + Send),
    ) -> Result<Self, EventExportError> {
        out.write_all(b"{\"displayTimeUnit\":\"ns\",\"otherData\":{")?;
        let mut about = Vec::new();
        let words = [
            ("subject", visible(source.subject)),
            ("capture", visible(source.capture)),
            ("durations", source.durations_words()),
            ("facts", facts_words(source.facts)),
        ];
        for (key, text) in words {
            push_fact(&mut about, key, &Value::Text(text.into()), &PathTable::new());
        }
        out.write_all(&about)?;
        out.write_all(b"},\"traceEvents\":[\n")?;
        let timeline = Timeline::new(source.running);
        Ok(Self {
            source,
            out,
            timeline,
            line: Vec::new(),
            is_first: true,
            written: EventsWritten::default(),
        })
    }

    fn step(&mut self, step: &Step<'_>, paths: &PathTable) -> Result<(), EventExportError> {
        for process in &step.met {
            self.meet(*process)?;
        }
        let at_ns = step.event.at_ns;
        if let Some(began) = step.began_ns {
            self.open(b"X", step.event.process, step.event.thread, began);
            push_key(&mut self.line, "dur");
            push_microseconds(&mut self.line, at_ns - began);
            self.written.slices += 1;
        } else {
            self.open(b"i", step.event.process, step.event.thread, at_ns);
            self.line.extend_from_slice(b",\"s\":\"t\"");
            self.written.instants += 1;
        }
        self.name("call", step.event.call);
        self.line.extend_from_slice(b",\"args\":{");
        describe(step, &mut |key, value| push_fact(&mut self.line, key, &value, paths));
        if let Some(frame) = self.source.frame_words(step.event) {
            push_fact(&mut self.line, "function", &Value::Text(frame.into()), paths);
        }
        self.close(b"}}")?;
        for (kind, lifetimes) in [(b"e", &step.ended), (b"b", &step.begun)] {
            for lifetime in lifetimes {
                let pid = self.timeline.process(lifetime.process).pid;
                self.open(kind, pid, step.event.thread, at_ns);
                let _infallible = write!(self.line, ",\"id\":\"{:#x}\"", lifetime.id);
                let name = match leads_to(&lifetime.leads) {
                    Value::Path(path) => shown(paths.path(path)),
                    Value::Text(text) => visible(&text),
                    Value::Number(_) => String::new(),
                };
                self.name("descriptor", &name);
                let _infallible = write!(self.line, ",\"args\":{{\"descriptor\":{}", lifetime.number);
                self.close(b"}}")?;
            }
        }
        self.written.lifetimes += step.begun.len() as u64;
        let source = self.source;
        for mark in source.marks.at(step.number) {
            self.open(b"i", step.event.process, step.event.thread, at_ns);
            self.line.extend_from_slice(b",\"s\":\"p\"");
            self.name("finding", &visible(&mark.title));
            self.line.extend_from_slice(b",\"args\":{");
            push_fact(&mut self.line, "rule", &Value::Text(mark.rule.as_str().into()), paths);
            push_fact(&mut self.line, "event", &Value::Number(step.number.cast_signed()), paths);
            for (key, text) in &mark.facts {
                push_fact(&mut self.line, key, &Value::Text(visible(text).into()), paths);
            }
            self.close(b"}}")?;
            self.written.marks += 1;
        }
        Ok(())
    }

    /// What a process is called, and who made it.
    fn meet(&mut self, number: u32) -> Result<(), EventExportError> {
        let process = self.timeline.process(number);
        let source = self.source;
        let name = source.survey.program_name(number).unwrap_or("process").to_owned();
        let parent = process.parent.map(|parent| self.timeline.process(parent).pid);
        let label = parent.map_or_else(String::new, |parent| format!("made by {parent}"));
        for (what, key, text) in [("process_name", "name", name), ("process_labels", "labels", label)] {
            if text.is_empty() {
                continue;
            }
            self.line.clear();
            let _infallible = write!(
                self.line,
                "{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"{what}\",\"args\":{{\"{key}\":",
                process.pid, process.pid
            );
            push_text(&mut self.line, &text);
            self.close(b"}}")?;
        }
        Ok(())
    }

    fn open(&mut self, kind: &[u8], pid: u32, tid: u32, at_ns: u64) {
        self.line.clear();
        self.line.extend_from_slice(b"{\"ph\":\"");
        self.line.extend_from_slice(kind);
        let _infallible = write!(self.line, "\",\"pid\":{pid},\"tid\":{tid},\"ts\":");
        push_microseconds(&mut self.line, at_ns);
    }

    fn name(&mut self, category: &str, name: &str) {
        let _infallible = write!(self.line, ",\"cat\":\"{category}\",\"name\":");
        push_text(&mut self.line, name);
    }

    fn close(&mut self, end: &[u8]) -> Result<(), EventExportError> {
        self.line.extend_from_slice(end);
        if !std::mem::take(&mut self.is_first) {
            self.out.write_all(b",\n")?;
        }
        Ok(self.out.write_all(&self.line)?)
    }
}

impl std::fmt::Debug for Chrome<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Chrome").field("written", &self.written).finish_non_exhaustive()
    }
}

impl EventExporter for Chrome<'_> {
    fn take(&mut self, event: &FileEvent, paths: &PathTable) -> Result<(), EventExportError> {
        let step = self.timeline.follow(event);
        self.step(&step, paths)
    }

    fn finish(self: Box<Self>) -> Result<EventsWritten, EventExportError> {
        self.out.write_all(b"\n]}\n")?;
        self.out.flush()?;
        Ok(EventsWritten { moved: self.timeline.moved, ..self.written })
    }
}
