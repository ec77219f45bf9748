//! The matrix: every set of conditions under which methods of one language stood
//! side by side in some record. Where several comparisons have the same
//! conditions, the one that can say most speaks, and the others are named.

use super::caveats::Caveat;
use super::cell::{Certainty, DecisionCell, Elsewhere, cell};
use super::conditions::DecisionConditions;
use super::group::Group;
use super::knowledge::{Language, languages_of};
use super::origin::differences;
use crate::validity::is_own_function;
use fathom_model::{Comparison, Environment, ExperimentRecord, Record};
use serde::Serialize;

/// The version of the form of a matrix and of an answer as JSON (docs/deciding.md).
pub const DECISION_VERSION: u32 = 1;

/// A record as it is given.
#[derive(Debug, Clone, Copy)]
pub struct DecisionSource<'a> {
    /// What the caller calls it: the path of its file.
    pub name: &'a str,
    /// The record.
    pub record: &'a Record,
}

/// A record that the matrix rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DecidedRecord {
    /// What the caller calls it.
    pub name: String,
    /// When it was begun.
    pub created: String,
    /// The Fathom that wrote it.
    pub fathom_version: String,
    /// Kernel release.
    pub kernel: String,
    /// CPU model, where it is known.
    pub cpu_model: Option<String>,
    /// False when its run ended early.
    pub complete: bool,
    /// What of its machine and kernel is not as here; empty when it was made here, or when nobody asked.
    pub foreign: Vec<String>,
    /// Cells that it speaks in.
    pub cells: usize,
}

/// Which method to use, by conditions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecisionMatrix {
    /// The version of this form.
    pub schema_version: u32,
    /// The records.
    pub records: Vec<DecidedRecord>,
    /// The cells: by pattern, operation, circumstances, place, files, language, block, cache state and size.
    pub cells: Vec<DecisionCell>,
}

/// The matrix of these records; `here` is the machine that it is asked on. Pure.
pub fn decision_matrix(sources: &[DecisionSource<'_>], here: Option<&Environment>) -> DecisionMatrix {
    let mut cells: Vec<DecisionCell> = Vec::new();
    let mut records = Vec::new();
    for source in sources {
        let foreign = here.map(|here| differences(&source.record.environment, here)).unwrap_or_default();
        for experiment in &source.record.experiments {
            for comparison in &experiment.comparisons {
                cells.extend(cells_of(*source, experiment, comparison, &foreign));
            }
        }
        records.push(named(*source, foreign));
    }
    let cells = one_each(cells);
    for record in &mut records {
        record.cells = cells.iter().filter(|cell| cell.source.record == record.name).count();
    }
    DecisionMatrix { schema_version: DECISION_VERSION, records, cells }
}

fn named(source: DecisionSource<'_>, foreign: Vec<String>) -> DecidedRecord {
    let record = source.record;
    DecidedRecord {
        name: source.name.to_owned(),
        created: record.created.clone(),
        fathom_version: record.fathom_version.clone(),
        kernel: record.environment.kernel.clone(),
        cpu_model: record.environment.cpu_model.value().cloned(),
        complete: record.complete,
        foreign,
        cells: 0,
    }
}

fn cells_of(
    source: DecisionSource<'_>,
    experiment: &ExperimentRecord,
    comparison: &Comparison,
    foreign: &[String],
) -> Vec<DecisionCell> {
    let mut groups: Vec<(DecisionConditions, Option<&'static Language>, Vec<usize>)> = Vec::new();
    for (index, variant) in comparison.variants.iter().enumerate() {
        // A function of the user's is none that others could use, and its file is no language.
        if is_own_function(variant) {
            continue;
        }
        let known: Vec<_> = languages_of(&variant.method.driver).collect();
        let named = known.iter().filter(|language| language.has(&variant.method.name));
        let mut of: Vec<_> = named
            .map(|&language| (Some(language), language.word.as_str(), language.title.as_str()))
            .collect();
        if known.is_empty() {
            let driver = variant.method.driver.as_str();
            of.push((None, driver, driver));
        }
        for (language, word, title) in of {
            let Some(conditions) = DecisionConditions::of(source.record, variant, word, title) else {
                continue;
            };
            match groups.iter_mut().find(|(found, ..)| *found == conditions) {
                Some((.., variants)) => variants.push(index),
                None => groups.push((conditions, language, vec![index])),
            }
        }
    }
    let cells = groups.into_iter().filter_map(|(conditions, language, variants)| {
        let (name, record) = (source.name, source.record);
        let group = Group { name, record, experiment, comparison, variants: &variants, foreign };
        has_distinct_methods(&group).then(|| cell(group, conditions, language)).flatten()
    });
    cells.collect()
}

/// One method twice differs in something that is no condition here: nothing can be chosen from it.
fn has_distinct_methods(group: &Group<'_>) -> bool {
    let mut methods: Vec<_> =
        group.variants.iter().map(|&variant| &group.comparison.variants[variant].method).collect();
    let all = methods.len();
    methods.sort_unstable();
    methods.dedup();
    methods.len() == all && all > 1
}

/// Of each set of conditions the cell that can say most.
fn one_each(mut cells: Vec<DecisionCell>) -> Vec<DecisionCell> {
    cells.sort_by(|a, b| {
        let weight = |cell: &DecisionCell| {
            let is_usable = cell.certainty >= Certainty::Tied;
            (is_usable, cell.methods(), cell.forks, cell.source.created.clone())
        };
        a.conditions.order().cmp(&b.conditions.order()).then_with(|| weight(b).cmp(&weight(a)))
    });
    let mut kept: Vec<DecisionCell> = Vec::new();
    for cell in cells {
        match kept.last_mut().filter(|last| last.conditions == cell.conditions) {
            Some(last) => {
                let found = disagreement(last, &cell);
                if found.as_ref().is_some_and(|caveat| caveat.code == "disagreement") {
                    last.contradict();
                }
                last.caveats.extend(found);
                last.elsewhere.push(Elsewhere {
                    methods: cell.methods(),
                    fastest: cell.fastest.method,
                    source: cell.source,
                    certainty: cell.certainty,
                });
            }
            None => kept.push(cell),
        }
    }
    kept
}

/// What another comparison under the same conditions shows that this advice does not.
fn disagreement(cell: &DecisionCell, other: &DecisionCell) -> Option<Caveat> {
    let fastest = &other.fastest.method;
    if other.certainty != Certainty::Decided || cell.stands(fastest) {
        return None;
    }
    let (experiment, fastest_name) = (&other.source.experiment, &fastest.name);
    let (code, why) = match (cell.has(fastest), other.has(cell.chosen())) {
        (false, _) => ("not-beside", "which was not measured beside these"),
        (true, true) => ("disagreement", "so the order is not the same from session to session"),
        (true, false) => return None,
    };
    let text = format!("under the same conditions {experiment} shows {fastest_name} to be fastest, {why}");
    Some(Caveat::new(code, text))
}
