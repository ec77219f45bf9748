//! Budgets: what a run may do, said in one line each, held against the same events that
//! rules see. docs/budgets.md is their reference.

mod error;
mod families;
mod parse;
mod tally;
#[cfg(test)]
mod tests;
mod words;

pub use error::BudgetError;
pub(crate) use tally::{CallPattern, Tally};

use crate::audit::Audit;
use crate::budget_outcome::{BudgetOutcome, BudgetVerdict};
use crate::finding::{Finding, RuleId};
use crate::glob::Glob;
use fathom_events::CallName;
use fathom_model::Reading;
use std::collections::BTreeSet;

/// What a run may do: `newfstatat <= 1 per open(*.json)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Budget {
    text: String,
    /// Where it was written: `.fathom.toml:12`.
    written_at: Option<String>,
    subject: Subject,
    comparison: Comparison,
    limit: f64,
    per: Option<Unit>,
    includes_loader: bool,
}

/// What was not seen.
struct Unknown {
    reason: String,
    /// Events were lost, between others that were seen.
    is_lost: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Subject {
    Calls(Selection),
    Bytes {
        of: Selection,
        written: bool,
    },
    /// How many findings, or how often one rule found something.
    Findings(Option<RuleId>),
    Processes,
    /// Of all its calls.
    Price,
}

#[derive(Debug, Clone, PartialEq)]
enum Unit {
    Process,
    Calls(Selection),
}

#[derive(Debug, Clone, PartialEq)]
struct Selection {
    calls: Names,
    path: Option<Glob>,
    named_by: Option<NamedBy>,
    ending: Ending,
}

/// How a call says which file it is about.
#[derive(Debug, Clone, Copy, PartialEq)]
enum NamedBy {
    Path,
    Descriptor,
}

#[derive(Debug, Clone, PartialEq)]
enum Names {
    All,
    These(Vec<CallName>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Ending {
    Any,
    Succeeded,
    /// With this errno, or with any.
    Failed(Option<i32>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Comparison {
    AtMost,
    Below,
    AtLeast,
    Above,
    Equal,
}

impl Budget {
    /// Reads one.
    pub fn parse(text: &str) -> Result<Self, BudgetError> {
        parse::parse(text)
    }

    /// One that only counts what it is about and allows everything: `openat(*.json)`, `read per open`.
    pub fn parse_metric(text: &str) -> Result<Self, BudgetError> {
        parse::parse_metric(text)
    }

    /// Patterns of paths are seen from this directory too.
    #[must_use]
    pub fn seen_from(mut self, directory: &str) -> Self {
        let subject = match &mut self.subject {
            Subject::Calls(selection) | Subject::Bytes { of: selection, .. } => Some(selection),
            Subject::Findings(_) | Subject::Processes | Subject::Price => None,
        };
        let unit = match &mut self.per {
            Some(Unit::Calls(selection)) => Some(selection),
            Some(Unit::Process) | None => None,
        };
        for path in [subject, unit].into_iter().flatten().filter_map(|selection| selection.path.as_mut()) {
            path.see_from(directory);
        }
        self
    }

    /// Was written at this place: `.fathom.toml:12`.
    #[must_use]
    pub fn written_at(mut self, place: &str) -> Self {
        self.written_at = Some(place.to_owned()).filter(|place| !place.is_empty());
        self
    }

    /// The calls that it names one by one, and not by their family: a machine may lack them.
    pub fn named_calls(&self) -> Vec<CallName> {
        let subject = match &self.subject {
            Subject::Calls(selection) => selection.named_call(),
            Subject::Bytes { .. } | Subject::Findings(_) | Subject::Processes | Subject::Price => None,
        };
        let unit = match &self.per {
            Some(Unit::Calls(selection)) => selection.named_call(),
            Some(Unit::Process) | None => None,
        };
        subject.into_iter().chain(unit).collect()
    }

    /// The budget as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn unit_words(&self) -> &'static str {
        match self.subject {
            Subject::Calls(_) => "calls",
            Subject::Bytes { .. } => "bytes",
            Subject::Findings(_) => "findings",
            Subject::Processes => "processes",
            Subject::Price => "ns",
        }
    }

    /// The pattern of a budget that is met by nothing at all although it allows something.
    fn pattern_to_match(&self) -> Option<&Glob> {
        let allows_some = match self.comparison {
            Comparison::AtMost => self.limit > 0.0,
            Comparison::Below => self.limit > 1.0,
            Comparison::AtLeast | Comparison::Above | Comparison::Equal => false,
        };
        match &self.subject {
            Subject::Calls(selection) | Subject::Bytes { of: selection, .. } => selection.path.as_ref(),
            Subject::Findings(_) | Subject::Processes | Subject::Price => None,
        }
        .filter(|_| allows_some && self.per.is_none())
    }

    fn is_met(&self, measured: f64) -> bool {
        match self.comparison {
            Comparison::AtMost => measured <= self.limit,
            Comparison::Below => measured < self.limit,
            Comparison::AtLeast => measured >= self.limit,
            Comparison::Above => measured > self.limit,
            Comparison::Equal => (measured - self.limit).abs() < f64::EPSILON * self.limit.max(1.0),
        }
    }

    /// True when no more of what is counted can bring a run that did this much within the budget,
    /// or out of it. What is counted per something may go either way.
    fn holds_for_more(&self, measured: f64) -> bool {
        self.per.is_none()
            && match self.comparison {
                Comparison::AtMost | Comparison::Equal | Comparison::Above => measured > self.limit,
                Comparison::Below | Comparison::AtLeast => measured >= self.limit,
            }
    }

    /// The verdict on what was measured, where `gap` says what was not seen.
    fn verdict(&self, measured: &Reading<f64>, gap: Option<&Unknown>) -> (BudgetVerdict, Option<String>) {
        let measured = match measured {
            Reading::Value(measured) => *measured,
            Reading::Unavailable(reason) => return (BudgetVerdict::NotKnown, Some(reason.clone())),
        };
        let is_open = |unknown: &&Unknown| {
            !self.holds_for_more(measured) || unknown.is_lost && self.goes_by_earlier_calls()
        };
        match gap.filter(is_open) {
            Some(unknown) => (BudgetVerdict::NotKnown, Some(unknown.reason.clone())),
            None if self.is_met(measured) => (BudgetVerdict::Met, None),
            None => (BudgetVerdict::NotMet, None),
        }
    }

    /// True of what a call that was lost can make more of: which file a descriptor is, what a finding
    /// goes by.
    fn goes_by_earlier_calls(&self) -> bool {
        match &self.subject {
            Subject::Calls(selection) | Subject::Bytes { of: selection, .. } => selection.path.is_some(),
            Subject::Findings(_) => true,
            Subject::Processes | Subject::Price => false,
        }
    }

    fn outcome(&self, measured: Reading<f64>) -> BudgetOutcome {
        let (verdict, not_known) = self.verdict(&measured, None);
        BudgetOutcome {
            budget: self.text.clone(),
            written_at: self.written_at.clone(),
            unit: self.unit_words().to_owned(),
            limit: self.limit,
            verdict,
            not_known,
            measured,
            total: None,
            divided_by: None,
            paths: None,
            calls: Vec::new(),
        }
    }

    /// Of what is known when everything else is: findings and prices.
    fn settled(&self, audit: &Audit) -> Option<BudgetOutcome> {
        let measured = match self.subject {
            Subject::Calls(_) | Subject::Bytes { .. } => return None,
            Subject::Findings(rule) => Reading::Value(found(audit, rule) as f64),
            Subject::Processes => Reading::Value(audit.processes as f64),
            Subject::Price => price(audit),
        };
        Some(self.outcome(measured))
    }
}

impl Selection {
    fn named_call(&self) -> Option<CallName> {
        match &self.calls {
            Names::These(calls) => <[CallName; 1]>::try_from(calls.as_slice()).ok().map(|[call]| call),
            Names::All => None,
        }
    }
}

/// The calls of a family, or the call of that name.
pub(crate) fn calls_of(name: &str) -> Option<Vec<String>> {
    let family = families::calls_of(name).map(|calls| calls.into_iter().map(str::to_owned).collect());
    family.or_else(|| families::call_named(name).map(|call| vec![call.to_owned()]))
}

/// True of a call on the file path, by its name.
pub(crate) fn is_of_file_path(call: &str) -> bool {
    families::call_named(call).is_some()
}

impl Audit {
    /// Holds the run against the budgets on findings and prices too; the others are held when the
    /// last event was judged. `budgets` are those that the auditor was given. What was not seen, or
    /// was judged by no rule, makes no budget met.
    pub fn settle(&mut self, budgets: &[Budget]) {
        let is_lost = self.has_lost();
        let unseen = self.gaps.first().map(|gap| format!("{}: {}", gap.kind.word(), gap.text));
        for (number, budget) in budgets.iter().enumerate() {
            let settled = budget.settled(self);
            let Some(outcome) = self.budgets.get_mut(number) else { continue };
            if let Some(settled) = settled {
                *outcome = settled;
            }
            let left_out = match budget.subject {
                Subject::Findings(Some(rule)) if !self.rules.has(rule) => Some(rule),
                _ => None,
            };
            if let Some(rule) = left_out {
                outcome.measured = Reading::unavailable(format!("{rule} is left out of this audit"));
            }
            // What matched no path at all is known since the run ended.
            let blank = outcome.not_known.take().filter(|_| matches!(outcome.measured, Reading::Value(_)));
            let gap = unseen.clone().or(blank).map(|reason| Unknown { reason, is_lost });
            (outcome.verdict, outcome.not_known) = budget.verdict(&outcome.measured, gap.as_ref());
        }
    }

    /// True when a budget is known not to be met.
    pub fn breaks_budgets(&self) -> bool {
        self.budgets.iter().any(|outcome| outcome.verdict == BudgetVerdict::NotMet)
    }

    /// True when something of the run was not seen, or a budget could not be decided.
    pub fn is_partly_unknown(&self) -> bool {
        !self.gaps.is_empty() || self.budgets.iter().any(|outcome| outcome.verdict == BudgetVerdict::NotKnown)
    }
}

/// Findings that matter, at however many places of the code; of one rule, how often it found something. What is
/// suppressed is neither.
fn found(audit: &Audit, rule: Option<RuleId>) -> u64 {
    let live = audit.findings_and_trifles().filter(|finding| finding.suppressed.is_none());
    if let Some(rule) = rule {
        return live.filter(|finding| finding.rule == rule).map(|finding| finding.count).sum();
    }
    let of_matter = live.filter(|finding| Finding::matters(finding));
    let (alone, parts): (Vec<_>, Vec<_>) = of_matter.partition(|finding| finding.whole.is_none());
    let wholes = parts.iter().filter_map(|part| Some(part.whole.as_ref()?.number));
    (alone.len() + wholes.collect::<BTreeSet<_>>().len()) as u64
}

fn price(audit: &Audit) -> Reading<f64> {
    if audit.call_prices_ns.iter().all(Option::is_none) {
        return Reading::unavailable("there are no prices; `fathom prices` takes them");
    }
    let priced = audit.calls.iter().zip(&audit.call_prices_ns);
    Reading::Value(priced.filter_map(|(call, price)| Some(call.count as f64 * price.as_ref()?.value)).sum())
}
