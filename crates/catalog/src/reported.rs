//! Figures that somebody published, kept as data beside the experiment that
//! measures the same here. What they are worth is not judged here.

use crate::error::{CatalogError, Located, Problem};
use crate::settings::read_settings_of_figure;
use crate::suggestion::hint_for;
use crate::sweep::read_size;
use crate::toml_reader::{Item, TableReader};
use crate::words::{Word, read_word};
use fathom_model::{Conditions, Figure, Publication, Quantity};

impl Word for Quantity {
    const KIND: &'static str = "quantity";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Time, "time"),
        (Self::SystemTime, "system-time"),
        (Self::Allocations, "allocations"),
        (Self::AllocatedBytes, "allocated-bytes"),
        (Self::CollectorPause, "collector-pause"),
        (Self::PageFaults, "page-faults"),
        (Self::MajorFaults, "major-faults"),
        (Self::ContextSwitches, "context-switches"),
        (Self::Calls, "calls"),
        (Self::Events, "events"),
        (Self::Answer, "answer"),
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
    let alignment = table.take("alignment").map(|item| read_word(&item.text()?)).transpose()?;
    let cache = table.take("cache").map(|item| read_word(&item.text()?)).transpose()?;
    let quantity: Quantity = read_word(&table.require("quantity")?.text()?)?.value;
    let conditions = Conditions {
        size_bytes: size("size")?,
        block_bytes: size("block")?,
        buffer: buffer.map(|word| word.value),
        alignment: alignment.map(|word| word.value),
        cache: cache.map(|word| word.value),
        settings: read_settings_of_figure(table)?,
        ..Conditions::of_method(method.as_ref().and_then(|text| text.value.parse().ok()))
    };
    let figure = Figure {
        label,
        conditions,
        quantity,
        value: table.require("value")?.number()?,
        unit: read_unit(&table.require("unit")?.text()?, quantity)?,
        operations: match table.take("operations") {
            Some(item) => item.whole_number(1, u64::from(u32::MAX))?.value,
            None => 1,
        },
    };
    methods.extend(method);
    Ok(figure)
}

fn read_unit(written: &Located<String>, quantity: Quantity) -> Result<String, CatalogError> {
    let known = quantity.units().iter().find(|unit| **unit == written.value);
    known.map(|unit| (*unit).to_owned()).ok_or_else(|| {
        let problem = Problem::UnknownWord("unit", written.value.clone());
        written.error(problem, hint_for(&written.value, quantity.units()))
    })
}
