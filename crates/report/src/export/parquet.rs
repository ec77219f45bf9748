//! Every sample as a row of a Parquet file. What a row says lives in `sample`
//! and `column`; this file stores it.

mod column;
mod sample;

use super::ExportError;
use super::record_name::record_id;
use crate::parquet_table::{
    self, Cells, Kind, Packing, Rows, TableError, TableWriter, number_cell, text_cell,
};
use bytes::Bytes;
use column::{COLUMNS, Column, Values};
use fathom_model::Record;
use sample::{Sample, TimedArm, arms, samples};

/// Readers take row groups in parallel, and each has its own dictionaries.
const ROWS_PER_GROUP: usize = 1 << 20;

/// The record's samples as Parquet.
pub(super) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    export_samples(record, &record_id(record)?)
}

/// The same, of a part of the record that this name is of.
pub(super) fn export_samples(record: &Record, id: &str) -> Result<Vec<u8>, ExportError> {
    let arms = arms(record, id);
    let samples = samples(&arms);
    if samples.is_empty() {
        return Err(ExportError::Nothing("no samples"));
    }
    let columns = COLUMNS.iter().map(table_column).collect();
    let mut table = TableWriter::begin("samples", columns, facts(record), Vec::new())?;
    for rows in samples.chunks(ROWS_PER_GROUP) {
        let mut group = table.rows()?;
        for column in COLUMNS {
            put_column(&mut group, column, &arms, rows)?;
        }
        group.close()?;
    }
    Ok(table.finish()?)
}

fn table_column(column: &Column) -> parquet_table::Column {
    let kind = match column.values {
        Values::Text(_) => Kind::Text,
        Values::ArmNumber(_) | Values::Number(_) => Kind::Number,
        Values::Real(_) => Kind::Real,
        Values::ArmFlag(_) | Values::Flag(_) => Kind::Flag,
    };
    // Times hardly ever repeat: a dictionary of them would be larger than they are.
    let packing = match column.name {
        "ns" => Packing::Deltas,
        "ns_per_operation" => Packing::Plain,
        _ => Packing::Dictionary,
    };
    parquet_table::Column { packing, ..parquet_table::Column::new(column.name, kind, column.optional) }
}

/// What holds for every row: where the record comes from and what machine it is of.
fn facts(record: &Record) -> Vec<(&'static str, String)> {
    let drivers = record.drivers.iter().map(|driver| format!("{}: {}", driver.driver, driver.runtime));
    vec![
        ("fathom.version", record.fathom_version.clone()),
        ("fathom.schema_version", record.schema_version.to_string()),
        ("fathom.created", record.created.clone()),
        ("fathom.seed", record.seed.clone()),
        ("fathom.complete", record.complete.to_string()),
        ("fathom.command", record.command.join(" ")),
        ("fathom.machine", machine(record)),
        ("fathom.drivers", drivers.collect::<Vec<_>>().join("; ")),
    ]
}

/// `Linux 6.18.0 x86_64, CPU model, 2 CPUs, KVM`.
fn machine(record: &Record) -> String {
    let environment = &record.environment;
    let mut parts = vec![format!("Linux {} {}", environment.kernel, environment.architecture)];
    parts.extend(environment.cpu_model.value().cloned());
    let cpus = environment.cpus.len();
    parts.push(if cpus == 1 { "1 CPU".to_owned() } else { format!("{cpus} CPUs") });
    parts.extend(environment.virtualization.value().filter(|kind| *kind != "none").cloned());
    parts.join(", ")
}

fn put_column(
    group: &mut Rows<'_, Vec<u8>>,
    column: Column,
    arms: &[TimedArm<'_>],
    rows: &[Sample<'_>],
) -> Result<(), TableError> {
    match column.values {
        Values::Text(of) => {
            let texts: Vec<Option<Bytes>> = arms.iter().map(|arm| of(arm).map(text_cell)).collect();
            group.put(Cells::Text(&mut rows.iter().map(|row| texts[row.arm].clone())))
        }
        Values::ArmNumber(of) => {
            let numbers: Vec<_> = arms.iter().map(|arm| of(arm).map(number_cell)).collect();
            group.put(Cells::Number(&mut rows.iter().map(|row| numbers[row.arm])))
        }
        Values::ArmFlag(of) => {
            let flags: Vec<_> = arms.iter().map(of).collect();
            group.put(Cells::Flag(&mut rows.iter().map(|row| Some(flags[row.arm]))))
        }
        Values::Number(of) => group.put(Cells::Number(&mut rows.iter().map(|row| of(row).map(number_cell)))),
        Values::Real(of) => group.put(Cells::Real(&mut rows.iter().map(of))),
        Values::Flag(of) => group.put(Cells::Flag(&mut rows.iter().map(of))),
    }
}

#[cfg(feature = "parquet")]
#[cfg(test)]
mod tests;
