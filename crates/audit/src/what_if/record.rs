//! What `fathom what-if --as` writes: the question, and what came of it.

use super::{ClassTrips, FileSystemModel, TripEstimate};
use fathom_model::Reading;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of this form. It rises when a reader of the older form would misread the newer one.
pub const WHAT_IF_VERSION: u32 = 1;

/// What tells this kind of file from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhatIfKind {
    /// A program on another file system.
    WhatIf,
}

/// A program on another file system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WhatIf {
    /// What this file is.
    pub kind: WhatIfKind,
    /// The form of this value.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// When, RFC 3339 in UTC.
    pub created: String,
    /// What was watched: the command, the log.
    pub subject: String,
    /// The command's words; empty where they are not known.
    pub command: Vec<String>,
    /// How calls were captured, and when: `ptrace`, `a kept trace of 2026-11-20, by ring`.
    pub capture: String,
    /// The file system.
    pub file_system: FileSystemModel,
    /// What a round trip takes, in ns.
    pub round_trip_ns: u64,
    /// The directories whose files are on it; none where they are not known.
    pub directories: Vec<String>,
    /// By arithmetic.
    pub estimate: TripEstimate,
    /// By experiment, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<Reading<TripExperiment>>,
    /// What was not seen of the run.
    pub gaps: Vec<String>,
    /// What was replaced in it before it was written, where something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
}

impl WhatIf {
    /// True where something of the run was not seen, so that there may be more round trips, or where what was
    /// to be measured is no answer.
    pub fn is_partly_unknown(&self) -> bool {
        let is_measured = match &self.experiment {
            None => true,
            Some(Reading::Unavailable(_)) => false,
            Some(Reading::Value(experiment)) => experiment.added.value().is_some(),
        };
        !self.gaps.is_empty() || !is_measured
    }
}

/// The same on a mount that holds its answers: what was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TripExperiment {
    /// Pairs of runs, each with and without delay in random order.
    pub pairs: u64,
    /// The seed of the order.
    pub seed: u64,
    /// Requests that were held, in each run with delay.
    pub requests: Vec<u64>,
    /// Requests that nobody waits for, or that the client which is imitated does not make, in each run with delay.
    pub requests_at_once: Vec<u64>,
    /// Those that were held in the first run with delay, by what they are for.
    pub by_class: Vec<ClassTrips>,
    /// The same without delay: a program that makes other calls when they take longer has another count.
    pub requests_without_delay: Vec<u64>,
    /// What the model says of this mount, which is not in all what it says of the file system.
    pub predicted: Vec<ClassTrips>,
    /// Requests that were held in all runs with delay, times the delay, in ns.
    pub injected_ns: u64,
    /// How long they were held by the server's clock, in ns.
    pub clock_ns: u64,
    /// Wall time of each run without delay, in ns, by pair.
    pub without_delay_ns: Vec<u64>,
    /// Wall time of each run with delay, in ns, by pair.
    pub with_delay_ns: Vec<u64>,
    /// The median of the differences; refused where the runs or the clock do not bear it.
    pub added: Reading<AddedTime>,
}

/// Time that was added, in ns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AddedTime {
    /// The median of the pairs.
    pub median_ns: f64,
    /// It lies above this at 95 %.
    pub low_ns: f64,
    /// And below this.
    pub high_ns: f64,
}

impl TripExperiment {
    /// By how much the clock says more than was injected, as a share; `None` where nothing was.
    pub fn deviation(&self) -> Option<f64> {
        (self.injected_ns > 0).then(|| self.clock_ns as f64 / self.injected_ns as f64 - 1.0)
    }

    /// True where the clock bears out what was injected, within 2 %.
    pub fn is_proven(&self) -> bool {
        self.deviation().is_some_and(|deviation| deviation.abs() <= MOST_DEVIATION)
    }
}

/// What was injected and what the server's clock saw may differ by this share.
const MOST_DEVIATION: f64 = 0.02;
