//! What runs of one commit measured, and which side of the change that is.

use crate::command::counted_run::{CountedRun, ended};
use fathom_audit::{BudgetVerdict, GapKind, RunCalls, StepSide};
use fathom_model::Reading;
use std::collections::BTreeSet;

/// Runs of one commit.
#[derive(Debug, Clone, Default)]
pub(super) struct Measured {
    pub(super) values: Vec<f64>,
    verdicts: BTreeSet<&'static str>,
    /// Why a run gave no number, or none that can be trusted.
    unknown: Option<String>,
    /// How its runs ended.
    pub(super) ends: BTreeSet<String>,
    /// What was not seen.
    gaps: BTreeSet<String>,
    /// The calls of each run.
    pub(super) calls: Vec<RunCalls>,
    pub(super) unit: String,
    pub(super) capture: Option<String>,
    /// True where the first run, which counts for nothing, gave another number than the others.
    pub(super) first_differs: bool,
}

const MET: &str = "met";
const NOT_MET: &str = "not met";
const NOT_KNOWN: &str = "not known";

impl Measured {
    /// Takes in a run that counts.
    pub(super) fn push(&mut self, run: CountedRun) {
        self.ends.insert(ended(run.exit));
        self.gaps.extend(run.gaps.iter().map(|gap| gap.text.clone()));
        let cut = run.gaps.iter().find(|gap| matches!(gap.kind, GapKind::Lost | GapKind::Cut));
        if let Some(gap) = cut {
            self.unknown = Some(gap.text.clone());
        }
        if let Some(outcome) = run.audit.budgets.first() {
            self.unit.clone_from(&outcome.unit);
            match &outcome.measured {
                Reading::Value(value) => self.values.push(*value),
                Reading::Unavailable(reason) => self.unknown = Some(reason.clone()),
            }
            self.verdicts.insert(match outcome.verdict {
                BudgetVerdict::Met => MET,
                BudgetVerdict::NotMet => NOT_MET,
                BudgetVerdict::NotKnown => NOT_KNOWN,
            });
            if outcome.verdict == BudgetVerdict::NotKnown && self.unknown.is_none() {
                self.unknown.clone_from(&outcome.not_known);
            }
        }
        self.capture = self.capture.take().or(run.capture);
        self.calls.push(run.calls);
    }

    /// True where runs differ in what is asked.
    pub(super) fn varies(&self) -> bool {
        self.values.windows(2).any(|pair| !is_equal(pair[0], pair[1])) || self.verdicts.len() > 1
    }

    fn range(&self) -> (f64, f64) {
        let low = self.values.iter().copied().fold(f64::INFINITY, f64::min);
        (low, self.values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    }

    /// What is to be known of an end.
    pub(super) fn notes(&self, name: &str) -> Vec<String> {
        let mut notes: Vec<_> = self.gaps.iter().map(|gap| format!("not seen at {name}: {gap}")).collect();
        let ends = words(&self.ends);
        if self.ends.iter().any(|end| end != "exit 0") {
            notes.push(format!("the command ends with {ends}"));
        }
        notes
    }
}

/// Counts are whole numbers, or quotients of them.
fn is_equal(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1.0)
}

fn words(ends: &BTreeSet<String>) -> String {
    ends.iter().cloned().collect::<Vec<_>>().join(" or ")
}

/// What tells the sides of the change apart.
#[derive(Debug)]
pub(super) struct Frontier {
    good: (f64, f64),
    bad: (f64, f64),
    is_budget: bool,
    ends: BTreeSet<String>,
    /// Counted runs of each step.
    pub(super) runs: u32,
    /// True where the first run of a fresh clone gives another number.
    pub(super) warms_up: bool,
}

/// Runs of a step where a program varies by itself.
pub(super) const RUNS_OF_STEP: u32 = 5;

impl Frontier {
    /// The frontier between two ends, or why there is none.
    pub(super) fn between(good: &Measured, bad: &Measured, is_budget: bool) -> Result<Self, String> {
        for (side, end) in [("good", good), ("bad", bad)] {
            if let Some(reason) = &end.unknown {
                return Err(format!("at --{side} it is not known: {reason}"));
            }
        }
        if good.ends != bad.ends || good.ends.len() != 1 {
            return Err(format!(
                "the command ends with {} at --good and with {} at --bad: counts of different ends are not compared",
                words(&good.ends),
                words(&bad.ends)
            ));
        }
        let (low, high) = (good.range(), bad.range());
        let ranges = || format!("{} at --good, {} at --bad", shown(low), shown(high));
        if is_budget {
            let verdicts = [good, bad].map(|end| end.verdicts.iter().copied().collect::<Vec<_>>());
            if verdicts != [vec![MET], vec![NOT_MET]] {
                let [good, bad] = verdicts.map(|verdicts| verdicts.join(" or "));
                let mended = if good == NOT_MET && bad == MET {
                    "; it was mended on the way: --metric finds the commit that changed the count"
                } else {
                    ""
                };
                return Err(format!(
                    "the budget is {good} at --good and {bad} at --bad ({}){mended}",
                    ranges()
                ));
            }
        } else if low.0 <= high.1 && high.0 <= low.1 {
            let varies = good.varies() || bad.varies();
            return Err(if varies {
                format!("the ranges overlap ({}): what the program varies by itself hides a change", ranges())
            } else {
                format!("the count is the same at both ends ({})", shown(low))
            });
        }
        let exact = !good.varies() && !bad.varies();
        Ok(Self {
            good: low,
            bad: high,
            is_budget,
            ends: good.ends.clone(),
            runs: if exact { 1 } else { RUNS_OF_STEP },
            warms_up: good.first_differs || bad.first_differs,
        })
    }

    /// On which side of it a commit is.
    pub(super) fn side(&self, measured: &Measured) -> StepSide {
        if measured.ends != self.ends {
            let (here, there) = (words(&measured.ends), words(&self.ends));
            return StepSide::Skipped(format!("the command ends with {here}, at both ends with {there}"));
        }
        if let Some(reason) = &measured.unknown {
            return StepSide::Skipped(format!("not known: {reason}"));
        }
        let is_good: BTreeSet<bool> = if self.is_budget {
            measured.verdicts.iter().map(|verdict| *verdict == MET).collect()
        } else {
            measured.values.iter().map(|value| self.is_good(*value)).collect()
        };
        match (is_good.len(), is_good.first()) {
            (1, Some(true)) => StepSide::Good,
            (1, Some(false)) => StepSide::Bad,
            _ => StepSide::Skipped("its runs fall on both sides".to_owned()),
        }
    }

    /// As the older end. An exact count is, or is not; one that varies is where it is nearer to.
    fn is_good(&self, value: f64) -> bool {
        let (low, high) = self.good;
        if is_equal(low, high) && is_equal(self.bad.0, self.bad.1) {
            return is_equal(value, low);
        }
        let distance = |(low, high): (f64, f64)| (low - value).max(value - high).max(0.0);
        distance(self.good) < distance(self.bad)
    }

    /// True where one run was to decide, and gave a number that neither end has.
    pub(super) fn is_unforeseen(&self, measured: &Measured) -> bool {
        self.runs == 1 && measured.values.iter().any(|value| self.is_neither(*value))
    }

    /// True of a number that neither end has.
    pub(super) fn is_neither(&self, value: f64) -> bool {
        [self.good, self.bad].iter().all(|(low, high)| {
            (value < *low || value > *high) && !is_equal(value, *low) && !is_equal(value, *high)
        })
    }
}

fn shown((low, high): (f64, f64)) -> String {
    let number = |value: f64| format!("{value:.3}").trim_end_matches('0').trim_end_matches('.').to_owned();
    if is_equal(low, high) { number(low) } else { format!("{} to {}", number(low), number(high)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(values: &[f64]) -> Measured {
        Measured {
            values: values.to_vec(),
            ends: BTreeSet::from(["exit 0".to_owned()]),
            verdicts: BTreeSet::from([MET]),
            ..Measured::default()
        }
    }

    #[test]
    fn exact_counts_take_one_run_and_any_other_number_is_bad() {
        let frontier = Frontier::between(&end(&[4.0, 4.0]), &end(&[8.0, 8.0]), false).unwrap();
        assert_eq!(frontier.runs, 1);
        let side = |value: f64| frontier.side(&end(&[value]));
        assert_eq!(
            [4.0, 8.0, 5.0, 3.0].map(side),
            [StepSide::Good, StepSide::Bad, StepSide::Bad, StepSide::Bad]
        );
        assert!(frontier.is_neither(5.0) && !frontier.is_neither(8.0));
    }

    #[test]
    fn a_count_that_varies_is_where_it_is_nearer_to() {
        let frontier = Frontier::between(&end(&[4.0, 6.0]), &end(&[10.0, 12.0]), false).unwrap();
        assert_eq!(frontier.runs, RUNS_OF_STEP);
        assert_eq!(frontier.side(&end(&[7.0, 3.0])), StepSide::Good);
        assert_eq!(frontier.side(&end(&[9.0, 13.0])), StepSide::Bad);
        assert!(matches!(frontier.side(&end(&[5.0, 11.0])), StepSide::Skipped(_)));
    }

    #[test]
    fn equal_ends_and_ranges_that_touch_are_refused() {
        let refused =
            |good: &[f64], bad: &[f64]| Frontier::between(&end(good), &end(bad), false).unwrap_err();
        assert!(refused(&[4.0], &[4.0]).contains("the same at both ends (4)"));
        assert!(refused(&[4.0, 6.0], &[6.0, 9.0]).contains("the ranges overlap (4 to 6 at --good, 6 to 9"));
        let failing = Measured { ends: BTreeSet::from(["exit 1".to_owned()]), ..end(&[9.0]) };
        let refused = Frontier::between(&end(&[4.0]), &failing, false).unwrap_err();
        assert!(refused.contains("exit 0 at --good and with exit 1 at --bad"), "{refused}");
    }

    #[test]
    fn a_command_that_ends_otherwise_is_skipped() {
        let frontier = Frontier::between(&end(&[4.0]), &end(&[8.0]), false).unwrap();
        let failing = Measured { ends: BTreeSet::from(["exit 2".to_owned()]), ..end(&[4.0]) };
        let StepSide::Skipped(reason) = frontier.side(&failing) else { panic!("skipped") };
        assert_eq!(reason, "the command ends with exit 2, at both ends with exit 0");
    }
}
