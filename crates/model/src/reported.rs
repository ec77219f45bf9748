//! Figures that somebody published, kept as data beside the experiment that
//! measures the same here. What they are worth is not judged here.

use crate::{Conditions, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What one publication reports of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Publication {
    /// Author and title.
    pub source: String,
    /// The machine, as far as it is stated.
    pub hardware: Option<String>,
    /// When it was published: `2025-03-04`.
    pub date: Option<String>,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Its statements, in its words.
    pub claims: Vec<String>,
}

/// One published number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    /// What it is called there, when that is not the method's name.
    pub label: Option<String>,
    /// What it holds for: without a method the publication does not say which.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// What was measured.
    pub quantity: Quantity,
    /// The number.
    pub value: f64,
    /// Its unit, one of the quantity's.
    pub unit: String,
    /// Operations that the number is about, where it is not one: 100,000 reads in 34 s.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub operations: u64,
}

impl Figure {
    /// A figure of one operation that holds for every method and parameter.
    pub fn new(quantity: Quantity, value: f64, unit: &str) -> Self {
        Self {
            label: None,
            conditions: Conditions::default(),
            quantity,
            value,
            unit: unit.to_owned(),
            operations: 1,
        }
    }

    /// True when the variant measures what the figure reports.
    pub fn is_about(&self, variant: &Variant) -> bool {
        self.conditions.fit(variant)
    }

    /// A time or a pause in ns per operation; `None` for other quantities.
    pub fn ns_per_operation(&self) -> Option<f64> {
        if !matches!(self.quantity, Quantity::Time | Quantity::SystemTime | Quantity::CollectorPause) {
            return None;
        }
        let unit_ns = match self.unit.as_str() {
            "ns" => 1.0,
            "µs" => 1e3,
            "ms" => 1e6,
            "s" => 1e9,
            _ => return None,
        };
        Some(self.value * unit_ns / self.operations as f64)
    }
}

/// What a published number measures, per operation unless the figure says of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Wall-clock time, in ns, µs, ms or s.
    Time,
    /// Time in the kernel on the program's account, in ns, µs, ms or s.
    SystemTime,
    /// Allocations, in allocs/op.
    Allocations,
    /// Bytes allocated, in B/op.
    AllocatedBytes,
    /// A pause of the collector, in ns, µs, ms or s.
    CollectorPause,
    /// Page faults.
    PageFaults,
    /// Page faults that waited for a device.
    MajorFaults,
    /// Context switches.
    ContextSwitches,
    /// System calls.
    Calls,
    /// Events of a kernel tracepoint, named by the figure's label.
    Events,
    /// What an operation that counts answered: lines, matches.
    Answer,
}

impl Quantity {
    /// The units in which it may be given.
    pub fn units(self) -> &'static [&'static str] {
        match self {
            Self::Time | Self::SystemTime | Self::CollectorPause => &["ns", "µs", "ms", "s"],
            Self::Allocations => &["allocs/op"],
            Self::AllocatedBytes => &["B/op"],
            Self::PageFaults | Self::MajorFaults => &["faults"],
            Self::ContextSwitches => &["switches"],
            Self::Calls => &["calls"],
            Self::Events => &["events"],
            Self::Answer => &["lines", "matches"],
        }
    }
}

fn one() -> u64 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form serde asks for")]
fn is_one(operations: &u64) -> bool {
    *operations == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_of_many_operations_is_divided() {
        let figure = Figure { operations: 100_000, ..Figure::new(Quantity::Time, 34.8, "s") };
        assert!((figure.ns_per_operation().unwrap() - 348_000.0).abs() < 1e-6);
        let faults = Figure { quantity: Quantity::PageFaults, unit: "faults".into(), ..figure };
        assert_eq!(faults.ns_per_operation(), None);
    }
}
