//! Two records beside each other: what differs around them, exact differences of
//! counts, ratios of times between two sessions, and gates over all of it.
//!
//! Counts are exact and are compared as numbers. Times of two records are two
//! sessions: fork values are unpaired, so each side has a confidence sequence of
//! its own and the ratio's interval joins the two by the union bound.

mod allocations;
pub(crate) mod calls;
pub(crate) mod change;
mod conditions;
pub(crate) mod gate;
mod interleaved;
mod matching;
pub(crate) mod paired;
#[cfg(test)]
mod tests;
pub(crate) mod times;

pub use allocations::AllocationComparison;
pub use calls::{CallDifference, CallRange, CallsComparison};
pub use change::Change;
pub use conditions::{ConditionDifference, ConditionWeight};
pub use gate::{Gate, GateError, GateMetric, GateResult, GateVerdict, VariantGate};
pub use interleaved::{NotInterleaved, compare_builds};
pub use matching::{Unmatched, VariantName};
pub use paired::Drift;
pub use times::{RatioChange, TimeComparison};

use fathom_model::{Reading, Record, Unmeasured};
use matching::{Matched, match_variants};
use serde::Serialize;

/// The version of the form of `RecordComparison` as JSON (docs/comparing.md).
pub const RECORD_COMPARISON_VERSION: u32 = 1;

/// One record, as a comparison names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordName {
    /// What the caller calls it: the path of its file.
    pub name: String,
    /// When it was begun.
    pub created: String,
    /// The Fathom that wrote it.
    pub fathom_version: String,
    /// The command line that wrote it.
    pub command: Vec<String>,
    /// False when the run ended early.
    pub complete: bool,
}

/// How the two sides were measured, which decides what an interval holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// One after the other, a record each: times are unpaired.
    TwoSittings,
    /// In the same blocks of one session: times are paired.
    Interleaved,
}

/// Everything found between two records, or two builds in one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordComparison {
    /// The version of this form.
    pub compare_version: u32,
    /// How the two sides were measured.
    pub design: Design,
    /// The record compared with.
    pub old: RecordName,
    /// The record that is judged.
    pub new: RecordName,
    /// What differs around the results, the machine first.
    pub conditions: Vec<ConditionDifference>,
    /// Why no time is compared; `None` where times are.
    pub times_withheld: Option<String>,
    /// The variants of both, in the order of the old record.
    pub variants: Vec<VariantComparison>,
    /// The variants of the old record alone.
    pub only_old: Vec<Unmatched>,
    /// The variants of the new record alone.
    pub only_new: Vec<Unmatched>,
    /// Of two builds: what was asked for and not measured, or is known to one of them alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmeasured: Vec<Unmeasured>,
    /// The gates, as asked.
    pub gates: Vec<GateResult>,
}

/// One variant in both records.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariantComparison {
    /// What it is.
    #[serde(flatten)]
    pub name: VariantName,
    /// The calls; or why they are not compared.
    pub calls: Reading<CallsComparison>,
    /// The times; or why they are not compared.
    pub time: Reading<TimeComparison>,
    /// The ratio to the same baseline in both records; or why there is none.
    pub ratio: Reading<RatioChange>,
    /// What both sides' runtimes report of their memory; empty where one does not.
    pub allocations: Vec<AllocationComparison>,
}

/// What to compare, and how strictly.
#[derive(Debug, Clone, Copy)]
pub struct CompareOptions<'a> {
    /// Names of the old and of the new record.
    pub names: [&'a str; 2],
    /// Compare times of two machines too.
    pub across_machines: bool,
    /// The gates.
    pub gates: &'a [Gate],
}

impl RecordComparison {
    /// What all gates say together; `None` without gates.
    pub fn verdict(&self) -> Option<GateVerdict> {
        let any = |verdict| self.gates.iter().any(|gate| gate.verdict == verdict).then_some(verdict);
        any(GateVerdict::Fails).or_else(|| any(GateVerdict::Inconclusive)).or_else(|| any(GateVerdict::Holds))
    }
}

/// Compares two records. Pure.
pub fn compare_records(old: &Record, new: &Record, options: CompareOptions<'_>) -> RecordComparison {
    let matching = match_variants(old, new);
    let conditions = conditions::differences(old, new, &matching.places);
    let withheld = conditions::withheld(&conditions).filter(|_| !options.across_machines);
    let sides = times::Sides { old, new, pairs: &matching.pairs };
    let alpha = times::shared_alpha(sides);
    let variants: Vec<_> =
        matching.pairs.iter().map(|pair| compare_variant(sides, pair, alpha, withheld.as_deref())).collect();
    let gates = options.gates.iter().map(|gate| gate::judge(gate, &variants)).collect();
    RecordComparison {
        compare_version: RECORD_COMPARISON_VERSION,
        design: Design::TwoSittings,
        old: named(old, options.names[0]),
        new: named(new, options.names[1]),
        conditions,
        times_withheld: withheld,
        variants,
        only_old: matching.only_old,
        only_new: matching.only_new,
        unmeasured: Vec::new(),
        gates,
    }
}

fn compare_variant(
    sides: times::Sides<'_>,
    pair: &Matched,
    alpha: f64,
    withheld: Option<&str>,
) -> VariantComparison {
    let (time, ratio) = match withheld {
        Some(reason) => (Reading::unavailable(reason), Reading::unavailable(reason)),
        None => (times::compare(sides, pair, alpha), times::compare_ratios(sides, pair, alpha)),
    };
    let counts = [(sides.old, pair.old), (sides.new, pair.new)];
    let counts = counts.map(|(record, at)| at.comparison(record).counts.get(at.variant));
    let summaries = [(sides.old, pair.old), (sides.new, pair.new)]
        .map(|(record, at)| at.comparison(record).summaries.get(at.variant).and_then(Reading::value));
    VariantComparison {
        name: pair.name.clone(),
        calls: calls::compare(counts[0], counts[1]),
        time,
        ratio,
        allocations: allocations::compare(summaries[0], summaries[1]),
    }
}

fn named(record: &Record, name: &str) -> RecordName {
    RecordName {
        name: name.to_owned(),
        created: record.created.clone(),
        fathom_version: record.fathom_version.clone(),
        command: record.command.clone(),
        complete: record.complete,
    }
}
