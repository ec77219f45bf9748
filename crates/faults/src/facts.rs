//! What a run that ended well has found, to be held against a run without a fault: what must
//! be the same, and what the run itself says that it lacks.

use crate::ground::{Ground, TARGET};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Of one run.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Line by line.
    pub found: BTreeSet<String>,
    /// Warnings, gaps and reasons.
    pub admitted: BTreeSet<String>,
}

/// Facts of runs without a fault: what was in each, and what was in any.
#[derive(Debug)]
pub(crate) struct Expected {
    stable: BTreeSet<String>,
    any: BTreeSet<String>,
    admitted: BTreeSet<String>,
}

impl Expected {
    /// From one run or more.
    pub(crate) fn from_runs(runs: &[Facts]) -> Self {
        let mut stable = runs.first().map(|run| run.found.clone()).unwrap_or_default();
        for run in runs {
            stable.retain(|line| run.found.contains(line));
        }
        let any = runs.iter().flat_map(|run| run.found.iter().cloned()).collect();
        let admitted = runs.iter().flat_map(|run| run.admitted.iter().cloned()).collect();
        Self { stable, any, admitted }
    }

    /// What is wrong with a run that says nothing of it, in words.
    pub(crate) fn unsaid_difference(&self, run: &Facts) -> Option<String> {
        if !run.admitted.is_subset(&self.admitted) {
            return None;
        }
        let missing: Vec<_> = self.stable.difference(&run.found).map(String::as_str).collect();
        let added: Vec<_> = run.found.difference(&self.any).map(String::as_str).collect();
        // What varies between good runs may vary on.
        let is_steady = self.stable == self.any;
        let is_wrong = !missing.is_empty() || (is_steady && !added.is_empty());
        is_wrong.then(|| format!("lacks: {}; has: {}", missing.join(", "), added.join(", ")))
    }
}

fn target(ground: &Ground) -> Value {
    let text = fs::read(ground.work().join(TARGET)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or(Value::Null)
}

fn lines_of(value: &Value) -> BTreeSet<String> {
    value.as_array().into_iter().flatten().map(Value::to_string).collect()
}

/// Of a command that only has to leave something that opens.
pub(crate) fn of_nothing(_: &Ground) -> Facts {
    Facts::default()
}

/// Of a text on standard output.
pub(crate) fn of_output(ground: &Ground) -> Facts {
    let lines = |stream| ground.said(stream).lines().map(str::to_owned).collect();
    Facts { found: lines("stdout"), admitted: lines("stderr") }
}

/// Of two audits side by side, on standard output. Why there are no prices is said in its place.
pub(crate) fn of_difference(ground: &Ground) -> Facts {
    let mut facts = of_output(ground);
    let is_reason = |line: &String| line.trim_start().starts_with("\"prices\": \"");
    let (reasons, found) = facts.found.into_iter().partition(is_reason);
    facts.found = found;
    let reasons: BTreeSet<String> = reasons;
    facts.admitted.extend(reasons);
    facts
}

/// Of the counts of a command: how often each call had each outcome.
pub(crate) fn of_count(ground: &Ground) -> Facts {
    let record = target(ground);
    let processes = record["processes"].as_array().into_iter().flatten();
    let found = sums(
        processes
            .flat_map(|process| process["threads"].as_array().into_iter().flatten())
            .flat_map(|thread| thread["calls"].as_array().into_iter().flatten()),
    );
    let mut admitted = lines_of(&record["warnings"]);
    admitted.extend([&record["cut"], &record["exactness"]].map(Value::to_string));
    Facts { found, admitted }
}

fn sums<'a>(calls: impl Iterator<Item = &'a Value>) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for call in calls {
        let what = format!("{} {}", call["call"], call["outcome"]);
        *counts.entry(what).or_default() += call["count"].as_u64().unwrap_or(0);
    }
    counts.into_iter().map(|(what, count)| format!("{what}: {count}")).collect()
}

/// Of an audit: its calls and its findings. On what a call worked may be unknown to it, and is then
/// not in its list; how often it was made may not.
pub(crate) fn of_audit(ground: &Ground) -> Facts {
    let audit = target(ground);
    let mut found = sums(audit["calls"].as_array().into_iter().flatten());
    for list in ["findings", "trifles"] {
        for finding in audit[list].as_array().into_iter().flatten() {
            found.insert(format!("{list}: {} {}", finding["rule"], finding["count"]));
        }
    }
    // These two differ between runs and say of no lack.
    let varies = |fact: &&Value| matches!(fact["kind"].as_str(), Some("cpu" | "prices"));
    let about = audit["about"].as_array().into_iter().flatten();
    let mut admitted: BTreeSet<String> = about.filter(|fact| !varies(fact)).map(Value::to_string).collect();
    admitted.extend(["warnings", "gaps"].into_iter().flat_map(|list| lines_of(&audit[list])));
    Facts { found, admitted }
}

/// Of a trace: what its audit has.
pub(crate) fn of_trace(ground: &Ground) -> Facts {
    const AUDITED: &str = "audited";
    let admitted: BTreeSet<String> = ground.said("stderr").lines().map(str::to_owned).collect();
    let saved = ground.work().join(TARGET);
    let kept = fs::read(&saved).unwrap_or_default();
    ground.opens(&["audit", "--from", TARGET, "--format", "json", "-o", AUDITED]);
    let _missing = fs::rename(ground.work().join(AUDITED), &saved);
    let mut facts = of_audit(ground);
    let _read_only = fs::write(&saved, kept);
    facts.admitted.extend(admitted);
    facts
}

/// Of a bench: what was measured and counted.
pub(crate) fn of_record(ground: &Ground) -> Facts {
    let record = target(ground);
    let mut facts = Facts::default();
    let experiments = record["experiments"].as_array().into_iter().flatten();
    for comparison in
        experiments.flat_map(|experiment| experiment["comparisons"].as_array().into_iter().flatten())
    {
        for variant in comparison["variants"].as_array().into_iter().flatten() {
            facts.found.insert(format!("{} {}", variant["method"], variant["operation"]));
        }
        for count in comparison["counts"].as_array().into_iter().flatten() {
            match count.get("unavailable") {
                Some(reason) => facts.admitted.insert(reason.to_string()),
                None => facts.found.insert(count.to_string()),
            };
        }
    }
    facts.found.insert(format!("complete: {}", record["complete"]));
    facts.admitted.extend(lines_of(&record["warnings"]));
    facts.admitted.extend(ground.said("stderr").lines().map(str::to_owned));
    facts
}

/// Of a price list: what has a price.
pub(crate) fn of_prices(ground: &Ground) -> Facts {
    let list = target(ground);
    let prices = list["prices"].as_array().into_iter().flatten();
    let found = prices.map(|price| price["what"].to_string()).collect();
    let mut admitted = lines_of(&list["unpriced"]);
    admitted.extend(lines_of(&list["warnings"]));
    admitted.extend(ground.said("stderr").lines().map(str::to_owned));
    Facts { found, admitted }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(found: &[&str], admitted: &[&str]) -> Facts {
        let set = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        Facts { found: set(found), admitted: set(admitted) }
    }

    #[test]
    fn a_difference_that_is_not_said_is_wrong() {
        let expected = Expected::from_runs(&[facts(&["open: 3"], &["w"]), facts(&["open: 3"], &["w"])]);
        assert_eq!(expected.unsaid_difference(&facts(&["open: 3"], &[])), None);
        let difference = expected.unsaid_difference(&facts(&["open: 2"], &["w"]));
        assert_eq!(difference.as_deref(), Some("lacks: open: 3; has: open: 2"));
        assert_eq!(expected.unsaid_difference(&facts(&["open: 2"], &["events were lost"])), None);
        assert!(expected.unsaid_difference(&facts(&["open: 3", "read: 1"], &[])).is_some());
    }

    #[test]
    fn what_varies_between_good_runs_is_not_held_against_another() {
        let expected = Expected::from_runs(&[facts(&["a", "b"], &[]), facts(&["a", "c"], &[])]);
        assert_eq!(expected.unsaid_difference(&facts(&["a", "d"], &[])), None);
        assert!(expected.unsaid_difference(&facts(&["b"], &[])).is_some());
    }
}
