//! The record: one self-describing file that holds a whole run.

use crate::{
    Arm, CacheEvidence, Control, CountPass, DriverFacts, Environment, Fork, MethodId, Noise, PlaceFacts,
    Reading, Variant, VariantSummary, Warning,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the record's form. It rises when a reader of the older form
/// would misread the newer one.
pub const SCHEMA_VERSION: u32 = 1;

/// Why a comparison stopped taking forks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// Every ratio reached the asked precision.
    Precise,
    /// The time budget was used up.
    TimeBudget,
    /// The largest number of forks was reached.
    ForkLimit,
    /// The user interrupted it.
    Interrupted,
    /// It failed; the reason.
    Failed(String),
}

/// Variants timed in the same blocks, and everything found of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// What sets it apart from the experiment's other comparisons: `128 B · warm`.
    pub label: String,
    /// The variants.
    pub variants: Vec<Variant>,
    /// Index of the variant that ratios refer to.
    pub baseline: usize,
    /// Parameters that differ between the variants, by name; empty when only
    /// the method differs.
    pub differing_parameters: Vec<String>,
    /// One count pass per variant.
    pub counts: Vec<Reading<CountPass>>,
    /// The arms of the time pass.
    pub arms: Vec<Arm>,
    /// The forks, in order of time.
    pub forks: Vec<Fork>,
    /// What proved the cache state, one per variant.
    pub cache: Vec<CacheEvidence>,
    /// One summary per variant; unavailable when no sample was kept.
    pub summaries: Vec<Reading<VariantSummary>>,
    /// The A/A control.
    pub control: Reading<Control>,
    /// Why it stopped.
    pub stop: StopReason,
    /// Warnings about this comparison.
    pub warnings: Vec<Warning>,
}

/// Something that was asked for and not measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unmeasured {
    /// The method.
    pub method: MethodId,
    /// Where it applies when not everywhere: `tmpfs /dev/shm`.
    pub scope: Option<String>,
    /// Why.
    pub reason: String,
}

/// One experiment's results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExperimentRecord {
    /// The catalog's name of it, or `ad-hoc`.
    pub name: String,
    /// A title for people.
    pub title: String,
    /// The question it answers.
    pub question: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// Its comparisons.
    pub comparisons: Vec<Comparison>,
    /// What was asked for and not measured.
    pub unmeasured: Vec<Unmeasured>,
}

/// The saved result of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// The form of this file.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// When it was begun, RFC 3339 in UTC.
    pub created: String,
    /// The command line.
    pub command: Vec<String>,
    /// The seed of every random choice, as a decimal string (JSON readers
    /// lose digits of large numbers).
    pub seed: String,
    /// False when the run was interrupted or failed before its end.
    pub complete: bool,
    /// The machine.
    pub environment: Environment,
    /// What disturbed the machine meanwhile.
    pub noise: Reading<Noise>,
    /// The drivers that ran.
    pub drivers: Vec<DriverFacts>,
    /// The places.
    pub places: Vec<PlaceFacts>,
    /// The results.
    pub experiments: Vec<ExperimentRecord>,
    /// Warnings about the whole run.
    pub warnings: Vec<Warning>,
}
