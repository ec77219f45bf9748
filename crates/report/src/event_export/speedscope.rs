//! Speedscope's form: a profile for each thread. Where the capture has durations it is a time line
//! of calls; where it has none, each call is a sample of weight 1, so that widths are counts and no
//! time is pretended. The form has threads one after the other: a thread's events are written as
//! they come, those of other threads are held, and beyond [`HELD_EVENTS`] they wait for another
//! pass through the trace.

use super::call::{Value, leads_to, second_path};
use super::json::{push_key, push_text};
use super::name::shown;
use super::timeline::{Step, Timeline, target};
use super::{EventExportError, EventExporter, EventSource, EventSurvey, EventsWritten};
use crate::visible::visible;
use fathom_events::{FileEvent, PathTable, Target};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::io::Write;

/// So many events of threads that are not written yet are held, as text of some 70 bytes each.
const HELD_EVENTS: u64 = 300_000;

/// A thread: its process by its number among all, and the kernel's number.
type Thread = (u32, u32);

/// Writes profiles.
pub(super) struct Speedscope<'a> {
    source: EventSource<'a>,
    out: &'a mut (dyn Write + Send),
    timeline: Timeline,
    frames: FxHashMap<String, usize>,
    names: Vec<String>,
    passes: VecDeque<Vec<Thread>>,
    /// The threads of this pass: the first is written as its events come.
    current: Vec<Profile>,
    seen: u64,
    is_first: bool,
    written: EventsWritten,
}

#[derive(Debug)]
struct Profile {
    thread: Thread,
    text: Vec<u8>,
    events: u64,
    last_ns: u64,
}

/// How often all events have to be given.
pub(super) fn passes(survey: &EventSurvey) -> usize {
    planned(survey).len().max(1)
}

/// The threads of each pass, in the order of their processes.
fn planned(survey: &EventSurvey) -> VecDeque<Vec<Thread>> {
    let mut passes: VecDeque<Vec<Thread>> = VecDeque::new();
    let mut held = 0;
    for (thread, events) in &survey.threads {
        match passes.back_mut() {
            Some(pass) if held + events <= HELD_EVENTS => {
                held += events;
                pass.push(*thread);
            }
            _ => {
                held = 0;
                passes.push_back(vec![*thread]);
            }
        }
    }
    passes
}

impl<'a> Speedscope<'a> {
    pub(super) fn begin(
        source: EventSource<'a>,
        out: &'a mut (dyn Write + Send),
    ) -> Result<Self, EventExportError> {
        let mut head = b"{".to_vec();
        let name =
            format!("{} ({}; durations: {})", source.subject, source.capture, source.durations_words());
        for (key, text) in [
            ("$schema", "https://www.speedscope.app/file-format-schema.json"),
            ("exporter", concat!("fathom ", env!("CARGO_PKG_VERSION"))),
            ("name", &visible(&name)),
        ] {
            push_key(&mut head, key);
            push_text(&mut head, text);
        }
        push_key(&mut head, "profiles");
        head.extend_from_slice(b"[\n");
        out.write_all(&head)?;
        let mut begun = Self {
            source,
            out,
            timeline: Timeline::default(),
            frames: FxHashMap::default(),
            names: Vec::new(),
            passes: planned(source.survey),
            current: Vec::new(),
            seen: 0,
            is_first: true,
            written: EventsWritten::default(),
        };
        begun.begin_pass()?;
        Ok(begun)
    }

    fn has_durations(&self) -> bool {
        self.source.survey.with_duration > 0
    }

    fn begin_pass(&mut self) -> Result<(), EventExportError> {
        self.timeline = Timeline::new(self.source.running);
        self.seen = 0;
        let threads = self.passes.pop_front().unwrap_or_default();
        let profile = |thread| Profile { thread, text: Vec::new(), events: 0, last_ns: 0 };
        self.current = threads.into_iter().map(profile).collect();
        if let Some(first) = self.current.first() {
            let head = self.head(first.thread);
            self.out.write_all(&head)?;
        }
        Ok(())
    }

    fn end_pass(&mut self) -> Result<(), EventExportError> {
        for (at, profile) in std::mem::take(&mut self.current).into_iter().enumerate() {
            if at > 0 {
                let head = self.head(profile.thread);
                self.out.write_all(&head)?;
            }
            self.out.write_all(&profile.text)?;
            self.out.write_all(b"]")?;
            if !self.has_durations() {
                self.out.write_all(b",\"weights\":[")?;
                for number in 0..profile.events {
                    self.out.write_all(if number == 0 { b"1" } else { b",1" })?;
                }
                self.out.write_all(b"]")?;
            }
            self.out.write_all(b"}")?;
        }
        self.written.moved = self.timeline.moved;
        if !self.passes.is_empty() {
            self.begin_pass()?;
        }
        Ok(())
    }

    /// A profile up to its first event.
    fn head(&mut self, (process, thread): Thread) -> Vec<u8> {
        let survey = self.source.survey;
        let program = survey.program_name(process).unwrap_or("process").to_owned();
        let mut head = if std::mem::take(&mut self.is_first) { Vec::new() } else { b",\n".to_vec() };
        let (kind, unit, end, list) = if self.has_durations() {
            ("evented", "nanoseconds", survey.last_ns, "events")
        } else {
            let events = survey.threads.get(&(process, thread)).copied().unwrap_or(0);
            ("sampled", "none", events, "samples")
        };
        head.extend_from_slice(b"{\"type\":\"");
        head.extend_from_slice(kind.as_bytes());
        head.extend_from_slice(b"\",\"name\":");
        push_text(&mut head, &format!("{program}, thread {thread}"));
        let _infallible =
            write!(head, ",\"unit\":\"{unit}\",\"startValue\":0,\"endValue\":{end},\"{list}\":[");
        head
    }

    fn step(&mut self, step: &Step<'_>, paths: &PathTable) -> Result<(), EventExportError> {
        let thread = (step.process, step.event.thread);
        let Some(at) = self.current.iter().position(|profile| profile.thread == thread) else {
            return Ok(());
        };
        let stack = self.stack(step, paths);
        if step.began_ns.is_some() {
            self.written.slices += 1;
        } else {
            self.written.instants += 1;
        }
        let is_timed = self.has_durations();
        let Some(profile) = self.current.get_mut(at) else { return Ok(()) };
        if profile.events > 0 {
            profile.text.push(b',');
        }
        profile.events += 1;
        if is_timed {
            let began = step.began_ns.unwrap_or(step.event.at_ns).max(profile.last_ns);
            let ended = step.event.at_ns.max(began);
            profile.last_ns = ended;
            for (number, frame) in stack.iter().enumerate() {
                let comma = if number == 0 { "" } else { "," };
                let _infallible =
                    write!(profile.text, "{comma}{{\"type\":\"O\",\"frame\":{frame},\"at\":{began}}}");
            }
            for frame in stack.iter().rev() {
                let _infallible =
                    write!(profile.text, ",{{\"type\":\"C\",\"frame\":{frame},\"at\":{ended}}}");
            }
        } else {
            profile.text.push(b'[');
            for (number, frame) in stack.iter().enumerate() {
                let comma = if number == 0 { "" } else { "," };
                let _infallible = write!(profile.text, "{comma}{frame}");
            }
            profile.text.push(b']');
        }
        if at == 0 {
            let text = std::mem::take(&mut profile.text);
            self.out.write_all(&text)?;
        }
        Ok(())
    }

    /// The frames of a call, the outermost first: the program's own where stacks were taken, then
    /// the call with what it is about.
    fn stack(&mut self, step: &Step<'_>, paths: &PathTable) -> Vec<usize> {
        let source = self.source;
        let frames = step.event.stack.and_then(|stack| source.stacks.get(&stack.0));
        let own = frames.into_iter().flatten().rev().map(super::frame_words);
        let mut stack: Vec<_> = own.map(|frame| self.frame(frame)).collect();
        let about = match (target(&step.event.action), &step.leads) {
            (Some(Target::Path { path, .. }), _) => shown(paths.path(*path)),
            (_, Some(leads)) => match leads_to(leads) {
                Value::Path(path) => shown(paths.path(path)),
                Value::Text(text) => visible(&text),
                Value::Number(_) => String::new(),
            },
            (_, None) => {
                second_path(&step.event.action).map_or_else(String::new, |path| shown(paths.path(path)))
            }
        };
        let call = step.event.call;
        stack.push(self.frame(if about.is_empty() { call.to_owned() } else { format!("{call} {about}") }));
        stack
    }

    fn frame(&mut self, name: String) -> usize {
        if let Some(known) = self.frames.get(&name) {
            return *known;
        }
        let number = self.names.len();
        self.names.push(name.clone());
        self.frames.insert(name, number);
        number
    }
}

impl std::fmt::Debug for Speedscope<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Speedscope").field("written", &self.written).finish_non_exhaustive()
    }
}

impl EventExporter for Speedscope<'_> {
    fn take(&mut self, event: &FileEvent, paths: &PathTable) -> Result<(), EventExportError> {
        let step = self.timeline.follow(event);
        self.step(&step, paths)?;
        self.seen += 1;
        if self.seen == self.source.survey.events {
            self.end_pass()?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<EventsWritten, EventExportError> {
        self.out.write_all(b"\n],\"shared\":{\"frames\":[\n")?;
        let mut line = Vec::new();
        for (number, name) in self.names.iter().enumerate() {
            line.clear();
            line.extend_from_slice(if number == 0 { b"{\"name\":" } else { b",\n{\"name\":" });
            push_text(&mut line, name);
            line.push(b'}');
            self.out.write_all(&line)?;
        }
        self.out.write_all(b"\n]}}\n")?;
        self.out.flush()?;
        Ok(self.written)
    }
}
