//! The summaries of a comparison, derived from its raw samples: which arms are
//! paired, and intervals over fork values. A fork counts as one value however
//! few of its blocks were kept, so long as there is one. The reduction of a
//! fork lives in `fork_values`.

use crate::fork_values::{Tally, delta_ns, ln_ratio, ln_time_ns, spread};
use crate::interval::Interval;
use crate::robust::median;
use crate::sequence::{SignPrior, combined_sequence, sign_sequence};
use fathom_model::{Arm, ArmKind, Comparison, Control, Estimate, Fork, Reading, Variant, VariantSummary};

/// Coverage of every interval in a summary.
const CONFIDENCE: f64 = 0.95;

/// The control is a fault when its sign sequence at this level excludes 1.
const FAULT_ALPHA: f64 = 0.01;

/// A loop dearer than this share of the baseline is not taken off: the net
/// ratio would be a small difference of uncertain figures.
const LARGEST_LOOP_SHARE: f64 = 0.2;

/// The raw parts of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    /// The variants.
    pub variants: &'a [Variant],
    /// Index of the variant that ratios refer to.
    pub baseline: usize,
    /// The arms of the time pass.
    pub arms: &'a [Arm],
    /// The forks, in order of time.
    pub forks: &'a [Fork],
}

impl<'a> From<&'a Comparison> for Parts<'a> {
    fn from(comparison: &'a Comparison) -> Self {
        let Comparison { variants, baseline, arms, forks, .. } = comparison;
        Self { variants, baseline: *baseline, arms, forks }
    }
}

/// The summary of each variant, in their order, and the A/A control.
pub fn summarize(parts: Parts<'_>) -> (Vec<Reading<VariantSummary>>, Reading<Control>) {
    let summaries = (0..parts.variants.len()).map(|variant| summarize_variant(parts, variant)).collect();
    (summaries, summarize_control(parts))
}

fn summarize_variant(parts: Parts<'_>, variant: usize) -> Reading<VariantSummary> {
    let Some(arm) = variant_arm(parts.arms, variant) else {
        return Reading::unavailable("no arm timed this variant");
    };
    let Some(time_ns) = estimate_exp(&fork_values(parts.forks, |fork| ln_time_ns(fork, arm))) else {
        return Reading::unavailable("no sample was kept");
    };
    let reference = variant_arm(parts.arms, parts.baseline).filter(|_| variant != parts.baseline);
    let paired = |value: fn(&Fork, usize, usize) -> Option<f64>| {
        reference.map(|reference| fork_values(parts.forks, |fork| value(fork, arm, reference)))
    };
    let ln_ratios = paired(ln_ratio);
    let ln_ratios = ln_ratios.as_deref();
    let tally = Tally::of(parts.forks, arm);
    Reading::Value(VariantSummary {
        time_ns,
        ratio: ln_ratios.and_then(estimate_exp),
        ratio_simultaneous: ln_ratios
            .and_then(|values| estimate_exp_at(values, simultaneous_confidence(parts.variants.len()))),
        net_ratio: net_ratio(parts, variant),
        delta_ns: paired(delta_ns).and_then(|values| estimate(&values)),
        loop_ns: loop_arm(parts.arms, variant, arm)
            .and_then(|arm| estimate_exp(&fork_values(parts.forks, |fork| ln_time_ns(fork, arm)))),
        spread: spread(parts.forks, arm),
        blocks: tally.blocks,
        operations: tally.operations,
        preempted_share: tally.preempted_share(),
        runtime_per_operation: tally.per_operation(),
    })
}

fn summarize_control(parts: Parts<'_>) -> Reading<Control> {
    let Some(control) = parts.arms.iter().position(|arm| arm.kind == ArmKind::Control) else {
        return Reading::unavailable("no control arm was timed");
    };
    let Some(reference) = variant_arm(parts.arms, parts.baseline) else {
        return Reading::unavailable("no arm timed the baseline");
    };
    let values = fork_values(parts.forks, |fork| ln_ratio(fork, control, reference));
    let Some(ratio) = estimate_exp(&values) else {
        return Reading::unavailable("no block holds both the control and the baseline");
    };
    let instrument_fault = !sign_sequence(&values, SignPrior::Forks, FAULT_ALPHA).contains(0.0);
    Reading::Value(Control { ratio, instrument_fault })
}

/// The paired ratio after each side's loop is taken off, by the share that the loop has
/// of its own side in the blocks where both were timed: a loop that costs next to nothing
/// changes next to nothing, however far medians and paired ratios lie apart. Over forks
/// in which both loops were timed; refused when a loop costs too much of the baseline, or
/// when some fork has a variant no dearer than its loop.
pub fn net_ratio(parts: Parts<'_>, variant: usize) -> Option<Estimate> {
    let arm = variant_arm(parts.arms, variant).filter(|_| variant != parts.baseline)?;
    let reference = variant_arm(parts.arms, parts.baseline)?;
    let own_loop = loop_arm(parts.arms, variant, arm)?;
    let reference_loop = loop_arm(parts.arms, parts.baseline, reference)?;
    let (mut largest, mut left, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for fork in parts.forks {
        let share = |of: usize, side: usize| ln_ratio(fork, of, side).map(f64::exp);
        let shares = share(own_loop, arm).zip(share(reference_loop, reference));
        let Some(((own, base), ratio)) = shares.zip(ln_ratio(fork, arm, reference)) else { continue };
        largest.push(share(own_loop, reference).map_or(base, |other| other.max(base)));
        left.push((1.0 - own).min(1.0 - base));
        values.push(ratio + (1.0 - own).ln() - (1.0 - base).ln());
    }
    if median(&largest)? > LARGEST_LOOP_SHARE || left.iter().any(|left| *left <= 0.0) {
        return None;
    }
    estimate_exp(&values)
}

/// Confidence of each ratio at which all of the comparison's hold together:
/// the error is shared among the variants beside the baseline.
fn simultaneous_confidence(variants: usize) -> f64 {
    let ratios = variants.saturating_sub(1).max(1);
    1.0 - (1.0 - CONFIDENCE) / ratios as f64
}

/// The arm that timed a variant.
pub(crate) fn variant_arm(arms: &[Arm], variant: usize) -> Option<usize> {
    arms.iter().position(|arm| arm.kind == ArmKind::Variant(variant))
}

/// The loop that a variant's process ran: the one named after the variant, or
/// any other of the same process.
fn loop_arm(arms: &[Arm], variant: usize, variant_arm: usize) -> Option<usize> {
    let seat = arms.get(variant_arm)?.seat;
    let named = arms.iter().position(|arm| arm.kind == ArmKind::Loop(variant));
    let shared = || arms.iter().position(|arm| arm.seat == seat && matches!(arm.kind, ArmKind::Loop(_)));
    named.or_else(shared)
}

fn fork_values(forks: &[Fork], value: impl FnMut(&Fork) -> Option<f64>) -> Vec<f64> {
    forks.iter().filter_map(value).collect()
}

/// The estimate of what the values are logarithms of.
pub(crate) fn estimate_exp(logarithms: &[f64]) -> Option<Estimate> {
    estimate_exp_at(logarithms, CONFIDENCE)
}

pub(crate) fn estimate_exp_at(logarithms: &[f64], confidence: f64) -> Option<Estimate> {
    let interval = combined_sequence(logarithms, 1.0 - confidence).exp();
    Some(estimate_from(median(logarithms)?.exp(), interval, confidence, logarithms.len()))
}

pub(crate) fn estimate(values: &[f64]) -> Option<Estimate> {
    let interval = combined_sequence(values, 1.0 - CONFIDENCE);
    Some(estimate_from(median(values)?, interval, CONFIDENCE, values.len()))
}

/// An estimate with its interval, the ends left out where it has none.
pub(crate) fn estimate_from(value: f64, interval: Interval, confidence: f64, forks: usize) -> Estimate {
    Estimate {
        value,
        low: interval.finite_low(),
        high: interval.finite_high(),
        confidence,
        forks: u32::try_from(forks).unwrap_or(u32::MAX),
    }
}
