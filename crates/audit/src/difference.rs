//! Two audits side by side: calls that vanished, calls that are new, findings that are gone,
//! new, or more or fewer, and what the differences cost by one list of prices.

use crate::audit::{Audit, is_of_memory};
use crate::budget::is_of_file_path;
use crate::call_tree::CallTree;
use crate::fact::FactKind;
use crate::finding::{Finding, FindingClass, RuleId, Severity};
use crate::gap::Gap;
use crate::path_set::PathSet;
use crate::prices::Prices;
use crate::rule_choice::RuleChoice;
use crate::rule_list::rule_facts;
use fathom_model::{CallOutcome, CountedCalls};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The version of this form. It rises when a reader of the older form would misread
/// the newer one.
pub const AUDIT_DIFFERENCE_VERSION: u32 = 2;

/// What tells this kind of file from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// Two audits side by side.
    AuditDifference,
}

/// One of the two sides.
#[derive(Debug, Clone)]
pub struct Side {
    /// The file, or what it is called.
    pub name: String,
    /// What was audited, in words.
    pub subject: String,
    /// Every call by its condition.
    pub calls: Vec<CountedCalls>,
    /// What was found; `None` where calls were only counted.
    pub findings: Option<Vec<Finding>>,
    /// Its calls by what they asked for, where they were counted so.
    pub tree: Option<CallTree>,
    /// What of it was not judged.
    pub gaps: Vec<Gap>,
    /// Which rules judged it.
    pub rules: RuleChoice,
}

/// How two audits differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditDifference {
    /// What this file is.
    pub kind: DifferenceKind,
    /// The form of this value.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// The older side.
    pub before: SideSum,
    /// The newer side.
    pub after: SideSum,
    /// Where prices come from, or why there are none.
    pub prices: String,
    /// Kinds of calls whose number differs, the dearest difference first.
    pub calls: Vec<CallDifference>,
    /// Kinds of calls that are as many on both sides.
    pub same_kinds: u64,
    /// Packages, modules, libraries and directories that another number of calls asked for, the greatest
    /// difference first; empty where one side has no tree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ItemDifference>,
    /// What was found on either side; empty where one was not judged.
    pub findings: Vec<FindingDifference>,
    /// Why findings are not compared, where they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings_not_compared: Option<String>,
    /// Rules that were left out on one side alone: what they found on the other is neither new nor gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules_not_compared: Vec<RuleId>,
}

/// One side in sum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SideSum {
    /// The file.
    pub name: String,
    /// What was audited.
    pub subject: String,
    /// Its calls, but those on memory without a file.
    pub calls: u64,
    /// What those that have a price cost together, in ns; `None` without prices.
    pub price_ns: Option<f64>,
    /// Calls that have no price.
    pub calls_without_price: u64,
    /// What of it was not judged: where there is any, what it lacks is not known to be gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap>,
}

/// Calls that asked for one thing on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemDifference {
    /// What kind of thing it is: `Node packages`.
    pub group: String,
    /// Which, with its parts.
    pub item: String,
    /// How many there were; 0 of what came in.
    pub before: u64,
    /// How many there are; 0 of what is gone.
    pub after: u64,
}

/// Calls of one kind on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallDifference {
    /// The kernel's name of the call.
    pub call: String,
    /// How it ended.
    pub outcome: CallOutcome,
    /// How many there were.
    pub before: u64,
    /// How many there are.
    pub after: u64,
    /// Bytes they moved.
    pub bytes_before: u64,
    /// Bytes they move.
    pub bytes_after: u64,
    /// What the difference costs, in ns; negative where it saves: that of the calls that have a price.
    /// `None` where none of those that are more or fewer has one.
    pub price_ns: Option<f64>,
    /// By how many more or fewer calls without a price the sides differ, which are not in it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub without_price: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &i64) -> bool {
    *count == 0
}

/// One finding on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingDifference {
    /// What became of it.
    pub change: FindingChange,
    /// The rule.
    pub rule: RuleId,
    /// Which of the rule's patterns it is, from 1.
    pub pattern: u32,
    /// What happens.
    pub title: String,
    /// Cost or danger.
    pub class: FindingClass,
    /// The worse of both.
    pub severity: Severity,
    /// Somebody decided to live with it, on the newer side where it is there.
    pub suppressed: bool,
    /// The program's name.
    pub program: Option<String>,
    /// The function of the user's own that all of it comes from, where stacks were taken and tell one.
    pub function: Option<String>,
    /// Where it lies, by the newer side where it is there.
    pub paths: Option<PathSet>,
    /// How often it happened.
    pub before: u64,
    /// How often it happens.
    pub after: u64,
    /// What the difference of its avoidable calls costs, in ns.
    pub price_ns: Option<f64>,
}

/// What became of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingChange {
    /// It was not there.
    New,
    /// It happens more often.
    More,
    /// It happens less often.
    Fewer,
    /// It is not there any more.
    Gone,
    /// It happens as often.
    Same,
}

/// By what calls of both sides are matched. What kind of file it was is not among it: whether a
/// source knew that depends on what else was called.
type CallKey = (String, CallOutcome);
/// By what findings are: rule, its pattern, program. Not by the function, which not every run knows of every
/// call.
type FindingKey = (RuleId, u32, Option<String>);

#[derive(Debug, Default)]
struct Sum {
    count: u64,
    bytes: u64,
    /// What those that have a price cost.
    price_ns: f64,
    /// How many have none.
    without_price: u64,
}

impl Side {
    /// The side with calls of the file path alone, where that is asked for.
    fn of_file_path(&self, only: bool) -> Self {
        let mut side = self.clone();
        if only {
            side.calls.retain(|call| is_of_file_path(&call.call));
        }
        side
    }

    /// An audit as one side.
    pub fn of_audit(name: &str, audit: Audit) -> Self {
        let subject = audit.fact(FactKind::Subject).unwrap_or_default().to_owned();
        Self {
            name: name.to_owned(),
            subject,
            calls: audit.calls,
            tree: audit.tree,
            gaps: audit.gaps,
            rules: audit.rules,
            findings: Some(audit.findings.into_iter().chain(audit.trifles).collect()),
        }
    }
}

impl AuditDifference {
    /// Puts two sides beside each other; `prices` are of one list for both.
    pub fn new(before: &Side, after: &Side, prices: &dyn Prices, prices_are: &str) -> Self {
        // A count has every call, an audit those of the file path.
        let is_mixed = before.findings.is_some() != after.findings.is_some();
        let (before, after) = (&before.of_file_path(is_mixed), &after.of_file_path(is_mixed));
        let (old, new) = (sums(&before.calls, prices), sums(&after.calls, prices));
        let keys: BTreeSet<&CallKey> = old.keys().chain(new.keys()).collect();
        let none = Sum::default();
        let mut same_kinds = 0;
        let mut calls = Vec::new();
        for key in keys {
            let (before, after) = (old.get(key).unwrap_or(&none), new.get(key).unwrap_or(&none));
            if before.count == after.count {
                same_kinds += 1;
                continue;
            }
            let (call, outcome) = key.clone();
            calls.push(CallDifference {
                call,
                outcome,
                before: before.count,
                after: after.count,
                bytes_before: before.bytes,
                bytes_after: after.bytes,
                // As many without a price on both sides cancel.
                price_ns: (before.count - before.without_price != after.count - after.without_price
                    || before.without_price == after.without_price)
                    .then_some(after.price_ns - before.price_ns),
                without_price: after.without_price.cast_signed() - before.without_price.cast_signed(),
            });
        }
        calls.sort_by(|one, other| {
            let ns = |row: &CallDifference| row.price_ns.map_or(0.0, f64::abs);
            let count = |row: &CallDifference| row.before.abs_diff(row.after);
            ns(other).total_cmp(&ns(one)).then(count(other).cmp(&count(one)))
        });
        let (findings, findings_not_compared) = match (&before.findings, &after.findings) {
            (Some(old), Some(new)) => (findings(old, new, prices), None),
            (None, _) => (Vec::new(), Some(format!("{} holds counted calls and no findings", before.name))),
            (_, None) => (Vec::new(), Some(format!("{} holds counted calls and no findings", after.name))),
        };
        let of_one_side = |rule: &RuleId| before.rules.has(*rule) != after.rules.has(*rule);
        let rules_not_compared: Vec<RuleId> = match findings_not_compared {
            None => rule_facts().iter().map(|facts| facts.id).filter(of_one_side).collect(),
            Some(_) => Vec::new(),
        };
        Self {
            kind: DifferenceKind::AuditDifference,
            schema_version: AUDIT_DIFFERENCE_VERSION,
            fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
            before: side_sum(before, prices),
            after: side_sum(after, prices),
            prices: prices_are.to_owned(),
            calls,
            same_kinds,
            items: before.tree.as_ref().zip(after.tree.as_ref()).map_or_else(Vec::new, items),
            findings: findings.into_iter().filter(|row| !of_one_side(&row.rule)).collect(),
            findings_not_compared,
            rules_not_compared,
        }
    }

    /// True where nothing was priced on either side: there are no prices.
    pub fn has_no_prices(&self) -> bool {
        self.before.price_ns.is_none() && self.after.price_ns.is_none()
    }

    /// Findings of such a change that nobody lives with.
    pub fn findings_that_are(&self, change: FindingChange) -> impl Iterator<Item = &FindingDifference> {
        self.findings.iter().filter(move |finding| finding.change == change && !finding.suppressed)
    }
}

/// What another number of calls asked for.
fn items((before, after): (&CallTree, &CallTree)) -> Vec<ItemDifference> {
    let mut counts: BTreeMap<(&str, &str), [u64; 2]> = BTreeMap::new();
    for (side, tree) in [before, after].into_iter().enumerate() {
        for row in &tree.rows {
            counts.entry((&row.group, &row.item)).or_default()[side] += row.sums.calls;
        }
    }
    let differ = counts.into_iter().filter(|(_, [before, after])| before != after);
    let mut items: Vec<_> = differ
        .map(|((group, item), [before, after])| ItemDifference {
            group: group.to_owned(),
            item: item.to_owned(),
            before,
            after,
        })
        .collect();
    items.sort_by_key(|row| Reverse(row.before.abs_diff(row.after)));
    items
}

fn sums(calls: &[CountedCalls], prices: &dyn Prices) -> BTreeMap<CallKey, Sum> {
    let mut sums: BTreeMap<CallKey, Sum> = BTreeMap::new();
    for call in calls {
        let sum = sums.entry((call.call.clone(), call.outcome.clone())).or_default();
        match priced(call, prices) {
            Some(price_ns) => sum.price_ns += price_ns,
            None => sum.without_price += call.count,
        }
        sum.count += call.count;
        sum.bytes += call.bytes;
    }
    sums
}

fn priced(call: &CountedCalls, prices: &dyn Prices) -> Option<f64> {
    Some(prices.price(call)?.wall_ns.value * call.count as f64)
}

fn side_sum(side: &Side, prices: &dyn Prices) -> SideSum {
    let (mut price_ns, mut without, mut calls) = (None, 0, 0);
    for call in side.calls.iter().filter(|call| !is_of_memory(call)) {
        calls += call.count;
        match priced(call, prices) {
            Some(price) => price_ns = Some(price_ns.unwrap_or(0.0) + price),
            None => without += call.count,
        }
    }
    SideSum {
        name: side.name.clone(),
        subject: side.subject.clone(),
        calls,
        price_ns,
        calls_without_price: without,
        gaps: side.gaps.clone(),
    }
}

fn findings(before: &[Finding], after: &[Finding], prices: &dyn Prices) -> Vec<FindingDifference> {
    let mut pairs: BTreeMap<FindingKey, (Vec<&Finding>, Vec<&Finding>)> = BTreeMap::new();
    for finding in before {
        pairs.entry(key(finding)).or_default().0.push(finding);
    }
    for finding in after {
        pairs.entry(key(finding)).or_default().1.push(finding);
    }
    let differences = pairs.into_iter().map(|(key, (old, new))| difference(key, &old, &new, prices));
    let mut differences: Vec<_> = differences.collect();
    differences.sort_by(|one, other| {
        let ns = |row: &FindingDifference| row.price_ns.map_or(0.0, f64::abs);
        (one.change, one.class, one.severity)
            .cmp(&(other.change, other.class, other.severity))
            .then(ns(other).total_cmp(&ns(one)))
    });
    differences
}

/// What became of findings over several runs of each side: one is new where every run of the newer side
/// has it and none of the older, and happens more often where it does in every run.
pub fn findings_of_runs(
    before: &[&[Finding]],
    after: &[&[Finding]],
    prices: &dyn Prices,
) -> Vec<FindingDifference> {
    let (Some(first_before), Some(first_after)) = (before.first(), after.first()) else { return Vec::new() };
    let keys = [before, after].concat().into_iter().flatten().map(key).collect::<BTreeSet<FindingKey>>();
    let range = |runs: &[&[Finding]], wanted: &FindingKey| {
        let counts = runs.iter().map(|run| {
            run.iter().filter(|finding| key(finding) == *wanted).map(|finding| finding.count).sum::<u64>()
        });
        let counts: Vec<u64> = counts.collect();
        (counts.iter().min().copied().unwrap_or(0), counts.iter().max().copied().unwrap_or(0))
    };
    let is_apart = |wanted: &FindingKey| {
        let ((low, high), (new_low, new_high)) = (range(before, wanted), range(after, wanted));
        high < new_low || new_high < low
    };
    let apart: BTreeSet<FindingKey> = keys.into_iter().filter(|key| is_apart(key)).collect();
    let of_first = findings(first_before, first_after, prices).into_iter();
    let is_told = |row: &FindingDifference| apart.contains(&(row.rule, row.pattern, row.program.clone()));
    of_first.filter(|row| row.change != FindingChange::Same && is_told(row)).collect()
}

fn difference(
    (rule, pattern, program): FindingKey,
    old: &[&Finding],
    new: &[&Finding],
    prices: &dyn Prices,
) -> FindingDifference {
    let count = |side: &[&Finding]| side.iter().map(|finding| finding.count).sum::<u64>();
    let (before, after) = (count(old), count(new));
    let change = match (old.is_empty(), new.is_empty()) {
        (true, _) => FindingChange::New,
        (_, true) => FindingChange::Gone,
        _ if after > before => FindingChange::More,
        _ if after < before => FindingChange::Fewer,
        _ => FindingChange::Same,
    };
    let cost = |side: &[&Finding]| {
        let calls = side.iter().flat_map(|finding| &finding.avoidable);
        calls.map(|call| priced(call, prices)).sum::<Option<f64>>()
    };
    let shown = if new.is_empty() { old } else { new };
    let first = shown[0];
    FindingDifference {
        change,
        rule,
        pattern,
        title: first.title.clone(),
        class: first.class,
        severity: old.iter().chain(new).map(|finding| finding.severity).min().unwrap_or(first.severity),
        suppressed: shown.iter().all(|finding| finding.suppressed.is_some()),
        program,
        function: function(shown),
        paths: first.whole.as_ref().map_or(&first.place.paths, |whole| &whole.paths).clone(),
        before,
        after,
        price_ns: cost(new).zip(cost(old)).map(|(new, old)| new - old),
    }
}

fn key(finding: &Finding) -> FindingKey {
    let program = finding.place.program.as_deref().and_then(|path| path.rsplit('/').next());
    (finding.rule, finding.pattern, program.map(str::to_owned))
}

/// The function that all of them are told by, where there is one.
fn function(findings: &[&Finding]) -> Option<String> {
    let told = findings.iter().map(|finding| finding.place.first_of_yours()?.function.clone());
    let told: BTreeSet<Option<String>> = told.collect();
    if told.len() == 1 { told.into_iter().flatten().next() } else { None }
}

#[cfg(test)]
mod tests;
