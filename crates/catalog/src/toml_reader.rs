//! Walks a TOML document table by table, strictly: every key is taken by name,
//! what is left over is an error, and every value knows its line.
//!
//! Not serde: its derive names neither the nearest key nor, for values that a
//! later check refuses, the line.

use crate::error::{CatalogError, Located, Origin, Problem};
use crate::suggestion::{hint_for, nearest};
use std::cell::RefCell;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A text being read, and its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    /// Parses the whole text and hands its top table to `read`, which must take every key.
    pub(crate) fn read<T>(
        self,
        read: impl FnOnce(&TableReader<'_>) -> Result<T, CatalogError>,
    ) -> Result<T, CatalogError> {
        let document = DeTable::parse(self.text).map_err(|error| self.syntax_error(&error))?;
        let top = TableReader::new(self, document.get_ref(), self.origin(0));
        top.finish(read)
    }

    fn syntax_error(self, error: &toml::de::Error) -> CatalogError {
        let origin = self.origin(error.span().map_or(0, |span| span.start));
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        CatalogError::new(&origin, Problem::Syntax(message), None)
    }

    /// Line and column of a byte offset.
    fn origin(self, offset: usize) -> Origin {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let number = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
        Origin::File {
            file: self.file.to_owned(),
            line: number(before.matches('\n').count()),
            column: number(before[line_start..].chars().count()),
        }
    }
}

/// One table: keys are taken, and [`TableReader::finish`] refuses the rest.
#[derive(Debug)]
pub(crate) struct TableReader<'a> {
    source: Source<'a>,
    table: &'a DeTable<'a>,
    origin: Origin,
    /// Every key that was asked for, whether it was there or not.
    known: RefCell<Vec<&'static str>>,
}

impl<'a> TableReader<'a> {
    fn new(source: Source<'a>, table: &'a DeTable<'a>, origin: Origin) -> Self {
        Self { source, table, origin, known: RefCell::default() }
    }

    /// Where the table begins.
    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The value of `key`, if it is there.
    pub(crate) fn take(&self, key: &'static str) -> Option<Item<'a>> {
        self.known.borrow_mut().push(key);
        let (_, value) = self.table.iter().find(|(name, _)| name.get_ref() == key)?;
        Some(Item::new(self.source, key, value))
    }

    /// The value of `key`, which must be there.
    pub(crate) fn require(&self, key: &'static str) -> Result<Item<'a>, CatalogError> {
        self.take(key).ok_or_else(|| {
            let problem = Problem::MissingKey(key.to_owned());
            // A misspelt key is the likelier cause, and its own line the better place.
            let near = |name: &str| nearest(name, [key]).is_some();
            let known = self.known.borrow();
            let misspelt = self
                .table
                .iter()
                .find(|(name, _)| near(name.get_ref()) && !known.iter().any(|known| known == name.get_ref()));
            match misspelt {
                Some((name, _)) => self.unknown_key(name, &[key]),
                None => CatalogError::new(&self.origin, problem, None),
            }
        })
    }

    /// Reads the table with `read` and refuses every key it did not ask for.
    pub(crate) fn finish<T>(
        &self,
        read: impl FnOnce(&Self) -> Result<T, CatalogError>,
    ) -> Result<T, CatalogError> {
        let value = read(self)?;
        let known = self.known.borrow();
        let unknown = self.table.iter().filter(|(name, _)| !known.iter().any(|k| k == name.get_ref()));
        match unknown.min_by_key(|(name, _)| name.span().start) {
            Some((name, _)) => Err(self.unknown_key(name, &known)),
            None => Ok(value),
        }
    }

    fn unknown_key(&self, name: &Spanned<std::borrow::Cow<'_, str>>, known: &[&'static str]) -> CatalogError {
        let origin = self.source.origin(name.span().start);
        let word = name.get_ref();
        CatalogError::new(&origin, Problem::UnknownKey(word.clone().into_owned()), hint_for(word, known))
    }
}

/// One value, with the key it belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item<'a> {
    source: Source<'a>,
    key: &'static str,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Item<'a> {
    fn new(source: Source<'a>, key: &'static str, value: &'a Spanned<DeValue<'a>>) -> Self {
        Self { source, key, value }
    }

    /// Where the value begins.
    pub(crate) fn origin(&self) -> Origin {
        self.source.origin(self.value.span().start)
    }

    /// The raw value.
    pub(crate) fn value(&self) -> &'a DeValue<'a> {
        self.value.get_ref()
    }

    /// A text of at least one visible character.
    pub(crate) fn text(&self) -> Result<Located<String>, CatalogError> {
        let DeValue::String(text) = self.value() else { return Err(self.wrong_type("a string")) };
        if text.trim().is_empty() {
            return Err(CatalogError::new(&self.origin(), Problem::Empty(self.key.to_owned()), None));
        }
        Ok(Located::new(text.clone().into_owned(), &self.origin()))
    }

    /// `true` or `false`.
    pub(crate) fn truth(&self) -> Result<bool, CatalogError> {
        match self.value() {
            DeValue::Boolean(truth) => Ok(*truth),
            _ => Err(self.wrong_type("true or false")),
        }
    }

    /// A whole number from `low` up.
    pub(crate) fn whole_number(&self, low: u64, high: u64) -> Result<Located<u64>, CatalogError> {
        let DeValue::Integer(integer) = self.value() else { return Err(self.wrong_type("a whole number")) };
        match u64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(number) if (low..=high).contains(&number) => Ok(Located::new(number, &self.origin())),
            _ => {
                let problem = Problem::OutOfRange(self.key.to_owned(), integer.to_string());
                Err(CatalogError::new(&self.origin(), problem, Some(format!("from {low} to {high}"))))
            }
        }
    }

    /// A finite number, whole or not.
    pub(crate) fn number(&self) -> Result<f64, CatalogError> {
        let (text, number) = match self.value() {
            DeValue::Integer(integer) if integer.radix() == 10 => {
                (integer.to_string(), integer.as_str().parse())
            }
            DeValue::Float(float) => (float.as_str().to_owned(), float.as_str().parse()),
            _ => return Err(self.wrong_type("a number")),
        };
        number.ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| {
            CatalogError::new(&self.origin(), Problem::OutOfRange(self.key.to_owned(), text), None)
        })
    }

    /// A list of at least one element.
    pub(crate) fn list(&self) -> Result<Vec<Self>, CatalogError> {
        let DeValue::Array(array) = self.value() else { return Err(self.wrong_type("a list")) };
        if array.is_empty() {
            return Err(CatalogError::new(&self.origin(), Problem::Empty(self.key.to_owned()), None));
        }
        Ok(array.iter().map(|value| Self::new(self.source, self.key, value)).collect())
    }

    /// A list of texts.
    pub(crate) fn texts(&self) -> Result<Vec<Located<String>>, CatalogError> {
        self.list()?.iter().map(Self::text).collect()
    }

    /// A table, read whole by `read`.
    pub(crate) fn table<T>(
        &self,
        read: impl FnOnce(&TableReader<'_>) -> Result<T, CatalogError>,
    ) -> Result<T, CatalogError> {
        let DeValue::Table(table) = self.value() else { return Err(self.wrong_type("a table")) };
        TableReader::new(self.source, table, self.origin()).finish(read)
    }

    /// A value inside this one, of the same key.
    pub(crate) fn within(&self, value: &'a Spanned<DeValue<'a>>) -> Self {
        Self { value, ..*self }
    }

    /// The error of a value of the wrong type.
    pub(crate) fn wrong_type(&self, expected: &'static str) -> CatalogError {
        let found = match self.value() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a fractional number",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let problem = Problem::WrongType { key: self.key.to_owned(), expected, found };
        CatalogError::new(&self.origin(), problem, None)
    }
}
