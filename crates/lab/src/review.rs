//! Warnings about a comparison, drawn from its own data. Pure.

use fathom_model::{Comparison, Proof, Severity, StopReason, Warning};
use fathom_stats::{block_ln_ratios, find_split, median};

/// A change of a ratio in the middle of a sitting larger than this is told.
const REGIME_SHIFT_LN: f64 = 0.02;
/// More void samples than this share are told.
const VOID_SHARE: f64 = 0.2;
/// More unsteady forks than this share are told.
const UNSTEADY_SHARE: f64 = 0.5;
/// A control wider than this cannot tell small effects.
const CONTROL_HALF_WIDTH: f64 = 0.05;

/// Everything about `comparison` that its reader must know.
pub(crate) fn review(comparison: &Comparison) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let StopReason::Failed(reason) = &comparison.stop {
        warnings.push(Warning::new(Severity::Fault, "failed", format!("the time pass failed: {reason}")));
    }
    warnings.extend(control(comparison));
    warnings.extend(regimes(comparison));
    warnings.extend(voids(comparison));
    warnings.extend(unsteady(comparison));
    warnings.extend(unpinned(comparison));
    warnings
}

fn control(comparison: &Comparison) -> Option<Warning> {
    let control = comparison.control.value()?;
    if control.instrument_fault {
        let text = "the A/A control differs from itself at the 99 % level: no ratio of this comparison is to be trusted";
        return Some(
            Warning::new(Severity::Fault, "instrument-fault", text)
                .with_hint("run again on a quieter machine"),
        );
    }
    let (low, high) = control.ratio.interval()?;
    let half_width = (high - low) / 2.0;
    (half_width > CONTROL_HALF_WIDTH).then(|| {
        let text = format!(
            "the A/A control is known to ±{:.0} % only: smaller effects cannot be told here",
            half_width * 100.0
        );
        Warning::new(Severity::Warning, "low-resolution", text).with_hint("give it more time with --time")
    })
}

/// A ratio that changed its level between two stretches of forks.
fn regimes(comparison: &Comparison) -> Option<Warning> {
    let others = (0..comparison.variants.len()).filter(|&variant| variant != comparison.baseline);
    for variant in others {
        let series: Vec<f64> = comparison
            .forks
            .iter()
            .filter_map(|fork| median(&block_ln_ratios(fork, variant, comparison.baseline)))
            .collect();
        let Some(split) = find_split(&series) else { continue };
        if split.shift().abs() > REGIME_SHIFT_LN {
            let text = format!(
                "the ratio of {} moved by {:.1} % after fork {}: something on the machine changed",
                comparison.variants[variant].method,
                split.shift() * 100.0,
                split.index
            );
            return Some(
                Warning::new(Severity::Warning, "regime-change", text)
                    .with_hint("look for other work or tracers on this machine, and run again"),
            );
        }
    }
    None
}

fn voids(comparison: &Comparison) -> Option<Warning> {
    let voids: u64 = comparison.cache.iter().flat_map(|cache| &cache.void).map(|void| void.samples).sum();
    let slots: usize = comparison.forks.iter().map(|fork| fork.operations.len()).sum();
    let all = (slots * comparison.variants.len()) as f64;
    let unproven = comparison.cache.iter().any(|cache| matches!(cache.proof, Proof::Unknown(_)));
    (all > 0.0 && voids as f64 / all > VOID_SHARE && !unproven).then(|| {
        let text = format!("{voids} of {all} samples were void: the cache state did not hold");
        Warning::new(Severity::Warning, "many-voids", text)
    })
}

fn unsteady(comparison: &Comparison) -> Option<Warning> {
    let forks = comparison.forks.len();
    let unsteady = comparison.forks.iter().filter(|fork| !fork.warm_up.steady).count();
    (forks > 0 && unsteady as f64 / forks as f64 > UNSTEADY_SHARE).then(|| {
        let text = format!("{unsteady} of {forks} forks were not steady when their warm-up ended");
        Warning::new(Severity::Note, "unsteady", text)
    })
}

fn unpinned(comparison: &Comparison) -> Option<Warning> {
    let reason = comparison.forks.iter().find_map(|fork| match &fork.cpu {
        fathom_model::Reading::Unavailable(reason) => Some(reason),
        fathom_model::Reading::Value(_) => None,
    })?;
    let text = format!("the drivers could not be pinned to one CPU: {reason}");
    Some(Warning::new(Severity::Warning, "unpinned", text))
}
