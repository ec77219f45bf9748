//! What a comparison says of one timed statement: the effect of a variant beside
//! another, in the form the statement is made in, with its confidence sequence.

use crate::decision::{Verdict, decide, forks_for_verdict};
use crate::fork_values::{batch_p99_ns, delta_ns, ln_ratio, ln_time_ns};
use crate::interval::Interval;
use crate::robust::median;
use crate::sequence::combined_sequence;
use crate::summary::{Parts, variant_arm};
use fathom_model::{Fork, Form, Metric, Region};

/// A statement about times that a comparison may decide.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedQuestion {
    /// What is measured: a timed metric.
    pub metric: Metric,
    /// How two become one.
    pub form: Form,
    /// Index of the variant that it is about.
    pub of: usize,
    /// Index of the variant that it is compared with.
    pub to: Option<usize>,
    /// Where the effect has to lie.
    pub region: Region,
    /// The error that this statement may take of the whole family's.
    pub alpha: f64,
}

/// The effect.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedEffect {
    /// Median over the forks, in the question's form.
    pub value: f64,
    /// Its confidence sequence at the question's level.
    pub interval: Interval,
    /// The value of each fork, in order of time.
    pub of_forks: Vec<f64>,
}

impl From<Region> for Interval {
    fn from(region: Region) -> Self {
        Self::new(region.low.unwrap_or(f64::NEG_INFINITY), region.high.unwrap_or(f64::INFINITY))
    }
}

impl TimedQuestion {
    /// The effect that these forks show; `None` when no fork has a value, or when
    /// the metric is not a timed one.
    pub fn effect(&self, parts: Parts<'_>) -> Option<TimedEffect> {
        let arm = variant_arm(parts.arms, self.of)?;
        let reference = match self.to {
            Some(to) => Some(variant_arm(parts.arms, to)?),
            None => None,
        };
        let scale = Scale::of(self.form);
        let values: Vec<f64> =
            parts.forks.iter().filter_map(|fork| self.value(scale, fork, arm, reference)).collect();
        let value = scale.shown(median(&values)?);
        let interval = scale.shown_interval(combined_sequence(&values, self.alpha));
        Some(TimedEffect { value, interval, of_forks: values.iter().map(|&v| scale.shown(v)).collect() })
    }

    /// The verdict of these forks, which may be asked after every fork.
    pub fn verdict(&self, parts: Parts<'_>) -> Verdict {
        let effect = self.effect(parts);
        effect.map_or(Verdict::Undecided, |effect| {
            decide(effect.interval, self.region.into(), effect.of_forks.len())
        })
    }

    /// Forks needed in all until the interval clears the nearest edge of the region.
    pub fn forks_needed(&self, parts: Parts<'_>) -> Option<f64> {
        let effect = self.effect(parts)?;
        forks_for_verdict(effect.value, effect.interval, self.region.into(), effect.of_forks.len())
    }

    /// A fork's value on the scale on which intervals are drawn.
    fn value(&self, scale: Scale, fork: &Fork, arm: usize, reference: Option<usize>) -> Option<f64> {
        match (&self.metric, scale, reference) {
            (Metric::Time, Scale::Ns, None) => ln_time_ns(fork, arm).map(f64::exp),
            (Metric::Time, Scale::Ns, Some(reference)) => delta_ns(fork, arm, reference),
            (Metric::Time, _, Some(reference)) => ln_ratio(fork, arm, reference),
            (Metric::BatchP99, Scale::Ns, None) => batch_p99_ns(fork, arm),
            (Metric::BatchP99, Scale::Ns, Some(reference)) => {
                Some(batch_p99_ns(fork, arm)? - batch_p99_ns(fork, reference)?)
            }
            (Metric::BatchP99, _, Some(reference)) => {
                Some((batch_p99_ns(fork, arm)? / batch_p99_ns(fork, reference)?).ln())
            }
            _ => None,
        }
    }
}

/// Ratios are averaged as logarithms, differences and values in ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    Ns,
    LnRatio,
    LnSaving,
    LnSpeedup,
}

impl Scale {
    fn of(form: Form) -> Self {
        match form {
            Form::Value | Form::Difference => Self::Ns,
            Form::Ratio => Self::LnRatio,
            Form::Saving => Self::LnSaving,
            Form::Speedup => Self::LnSpeedup,
        }
    }

    /// A value in the form of the statement.
    fn shown(self, value: f64) -> f64 {
        match self {
            Self::Ns => value,
            Self::LnRatio => value.exp(),
            Self::LnSaving => 1.0 - value.exp(),
            Self::LnSpeedup => (-value).exp(),
        }
    }

    fn shown_interval(self, interval: Interval) -> Interval {
        let ends = [self.shown(interval.low), self.shown(interval.high)];
        let (low, high) = match self {
            Self::Ns | Self::LnRatio => (ends[0], ends[1]),
            Self::LnSaving | Self::LnSpeedup => (ends[1], ends[0]),
        };
        // A ratio whose logarithm has no bound is not bounded by 0: nothing is known of it.
        let low = if interval.is_bounded() { low } else { f64::NEG_INFINITY };
        let high = if interval.is_bounded() { high } else { f64::INFINITY };
        Interval::new(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{Arm, ArmKind, ArmSamples, Reading, Variant, WarmUp};
    use std::collections::BTreeMap;

    /// A fork of blocks of one operation, each arm with these times.
    fn fork(times_ns: &[&[u64]]) -> Fork {
        let samples = |ns: &&[u64]| ArmSamples {
            divisor: 1,
            ns: ns.iter().copied().map(Some).collect(),
            preempted_blocks: vec![],
            totals: BTreeMap::new(),
            figures: BTreeMap::new(),
            figure_operations: 0,
        };
        Fork {
            cpu: Reading::Value(0),
            started_s: 0.0,
            warm_up: WarmUp { blocks: 0, ms: 0.0, steady: true },
            operations: vec![1; times_ns[0].len()],
            arms: times_ns.iter().map(samples).collect(),
            ranks: None,
        }
    }

    fn forks() -> Vec<Fork> {
        // The second arm takes 80 % of the first's time, give or take a little from fork to fork.
        (0..12)
            .map(|i| {
                let wobble = [0, 7, 3, 9, 5, 1][i % 6];
                fork(&[&[1000, 1010, 990], &[800 + wobble, 808 + wobble, 792 + wobble]])
            })
            .collect()
    }

    fn ask(form: Form, to: Option<usize>, region: Region) -> TimedQuestion {
        TimedQuestion { metric: Metric::Time, form, of: 1, to, region, alpha: 0.05 }
    }

    fn with_parts<T>(forks: &[Fork], read: impl FnOnce(Parts<'_>) -> T) -> T {
        let arms = [0, 1].map(|variant| Arm { kind: ArmKind::Variant(variant), seat: 0 });
        let variants: [Variant; 0] = [];
        read(Parts { variants: &variants, baseline: 0, arms: &arms, forks })
    }

    #[test]
    fn each_form_has_its_scale() {
        let forks = forks();
        let effect =
            |form, to| with_parts(&forks, |p| ask(form, to, Region::at_least(0.0)).effect(p)).unwrap();
        let ratio = effect(Form::Ratio, Some(0));
        let saving = effect(Form::Saving, Some(0));
        let speedup = effect(Form::Speedup, Some(0));
        let difference = effect(Form::Difference, Some(0));
        let value = effect(Form::Value, None);
        assert!((ratio.value - 0.804).abs() < 0.003, "{ratio:?}");
        assert!((ratio.value + saving.value - 1.0).abs() < 1e-12);
        assert!((ratio.value * speedup.value - 1.0).abs() < 1e-12);
        assert!((difference.value + 196.0).abs() < 3.0 && (value.value - 804.0).abs() < 3.0);
        for effect in [ratio, saving, speedup, difference, value] {
            assert!(effect.interval.is_bounded() && effect.interval.contains(effect.value), "{effect:?}");
            assert_eq!(effect.of_forks.len(), 12);
        }
    }

    #[test]
    fn a_verdict_wants_five_forks_and_an_interval_on_one_side() {
        let forks = forks();
        let verdict = |n, region| with_parts(&forks[..n], |p| ask(Form::Saving, Some(0), region).verdict(p));
        assert_eq!(verdict(12, Region::between(0.17, 0.23)), Verdict::Supported);
        assert_eq!(verdict(12, Region::at_least(0.30)), Verdict::Refuted);
        assert_eq!(verdict(12, Region::at_least(0.196)), Verdict::Undecided);
        assert_eq!(verdict(4, Region::between(0.0, 0.9)), Verdict::Undecided);
        assert_eq!(verdict(0, Region::between(0.0, 0.9)), Verdict::Undecided);
        let needed =
            with_parts(&forks, |p| ask(Form::Saving, Some(0), Region::at_least(0.196)).forks_needed(p));
        assert!(needed.unwrap() > 12.0);
    }

    #[test]
    fn few_forks_leave_every_form_open() {
        let forks = forks();
        for form in [Form::Ratio, Form::Saving, Form::Speedup] {
            let effect = with_parts(&forks[..2], |p| ask(form, Some(0), Region::at_least(0.0)).effect(p));
            assert_eq!(effect.unwrap().interval, Interval::UNBOUNDED, "{form:?}");
        }
    }

    #[test]
    fn the_tail_of_the_batches_is_a_metric() {
        let tail = [fork(&[&[100; 10], &[100, 100, 100, 100, 100, 100, 100, 100, 100, 900]])];
        let question =
            TimedQuestion { metric: Metric::BatchP99, ..ask(Form::Value, None, Region::at_least(500.0)) };
        assert!(with_parts(&tail, |parts| question.effect(parts)).unwrap().value > 800.0);
    }
}
