//! Experiment files: one TOML file, one experiment. Words, types and keys are
//! checked here; methods and combinations when a plan is made of it.

use crate::choices::Choices;
use crate::claims::{Always, EntryClaim, read_claims};
use crate::compared::Compare;
use crate::error::{CatalogError, Located, Problem};
use crate::reported::{Reported, read_reported};
use crate::scenario::Scenario;
use crate::toml_reader::{Item, Source, TableReader};
use crate::words::read_word;
use fathom_model::{CacheState, CeilingKind, Claim, Explain, Operation, Publication};

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
    /// What memory and the device can give at most, to be measured beside it.
    pub(crate) ceilings: Vec<CeilingKind>,
    pub(crate) work: Work,
    pub(crate) reported: Reported,
    pub(crate) claims: Vec<EntryClaim>,
}

/// What an experiment does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Work {
    /// Comparisons, one group after the other.
    Parts(Vec<Part>),
    /// A scenario: its places, and those of its quick form.
    Scenario(Scenario, Box<[Choices; 2]>),
}

/// Comparisons of one operation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    /// What sets it apart from the entry's other parts; `None` for an only part.
    pub(crate) name: Option<String>,
    pub(crate) operation: Located<Operation>,
    /// What is put side by side in the same blocks.
    pub(crate) compare: Compare,
    pub(crate) choices: Choices,
    pub(crate) quick: Choices,
    /// Left out of the entry's quick form.
    pub(crate) only_in_full: bool,
    /// What to find out beside times and calls.
    pub(crate) explain: Vec<Explain>,
}

impl Entry {
    /// Reads an experiment; `file` names it in errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, CatalogError> {
        Source { file, text }.read(read_entry)
    }

    /// The operations it performs, each once; none for a scenario.
    pub fn operations(&self) -> Vec<Operation> {
        let mut operations = Vec::new();
        for part in self.parts() {
            if !operations.contains(&part.operation.value) {
                operations.push(part.operation.value);
            }
        }
        operations
    }

    /// The scenario it is, when it is one.
    pub fn scenario(&self) -> Option<Scenario> {
        match &self.work {
            Work::Scenario(scenario, ..) => Some(*scenario),
            Work::Parts(_) => None,
        }
    }

    /// Its methods as they are written, wildcards unexpanded.
    pub fn method_patterns(&self) -> impl Iterator<Item = &str> {
        let lists = self.parts().iter().flat_map(|part| &part.choices.methods);
        lists.flatten().map(|pattern| pattern.value.as_str())
    }

    /// The published figures it stands beside.
    pub fn reported(&self) -> &[Publication] {
        &self.reported.publications
    }

    /// What is claimed of it.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().map(|claim| &claim.claim)
    }

    pub(crate) fn parts(&self) -> &[Part] {
        match &self.work {
            Work::Parts(parts) => parts,
            Work::Scenario(..) => &[],
        }
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
    let ceilings = match top.take("ceilings") {
        Some(item) => {
            item.texts()?.iter().map(|word| Ok(read_word(word)?.value)).collect::<Result<_, _>>()?
        }
        None => Vec::new(),
    };
    let work = match top.take("scenario") {
        Some(word) => read_scenario(top, &word)?,
        None => Work::Parts(read_parts(top)?),
    };
    let reported = top.take("reported").map(|item| read_reported(&item)).transpose()?.unwrap_or_default();
    let claims = match top.take("claims") {
        Some(item) => read_claims(&item, source.as_deref())?,
        None => Vec::new(),
    };
    let mut entry = Entry { name: name.value, title, question, source, ceilings, work, reported, claims };
    pin(&mut entry);
    Ok(entry)
}

/// A claim speaks of the operation and the cache state of the part that it is planned from, unless it
/// names others.
fn pin(entry: &mut Entry) {
    let parts: Vec<_> = entry.parts().iter().map(|part| (part.name.clone(), always(part))).collect();
    for claim in &mut entry.claims {
        claim.pin(|name| {
            let part = parts.iter().find(|(known, _)| name.is_none() || known.as_deref() == name);
            part.map(|(_, always)| *always)
        });
    }
}

/// What all comparisons of a part have, quick ones too.
fn always(part: &Part) -> Always {
    let listed = part.choices.caches.iter().chain(&part.quick.caches).flatten().map(|cache| cache.value);
    let listed: Vec<CacheState> = listed.collect();
    let usual = CacheState::Warm;
    let first = listed.first().copied().unwrap_or(usual);
    let cache = listed.iter().all(|cache| *cache == first).then_some(first);
    Always { operation: part.operation.value, cache }
}

/// A scenario chooses places only.
fn read_scenario(top: &TableReader<'_>, word: &Item<'_>) -> Result<Work, CatalogError> {
    let scenario = read_word(&word.text()?)?.value;
    let mut choices = Choices::default();
    choices.read_places(top)?;
    let mut quick = Choices::default();
    if let Some(item) = top.take("quick") {
        item.table(|table| quick.read_places(table))?;
    }
    Ok(Work::Scenario(scenario, Box::new([choices, quick])))
}

/// The parts: each of `[[parts]]` laid over the top table, or the top table alone.
fn read_parts(top: &TableReader<'_>) -> Result<Vec<Part>, CatalogError> {
    let operation = top.take("operation").map(|item| read_word(&item.text()?)).transpose()?;
    let compare = top.take("compare").map(|item| read_word(&item.text()?)).transpose()?;
    let choices = read_choices(top)?;
    let quick = top.take("quick").map(|item| item.table(read_quick)).transpose()?.unwrap_or_default();
    let explain = read_explain(top)?;
    let whole = Layer { operation, compare: compare.map(|word| word.value), choices, quick, explain };
    let Some(list) = top.take("parts") else {
        return Ok(vec![whole.into_part(None, false, top)?]);
    };
    let mut parts = Vec::new();
    for item in list.list()? {
        parts.push(item.table(|table| read_part(table, &whole))?);
    }
    Ok(parts)
}

fn read_part(table: &TableReader<'_>, whole: &Layer) -> Result<Part, CatalogError> {
    let name = table.require("name")?.text()?.value;
    let operation = table.take("operation").map(|item| read_word(&item.text()?)).transpose()?;
    let compare = table.take("compare").map(|item| read_word(&item.text()?)).transpose()?;
    let only_in_full = table.take("only-in-full").map(|item| item.truth()).transpose()?.unwrap_or(false);
    let choices = whole.choices.overridden_by(&read_choices(table)?);
    let own_quick = table.take("quick").map(|item| item.table(read_quick)).transpose()?.unwrap_or_default();
    let layer = Layer {
        operation: operation.or_else(|| whole.operation.clone()),
        compare: compare.map(|word| word.value).or(whole.compare),
        choices,
        quick: whole.quick.overridden_by(&own_quick),
        explain: read_explain(table)?.or_else(|| whole.explain.clone()),
    };
    layer.into_part(Some(name), only_in_full, table)
}

/// What a part may take from the top table.
struct Layer {
    operation: Option<Located<Operation>>,
    compare: Option<Compare>,
    choices: Choices,
    quick: Choices,
    explain: Option<Vec<Explain>>,
}

impl Layer {
    fn into_part(
        self,
        name: Option<String>,
        only_in_full: bool,
        table: &TableReader<'_>,
    ) -> Result<Part, CatalogError> {
        let Some(operation) = self.operation else {
            // Fails: it names the table in which the key is missing.
            return Err(missing(table, "operation"));
        };
        if self.choices.methods.is_none() {
            return Err(missing(table, "methods"));
        }
        if self.choices.sizes.is_none() && operation.value.takes_files() {
            return Err(missing(table, "data"));
        }
        let compare = self.compare.unwrap_or(Compare::Methods);
        let explain = self.explain.unwrap_or_default();
        let Self { choices, quick, .. } = self;
        Ok(Part { name, operation, compare, choices, quick, only_in_full, explain })
    }
}

/// `explain = ["counters", "profile"]`.
fn read_explain(table: &TableReader<'_>) -> Result<Option<Vec<Explain>>, CatalogError> {
    let Some(item) = table.take("explain") else { return Ok(None) };
    let words = item.texts()?.iter().map(|word| Ok(read_word(word)?.value)).collect::<Result<_, _>>()?;
    Ok(Some(words))
}

fn missing(table: &TableReader<'_>, key: &'static str) -> CatalogError {
    match table.require(key) {
        Err(error) => error,
        Ok(_) => CatalogError::new(table.origin(), Problem::MissingKey(key.to_owned()), None),
    }
}

fn read_choices(top: &TableReader<'_>) -> Result<Choices, CatalogError> {
    let mut choices = Choices::default();
    choices.read_top(top)?;
    if let Some(item) = top.take("data") {
        item.table(|table| choices.read_data(table))?;
    }
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
