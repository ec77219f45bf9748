//! Records as a collection: Parquet files in folders by date, host and experiment, to which each record adds
//! files of its own. A row of `records` holds the record itself, so that nothing is lost; `samples` has
//! a row per sample. This file knows no folder but by name.

use super::parquet::export_samples;
use super::record_name::record_id;
use crate::export_error::ExportError;
use crate::identity::encoded;
use crate::parquet_table::{
    Cells, Column, Kind, ReadCell, ReadRow, TableWriter, number_cell, read_rows, text_cell,
};
use fathom_audit::TrackedRun;
use fathom_model::Record;
use std::collections::BTreeMap;
use std::iter::once;

/// The host's name in a folder where it is not known.
const NO_HOST: &str = "unknown";
/// A file of a collection, its path from the collection's folder on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFile {
    /// `samples/date=2026-11-27/host=n1/experiment=create/20261127T101500Z-0a1b2c3d4e5f6071.parquet`.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// One experiment of a record, as it lies in a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordPart {
    /// Which record.
    pub id: String,
    /// Which of its parts, from 0, and how many there are.
    pub part: (usize, usize),
    /// The record with this experiment alone.
    pub record: Record,
}

/// Where the files of something lie that was begun then and there.
pub fn data_path(table: &str, created: &str, host: Option<&str>, experiment: &str, name: &str) -> String {
    let date = created.get(..10).unwrap_or("unknown");
    let value = |text: &str| encoded(text, true).replace('=', "%3D").replace(':', "%3A");
    let (host, experiment) = (value(host.unwrap_or(NO_HOST)), value(experiment));
    format!("{table}/date={}/host={host}/experiment={experiment}/{}.parquet", value(date), value(name))
}

/// The files of a record: of each experiment its samples, where it has some, and behind them the record.
/// `host` is used where the record does not know its own.
pub fn record_files(record: &Record, host: Option<&str>) -> Result<Vec<DataFile>, ExportError> {
    let id = record_id(record)?;
    let host = record.environment.host.value().map(String::as_str).or(host);
    let parts = record.experiments.len();
    let mut files = Vec::new();
    for (number, experiment) in record.experiments.iter().enumerate() {
        let part = Record { experiments: vec![experiment.clone()], ..record.clone() };
        let at = |table: &str| {
            let name = if parts == 1 { id.clone() } else { format!("{id}-{number}") };
            data_path(table, &record.created, host, &experiment.name, &name)
        };
        match export_samples(&part, &id) {
            Ok(bytes) => files.push(DataFile { path: at("samples"), bytes }),
            Err(ExportError::Nothing(_)) => {}
            Err(error) => return Err(error),
        }
        let bytes = record_row(&part, &id, (number, parts), host)?;
        files.push(DataFile { path: at("records"), bytes });
    }
    Ok(files)
}

/// The files of a kept run of `fathom track`: one for each command.
pub fn tracked_run_files(run: &TrackedRun, host: Option<&str>) -> Result<Vec<DataFile>, ExportError> {
    let of_command = |name: &String| {
        let mut own = run.clone();
        own.counts.retain(|count| count.command == *name);
        own.times.retain(|time| time.command == *name);
        let path = data_path("counts", &run.facts.created, host, name, &run.facts.id);
        Ok(DataFile { path, bytes: crate::track::tracked_run_parquet(&own)? })
    };
    run.facts.commands.iter().map(|command| of_command(&command.name)).collect()
}

enum Cell {
    Text(Option<String>),
    Number(u64),
    Flag(bool),
}

fn record_row(
    record: &Record,
    id: &str,
    (part, parts): (usize, usize),
    host: Option<&str>,
) -> Result<Vec<u8>, ExportError> {
    let environment = &record.environment;
    let text = |text: &str| Cell::Text(Some(text.to_owned()));
    let experiment = record.experiments.first().map(|experiment| experiment.name.clone());
    let row = [
        ("record", text(id)),
        ("part", Cell::Number(part as u64)),
        ("parts", Cell::Number(parts as u64)),
        ("created", text(&record.created)),
        ("host", Cell::Text(host.map(str::to_owned))),
        ("experiment", Cell::Text(experiment)),
        ("complete", Cell::Flag(record.complete)),
        ("fathom_version", text(&record.fathom_version)),
        ("kernel", text(&environment.kernel)),
        ("architecture", text(&environment.architecture)),
        ("cpu_model", Cell::Text(environment.cpu_model.value().cloned())),
        ("cpus", Cell::Number(environment.cpus.len() as u64)),
        ("json", text(&serde_json::to_string(record)?)),
    ];
    let kind = |cell: &Cell| match cell {
        Cell::Text(_) => Kind::Text,
        Cell::Number(_) => Kind::Number,
        Cell::Flag(_) => Kind::Flag,
    };
    let columns = row.iter().map(|(name, cell)| Column::new(name, kind(cell), true)).collect();
    let mut table = TableWriter::begin("records", columns, Vec::new(), Vec::new())?;
    let mut group = table.rows()?;
    for (_, cell) in row {
        match cell {
            Cell::Text(text) => group.put(Cells::Text(&mut once(text.map(text_cell)))),
            Cell::Number(number) => group.put(Cells::Number(&mut once(Some(number_cell(number))))),
            Cell::Flag(flag) => group.put(Cells::Flag(&mut once(Some(flag)))),
        }?;
    }
    group.close()?;
    Ok(table.finish()?)
}

/// The parts of records in a file of the table `records`; `None` of another table's, which have no
/// column `json`.
///
/// # Errors
///
/// In words: it is no Parquet, lacks other columns, or holds what is no record.
pub fn read_record_parts(bytes: Vec<u8>) -> Result<Option<Vec<RecordPart>>, String> {
    read_rows(bytes, "json", |mut row: ReadRow| {
        let lacks =
            |name: &str| format!("a row has no `{name}`: it is no file of a collection's table `records`");
        let mut text = |name: &str| match row.remove(name) {
            Some(ReadCell::Text(text)) => Ok(text),
            _ => Err(lacks(name)),
        };
        let (json, id) = (text("json")?, text("record")?);
        let number = |name: &str| match row.get(name) {
            Some(ReadCell::Number(number)) => usize::try_from(*number).map_err(|_| lacks(name)),
            _ => Err(lacks(name)),
        };
        let record = serde_json::from_str(&json).map_err(|error| format!("its record: {error}"))?;
        Ok(RecordPart { id, part: (number("part")?, number("parts")?), record })
    })
}

/// The records that parts make, by when and where they were begun, each with its name and how many of
/// its parts are missing.
pub fn join_record_parts(parts: Vec<RecordPart>) -> Vec<(String, Record, usize)> {
    let mut by_id: BTreeMap<String, BTreeMap<usize, RecordPart>> = BTreeMap::new();
    for part in parts {
        by_id.entry(part.id.clone()).or_default().insert(part.part.0, part);
    }
    let join = |(id, parts): (String, BTreeMap<usize, RecordPart>)| {
        let mut parts = parts.into_values();
        let first = parts.next()?;
        let (all, mut record, mut found) = (first.part.1, first.record, 1);
        for part in parts {
            record.experiments.extend(part.record.experiments);
            found += 1;
        }
        Some((id, record, all.saturating_sub(found)))
    };
    by_id.into_iter().filter_map(join).collect()
}

#[cfg(feature = "parquet")]
#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::Reading;
    use fathom_testkit::all;

    #[test]
    fn a_record_comes_back_whole_from_its_parts() {
        for (name, record) in all() {
            let files = record_files(&record, None).unwrap();
            let parts = files.iter().filter(|file| file.path.starts_with("records/"));
            let parts =
                parts.flat_map(|file| read_record_parts(file.bytes.clone()).unwrap().unwrap()).collect();
            let mut joined = join_record_parts(parts);
            if record.experiments.is_empty() {
                assert!(joined.is_empty(), "{name}");
                continue;
            }
            assert_eq!((joined.len(), joined[0].2), (1, 0), "{name}");
            let (id, back, _) = joined.remove(0);
            assert_eq!(back, record, "{name}");
            assert!(id.starts_with(&record.created.replace(['-', ':'], "")), "{id}");
        }
    }

    #[test]
    fn a_part_that_is_missing_is_counted() {
        let (_, record) = all().into_iter().find(|(_, record)| record.experiments.len() > 1).unwrap();
        let files = record_files(&record, None).unwrap();
        let last = files.last().unwrap().bytes.clone();
        let joined = join_record_parts(read_record_parts(last).unwrap().unwrap());
        assert_eq!((joined.len(), joined[0].2), (1, record.experiments.len() - 1));
    }

    #[test]
    fn folders_are_by_date_host_and_experiment() {
        let mut record = fathom_testkit::complete();
        record.environment.host = Reading::Value("n/1=x".to_owned());
        let files = record_files(&record, Some("other")).unwrap();
        let start = format!("samples/date={}/host=n%2F1%3Dx/experiment=open-go/", &record.created[..10]);
        assert!(files[0].path.starts_with(&start), "{}", files[0].path);
        record.environment.host = Reading::unavailable("none");
        assert!(record_files(&record, Some("other")).unwrap()[0].path.contains("/host=other/"));
        assert!(record_files(&record, None).unwrap()[0].path.contains("/host=unknown/"));
    }

    #[test]
    fn files_of_other_tables_are_told_from_what_is_no_parquet() {
        assert!(read_record_parts(b"no Parquet".to_vec()).is_err());
        let samples = record_files(&fathom_testkit::complete(), None).unwrap().swap_remove(0);
        assert!(matches!(read_record_parts(samples.bytes), Ok(None)));
    }
}
