//! Events as rows of a Parquet file. Columns keep their names, types and order; new ones come at the
//! end, and docs/events-out.md lists them.

use super::call::{bytes, kind_word, offset, second_path, signed};
use super::descriptors::Leads;
use super::name::{is_no_text, text};
use super::timeline::{Step, Timeline, descriptor, target};
use super::{EventExportError, EventExporter, EventSource, EventsWritten};
use crate::parquet_table::{Cells, Column, Kind, TableWriter, text_cell};
use bytes::Bytes;
use fathom_audit::{errno_name, open_flag_words};
use fathom_events::{CallOutcome, FileAction, FileEvent, PathId, PathTable, Target};
use rustc_hash::FxHashMap;
use std::io::Write;

/// So many rows are held before they are written.
const ROWS_PER_GROUP: usize = 1 << 15;

/// Every column: its name, what it holds, whether it may be null.
const COLUMNS: [(&str, Kind, bool); 25] = [
    ("event", Kind::Number, false),
    ("at_ns", Kind::Number, false),
    ("duration_ns", Kind::Number, true),
    ("process", Kind::Number, false),
    ("parent", Kind::Number, true),
    ("program", Kind::Text, true),
    ("thread", Kind::Number, false),
    ("call", Kind::Text, false),
    ("path", Kind::Text, true),
    ("path_bytes", Kind::Bytes, true),
    ("second_path", Kind::Text, true),
    ("directory", Kind::Number, true),
    ("descriptor", Kind::Number, true),
    ("file", Kind::Text, true),
    ("bytes", Kind::Number, true),
    ("offset", Kind::Number, true),
    ("flags", Kind::Text, true),
    ("outcome", Kind::Text, false),
    ("result", Kind::Number, true),
    ("errno", Kind::Number, true),
    ("error", Kind::Text, true),
    ("stack", Kind::Number, true),
    ("function", Kind::Text, true),
    ("finding", Kind::Text, true),
    ("waited_ns", Kind::Number, true),
];

/// A column's values that are not written yet.
#[derive(Debug, Default, Clone)]
struct Values {
    numbers: Vec<Option<i64>>,
    texts: Vec<Option<Bytes>>,
}

/// Writes a table.
pub(super) struct EventTable<'a> {
    source: EventSource<'a>,
    table: TableWriter<&'a mut (dyn Write + Send)>,
    timeline: Timeline,
    columns: Vec<Values>,
    rows: usize,
    paths: Vec<Option<Bytes>>,
    words: FxHashMap<Box<str>, Bytes>,
    written: EventsWritten,
}

impl<'a> EventTable<'a> {
    pub(super) fn begin(
        source: EventSource<'a>,
        out: &'a mut (dyn Write + Send),
    ) -> Result<Self, EventExportError> {
        let columns = COLUMNS.iter().map(|(name, kind, optional)| Column::new(name, *kind, *optional));
        let table = TableWriter::begin("events", columns.collect(), facts(&source), out)?;
        Ok(Self {
            source,
            table,
            timeline: Timeline::new(source.running),
            columns: vec![Values::default(); COLUMNS.len()],
            rows: 0,
            paths: Vec::new(),
            words: FxHashMap::default(),
            written: EventsWritten::default(),
        })
    }

    fn push(&mut self, step: &Step<'_>, paths: &PathTable) {
        let event = step.event;
        let source = self.source;
        let process = self.timeline.process(step.process);
        let parent = process.parent.map(|parent| self.timeline.process(parent).pid);
        let named = match target(&event.action) {
            Some(Target::Path { directory, path, .. }) => Some((*directory, *path)),
            Some(Target::Descriptor(_)) | None => None,
        };
        let program = source.survey.program(step.process).map(|program| self.word(program));
        let call = self.word(event.call);
        let path = named.map(|(_, path)| self.path(path, paths));
        let path_bytes = named.map(|(_, path)| paths.path(path)).filter(|path| is_no_text(path));
        let second = second_path(&event.action).map(|path| self.path(path, paths));
        let file = step.leads.as_ref().map(|leads| match leads {
            Leads::To(path) => self.path(*path, paths),
            Leads::ToOld(path) => self.word(path),
            Leads::ToKind(kind) => self.word(kind_word(*kind)),
        });
        let flags = match &event.action {
            FileAction::Open { flags, .. } => Some(self.word(&open_flag_words(flags.0))),
            _ => None,
        };
        let (outcome, result, errno) = match event.outcome {
            CallOutcome::Value(value) => ("value", Some(value), None),
            CallOutcome::Failed(errno) => ("failed", None, Some(errno)),
            CallOutcome::Unfinished => ("unfinished", None, None),
            CallOutcome::Unknown => ("unknown", None, None),
        };
        let outcome = self.word(outcome);
        let error = errno.map(|errno| self.word(&errno_name(errno)));
        let function = source.frame_words(event).map(|frame| self.word(&frame));
        let marks = source.marks.at(step.number);
        let rules: Vec<_> = marks.iter().map(|mark| mark.rule.as_str()).collect();
        let finding = (!rules.is_empty()).then(|| self.word(&rules.join(" ")));
        let took = step.began_ns.map(|began| signed(event.at_ns - began));
        self.written.marks += marks.len() as u64;
        self.written.slices += u64::from(took.is_some());
        self.written.instants += u64::from(took.is_none());
        let mut columns = self.columns.iter_mut();
        let numbers = [
            Some(signed(step.number)),
            Some(signed(event.at_ns)),
            took,
            Some(process.pid.into()),
            parent.map(i64::from),
        ];
        for value in numbers {
            Cell::Number(value).put(columns.next());
        }
        Cell::Text(program).put(columns.next());
        Cell::Number(Some(event.thread.into())).put(columns.next());
        Cell::Text(Some(call)).put(columns.next());
        Cell::Text(path).put(columns.next());
        let path_bytes = path_bytes.map(|path| Bytes::from(path.as_encoded_bytes().to_vec()));
        Cell::Text(path_bytes).put(columns.next());
        Cell::Text(second).put(columns.next());
        let directory = named.map(|(directory, _)| directory).filter(|directory| *directory >= 0);
        let numbers = [directory.map(i64::from), descriptor(&event.action).map(i64::from)];
        for value in numbers {
            Cell::Number(value).put(columns.next());
        }
        Cell::Text(file).put(columns.next());
        Cell::Number(bytes(&event.action).map(signed)).put(columns.next());
        Cell::Number(offset(&event.action).map(signed)).put(columns.next());
        Cell::Text(flags).put(columns.next());
        Cell::Text(Some(outcome)).put(columns.next());
        Cell::Number(result).put(columns.next());
        Cell::Number(errno.map(i64::from)).put(columns.next());
        Cell::Text(error).put(columns.next());
        Cell::Number(event.stack.map(|stack| stack.0.into())).put(columns.next());
        Cell::Text(function).put(columns.next());
        Cell::Text(finding).put(columns.next());
        Cell::Number(event.waited_ns.map(signed)).put(columns.next());
        self.rows += 1;
    }

    fn path(&mut self, path: PathId, paths: &PathTable) -> Bytes {
        let at = path.number() as usize;
        if self.paths.len() <= at {
            self.paths.resize(at + 1, None);
        }
        self.paths[at].get_or_insert_with(|| text_cell(text(paths.path(path)))).clone()
    }

    fn word(&mut self, word: &str) -> Bytes {
        if let Some(known) = self.words.get(word) {
            return known.clone();
        }
        let bytes = Bytes::from(word.as_bytes().to_vec());
        self.words.insert(word.into(), bytes.clone());
        bytes
    }

    fn write_rows(&mut self) -> Result<(), EventExportError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.table.rows()?;
        for ((_, kind, _), values) in COLUMNS.iter().zip(&mut self.columns) {
            match kind {
                Kind::Text | Kind::Bytes => group.put(Cells::Text(&mut values.texts.drain(..))),
                Kind::Number | Kind::Real | Kind::Flag => {
                    group.put(Cells::Number(&mut values.numbers.drain(..)))
                }
            }?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

enum Cell {
    Number(Option<i64>),
    Text(Option<Bytes>),
}

impl Cell {
    fn put(self, column: Option<&mut Values>) {
        let Some(column) = column else { return };
        match self {
            Self::Number(value) => column.numbers.push(value),
            Self::Text(value) => column.texts.push(value),
        }
    }
}

fn facts(source: &EventSource<'_>) -> Vec<(&'static str, String)> {
    vec![
        ("fathom.version", env!("CARGO_PKG_VERSION").to_owned()),
        ("fathom.subject", source.subject.to_owned()),
        ("fathom.capture", source.capture.to_owned()),
        ("fathom.command", source.command.join(" ")),
        ("fathom.durations", source.durations_words()),
        ("fathom.began_epoch_ns", source.began_epoch_ns.map_or_else(String::new, |ns| ns.to_string())),
        ("fathom.facts", super::facts_words(source.facts)),
    ]
}

impl std::fmt::Debug for EventTable<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("EventTable").field("written", &self.written).finish_non_exhaustive()
    }
}

impl EventExporter for EventTable<'_> {
    fn take(&mut self, event: &FileEvent, paths: &PathTable) -> Result<(), EventExportError> {
        let step = self.timeline.follow(event);
        self.push(&step, paths);
        if self.rows >= ROWS_PER_GROUP {
            self.write_rows()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<EventsWritten, EventExportError> {
        self.write_rows()?;
        self.table.finish()?;
        Ok(EventsWritten { moved: self.timeline.moved, ..self.written })
    }
}
