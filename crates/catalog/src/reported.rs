//! Figures that somebody published, kept as data beside the experiment that
//! measures the same here. What they are worth is not judged here.

use crate::error::{CatalogError, Located, Problem};
use crate::suggestion::hint_for;
use crate::sweep::read_size;
use crate::toml_reader::{Item, TableReader};
use crate::words::{Word, read_word};
use fathom_model::{BufferUse, MethodId};

/// What one publication reports of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Publication {
    /// Author and title.
    pub source: String,
    /// The machine, as far as it is stated.
    pub hardware: Option<String>,
    /// When it was published: `2025-03-04`.
    pub date: Option<String>,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Its statements, in its words.
    pub claims: Vec<String>,
}

/// One published number.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The method it is about; `None` when the publication does not say.
    pub method: Option<MethodId>,
    /// What it is called there, when that is not the method's name.
    pub label: Option<String>,
    /// The size of the file it holds for, in bytes.
    pub size_bytes: Option<u64>,
    /// The block size it holds for, in bytes.
    pub block_bytes: Option<u64>,
    /// The use of buffers it holds for.
    pub buffer: Option<BufferUse>,
    /// What was measured.
    pub quantity: Quantity,
    /// The number.
    pub value: f64,
    /// Its unit, one of the quantity's.
    pub unit: &'static str,
}

/// What a published number measures, per operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Time, in ns, µs, ms or s.
    Time,
    /// Allocations, in allocs/op.
    Allocations,
    /// Bytes allocated, in B/op.
    AllocatedBytes,
    /// A pause of the collector, in ns, µs, ms or s.
    CollectorPause,
}

impl Quantity {
    /// The units in which it may be given.
    pub fn units(self) -> &'static [&'static str] {
        match self {
            Self::Time | Self::CollectorPause => &["ns", "µs", "ms", "s"],
            Self::Allocations => &["allocs/op"],
            Self::AllocatedBytes => &["B/op"],
        }
    }
}

impl Word for Quantity {
    const KIND: &'static str = "quantity";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Time, "time"),
        (Self::Allocations, "allocations"),
        (Self::AllocatedBytes, "allocated-bytes"),
        (Self::CollectorPause, "collector-pause"),
    ];
}

/// Publications, and each method they name with its place in the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Reported {
    pub(crate) publications: Vec<Publication>,
    pub(crate) methods: Vec<Located<String>>,
}

/// Reads the tables `[[reported]]`.
pub(crate) fn read_reported(item: &Item<'_>) -> Result<Reported, CatalogError> {
    let mut reported = Reported::default();
    for publication in item.list()? {
        let publication = publication.table(|table| read_publication(table, &mut reported.methods))?;
        reported.publications.push(publication);
    }
    Ok(reported)
}

fn read_publication(
    table: &TableReader<'_>,
    methods: &mut Vec<Located<String>>,
) -> Result<Publication, CatalogError> {
    let optional = |key| table.take(key).map(|item| item.text().map(|text| text.value)).transpose();
    let source = table.require("source")?.text()?.value;
    let (hardware, date) = (optional("hardware")?, optional("date")?);
    let mut figures = Vec::new();
    if let Some(list) = table.take("figures") {
        for figure in list.list()? {
            figures.push(figure.table(|table| read_figure(table, methods))?);
        }
    }
    let claims = match table.take("claims") {
        Some(list) => list.texts()?.into_iter().map(|claim| claim.value).collect(),
        None if figures.is_empty() => {
            return Err(CatalogError::new(
                table.origin(),
                Problem::Empty("reported".to_owned()),
                Some("give it `figures` or `claims`".to_owned()),
            ));
        }
        None => Vec::new(),
    };
    Ok(Publication { source, hardware, date, figures, claims })
}

fn read_figure(table: &TableReader<'_>, methods: &mut Vec<Located<String>>) -> Result<Figure, CatalogError> {
    let method = table.take("method").map(|item| item.text()).transpose()?;
    let label = table.take("label").map(|item| item.text().map(|text| text.value)).transpose()?;
    if method.is_none() && label.is_none() {
        let hint = "give it a `method`, or a `label` when the publication names none".to_owned();
        return Err(CatalogError::new(table.origin(), Problem::MissingKey("method".to_owned()), Some(hint)));
    }
    let size = |key| table.take(key).map(|item| read_size(&item).map(|size| size.value)).transpose();
    let buffer = table.take("buffer").map(|item| read_word(&item.text()?)).transpose()?;
    let quantity: Quantity = read_word(&table.require("quantity")?.text()?)?.value;
    let figure = Figure {
        method: method.as_ref().and_then(|text| text.value.parse().ok()),
        label,
        size_bytes: size("size")?,
        block_bytes: size("block")?,
        buffer: buffer.map(|word| word.value),
        quantity,
        value: table.require("value")?.number()?,
        unit: read_unit(&table.require("unit")?.text()?, quantity)?,
    };
    methods.extend(method);
    Ok(figure)
}

fn read_unit(written: &Located<String>, quantity: Quantity) -> Result<&'static str, CatalogError> {
    quantity.units().iter().copied().find(|unit| *unit == written.value).ok_or_else(|| {
        let problem = Problem::UnknownWord("unit", written.value.clone());
        written.error(problem, hint_for(&written.value, quantity.units()))
    })
}
