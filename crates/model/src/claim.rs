//! Claims: sentences that somebody published, and the form in which each can be
//! checked. What becomes of them here is the `claims` crate's.

use crate::{Conditions, Region};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// Its name, unique within its experiment: `pread-beats-os-open`.
    pub name: String,
    /// The statement, in its author's words or close to them.
    pub sentence: String,
    /// Who says it.
    pub source: String,
    /// What was reported, in words: `1544 ns against 2520 ns`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<String>,
    /// What has to hold, all of it, for the claim to hold as it was published.
    pub checks: Vec<Check>,
    /// The same statement about things that differ in nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fair: Option<FairCheck>,
    /// Why it cannot be checked at all, for a claim without checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untestable: Option<String>,
}

impl Claim {
    /// The methods that its checks name.
    pub fn methods(&self) -> Vec<String> {
        let fair = self.fair.iter().flat_map(|fair| &fair.checks);
        let mut methods = Vec::new();
        for check in self.checks.iter().chain(fair) {
            if let Subject::Variants { of, to, .. } = &check.subject {
                let named = [Some(of), to.as_ref()].into_iter().flatten();
                methods.extend(
                    named.filter_map(|conditions| conditions.method.as_ref()).map(ToString::to_string),
                );
            }
        }
        methods
    }
}

/// A fair comparison beside the published one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FairCheck {
    /// What has to hold, all of it.
    pub checks: Vec<Check>,
    /// What the published comparison confounds.
    pub because: String,
}

/// One thing that has to hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// What is looked at.
    pub subject: Subject,
    /// Where its value has to lie.
    pub region: Region,
    /// True when the region was made of a bare figure, by the usual margin.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub usual_margin: bool,
}

/// What a check looks at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// A measure of one variant, or of one beside another of the same comparison.
    Variants {
        /// What is measured.
        metric: Metric,
        /// How the two are put together.
        form: Form,
        /// The variant that the statement is about.
        of: Conditions,
        /// What it is compared with; `None` for a value of its own.
        to: Option<Conditions>,
    },
    /// How often something happened in a scenario.
    Outcome {
        /// Words of the case.
        case: String,
        /// Words of the setting; empty for every one.
        setting: String,
        /// What is counted.
        what: String,
        /// Of what it is a share; `None` for the bare number.
        share_of: Option<String>,
    },
    /// A quantile of a scenario's figure, in one setting or beside another of the same case.
    Figure {
        /// Words of the case.
        case: String,
        /// The whole setting that the statement is about.
        setting: String,
        /// The setting that it is compared with.
        to: Option<String>,
        /// The figure's name.
        figure: String,
        /// Which quantile: 0.5 is the median.
        quantile: f64,
        /// How the two are put together.
        form: Form,
    },
    /// A fact of the machine or of a place.
    Fact(Fact),
}

/// What is measured of a variant, per operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// Wall-clock time, in ns.
    Time,
    /// The 99th percentile of the batches' times, in ns per operation.
    BatchP99,
    /// System calls of all names.
    Calls,
    /// Calls of one name, with one errno where it is named: `fstat`, `epoll_ctl=EPERM`.
    Call(String),
    /// What the driver says of its runtime: `allocs`, `alloc_bytes`, `gc_count`.
    Runtime(String),
    /// A counter of the kernel's, by its name: `rusage-major-faults`, `block_rq_issue`.
    Counter(String),
    /// A counter of the kernel's, over what the offsets drawn predict for it: 1 is exact.
    Predicted(String),
    /// The share of samples whose stack holds these words, 0 to 1.
    Stacks(String),
    /// The share of the files' pages that the page cache held, at the least, 0 to 1.
    Resident,
    /// CPU time over wall-clock time, 0 to 1 where one thread works: what is less is waiting.
    CpuShare,
    /// What the method answered, over the truth: 1 is right.
    Answer,
}

impl Metric {
    /// True when it varies from run to run, so that only forks can tell.
    pub fn is_timed(&self) -> bool {
        matches!(self, Self::Time | Self::BatchP99)
    }
}

/// How a measure of two variants becomes one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The measure itself.
    Value,
    /// Of the one over that of the other.
    Ratio,
    /// One less the ratio: the part that is saved.
    Saving,
    /// The other's over the one's: how many times as fast.
    Speedup,
    /// The one's less the other's.
    Difference,
}

/// A fact that a claim may be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fact {
    /// Read-ahead of the place's device, in KiB.
    ReadAhead,
    /// Size of the kernel's directory entry object, in bytes.
    DentryBytes,
    /// Size of the kernel's inode object of the place's file system, in bytes.
    InodeBytes,
}
