//! How much data an operation moves, and how fast: bytes delivered to the
//! program, or written by it.

use crate::standing::summary;
use fathom_model::{Comparison, Setting, Transfer, Variant, WorksOn};

/// From so many bytes on, bytes per second say more than the time of an operation.
const LARGE_BYTES: u64 = 1 << 20;

/// Bytes per second below which a rate in GB/s has too few digits.
const SLOW: f64 = 0.5e9;

/// A unit of throughput.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RateUnit {
    Megabytes,
    Gigabytes,
}

impl RateUnit {
    /// The unit in which all these rates (in bytes per second) read well.
    pub(crate) fn shared(rates: &[f64]) -> Self {
        let smallest = rates.iter().copied().filter(|rate| rate.is_finite()).fold(f64::INFINITY, f64::min);
        if smallest.is_finite() && smallest >= SLOW { Self::Gigabytes } else { Self::Megabytes }
    }

    /// The unit's symbol.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Megabytes => "MB/s",
            Self::Gigabytes => "GB/s",
        }
    }

    /// Bytes per second in one.
    pub(crate) fn bytes(self) -> f64 {
        match self {
            Self::Megabytes => 1e6,
            Self::Gigabytes => 1e9,
        }
    }
}

/// Bytes that one operation delivers or writes; `None` where it moves none, or
/// what it moves is not what it is about.
pub(crate) fn moved_bytes(variant: &Variant) -> Option<u64> {
    let parameters = &variant.parameters;
    let size = parameters.data.size_bytes;
    let bytes = match variant.operation.facts().transfers {
        Transfer::Nothing => 0,
        Transfer::FirstBlock => parameters.block_bytes.min(size),
        Transfer::Block => parameters.block_bytes,
        Transfer::File if takes_all_files(variant) => size * u64::from(parameters.data.files),
        Transfer::File => size,
        Transfer::Setting(setting) => parameters.settings.number(setting),
    };
    (bytes > 0).then_some(bytes)
}

fn takes_all_files(variant: &Variant) -> bool {
    variant.operation.facts().works_on == WorksOn::AllFiles
}

/// Operations of every batch, where the experiment fixes them.
pub(crate) fn fixed_operations(variant: &Variant) -> Option<u64> {
    Some(variant.parameters.settings.number(Setting::Operations)).filter(|&operations| operations > 0)
}

/// True when some variant has batches of a fixed length.
pub(crate) fn is_fixed(comparison: &Comparison) -> bool {
    comparison.variants.iter().any(|variant| fixed_operations(variant).is_some())
}

/// Bytes per second of a variant, where that is worth showing.
pub(crate) fn bytes_per_second(comparison: &Comparison, index: usize) -> Option<f64> {
    let variant = comparison.variants.get(index)?;
    let bytes = moved_bytes(variant)?;
    let tells = fixed_operations(variant).is_some() || (bytes >= LARGE_BYTES && !takes_all_files(variant));
    let ns = summary(comparison, index)?.time_ns.value;
    (tells && ns > 0.0).then(|| bytes as f64 * 1e9 / ns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{Operation, SettingValue};
    use fathom_testkit::complete;

    fn variant(operation: Operation) -> Variant {
        let mut variant = complete().experiments[0].comparisons[0].variants[0].clone();
        variant.operation = operation;
        (variant.parameters.data.size_bytes, variant.parameters.block_bytes) = (1000, 4096);
        variant.parameters.settings.set(Setting::Write, SettingValue::Number(10));
        variant
    }

    #[test]
    fn each_operation_moves_what_it_is_about() {
        let moved = |operation| moved_bytes(&variant(operation));
        assert_eq!(moved(Operation::OpenReadClose), Some(1000));
        assert_eq!(moved(Operation::WriteBlock), Some(4096));
        assert_eq!(moved(Operation::Create), Some(10));
        assert_eq!(moved(Operation::OpenClose), None);
    }

    #[test]
    fn rates_are_shown_of_large_operations_and_fixed_batches() {
        let mut comparison = complete().experiments.remove(0).comparisons.remove(0);
        assert_eq!(bytes_per_second(&comparison, 0), None, "an open moves nothing");
        comparison.variants[0] = variant(Operation::ReadWhole);
        assert_eq!(bytes_per_second(&comparison, 0), None, "too small");
        comparison.variants[0].parameters.data.size_bytes = 1 << 20;
        let rate = bytes_per_second(&comparison, 0).unwrap();
        assert!((rate - 1_048_576.0 / 2214e-9).abs() < 1.0, "{rate}");
        comparison.variants[0] = variant(Operation::Create);
        comparison.variants[0].parameters.settings.set(Setting::Operations, SettingValue::Number(1000));
        assert!(bytes_per_second(&comparison, 0).is_some());
    }

    #[test]
    fn one_unit_serves_a_table() {
        assert_eq!(RateUnit::shared(&[6e8, 3e9]), RateUnit::Gigabytes);
        assert_eq!(RateUnit::shared(&[2e8, f64::NAN]), RateUnit::Megabytes);
        assert_eq!(RateUnit::shared(&[f64::NAN]), RateUnit::Megabytes);
    }
}
