//! A kept run as a table: a row for each count and each time, with all that is known of the run in each
//! row, so that files of many runs are read as one table.

use crate::change::sentence;
use fathom_audit::{TrackedCount, TrackedRun, TrackedTime};
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::sync::Arc;

/// One row.
#[derive(Debug, Clone, Copy)]
enum Row<'a> {
    Count(&'a TrackedCount),
    Time(&'a TrackedTime),
}

/// What a column holds of a row. What is not known of it is null.
#[derive(Debug, Clone, Copy)]
enum Values {
    Text(fn(&TrackedRun, Row<'_>) -> Option<String>),
    Number(fn(&TrackedRun, Row<'_>) -> Option<u64>),
    Real(fn(Row<'_>) -> Option<f64>),
}

/// The columns: names, order and types are a promise (docs/tracking.md).
const COLUMNS: [(&str, Values); 19] = [
    ("run", Values::Text(|run, _| Some(run.facts.id.clone()))),
    ("created", Values::Text(|run, _| Some(run.facts.created.clone()))),
    ("commit", Values::Text(|run, _| Some(run.facts.commit.id.clone()))),
    ("committed", Values::Text(|run, _| Some(run.facts.commit.committed.clone()))),
    ("author", Values::Text(|run, _| Some(run.facts.commit.author.clone()))),
    ("subject", Values::Text(|run, _| Some(run.facts.commit.subject.clone()))),
    ("has_changes", Values::Number(|run, _| Some(u64::from(run.facts.has_changes)))),
    ("machine", Values::Text(|run, _| Some(run.facts.machine.clone()))),
    ("command", Values::Text(|_, row| Some(command(row).to_owned()))),
    ("metric", Values::Text(|_, row| Some(metric(row)))),
    ("call", Values::Text(|_, row| Some(count(row)?.class.call.clone()))),
    ("target", Values::Text(|_, row| Some(sentence::target(count(row)?.class.target).to_owned()))),
    ("outcome", Values::Text(|_, row| Some(sentence::outcome(&count(row)?.class.outcome)))),
    ("path", Values::Text(|_, row| Some(count(row)?.class.path.clone()))),
    ("owner", Values::Text(|_, row| Some(sentence::owner_word(count(row)?.class.owner).to_owned()))),
    ("program", Values::Text(|_, row| Some(count(row)?.class.program.clone()))),
    ("runs", Values::Number(|run, row| Some(runs(run, row)))),
    ("low", Values::Real(|row| Some(low(row)))),
    ("high", Values::Real(|row| Some(high(row)))),
];

/// The median of a time; the last column.
const MEDIAN: (&str, Values) = ("median", Values::Real(median));

fn command(row: Row<'_>) -> &str {
    match row {
        Row::Count(count) => &count.command,
        Row::Time(time) => &time.command,
    }
}

/// `calls`, `wall ns`.
fn metric(row: Row<'_>) -> String {
    match row {
        Row::Count(_) => "calls".to_owned(),
        Row::Time(time) => format!("{} ns", time.metric),
    }
}

fn count(row: Row<'_>) -> Option<&TrackedCount> {
    match row {
        Row::Count(count) => Some(count),
        Row::Time(_) => None,
    }
}

fn runs(run: &TrackedRun, row: Row<'_>) -> u64 {
    match row {
        Row::Time(time) => time.runs.into(),
        Row::Count(count) => {
            let commands = run.facts.commands.iter();
            commands
                .filter(|command| command.name == count.command)
                .map(|command| u64::from(command.runs))
                .sum()
        }
    }
}

fn low(row: Row<'_>) -> f64 {
    match row {
        Row::Count(count) => count.low as f64,
        Row::Time(time) => time.low_ns,
    }
}

fn high(row: Row<'_>) -> f64 {
    match row {
        Row::Count(count) => count.high as f64,
        Row::Time(time) => time.high_ns,
    }
}

fn median(row: Row<'_>) -> Option<f64> {
    match row {
        Row::Count(_) => None,
        Row::Time(time) => Some(time.median_ns),
    }
}

/// The run as Parquet. Pure.
///
/// # Errors
///
/// Those of the format's writer.
pub fn tracked_run_parquet(run: &TrackedRun) -> Result<Vec<u8>, ParquetError> {
    let counts = run.counts.iter().map(Row::Count);
    let rows: Vec<Row<'_>> = counts.chain(run.times.iter().map(Row::Time)).collect();
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema()?), Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for (name, values) in COLUMNS.into_iter().chain([MEDIAN]) {
        let missing = || ParquetError::General(format!("the schema has no {name}"));
        let mut chunk = group.next_column()?.ok_or_else(missing)?;
        match values {
            Values::Text(of) => {
                let values =
                    rows.iter().map(|row| of(run, *row).map(|text| ByteArray::from(text.into_bytes())));
                let (present, levels) = present(values);
                chunk.typed::<ByteArrayType>().write_batch(&present, Some(&levels), None)?;
            }
            Values::Number(of) => {
                let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
                let (present, levels) = present(rows.iter().map(|row| of(run, *row).map(signed)));
                chunk.typed::<Int64Type>().write_batch(&present, Some(&levels), None)?;
            }
            Values::Real(of) => {
                let (present, levels) = present(rows.iter().map(|row| of(*row)));
                chunk.typed::<DoubleType>().write_batch(&present, Some(&levels), None)?;
            }
        }
        chunk.close()?;
    }
    group.close()?;
    writer.into_inner()
}

fn schema() -> Result<Type, ParquetError> {
    let field = |(name, values): (&str, Values)| {
        let (physical, logical) = match values {
            Values::Text(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            Values::Number(_) => (PhysicalType::INT64, None),
            Values::Real(_) => (PhysicalType::DOUBLE, None),
        };
        let field = Type::primitive_type_builder(name, physical);
        field.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build().map(Arc::new)
    };
    let fields = COLUMNS.into_iter().chain([MEDIAN]).map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("runs").with_fields(fields).build()
}

fn present<T>(values: impl Iterator<Item = Option<T>>) -> (Vec<T>, Vec<i16>) {
    let (mut present, mut levels) = (Vec::new(), Vec::new());
    for value in values {
        levels.push(i16::from(value.is_some()));
        present.extend(value);
    }
    (present, levels)
}
