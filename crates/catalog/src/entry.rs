//! Experiment files: one TOML file, one experiment. Words, types and keys are
//! checked here; methods and combinations when a plan is made of it.

use crate::choices::Choices;
use crate::error::{CatalogError, Located, Problem};
use crate::plan::Compare;
use crate::reported::{Publication, Reported, read_reported};
use crate::toml_reader::{Source, TableReader};
use crate::words::read_word;
use fathom_model::Operation;

/// An experiment as its file describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its name: `open-all`.
    pub name: String,
    /// A title for people.
    pub title: String,
    /// The question it answers.
    pub question: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// What is put side by side in the same blocks.
    pub compare: Compare,
    pub(crate) operation: Located<Operation>,
    pub(crate) choices: Choices,
    pub(crate) quick: Choices,
    pub(crate) reported: Reported,
}

impl Entry {
    /// Reads an experiment; `file` names it in errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, CatalogError> {
        Source { file, text }.read(read_entry)
    }

    /// The operation it performs.
    pub fn operation(&self) -> Operation {
        self.operation.value
    }

    /// Its methods as they are written, wildcards unexpanded.
    pub fn method_patterns(&self) -> impl Iterator<Item = &str> {
        self.choices.methods.iter().flatten().map(|pattern| pattern.value.as_str())
    }

    /// The published figures it stands beside.
    pub fn reported(&self) -> &[Publication] {
        &self.reported.publications
    }
}

fn read_entry(top: &TableReader<'_>) -> Result<Entry, CatalogError> {
    let name = top.require("name")?.text()?;
    if !name.value.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
        let problem = Problem::BadName(name.value.clone(), "an experiment");
        return Err(name.error(problem, Some("use lower-case letters, digits and `-`".to_owned())));
    }
    let title = top.require("title")?.text()?.value;
    let question = top.require("question")?.text()?.value;
    let source = top.take("source").map(|item| item.text().map(|text| text.value)).transpose()?;
    let operation = read_word(&top.require("operation")?.text()?)?;
    let compare = match top.take("compare") {
        Some(item) => read_word(&item.text()?)?.value,
        None => Compare::Methods,
    };
    let choices = read_choices(top)?;
    let quick = top.take("quick").map(|item| item.table(read_quick)).transpose()?.unwrap_or_default();
    let reported = top.take("reported").map(|item| read_reported(&item)).transpose()?.unwrap_or_default();
    Ok(Entry { name: name.value, title, question, source, compare, operation, choices, quick, reported })
}

fn read_choices(top: &TableReader<'_>) -> Result<Choices, CatalogError> {
    let mut choices = Choices::default();
    choices.read_top(top)?;
    if choices.methods.is_none() {
        top.require("methods")?;
    }
    top.require("data")?.table(|table| {
        choices.read_data(table)?;
        match choices.sizes {
            // `size`, `sizes` and `sweep` were all asked for; the first stands for them.
            None => table.require("size").map(|_| ()),
            Some(_) => Ok(()),
        }
    })?;
    if let Some(item) = top.take("parameters") {
        item.table(|table| choices.read_parameters(table))?;
    }
    Ok(choices)
}

fn read_quick(table: &TableReader<'_>) -> Result<Choices, CatalogError> {
    let mut quick = Choices::default();
    quick.read_top(table)?;
    quick.read_data(table)?;
    quick.read_parameters(table)?;
    Ok(quick)
}
