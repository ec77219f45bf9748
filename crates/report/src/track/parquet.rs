//! A kept run as a table: a row for each count and each time, with all that is known of the run in each
//! row, so that files of many runs are read as one table.

use crate::change::sentence;
use crate::parquet_table::{Cells, Column, Kind, TableError, TableWriter, number_cell, text_cell};
use fathom_audit::{TrackedCount, TrackedRun, TrackedTime};
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
pub fn tracked_run_parquet(run: &TrackedRun) -> Result<Vec<u8>, TableError> {
    let counts = run.counts.iter().map(Row::Count);
    let rows: Vec<Row<'_>> = counts.chain(run.times.iter().map(Row::Time)).collect();
    let columns = COLUMNS.into_iter().chain([MEDIAN]);
    let fields = columns.clone().map(|(name, values)| Column::new(name, kind(values), true)).collect();
    let mut table = TableWriter::begin("runs", fields, Vec::new(), Vec::new())?;
    let mut group = table.rows()?;
    for (_, values) in columns {
        match values {
            Values::Text(of) => {
                group.put(Cells::Text(&mut rows.iter().map(|row| of(run, *row).map(text_cell))))
            }
            Values::Number(of) => {
                group.put(Cells::Number(&mut rows.iter().map(|row| of(run, *row).map(number_cell))))
            }
            Values::Real(of) => group.put(Cells::Real(&mut rows.iter().map(|row| of(*row)))),
        }?;
    }
    group.close()?;
    table.finish()
}

fn kind(values: Values) -> Kind {
    match values {
        Values::Text(_) => Kind::Text,
        Values::Number(_) => Kind::Number,
        Values::Real(_) => Kind::Real,
    }
}
