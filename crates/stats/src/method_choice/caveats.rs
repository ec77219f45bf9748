//! What an advice does not say: each caveat has its reason in the record, or in
//! what is known of the method.

use super::conditions::{DecisionConditions, Pattern, bytes};
use super::group::Group;
use super::knowledge::properties;
use crate::decision::VERDICT_FROM_FORKS;
use crate::method_caveat::method_caveats;
use fathom_model::{CacheState, DentryState, Proof, Severity, Warning};
use serde::Serialize;

/// A method that allocates this share of the file or more holds it whole.
const WHOLE_FILE_SHARE: f64 = 0.9;
/// And of a smaller file its size says nothing: other objects are as large.
const WHOLE_FILE_FROM_BYTES: u64 = 1024;

/// Something that a reader of an advice must know.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Caveat {
    /// A stable word for machines: `mapping-truncated`.
    pub code: String,
    /// One sentence, its reason in it.
    pub text: String,
}

impl Caveat {
    /// A caveat.
    pub(super) fn new(code: &str, text: impl Into<String>) -> Self {
        Self { code: code.to_owned(), text: text.into() }
    }
}

/// What the caveats of a cell are read from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Basis<'a> {
    pub(super) group: Group<'a>,
    pub(super) conditions: &'a DecisionConditions,
    /// The variant that is advised, or led.
    pub(super) chosen: usize,
    /// The variant that is the usual way.
    pub(super) usual: Option<usize>,
    pub(super) forks: usize,
}

/// The caveats of a cell, those of the evidence first.
pub(super) fn caveats(basis: Basis<'_>) -> Vec<Caveat> {
    let mut found = Vec::new();
    of_machine(basis, &mut found);
    of_forks(basis, &mut found);
    of_cache(basis, &mut found);
    of_warnings(basis, &mut found);
    of_memory(basis, &mut found);
    let method = &basis.group.comparison.variants[basis.chosen].method;
    let size = basis.conditions.size_bytes.unwrap_or(0);
    for caveat in method_caveats(basis.group.comparison, basis.chosen) {
        found.push(Caveat::new(caveat.code(), format!("{}: {}", method.name, caveat.words())));
    }
    for property in properties(method, basis.conditions.operation, size) {
        found.push(Caveat::new(&property.code, format!("{}: {}", method.name, property.text)));
    }
    if !basis.conditions.circumstances.is_empty() {
        let text = format!("measured not as usual: {}", basis.conditions.circumstances.join(", "));
        found.push(Caveat::new("not-as-usual", text));
    }
    found
}

fn of_machine(basis: Basis<'_>, found: &mut Vec<Caveat>) {
    let Group { record, foreign, name, .. } = basis.group;
    if !foreign.is_empty() {
        let text = format!("{name} was not made here ({}): times and order may differ", foreign.join("; "));
        found.push(Caveat::new("foreign-record", text));
    }
    if !record.complete {
        found.push(Caveat::new("incomplete-record", format!("{name} is incomplete: its run was cut short")));
    }
}

fn of_forks(basis: Basis<'_>, found: &mut Vec<Caveat>) {
    let control = basis.group.comparison.control.value();
    if control.is_some_and(|control| control.instrument_fault) {
        let text = "the A/A control is at fault, the baseline differs from itself: no ratio may be used";
        found.push(Caveat::new("instrument-fault", text));
    }
    match basis.forks {
        1 => found.push(Caveat::new("single-fork", "one fork: no interval, the order may be chance")),
        forks if forks < VERDICT_FROM_FORKS => {
            let text =
                format!("{forks} forks: a statement takes {VERDICT_FROM_FORKS}; measure longer (--time)");
            found.push(Caveat::new("too-few-forks", text));
        }
        _ => {}
    }
}

fn of_cache(basis: Basis<'_>, found: &mut Vec<Caveat>) {
    let Some(state) = basis.conditions.cache else { return };
    let comparison = basis.group.comparison;
    for variant in
        [Some(basis.chosen), basis.usual.filter(|&usual| usual != basis.chosen)].into_iter().flatten()
    {
        let Some(evidence) = comparison.cache.get(variant) else { continue };
        let name = &comparison.variants[variant].method.name;
        match &evidence.proof {
            Proof::Proven => {}
            Proof::Unknown(reason) => {
                let text = format!("{name}: that it was {state} is not proven: {reason}");
                found.push(Caveat::new("cache-unproven", text));
            }
            Proof::NotApplicable(reason) => {
                found.push(Caveat::new("no-cache-state", format!("{name}: no {state} state: {reason}")));
            }
        }
    }
    let evidence = comparison.cache.get(basis.chosen);
    if state == CacheState::Cold && evidence.is_some_and(|evidence| evidence.dentry == DentryState::Warm) {
        let text = "cold pages alone: dentries and inodes were in memory (--drop-caches drops them too)";
        found.push(Caveat::new("dentries-warm", text));
    }
}

fn of_warnings(basis: Basis<'_>, found: &mut Vec<Caveat>) {
    let is_told = |code: &str| code == "instrument-fault";
    let of_comparison = basis.group.comparison.warnings.iter();
    let bears = |warning: &&Warning| {
        (warning.severity >= Severity::Warning || warning.code == "guest-cold")
            && (warning.code != "guest-cold" || basis.conditions.cache == Some(CacheState::Cold))
    };
    let of_record = basis.group.record.warnings.iter().filter(bears);
    for warning in of_comparison.chain(of_record).filter(|warning| !is_told(&warning.code)) {
        found.push(Caveat::new(&warning.code, warning.message.clone()));
    }
}

/// A method that reuses a buffer beside one that hands out new memory.
fn of_memory(basis: Basis<'_>, found: &mut Vec<Caveat>) {
    let Some((usual, [own, usual_bytes], size)) = memory_made(basis) else { return };
    let names = [basis.chosen, usual].map(|variant| &basis.group.comparison.variants[variant].method.name);
    let text = format!(
        "{} allocates {own:.0} bytes a file and {} {usual_bytes:.0}: part of the margin is that it reads into \
         a reused buffer or a mapping; a program that keeps each of its files of {} has to make that memory too",
        names[0],
        names[1],
        bytes(size)
    );
    found.push(Caveat::new("reused-memory", text));
}

/// Whether what is chosen spares the memory that the usual way makes for every file.
pub(super) fn reuses_memory(basis: Basis<'_>) -> bool {
    memory_made(basis).is_some()
}

/// The usual way, the bytes that both allocate for a file, and its size, where only the usual way makes
/// room for the whole of it.
fn memory_made(basis: Basis<'_>) -> Option<(usize, [f64; 2], u64)> {
    let (usual, size) = (basis.usual?, basis.conditions.size_bytes?);
    if basis.conditions.pattern != Pattern::Whole || size < WHOLE_FILE_FROM_BYTES {
        return None;
    }
    let allocates = |variant: usize| {
        let summary = basis.group.comparison.summaries.get(variant)?.value()?;
        summary.runtime_per_operation.get("alloc_bytes").copied()
    };
    let (own, usual_bytes) = (allocates(basis.chosen)?, allocates(usual)?);
    let whole = size as f64 * WHOLE_FILE_SHARE;
    (own < whole && usual_bytes >= whole).then_some((usual, [own, usual_bytes], size))
}
