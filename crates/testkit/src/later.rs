//! A second session of a sample record, and what may have become different in it.

use fathom_model::{ArmKind, CallCount, Comparison, Reading, Record};

/// The same run at a later time: another seed, the same figures.
pub fn later(record: &Record) -> Record {
    let mut later = record.clone();
    later.created = "2026-11-27T09:30:41Z".into();
    later.seed = "7046029254386353131".into();
    later
}

/// A method takes `factor` times as long in every fork. Summaries stay as they were.
pub fn slow_down(record: &mut Record, method: &str, factor: f64) {
    for_each(record, method, |comparison, variant| {
        let kind = ArmKind::Variant(variant);
        let arms: Vec<usize> = (0..comparison.arms.len())
            .filter(|&arm| {
                let found = comparison.arms[arm].kind;
                found == kind || (found == ArmKind::Control && comparison.baseline == variant)
            })
            .collect();
        for fork in &mut comparison.forks {
            for &arm in &arms {
                for ns in fork.arms[arm].ns.iter_mut().flatten() {
                    *ns = scaled(*ns, factor);
                }
            }
        }
    });
}

/// A method makes one more kind of call.
pub fn add_call(record: &mut Record, method: &str, call: &CallCount) {
    for_each(record, method, |comparison, variant| {
        if let Reading::Value(counts) = &mut comparison.counts[variant] {
            counts.inside.push(call.clone());
        }
    });
}

/// Every A/A control is at fault.
pub fn fault_controls(record: &mut Record) {
    for comparison in record.experiments.iter_mut().flat_map(|experiment| &mut experiment.comparisons) {
        if let Reading::Value(control) = &mut comparison.control {
            control.instrument_fault = true;
        }
    }
}

/// Only the first forks of every comparison.
pub fn keep_forks(record: &mut Record, forks: usize) {
    for comparison in record.experiments.iter_mut().flat_map(|experiment| &mut experiment.comparisons) {
        comparison.forks.truncate(forks);
    }
}

fn for_each(record: &mut Record, method: &str, mut change: impl FnMut(&mut Comparison, usize)) {
    let mut found = false;
    for comparison in record.experiments.iter_mut().flat_map(|experiment| &mut experiment.comparisons) {
        for variant in 0..comparison.variants.len() {
            if comparison.variants[variant].method.to_string() == method {
                found = true;
                change(comparison, variant);
            }
        }
    }
    assert!(found, "the sample record has no {method}");
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small positive literals")]
fn scaled(ns: u64, factor: f64) -> u64 {
    (ns as f64 * factor).round() as u64
}
