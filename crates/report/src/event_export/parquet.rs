//! Events as rows of a Parquet file. Columns keep their names, types and order; new ones come at the
//! end, and docs/events-out.md lists them.

use super::call::{bytes, kind_word, offset, second_path, signed};
use super::descriptors::Leads;
use super::name::{is_no_text, text};
use super::timeline::{Step, Timeline, descriptor, target};
use super::{EventExportError, EventExporter, EventSource, EventsWritten};
use fathom_audit::{errno_name, open_flag_words};
use fathom_events::{CallOutcome, FileAction, FileEvent, PathId, PathTable, Target};
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use rustc_hash::FxHashMap;
use std::io::Write;
use std::sync::Arc;

/// So many rows are held before they are written.
const ROWS_PER_GROUP: usize = 1 << 15;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
    Bytes,
}

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
    numbers: Vec<i64>,
    texts: Vec<ByteArray>,
    levels: Vec<i16>,
}

/// Writes a table.
pub(super) struct EventTable<'a> {
    source: EventSource<'a>,
    writer: SerializedFileWriter<&'a mut (dyn Write + Send)>,
    timeline: Timeline,
    columns: Vec<Values>,
    rows: usize,
    paths: Vec<Option<ByteArray>>,
    words: FxHashMap<Box<str>, ByteArray>,
    written: EventsWritten,
}

impl<'a> EventTable<'a> {
    pub(super) fn begin(
        source: EventSource<'a>,
        out: &'a mut (dyn Write + Send),
    ) -> Result<Self, EventExportError> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(facts(&source)))
            .build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema()?), Arc::new(properties))?;
        Ok(Self {
            source,
            writer,
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
        let path_bytes = path_bytes.map(|path| ByteArray::from(path.as_encoded_bytes().to_vec()));
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

    fn path(&mut self, path: PathId, paths: &PathTable) -> ByteArray {
        let at = path.number() as usize;
        if self.paths.len() <= at {
            self.paths.resize(at + 1, None);
        }
        self.paths[at].get_or_insert_with(|| text(paths.path(path)).into_bytes().into()).clone()
    }

    fn word(&mut self, word: &str) -> ByteArray {
        if let Some(known) = self.words.get(word) {
            return known.clone();
        }
        let bytes = ByteArray::from(word.as_bytes().to_vec());
        self.words.insert(word.into(), bytes.clone());
        bytes
    }

    fn write_rows(&mut self) -> Result<(), EventExportError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for ((_, kind, optional), values) in COLUMNS.iter().zip(&mut self.columns) {
            let levels = optional.then_some(values.levels.as_slice());
            match kind {
                Kind::Number => write::<Int64Type, _>(&mut group, &values.numbers, levels)?,
                Kind::Text | Kind::Bytes => write::<ByteArrayType, _>(&mut group, &values.texts, levels)?,
            }
            values.numbers.clear();
            values.texts.clear();
            values.levels.clear();
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

enum Cell {
    Number(Option<i64>),
    Text(Option<ByteArray>),
}

impl Cell {
    fn put(self, column: Option<&mut Values>) {
        let Some(column) = column else { return };
        let is_there = match self {
            Self::Number(value) => {
                column.numbers.extend(value);
                value.is_some()
            }
            Self::Text(value) => {
                let is_there = value.is_some();
                column.texts.extend(value);
                is_there
            }
        };
        column.levels.push(i16::from(is_there));
    }
}

fn schema() -> Result<Type, ParquetError> {
    let field = |(name, kind, optional): &(&str, Kind, bool)| {
        let (physical, logical) = match kind {
            Kind::Number => (PhysicalType::INT64, None),
            Kind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Bytes => (PhysicalType::BYTE_ARRAY, None),
        };
        let repetition = if *optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let field = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        field.with_logical_type(logical).build().map(Arc::new)
    };
    let fields = COLUMNS.iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("events").with_fields(fields).build()
}

fn facts(source: &EventSource<'_>) -> Vec<KeyValue> {
    let facts = [
        ("fathom.version", env!("CARGO_PKG_VERSION").to_owned()),
        ("fathom.subject", source.subject.to_owned()),
        ("fathom.capture", source.capture.to_owned()),
        ("fathom.command", source.command.join(" ")),
        ("fathom.durations", source.durations_words()),
        ("fathom.began_epoch_ns", source.began_epoch_ns.map_or_else(String::new, |ns| ns.to_string())),
        ("fathom.facts", super::facts_words(source.facts)),
    ];
    facts.map(|(key, value)| KeyValue::new(key.to_owned(), value)).into()
}

fn write<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("the schema has fewer columns".to_owned());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
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
        self.writer.finish()?;
        Ok(EventsWritten { moved: self.timeline.moved, ..self.written })
    }
}
