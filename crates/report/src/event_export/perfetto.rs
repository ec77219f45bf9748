//! Perfetto's form: a stream of `TracePacket`s. A track for each process, thread and descriptor, and
//! one of findings for each process that has any. Names and numbers of fields are those of
//! `perfetto/trace/perfetto_trace.proto`.

mod interned;
mod wire;

use super::call::{Value, describe, leads_to};
use super::descriptors::Lifetime;
use super::name::shown;
use super::timeline::{Step, Timeline};
use super::{EventExportError, EventExporter, EventSource, EventsWritten, facts_words};
use crate::visible::visible;
use fathom_events::{FileEvent, PathTable};
use interned::Interned;
use rustc_hash::FxHashMap;
use std::io::Write;
use wire::Message;

/// Fields of a `TracePacket`.
mod packet {
    pub(super) const PROCESS_TREE: u32 = 2;
    pub(super) const CLOCK_SNAPSHOT: u32 = 6;
    pub(super) const TIMESTAMP: u32 = 8;
    pub(super) const SEQUENCE: u32 = 10;
    pub(super) const TRACK_EVENT: u32 = 11;
    pub(super) const INTERNED_DATA: u32 = 12;
    pub(super) const SEQUENCE_FLAGS: u32 = 13;
    pub(super) const TRACK_DESCRIPTOR: u32 = 60;
    pub(super) const FIRST_ON_SEQUENCE: u32 = 87;
}

/// Fields of a `TrackEvent`.
mod event {
    pub(super) const CATEGORY_IIDS: u32 = 3;
    pub(super) const DEBUG_ANNOTATIONS: u32 = 4;
    pub(super) const TYPE: u32 = 9;
    pub(super) const NAME_IID: u32 = 10;
    pub(super) const TRACK_UUID: u32 = 11;
}

/// Fields of `InternedData`.
mod data {
    pub(super) const CATEGORIES: u32 = 1;
    pub(super) const EVENT_NAMES: u32 = 2;
    pub(super) const ANNOTATION_NAMES: u32 = 3;
    pub(super) const ANNOTATION_TEXTS: u32 = 29;
}

/// The kinds of a `TrackEvent`.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Begin = 1,
    End = 2,
    Instant = 3,
}

/// What a track stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Track {
    Process(u32),
    Thread(u32, u32),
    Descriptor(u32, i32),
    Findings(u32),
    About,
}

/// The one sequence that we write.
const SEQUENCE: u64 = 1;
const STATE_CLEARED: u64 = 1;
const NEEDS_STATE: u64 = 2;
const BOOT_TIME: u64 = 6;
const REAL_TIME: u64 = 1;

/// Writes a trace.
pub(super) struct Perfetto<'a> {
    source: EventSource<'a>,
    out: &'a mut (dyn Write + Send),
    timeline: Timeline,
    tracks: FxHashMap<Track, u64>,
    names: Interned,
    categories: Interned,
    keys: Interned,
    texts: Interned,
    /// The packet that is being written, and what its texts are.
    packet: Message,
    new_texts: Message,
    written: EventsWritten,
}

/// What an event says beside its kind, time and track.
type Facts<'f> = &'f mut dyn FnMut(&mut dyn FnMut(&'static str, Value<'_>));

impl<'a> Perfetto<'a> {
    pub(super) fn begin(
        source: EventSource<'a>,
        out: &'a mut (dyn Write + Send),
    ) -> Result<Self, EventExportError> {
        let mut trace = Self {
            source,
            out,
            timeline: Timeline::new(source.running),
            tracks: FxHashMap::default(),
            names: Interned::default(),
            categories: Interned::default(),
            keys: Interned::default(),
            texts: Interned::default(),
            packet: Message::default(),
            new_texts: Message::default(),
            written: EventsWritten::default(),
        };
        trace.write_head()?;
        Ok(trace)
    }

    /// The clock, and what is said of the trace as a whole.
    fn write_head(&mut self) -> Result<(), EventExportError> {
        self.packet.number(packet::SEQUENCE_FLAGS, STATE_CLEARED);
        self.packet.number(packet::FIRST_ON_SEQUENCE, 1);
        if let Some(began) = self.source.began_epoch_ns {
            self.packet.message(packet::CLOCK_SNAPSHOT, |snapshot| {
                for (clock, now) in [(BOOT_TIME, 0), (REAL_TIME, began)] {
                    snapshot.message(1, |of| {
                        of.number(1, clock);
                        of.number(2, now);
                    });
                }
            });
        }
        self.send()?;
        let track = self.track(Track::About, |track| track.text(2, "about this trace"))?;
        let (subject, capture) = (self.source.subject, self.source.capture);
        let durations = self.source.durations_words();
        let facts = self.source.facts;
        let paths = PathTable::new();
        self.event(Kind::Instant, 0, track, Some(("fathom", Name::Text("trace"))), &paths, &mut |tell| {
            tell("subject", Value::Text(visible(subject).into()));
            tell("capture", Value::Text(visible(capture).into()));
            tell("durations", Value::Text(durations.as_str().into()));
            if !facts.is_empty() {
                tell("facts", Value::Text(facts_words(facts).into()));
            }
        })
    }

    fn step(&mut self, step: &Step<'_>, paths: &PathTable) -> Result<(), EventExportError> {
        for process in &step.met {
            self.meet(*process)?;
        }
        let track = self.thread(step.process, step.event.thread)?;
        let name = Some(("call", Name::Text(step.event.call)));
        let frame = self.source.frame_words(step.event);
        let mut facts = |tell: &mut dyn FnMut(&'static str, Value<'_>)| {
            describe(step, tell);
            if let Some(frame) = &frame {
                tell("function", Value::Text(frame.as_str().into()));
            }
        };
        if let Some(began) = step.began_ns {
            self.event(Kind::Begin, began, track, name, paths, &mut facts)?;
            self.event(Kind::End, step.event.at_ns, track, None, paths, &mut |_| {})?;
            self.written.slices += 1;
        } else {
            self.event(Kind::Instant, step.event.at_ns, track, name, paths, &mut facts)?;
            self.written.instants += 1;
        }
        for lifetime in &step.ended {
            let track = self.descriptor(lifetime)?;
            self.event(Kind::End, step.event.at_ns, track, None, paths, &mut |_| {})?;
        }
        for lifetime in &step.begun {
            let track = self.descriptor(lifetime)?;
            let value = leads_to(&lifetime.leads);
            let name = match &value {
                Value::Path(path) => Name::Path(*path),
                Value::Text(text) => Name::Text(text),
                Value::Number(_) => Name::Text(""),
            };
            let number = i64::from(lifetime.number);
            self.event(
                Kind::Begin,
                step.event.at_ns,
                track,
                Some(("descriptor", name)),
                paths,
                &mut |tell| {
                    tell("descriptor", Value::Number(number));
                },
            )?;
            self.written.lifetimes += 1;
        }
        let source = self.source;
        for mark in source.marks.at(step.number) {
            let parent = self.tracks.get(&Track::Process(step.process)).copied();
            let track = self.track(Track::Findings(step.process), |track| {
                track.text(2, "findings");
                if let Some(parent) = parent {
                    track.number(5, parent);
                }
            })?;
            let title = visible(&mark.title);
            let name = Some(("finding", Name::Text(&title)));
            self.event(Kind::Instant, step.event.at_ns, track, name, paths, &mut |tell| {
                tell("rule", Value::Text(mark.rule.as_str().into()));
                tell("event", Value::Number(step.number.cast_signed()));
                for (key, text) in &mark.facts {
                    tell(key, Value::Text(visible(text).into()));
                }
            })?;
            self.written.marks += 1;
        }
        Ok(())
    }

    /// A process with its place in the tree.
    fn meet(&mut self, number: u32) -> Result<(), EventExportError> {
        let process = self.timeline.process(number);
        let source = self.source;
        let words = if number == 0 { source.command } else { &[] };
        let program = source.survey.program(number);
        let name = source.survey.program_name(number);
        let parent = process.parent.map(|parent| self.timeline.process(parent).pid);
        let is_known = process.pid > 0;
        self.track(Track::Process(number), |track| {
            if is_known {
                track.message(3, |of| {
                    of.number(1, process.pid.into());
                    for word in words {
                        of.text(2, &visible(word));
                    }
                    if let Some(name) = name {
                        of.text(6, name);
                    }
                });
            } else {
                track.text(2, name.unwrap_or("process"));
            }
        })?;
        if !is_known {
            return Ok(());
        }
        self.packet.message(packet::PROCESS_TREE, |tree| {
            tree.message(1, |of| {
                of.number(1, process.pid.into());
                if let Some(parent) = parent {
                    of.number(2, parent.into());
                }
                if words.is_empty()
                    && let Some(program) = program
                {
                    of.text(3, program);
                }
                for word in words {
                    of.text(3, &visible(word));
                }
            });
        });
        self.send()
    }

    fn thread(&mut self, process: u32, thread: u32) -> Result<u64, EventExportError> {
        let (pid, parent) = (self.timeline.process(process).pid, Track::Process(process));
        let parent = self.tracks.get(&parent).copied();
        self.track(Track::Thread(process, thread), |track| {
            if pid > 0 && thread > 0 {
                track.message(4, |of| {
                    of.number(1, pid.into());
                    of.number(2, thread.into());
                });
            } else {
                track.text(2, "calls");
            }
            if let Some(parent) = parent {
                track.number(5, parent);
            }
        })
    }

    fn descriptor(&mut self, lifetime: &Lifetime) -> Result<u64, EventExportError> {
        let parent = self.tracks.get(&Track::Process(lifetime.process)).copied();
        self.track(Track::Descriptor(lifetime.process, lifetime.number), |track| {
            track.text(2, &format!("descriptor {}", lifetime.number));
            if let Some(parent) = parent {
                track.number(5, parent);
            }
        })
    }

    /// The number of a track, which is described where it is new.
    fn track(&mut self, track: Track, describe: impl FnOnce(&mut Message)) -> Result<u64, EventExportError> {
        if let Some(known) = self.tracks.get(&track) {
            return Ok(*known);
        }
        let number = self.tracks.len() as u64 + 1;
        self.tracks.insert(track, number);
        self.packet.message(packet::TRACK_DESCRIPTOR, |of| {
            of.number(1, number);
            describe(of);
        });
        self.send()?;
        Ok(number)
    }

    fn event(
        &mut self,
        kind: Kind,
        at_ns: u64,
        track: u64,
        name: Option<(&str, Name<'_>)>,
        paths: &PathTable,
        facts: Facts<'_>,
    ) -> Result<(), EventExportError> {
        let Self { packet, new_texts, names, categories, keys, texts, .. } = self;
        packet.number(packet::TIMESTAMP, at_ns);
        packet.number(packet::SEQUENCE_FLAGS, NEEDS_STATE);
        packet.message(packet::TRACK_EVENT, |of| {
            of.number(event::TYPE, kind as u64);
            of.number(event::TRACK_UUID, track);
            if let Some((category, name)) = name {
                let category = categories
                    .text(category, |number| interned(new_texts, data::CATEGORIES, number, category));
                of.number(event::CATEGORY_IIDS, category);
                let name = match name {
                    Name::Text(text) => {
                        names.text(text, |number| interned(new_texts, data::EVENT_NAMES, number, text))
                    }
                    Name::Path(path) => names.path(path, |number| {
                        interned(new_texts, data::EVENT_NAMES, number, &shown(paths.path(path)));
                    }),
                };
                of.number(event::NAME_IID, name);
            }
            facts(&mut |key, value| {
                let key = keys.text(key, |number| interned(new_texts, data::ANNOTATION_NAMES, number, key));
                of.message(event::DEBUG_ANNOTATIONS, |fact| {
                    fact.number(1, key);
                    match value {
                        Value::Number(number) => fact.signed(4, number),
                        Value::Path(path) => fact.number(
                            17,
                            texts.path(path, |number| {
                                interned(new_texts, data::ANNOTATION_TEXTS, number, &shown(paths.path(path)));
                            }),
                        ),
                        Value::Text(text) => fact.number(
                            17,
                            texts.text(&text, |number| {
                                interned(new_texts, data::ANNOTATION_TEXTS, number, &text);
                            }),
                        ),
                    }
                });
            });
        });
        self.send()
    }

    fn send(&mut self) -> Result<(), EventExportError> {
        self.packet.number(packet::SEQUENCE, SEQUENCE);
        if !self.new_texts.is_empty() {
            let new_texts = &mut self.new_texts;
            self.packet.message(packet::INTERNED_DATA, |data| data.append(new_texts));
        }
        let mut head = Message::default();
        head.message(1, |of| of.append(&mut self.packet));
        self.out.write_all(head.bytes())?;
        self.packet.clear();
        Ok(())
    }
}

#[derive(Debug, Clone, Copy)]
enum Name<'a> {
    Text(&'a str),
    Path(fathom_events::PathId),
}

fn interned(texts: &mut Message, field: u32, number: u64, text: &str) {
    texts.message(field, |of| {
        of.number(1, number);
        of.text(2, text);
    });
}

impl std::fmt::Debug for Perfetto<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Perfetto").field("written", &self.written).finish_non_exhaustive()
    }
}

impl EventExporter for Perfetto<'_> {
    fn take(&mut self, event: &FileEvent, paths: &PathTable) -> Result<(), EventExportError> {
        let step = self.timeline.follow(event);
        self.step(&step, paths)
    }

    fn finish(self: Box<Self>) -> Result<EventsWritten, EventExportError> {
        self.out.flush()?;
        Ok(EventsWritten { moved: self.timeline.moved, ..self.written })
    }
}
