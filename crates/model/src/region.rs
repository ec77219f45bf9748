//! Regions: where a value has to lie for a claim to hold.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All numbers from `low` to `high`, both included; an absent end is open.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Region {
    /// The lower end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
}

impl Region {
    /// Between two ends, both included.
    pub fn between(low: f64, high: f64) -> Self {
        Self { low: Some(low), high: Some(high) }
    }

    /// Everything from `low` upwards.
    pub fn at_least(low: f64) -> Self {
        Self { low: Some(low), high: None }
    }

    /// Everything up to `high`.
    pub fn at_most(high: f64) -> Self {
        Self { low: None, high: Some(high) }
    }

    /// True when `x` lies inside or on an end.
    pub fn contains(self, x: f64) -> bool {
        self.low.is_none_or(|low| low <= x) && self.high.is_none_or(|high| x <= high)
    }
}
