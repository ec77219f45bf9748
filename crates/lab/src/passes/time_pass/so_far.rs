//! What the forks of a time pass say so far: computed once, and only when
//! somebody asks.

use super::Enough;
use fathom_model::{Control, Reading, Variant, VariantSummary};
use fathom_stats::{Aim, Parts, TimedQuestion, Verdict, relative_half_width, summarize};
use std::cell::OnceCell;

/// The baseline's own time wanders with the machine far more than any ratio: it
/// need be known only this many times less precisely.
const BASELINE_LENIENCE: f64 = 5.0;

/// The forks so far and what they say.
#[derive(Debug)]
pub struct SoFar<'a> {
    parts: Parts<'a>,
    enough: Enough<'a>,
    summarized: OnceCell<(Vec<Reading<VariantSummary>>, Reading<Control>)>,
    open: OnceCell<Vec<usize>>,
}

impl<'a> SoFar<'a> {
    pub(super) fn new(parts: Parts<'a>, enough: Enough<'a>) -> Self {
        Self { parts, enough, summarized: OnceCell::new(), open: OnceCell::new() }
    }

    /// How many forks there are.
    pub fn forks(&self) -> usize {
        self.parts.forks.len()
    }

    /// The variants.
    pub fn variants(&self) -> &'a [Variant] {
        self.parts.variants
    }

    /// Index of the variant that ratios refer to.
    pub fn baseline(&self) -> usize {
        self.parts.baseline
    }

    /// The summary of each variant.
    pub fn summaries(&self) -> &[Reading<VariantSummary>] {
        &self.summarized().0
    }

    /// The A/A control.
    pub fn control(&self) -> &Reading<Control> {
        &self.summarized().1
    }

    /// What it ends at.
    pub fn aim(&self) -> Aim {
        match self.enough {
            Enough::Precision(wanted) => {
                let scale = if self.parts.variants.len() == 1 { BASELINE_LENIENCE } else { 1.0 };
                let reached = self.reached().map(|reached| reached * scale);
                Aim::Precision { wanted: wanted * scale, reached }
            }
            Enough::Verdicts(questions) => {
                Aim::Verdicts { open: self.open_indices().len(), of: questions.len() }
            }
        }
    }

    pub(super) fn parts(&self) -> Parts<'a> {
        self.parts
    }

    /// The widest half width of the ratios, as a share, or a part of the baseline's
    /// own; `None` while something has no interval.
    pub(super) fn reached(&self) -> Option<f64> {
        let half_width = |(index, summary): (usize, &Reading<VariantSummary>)| {
            let summary = summary.value()?;
            if index == self.parts.baseline {
                return relative_half_width(&summary.time_ns).map(|half| half / BASELINE_LENIENCE);
            }
            relative_half_width(summary.ratio.as_ref()?)
        };
        self.summaries()
            .iter()
            .enumerate()
            .map(half_width)
            .try_fold(0.0, |widest, half| Some(f64::max(widest, half?)))
    }

    /// The questions whose verdict is not sure.
    pub(super) fn open(&self) -> Vec<&'a TimedQuestion> {
        let questions = self.questions();
        self.open_indices().iter().map(|&index| &questions[index]).collect()
    }

    fn open_indices(&self) -> &[usize] {
        self.open.get_or_init(|| {
            let questions = self.questions();
            let is_open = |&index: &usize| questions[index].verdict(self.parts) == Verdict::Undecided;
            (0..questions.len()).filter(is_open).collect()
        })
    }

    fn questions(&self) -> &'a [TimedQuestion] {
        match self.enough {
            Enough::Verdicts(questions) => questions,
            Enough::Precision(_) => &[],
        }
    }

    fn summarized(&self) -> &(Vec<Reading<VariantSummary>>, Reading<Control>) {
        self.summarized.get_or_init(|| summarize(self.parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::Comparison;

    fn aim(comparison: &Comparison, enough: Enough<'_>) -> Aim {
        SoFar::new(comparison.into(), enough).aim()
    }

    #[test]
    fn the_widest_ratio_says_how_far_it_is() {
        let comparison = fathom_testkit::complete().experiments.swap_remove(0).comparisons.swap_remove(0);
        let Aim::Precision { wanted, reached: Some(reached) } = aim(&comparison, Enough::Precision(0.01))
        else {
            panic!("no interval");
        };
        let widest = SoFar::new((&comparison).into(), Enough::Precision(0.01))
            .summaries()
            .iter()
            .filter_map(|summary| relative_half_width(summary.value()?.ratio.as_ref()?))
            .fold(0.0, f64::max);
        assert!((wanted - 0.01).abs() < 1e-12);
        assert!(reached >= widest && widest > 0.0, "{reached} {widest}");
        let few = Comparison { forks: comparison.forks[..2].to_vec(), ..comparison };
        let aim = aim(&few, Enough::Precision(0.01));
        assert_eq!(aim, Aim::Precision { wanted: 0.01, reached: None });
    }
}
