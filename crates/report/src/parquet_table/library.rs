//! Tables written and read by the `parquet` crate.

use super::{Cells, Column, Kind, Packing, ReadCell, ReadRow, TableError};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter};
use parquet::record::Field;
use parquet::schema::types::{ColumnPath, Type};
use std::io::Write;
use std::sync::Arc;

impl From<ParquetError> for TableError {
    fn from(error: ParquetError) -> Self {
        Self::Library(Box::new(error))
    }
}

/// Writes a table, some rows at a time.
pub(crate) struct TableWriter<W: Write + Send> {
    columns: Vec<Column>,
    writer: SerializedFileWriter<W>,
}

impl<W: Write + Send> TableWriter<W> {
    /// Begins a table of this name. The facts stand beside its columns.
    pub(crate) fn begin(
        name: &str,
        columns: Vec<Column>,
        facts: Vec<(&str, String)>,
        out: W,
    ) -> Result<Self, TableError> {
        let facts = facts.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(facts));
        for column in &columns {
            let path = || ColumnPath::from(column.name);
            if column.packing != Packing::Dictionary {
                properties = properties.set_column_dictionary_enabled(path(), false);
            }
            if column.packing == Packing::Deltas {
                properties = properties.set_column_encoding(path(), Encoding::DELTA_BINARY_PACKED);
            }
        }
        let fields = columns.iter().map(schema_column).collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder(name).with_fields(fields).build()?;
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))?;
        Ok(Self { columns, writer })
    }

    /// Begins the next rows.
    pub(crate) fn rows(&mut self) -> Result<Rows<'_, W>, TableError> {
        Ok(Rows { columns: self.columns.iter(), group: self.writer.next_row_group()? })
    }

    /// Writes what comes last.
    pub(crate) fn finish(self) -> Result<W, TableError> {
        Ok(self.writer.into_inner()?)
    }
}

/// Rows that are written, column by column in the table's order.
pub(crate) struct Rows<'a, W: Write + Send> {
    columns: std::slice::Iter<'a, Column>,
    group: SerializedRowGroupWriter<'a, W>,
}

impl<W: Write + Send> Rows<'_, W> {
    /// Writes the next column.
    pub(crate) fn put(&mut self, cells: Cells<'_>) -> Result<(), TableError> {
        let missing = || ParquetError::General("the table has fewer columns".to_owned());
        let is_optional = self.columns.next().ok_or_else(missing)?.is_optional;
        let mut chunk = self.group.next_column()?.ok_or_else(missing)?;
        match cells {
            Cells::Text(cells) => {
                write::<ByteArrayType>(&mut chunk, is_optional, cells.map(|cell| cell.map(ByteArray::from)))?;
            }
            Cells::Number(cells) => write::<Int64Type>(&mut chunk, is_optional, cells)?,
            Cells::Real(cells) => write::<DoubleType>(&mut chunk, is_optional, cells)?,
            Cells::Flag(cells) => write::<BoolType>(&mut chunk, is_optional, cells)?,
        }
        Ok(chunk.close()?)
    }

    /// Ends these rows.
    pub(crate) fn close(self) -> Result<(), TableError> {
        self.group.close()?;
        Ok(())
    }
}

fn schema_column(column: &Column) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match column.kind {
        Kind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Bytes => (PhysicalType::BYTE_ARRAY, None),
        Kind::Number => (PhysicalType::INT64, None),
        Kind::Real => (PhysicalType::DOUBLE, None),
        Kind::Flag => (PhysicalType::BOOLEAN, None),
    };
    let repetition = if column.is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let field = Type::primitive_type_builder(column.name, physical).with_repetition(repetition);
    field.with_logical_type(logical).build().map(Arc::new)
}

fn write<T: DataType>(
    chunk: &mut SerializedColumnWriter<'_>,
    is_optional: bool,
    cells: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let (mut present, mut levels) = (Vec::new(), Vec::new());
    for cell in cells {
        levels.push(i16::from(cell.is_some()));
        present.extend(cell);
    }
    let levels = is_optional.then_some(levels.as_slice());
    chunk.typed::<T>().write_batch(&present, levels, None).map(|_written| ())
}

/// What `make` makes of every row of a file; `None` where the table has no column of that name.
///
/// # Errors
///
/// In words: it is no Parquet, or what `make` says of a row.
pub(crate) fn read_rows<T>(
    bytes: Vec<u8>,
    column: &str,
    make: impl Fn(ReadRow) -> Result<T, String>,
) -> Result<Option<Vec<T>>, String> {
    let reader = SerializedFileReader::new(Bytes::from(bytes)).map_err(|error| error.to_string())?;
    let columns = reader.metadata().file_metadata().schema_descr().columns();
    if !columns.iter().any(|own| own.name() == column) {
        return Ok(None);
    }
    let cell = |(name, field)| match field {
        Field::Str(text) => Some((name, ReadCell::Text(text))),
        Field::Long(number) => Some((name, ReadCell::Number(number))),
        _ => None,
    };
    let rows = reader.get_row_iter(None).map_err(|error| error.to_string())?;
    let rows = rows.map(|row| {
        let row = row.map_err(|error| error.to_string())?;
        make(row.into_columns().into_iter().filter_map(cell).collect())
    });
    rows.collect::<Result<_, _>>().map(Some)
}
