//! Every sample as a row of a Parquet file. What a row says lives in `sample`
//! and `column`; this file stores it.

mod column;
mod sample;

use super::ExportError;
use super::record_name::record_id;
use column::{COLUMNS, Column, Values};
use fathom_model::Record;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type};
use sample::{Sample, TimedArm, arms, samples};
use std::sync::Arc;

/// Readers take row groups in parallel, and each has its own dictionaries.
const ROWS_PER_GROUP: usize = 1 << 20;
/// Times hardly ever repeat: a dictionary of them would be larger than they are.
const TIMES: [&str; 2] = ["ns", "ns_per_operation"];

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
    let mut writer =
        SerializedFileWriter::new(Vec::new(), Arc::new(schema()?), Arc::new(properties(record)))?;
    for rows in samples.chunks(ROWS_PER_GROUP) {
        let mut group = writer.next_row_group()?;
        for column in COLUMNS {
            let missing = || ParquetError::General(format!("the schema has no {}", column.name));
            let mut chunk = group.next_column()?.ok_or_else(missing)?;
            write_column(&mut chunk, column, &arms, rows)?;
            chunk.close()?;
        }
        group.close()?;
    }
    Ok(writer.into_inner()?)
}

fn schema() -> Result<Type, ParquetError> {
    let field = |column: &Column| {
        let (physical, logical) = match column.values {
            Values::Text(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            Values::ArmNumber(_) | Values::Number(_) => (PhysicalType::INT64, None),
            Values::Real(_) => (PhysicalType::DOUBLE, None),
            Values::ArmFlag(_) | Values::Flag(_) => (PhysicalType::BOOLEAN, None),
        };
        let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let field = Type::primitive_type_builder(column.name, physical);
        field.with_repetition(repetition).with_logical_type(logical).build().map(Arc::new)
    };
    let fields = COLUMNS.iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("samples").with_fields(fields).build()
}

fn properties(record: &Record) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(facts(record)));
    for name in TIMES {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(name), false);
    }
    properties.set_column_encoding(ColumnPath::from("ns"), Encoding::DELTA_BINARY_PACKED).build()
}

/// What holds for every row: where the record comes from and what machine it is of.
fn facts(record: &Record) -> Vec<KeyValue> {
    let drivers = record.drivers.iter().map(|driver| format!("{}: {}", driver.driver, driver.runtime));
    let facts = [
        ("fathom.version", record.fathom_version.clone()),
        ("fathom.schema_version", record.schema_version.to_string()),
        ("fathom.created", record.created.clone()),
        ("fathom.seed", record.seed.clone()),
        ("fathom.complete", record.complete.to_string()),
        ("fathom.command", record.command.join(" ")),
        ("fathom.machine", machine(record)),
        ("fathom.drivers", drivers.collect::<Vec<_>>().join("; ")),
    ];
    facts.map(|(key, value)| KeyValue::new(key.to_owned(), value)).into()
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

fn write_column(
    chunk: &mut SerializedColumnWriter<'_>,
    column: Column,
    arms: &[TimedArm<'_>],
    rows: &[Sample<'_>],
) -> Result<(), ParquetError> {
    let optional = column.optional;
    match column.values {
        Values::Text(of) => {
            let texts = per_arm(arms, |arm| of(arm).map(|text| ByteArray::from(text.into_bytes())));
            write::<ByteArrayType>(chunk, optional, rows.iter().map(|row| texts[row.arm].clone()))
        }
        Values::ArmNumber(of) => {
            let numbers = per_arm(arms, |arm| of(arm).map(signed));
            write::<Int64Type>(chunk, optional, rows.iter().map(|row| numbers[row.arm]))
        }
        Values::ArmFlag(of) => {
            let flags = per_arm(arms, of);
            write::<BoolType>(chunk, optional, rows.iter().map(|row| Some(flags[row.arm])))
        }
        Values::Number(of) => write::<Int64Type>(chunk, optional, rows.iter().map(|row| of(row).map(signed))),
        Values::Real(of) => write::<DoubleType>(chunk, optional, rows.iter().map(of)),
        Values::Flag(of) => write::<BoolType>(chunk, optional, rows.iter().map(of)),
    }
}

fn per_arm<T>(arms: &[TimedArm<'_>], value: impl Fn(&TimedArm<'_>) -> T) -> Vec<T> {
    arms.iter().map(value).collect()
}

/// No file has more bytes than this, and no batch lasts 292 years.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn write<T: DataType>(
    chunk: &mut SerializedColumnWriter<'_>,
    optional: bool,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let (mut present, mut levels) = (Vec::new(), Vec::new());
    for value in values {
        levels.push(i16::from(value.is_some()));
        present.extend(value);
    }
    let levels = optional.then_some(levels.as_slice());
    chunk.typed::<T>().write_batch(&present, levels, None).map(|_written| ())
}

#[cfg(test)]
mod tests;
