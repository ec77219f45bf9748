//! One variant of a record with its name and what was found of it: what every
//! form is made of.

use crate::identity::{Identity, identities};
use crate::standing::{is_faulty, pass, statement, summary};
use crate::statement::Statement;
use crate::text::calls::call_name;
use fathom_model::{
    ArmKind, Comparison, CountPass, Estimate, ExperimentRecord, Proof, Reading, Record, StopReason, Variant,
    VariantSummary,
};
use fathom_stats::{ForkFigures, fork_figures};
use std::collections::BTreeMap;
use std::time::Duration;

/// A variant in its comparison.
#[derive(Debug, Clone)]
pub(crate) struct Measurement<'a> {
    pub(crate) experiment: &'a ExperimentRecord,
    pub(crate) comparison: &'a Comparison,
    pub(crate) index: usize,
    pub(crate) variant: &'a Variant,
    pub(crate) identity: Identity,
}

/// Every variant of every comparison, in the order of the record.
pub(crate) fn measurements(record: &Record) -> Vec<Measurement<'_>> {
    let mut seen = BTreeMap::new();
    let mut found = Vec::new();
    for experiment in &record.experiments {
        for comparison in &experiment.comparisons {
            let identities = identities(record, experiment, comparison, &mut seen);
            let variants = comparison.variants.iter().zip(identities).enumerate();
            found.extend(variants.map(|(index, (variant, identity))| Measurement {
                experiment,
                comparison,
                index,
                variant,
                identity,
            }));
        }
    }
    found
}

impl<'a> Measurement<'a> {
    /// The summary, where it was timed.
    pub(crate) fn summary(&self) -> Option<&'a VariantSummary> {
        summary(self.comparison, self.index).filter(|summary| summary.time_ns.value.is_finite())
    }

    /// Why it has no time.
    pub(crate) fn untimed(&self) -> Option<&'a str> {
        match self.comparison.summaries.get(self.index) {
            Some(Reading::Unavailable(reason)) => Some(reason),
            None => Some("not summarized"),
            Some(Reading::Value(_)) => None,
        }
    }

    /// The counts, where it was counted.
    pub(crate) fn pass(&self) -> Option<&'a CountPass> {
        pass(self.comparison, self.index)
    }

    /// Why it has no counts.
    pub(crate) fn uncounted(&self) -> Option<&'a str> {
        match self.comparison.counts.get(self.index) {
            Some(Reading::Unavailable(reason)) => Some(reason),
            None => Some("not counted"),
            Some(Reading::Value(_)) => None,
        }
    }

    /// Calls by name: `openat 1, epoll_ctl=EPERM 1`.
    pub(crate) fn calls(&self) -> Option<String> {
        let calls = self.pass()?.inside.iter();
        let each = calls.map(|call| format!("{} {}", call_name(call), call.per_operation()));
        Some(each.collect::<Vec<_>>().join(", "))
    }

    /// True where the A/A control says that ratios are not to be used.
    pub(crate) fn is_faulty(&self) -> bool {
        is_faulty(self.comparison)
    }

    /// The ratio to the baseline, unless the control forbids its use.
    pub(crate) fn ratio(&self) -> Option<&'a Estimate> {
        let ratio = self.summary()?.ratio.as_ref();
        ratio.filter(|ratio| ratio.value.is_finite() && !self.is_faulty())
    }

    /// What may be said of it, as one word for machines.
    pub(crate) fn verdict(&self) -> &'static str {
        match statement(self.comparison, self.index) {
            Statement::Baseline => "baseline",
            Statement::Faster => "faster",
            Statement::Slower => "slower",
            Statement::NoDifference => "no-difference",
            Statement::Alone => "alone",
            Statement::Fault => "control-fault",
            Statement::Nothing => "nothing",
        }
    }

    /// Whether its cache state can be believed, as one word and a reason.
    pub(crate) fn proof(&self) -> (&'static str, Option<&'a str>) {
        match self.comparison.cache.get(self.index).map(|evidence| &evidence.proof) {
            Some(Proof::Proven) => ("proven", None),
            Some(Proof::Unknown(reason)) => ("unknown", Some(reason)),
            Some(Proof::NotApplicable(reason)) => ("not-applicable", Some(reason)),
            None => ("unknown", None),
        }
    }

    /// Why the comparison failed, when it did.
    pub(crate) fn failure(&self) -> Option<&'a str> {
        match &self.comparison.stop {
            StopReason::Failed(reason) => Some(reason),
            _ => None,
        }
    }

    /// How long its batches took together: the time inside the clock; `None` where it was not timed.
    pub(crate) fn time_taken(&self) -> Option<Duration> {
        let kind = ArmKind::Variant(self.index);
        let arm = self.comparison.arms.iter().position(|arm| arm.kind == kind)?;
        let samples = self.comparison.forks.iter().filter_map(|fork| fork.arms.get(arm));
        let ns: Vec<u64> = samples.flat_map(|samples| samples.ns.iter().flatten().copied()).collect();
        (!ns.is_empty()).then(|| Duration::from_nanos(ns.iter().sum()))
    }

    /// The figures of each fork, of the variant's own arm or of the control.
    pub(crate) fn forks(&self, kind: ArmKind) -> Vec<ForkFigures> {
        let arm = self.comparison.arms.iter().position(|arm| arm.kind == kind);
        let forks = self.comparison.forks.iter();
        let figures = forks.filter_map(|fork| fork_figures(fork, arm?));
        figures.filter(|figures| figures.time_ns.is_finite()).collect()
    }
}

/// Both ends of an interval, where it has them and they are finite.
pub(crate) fn ends(estimate: &Estimate) -> Option<(f64, f64)> {
    estimate.interval().filter(|(low, high)| low.is_finite() && high.is_finite())
}

/// A figure with all its digits and its interval: `780.2 [771, 790.5]`.
pub(crate) fn full(estimate: &Estimate) -> String {
    match ends(estimate) {
        Some((low, high)) => format!("{} [{low}, {high}]", estimate.value),
        None => format!("{} [no interval]", estimate.value),
    }
}
