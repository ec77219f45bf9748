//! What stands for tables in a build without Parquet: nothing can be begun, hence nothing is written.

use super::{Cells, Column, ReadRow, TableError};
use std::convert::Infallible;
use std::io::Write;
use std::marker::PhantomData;

/// Never made.
pub(crate) struct TableWriter<W> {
    never: Infallible,
    out: PhantomData<W>,
}

/// Never made.
pub(crate) struct Rows<'a, W> {
    never: Infallible,
    table: PhantomData<&'a W>,
}

impl<W: Write + Send> TableWriter<W> {
    pub(crate) fn begin(
        _name: &str,
        _columns: Vec<Column>,
        _facts: Vec<(&str, String)>,
        _out: W,
    ) -> Result<Self, TableError> {
        Err(TableError::Missing)
    }

    pub(crate) fn rows(&mut self) -> Result<Rows<'_, W>, TableError> {
        match self.never {}
    }

    pub(crate) fn finish(self) -> Result<W, TableError> {
        match self.never {}
    }
}

impl<W: Write + Send> Rows<'_, W> {
    pub(crate) fn put(&mut self, _cells: Cells<'_>) -> Result<(), TableError> {
        match self.never {}
    }

    pub(crate) fn close(self) -> Result<(), TableError> {
        match self.never {}
    }
}

pub(crate) fn read_rows<T>(
    _bytes: Vec<u8>,
    _column: &str,
    _make: impl Fn(ReadRow) -> Result<T, String>,
) -> Result<Option<Vec<T>>, String> {
    Err(TableError::Missing.to_string())
}
