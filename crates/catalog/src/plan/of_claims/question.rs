//! What is asked of a pair of variants, and the comparison that can answer it.

use super::arms::Arm;
use crate::plan::{Goal, Plan, PlannedComparison, differing_parameters};
use fathom_model::{CacheState, Check, Explain, Form, Metric, Setting, Variant};
use fathom_stats::TimedQuestion;

/// What is asked of a pair.
pub(super) struct Question<'a> {
    pub(super) name: &'a str,
    pub(super) metric: &'a Metric,
    pub(super) form: Form,
    pub(super) check: &'a Check,
}

impl Question<'_> {
    /// Adds it to a comparison that has both arms, or to a new one.
    pub(super) fn add(&self, plan: &mut Plan, of: Arm, to: Option<Arm>) {
        let label = match &to {
            Some(to) if to.label != of.label => format!("{} beside {}", of.label, to.label),
            _ => of.label.clone(),
        };
        let label = format!("{}: {label}", self.name);
        let mut variants = Vec::new();
        // What is compared with comes first: it is the baseline.
        for arm in to.into_iter().chain([of]) {
            let place = plan.index_of(&arm.place);
            variants.push(Variant { place, ..arm.variant });
        }
        // What is counted is the same beside others.
        let holds = |known: &PlannedComparison| {
            known.variants == variants
                || !self.metric.is_timed() && variants.iter().all(|one| known.variants.contains(one))
        };
        let known = plan.comparisons.iter().position(holds);
        let at = known.unwrap_or(plan.comparisons.len());
        if known.is_none() {
            plan.comparisons.push(PlannedComparison {
                label,
                differing_parameters: differing_parameters(&variants),
                variants: variants.clone(),
                baseline: 0,
                explain: Vec::new(),
                goal: Goal::Counts,
            });
        }
        let comparison = &mut plan.comparisons[at];
        comparison
            .explain
            .extend(explain(self.metric).filter(|explain| !comparison.explain.contains(explain)));
        // Only the time pass looks at the page cache: nothing else proves that it was cold.
        let cold = variants.iter().any(|variant| variant.cache == CacheState::Cold);
        let needs_times = match self.metric {
            Metric::Time
            | Metric::BatchP99
            | Metric::Runtime(_)
            | Metric::Resident
            | Metric::CpuShare
            | Metric::Stacks(_) => true,
            // Batches without a fixed length are made as long as the operation's time asks for.
            Metric::Counter(_) | Metric::Predicted(_) => {
                variants.iter().any(|variant| variant.parameters.settings.number(Setting::Operations) == 0)
            }
            Metric::Calls | Metric::Call(_) | Metric::Answer => false,
        };
        if cold || needs_times {
            let of = variants.len() - 1;
            comparison.goal = std::mem::replace(&mut comparison.goal, Goal::Counts).asking(
                self.metric.is_timed().then(|| TimedQuestion {
                    metric: self.metric.clone(),
                    form: self.form,
                    of,
                    to: (of > 0).then_some(0),
                    region: self.check.region,
                    alpha: 1.0,
                }),
            );
        }
    }
}

impl Goal {
    /// This goal, and further questions.
    pub(super) fn asking(self, further: impl IntoIterator<Item = TimedQuestion>) -> Self {
        let mut questions = match self {
            Self::Verdicts(questions) => questions,
            Self::Precision | Self::Counts => Vec::new(),
        };
        questions.extend(further);
        Self::Verdicts(questions)
    }
}

/// The pass that a metric needs beside calls and times.
fn explain(metric: &Metric) -> Option<Explain> {
    match metric {
        Metric::Counter(_) | Metric::Predicted(_) | Metric::CpuShare => Some(Explain::Counters),
        Metric::Stacks(_) => Some(Explain::Profile),
        _ => None,
    }
}
