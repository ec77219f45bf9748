//! Warnings about a comparison, drawn from its own data. Pure.

use crate::processes::placement::{PARALLEL, RANKED};
use fathom_model::{CacheState, Comparison, Proof, Question, Setting, Severity, StopReason, Warning};
use fathom_stats::{block_ln_ratios, find_split, median};

/// A change of a ratio in the middle of a session larger than this is told.
const REGIME_SHIFT_LN: f64 = 0.02;
/// Bytes read from devices per byte delivered below which a cold result is not plausible.
const PLAUSIBLE_SHARE: f64 = 0.5;
/// More void samples than this share are told.
const VOID_SHARE: f64 = 0.2;
/// More unsteady forks than this share are told.
const UNSTEADY_SHARE: f64 = 0.5;
/// A ratio of median times this far from the median ratio is told …
const TWO_MODES_LN: f64 = 0.1;
/// … where so many batches were interrupted.
const TWO_MODES_SHARE: f64 = 0.2;
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
    warnings.extend(unread(comparison));
    warnings.extend(voids(comparison));
    warnings.extend(unsteady(comparison));
    warnings.extend(unpinned(comparison));
    warnings.extend(two_modes(comparison));
    warnings
}

/// Where interrupted batches are about half of all, the median time stands between
/// those that were and those that were not, and the ratio of two medians is not the
/// median of the ratios. Everything that this can be seen of is named, and the baseline
/// where its own median is one of those.
fn two_modes(comparison: &Comparison) -> Option<Warning> {
    let times = |index: usize| comparison.summaries.get(index)?.value();
    let baseline = times(comparison.baseline)?.time_ns.value;
    let is_apart = |index: &usize| {
        let apart = || {
            let own = times(*index)?;
            Some((own.time_ns.value / baseline / own.ratio.as_ref()?.value).ln().abs())
        };
        apart().is_some_and(|apart| apart > TWO_MODES_LN)
    };
    let interrupted = |index: usize| {
        let share = times(index)?.preempted_share?;
        (share > TWO_MODES_SHARE).then_some((index, share))
    };
    let apart: Vec<_> = (0..comparison.variants.len()).filter(is_apart).collect();
    let of_baseline = interrupted(comparison.baseline).filter(|_| !apart.is_empty());
    let affected: Vec<_> =
        of_baseline.into_iter().chain(apart.iter().filter_map(|&index| interrupted(index))).collect();
    let (first, others) = affected.split_first()?;
    let share = |share: f64| format!("{:.0} %", share * 100.0);
    let mut whose = format!("{} of the batches of {}", share(first.1), name(comparison, first.0));
    for (index, of_batches) in others {
        let joint = if others.last().is_some_and(|last| last.0 == *index) { " and" } else { "," };
        whose = format!("{whose}{joint} {} of those of {}", share(*of_batches), name(comparison, *index));
    }
    let so = if others.is_empty() {
        "its median time lies between two modes; trust its ratio"
    } else {
        "their median times lie between two modes; trust the ratios"
    };
    Some(Warning::new(Severity::Note, "two-modes", format!("{whose} were interrupted: {so}")))
}

/// The method, and which of several variants of it.
fn name(comparison: &Comparison, index: usize) -> String {
    let method = |index: usize| comparison.variants[index].method.to_string();
    let same = |other: &usize| method(*other) == method(index);
    let of_all = (0..comparison.variants.len()).filter(same).count();
    let number = (0..=index).filter(same).count();
    if of_all == 1 { method(index) } else { format!("{} ({number} of {of_all})", method(index)) }
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
        let text = if half_width > 1.0 {
            "too noisy: the A/A control spans more than a factor of 2".to_owned()
        } else {
            format!(
                "the A/A control is known to ±{:.0} % only: smaller effects cannot be told here",
                half_width * 100.0
            )
        };
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

/// Cold samples that delivered much more than a device was read for: something
/// below the page cache held the data, or the file is compressed.
fn unread(comparison: &Comparison) -> Option<Warning> {
    comparison.variants.iter().zip(&comparison.cache).find_map(|(variant, cache)| {
        let cold = cache.state == CacheState::Cold && variant.operation.facts().question == Some(Question::Whole);
        let read = *cache.device_read_bytes.value()? as f64;
        let delivered = (variant.parameters.data.size_bytes * cache.device_read_operations) as f64;
        (cold && delivered > 0.0 && read / delivered < PLAUSIBLE_SHARE).then(|| {
            let text = format!(
                "cold {} delivered {delivered} bytes while devices were read for {read}: the rest came from elsewhere",
                variant.method
            );
            Warning::new(Severity::Warning, "implausible-cold", text)
        })
    })
}

fn voids(comparison: &Comparison) -> Option<Warning> {
    let voids: u64 = comparison.cache.iter().flat_map(|cache| &cache.void).map(|void| void.samples).sum();
    let slots: usize = comparison.forks.iter().map(|fork| fork.operations.len()).sum();
    let all = (slots * comparison.variants.len()) as f64;
    let unproven = comparison.cache.iter().any(|cache| matches!(cache.proof, Proof::Unknown(_)));
    (all > 0.0 && voids as f64 / all > VOID_SHARE && !unproven).then(|| {
        let text = format!("{voids} of {all} samples were discarded: the cache state did not hold");
        Warning::new(Severity::Warning, "many-voids", text)
    })
}

fn unsteady(comparison: &Comparison) -> Option<Warning> {
    // Without a warm-up nobody asked whether they were.
    if comparison.variants.iter().any(|variant| variant.parameters.settings.text(Setting::WarmUp) == "off") {
        return None;
    }
    let forks = comparison.forks.len();
    let unsteady = comparison.forks.iter().filter(|fork| !fork.warm_up.steady).count();
    (forks > 0 && unsteady as f64 / forks as f64 > UNSTEADY_SHARE).then(|| {
        let text = format!("{unsteady} of {forks} forks were not steady when their warm-up ended");
        Warning::new(Severity::Note, "unsteady", text)
    })
}

fn unpinned(comparison: &Comparison) -> Option<Warning> {
    let reason = comparison.forks.iter().find_map(|fork| match &fork.cpu {
        fathom_model::Reading::Unavailable(reason) if reason != PARALLEL && reason != RANKED => Some(reason),
        _ => None,
    })?;
    let text = format!("the drivers could not be pinned to one CPU: {reason}");
    Some(Warning::new(Severity::Warning, "unpinned", text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{Operation, Reading, VoidCount};

    /// A believable comparison with nothing to warn of.
    fn quiet() -> Comparison {
        fathom_testkit::complete().experiments.swap_remove(0).comparisons.swap_remove(0)
    }

    fn codes(comparison: &Comparison) -> Vec<String> {
        review(comparison).into_iter().map(|warning| warning.code).collect()
    }

    #[test]
    fn a_failure_an_instrument_fault_and_a_lack_of_pinning_are_told() {
        let base = codes(&quiet());
        let mut failed = quiet();
        failed.stop = StopReason::Failed("the driver was killed".into());
        assert!(codes(&failed).contains(&"failed".to_owned()));
        let mut faulty = quiet();
        if let Reading::Value(control) = &mut faulty.control {
            control.instrument_fault = true;
        }
        assert!(codes(&faulty).contains(&"instrument-fault".to_owned()));
        let mut free = quiet();
        free.forks[0].cpu = Reading::unavailable("refused");
        assert!(codes(&free).contains(&"unpinned".to_owned()));
        for code in ["failed", "instrument-fault", "unpinned"] {
            assert!(!base.contains(&code.to_owned()), "{base:?}");
        }
    }

    #[test]
    fn every_variant_between_two_modes_is_named_and_the_baseline_with_them() {
        let told = |shares: [f64; 3], slower: &[usize]| {
            let mut comparison = quiet();
            for (index, share) in shares.into_iter().enumerate() {
                let Reading::Value(summary) = &mut comparison.summaries[index] else { panic!("not timed") };
                summary.preempted_share = Some(share);
                summary.time_ns.value *= if slower.contains(&index) { 1.3 } else { 1.0 };
            }
            two_modes(&comparison).map(|warning| warning.message)
        };
        let all = told([0.4, 0.5, 0.45], &[1, 2]).unwrap();
        assert_eq!(
            all,
            "40 % of the batches of go:syscall.Open, 50 % of those of go:os.Open and 45 % of those of \
             go:os.OpenFile-O_DIRECT were interrupted: their median times lie between two modes; trust the ratios"
        );
        let one = told([0.0, 0.5, 0.45], &[1]).unwrap();
        assert!(one.ends_with("50 % of the batches of go:os.Open were interrupted: its median time lies between two modes; trust its ratio"), "{one}");
        assert_eq!(told([0.4, 0.5, 0.45], &[]), None, "medians and ratios agree");
        assert_eq!(told([0.1, 0.1, 0.1], &[1, 2]), None, "hardly any was interrupted");
        let mut comparison = quiet();
        comparison.variants[1].method = comparison.variants[0].method.clone();
        assert_eq!(name(&comparison, 1), "go:syscall.Open (2 of 2)");
    }

    #[test]
    fn many_voids_are_told_and_few_are_not() {
        let samples = |count| {
            let mut comparison = quiet();
            comparison.cache[0].void = vec![VoidCount { reason: "x".into(), samples: count }];
            codes(&comparison).contains(&"many-voids".to_owned())
        };
        assert!(!samples(1));
        assert!(samples(1_000_000));
    }

    #[test]
    fn a_cold_read_that_reads_no_device_is_not_plausible() {
        let mut comparison = quiet();
        comparison.variants[0].operation = Operation::ReadWhole;
        comparison.cache[0].state = CacheState::Cold;
        comparison.cache[0].device_read_operations = 100;
        let size = comparison.variants[0].parameters.data.size_bytes;
        comparison.cache[0].device_read_bytes = Reading::Value(size * 100);
        assert!(!codes(&comparison).contains(&"implausible-cold".to_owned()));
        comparison.cache[0].device_read_bytes = Reading::Value(size * 10);
        assert!(codes(&comparison).contains(&"implausible-cold".to_owned()));
    }
}
