//! Samples as they were taken: raw first, summaries derivable.

use crate::{ForkRanks, Reading};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What an arm of a comparison is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ArmKind {
    /// The variant with this index.
    Variant(usize),
    /// The baseline a second time: the A/A control.
    Control,
    /// The method `null` in the process that performs the variant with this
    /// index (and perhaps others): the loop's cost.
    Loop(usize),
}

/// One arm: something timed once in a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Arm {
    /// What it is.
    pub kind: ArmKind,
    /// The driver process (seat) it runs in, counted from 0 in each fork.
    pub seat: usize,
}

/// The warm-up of a fork.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmUp {
    /// Blocks run and thrown away.
    pub blocks: u32,
    /// How long it took, in ms.
    pub ms: f64,
    /// False when the cap was hit before two windows agreed.
    pub steady: bool,
}

/// The samples of one arm in one fork.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArmSamples {
    /// The arm's batches have the block's operations divided by this (rounded
    /// down, at least 1): more than 1 where an operation is so much slower than
    /// the baseline's that the block's number of them would take too long.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub divisor: u32,
    /// Time of the batch in each block, in ns; `None` where the arm had no
    /// batch (the loop runs in one block of eight) or the sample is void.
    pub ns: Vec<Option<u64>>,
    /// Blocks in which the driver was preempted (involuntary switches > 0).
    pub preempted_blocks: Vec<u32>,
    /// Sums, over kept samples, of the driver's further figures.
    pub totals: BTreeMap<String, u64>,
    /// The driver's figures of one further, untimed batch: those that cost too
    /// much to read between timed ones (allocations).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, u64>,
    /// Operations of that batch.
    #[serde(default)]
    pub figure_operations: u64,
}

impl ArmSamples {
    /// Operations of this arm's batch in a block of so many.
    pub fn operations(&self, of_block: u32) -> u32 {
        if of_block == 0 { 0 } else { (of_block / self.divisor.max(1)).max(1) }
    }
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form serde asks for")]
fn is_one(divisor: &u32) -> bool {
    *divisor == 1
}

/// One life of the driver processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fork {
    /// The CPU that harness and drivers were pinned to.
    pub cpu: Reading<u32>,
    /// Seconds from the start of the comparison.
    pub started_s: f64,
    /// The warm-up.
    pub warm_up: WarmUp,
    /// Operations per batch in each block; an arm's `divisor` divides them.
    pub operations: Vec<u32>,
    /// The samples, one entry per arm of the comparison.
    pub arms: Vec<ArmSamples>,
    /// The ranks, where drivers ran as several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<ForkRanks>,
}
