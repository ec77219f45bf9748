//! What runtimes report of their memory, per operation, old beside new.

use fathom_model::VariantSummary;
use serde::Serialize;

/// The driver's figures that are compared (drivers/PROTOCOL.md).
const FIGURES: [&str; 2] = ["allocs", "alloc_bytes"];

/// Differences below this share are a collector's and a counter's wobble.
const WOBBLE: f64 = 0.01;

/// One figure per operation in both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AllocationComparison {
    /// The driver's word for it: `allocs`, `alloc_bytes`.
    pub figure: String,
    /// Per operation, old.
    pub old: f64,
    /// Per operation, new.
    pub new: f64,
}

impl AllocationComparison {
    /// True when the two differ by more than such counters wobble.
    pub fn differs(&self) -> bool {
        (self.new - self.old).abs() > WOBBLE * self.old.max(self.new)
    }
}

/// The figures that both report.
pub(super) fn compare(
    old: Option<&VariantSummary>,
    new: Option<&VariantSummary>,
) -> Vec<AllocationComparison> {
    let (Some(old), Some(new)) = (old, new) else { return Vec::new() };
    let both = |figure: &&str| {
        let value = |summary: &VariantSummary| summary.runtime_per_operation.get(*figure).copied();
        Some(AllocationComparison { figure: (*figure).to_owned(), old: value(old)?, new: value(new)? })
    };
    FIGURES.iter().filter_map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::complete;

    #[test]
    fn figures_of_both_sides_are_compared_and_a_wobble_is_none() {
        let record = complete();
        let mut old = record.experiments[0].comparisons[0].summaries[0].value().unwrap().clone();
        let mut new = old.clone();
        old.runtime_per_operation = [("allocs".to_owned(), 3.0), ("alloc_bytes".to_owned(), 152.0)].into();
        new.runtime_per_operation = [("allocs".to_owned(), 3.001), ("alloc_bytes".to_owned(), 80.0)].into();
        let found = compare(Some(&old), Some(&new));
        let differing: Vec<_> = found.iter().map(|one| (one.figure.as_str(), one.differs())).collect();
        assert_eq!(differing, [("allocs", false), ("alloc_bytes", true)]);
        new.runtime_per_operation.remove("allocs");
        assert_eq!(compare(Some(&old), Some(&new)).len(), 1);
        assert!(compare(Some(&old), None).is_empty());
    }
}
