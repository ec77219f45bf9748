//! Counts of what the looks said, by method, with exact binomial bounds, and the
//! tables of them.

use super::look::{Look, equal, faster, first, looks, slower, within};
use crate::calibrate::figures::index_of;
use crate::calibrate::finding::Outcome;
use crate::calibrate::share::Share;
use fathom_model::Comparison;
use fathom_stats::{Interval, Verdict, block_ln_ratios, median};
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write;

/// What is promised of the intervals: P(ever excluding the truth) is at most this.
const ALPHA: f64 = 0.05;
/// The promise is kept when the share is shown not to be above this.
const SHOWN: f64 = 0.075;
/// What is promised of the control's faults.
const FAULT_ALPHA: f64 = 0.01;

/// All sessions.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    same: BTreeMap<String, Vec<Vec<Look>>>,
    injected: BTreeMap<String, Injected>,
    unmeasured: Vec<String>,
}

/// The sessions with one known effect.
#[derive(Debug, Clone, Default)]
struct Injected {
    sittings: Vec<Vec<Look>>,
    /// Log ratio of every fork of every session.
    forks: Vec<f64>,
}

impl Tally {
    /// A comparison of a method with itself.
    pub(super) fn add_same(&mut self, comparison: &Comparison) {
        let other = usize::from(comparison.baseline == 0);
        let Some(variant) = comparison.variants.get(other) else { return };
        let label = format!("{}, {}", variant.operation, variant.method);
        self.same.entry(label).or_default().push(looks(comparison, other));
    }

    /// A comparison that could not be had.
    pub(super) fn add_unmeasured(&mut self, name: &str, reason: &str) {
        self.unmeasured.push(format!("{name}: {reason}"));
    }

    /// A comparison with a known effect; `None` when it has no time of it.
    pub(super) fn add_injected(&mut self, comparison: &Comparison, method: &str) -> Option<()> {
        let variant = index_of(comparison, method)?;
        comparison.summaries.get(variant)?.value()?;
        let reference = comparison.baseline;
        let values =
            comparison.forks.iter().filter_map(|fork| median(&block_ln_ratios(fork, variant, reference)));
        let injected = self.injected.entry(method.to_owned()).or_default();
        injected.forks.extend(values);
        injected.sittings.push(looks(comparison, variant));
        Some(())
    }

    /// Whether the promise is kept: shown to be, shown not to be, or neither.
    pub(super) fn outcome(&self) -> Outcome {
        let all = self.all();
        let (alarms, faults) = (all.alarms(), all.faults());
        if alarms.lower_bound() > ALPHA || faults.lower_bound() > FAULT_ALPHA {
            Outcome::Failed
        } else if !all.sittings.is_empty() && alarms.upper_bound() <= SHOWN {
            Outcome::Passed
        } else {
            Outcome::Undecided
        }
    }

    /// Every look of every session, one per line.
    pub(super) fn raw(&self) -> String {
        let mut text = String::from("what\tsitting\tforks\tratio_low\tratio_high\tcontrol_fault\n");
        let injected = self.injected.iter().map(|(method, injected)| (method, &injected.sittings));
        for (what, sittings) in self.same.iter().chain(injected) {
            for (sitting, looks) in sittings.iter().enumerate() {
                for Look { forks, interval: Interval { low, high }, fault } in looks {
                    writeln!(text, "{what}\t{sitting}\t{forks}\t{low}\t{high}\t{fault}")
                        .expect("a String takes all");
                }
            }
        }
        text
    }

    fn all(&self) -> Sittings<'_> {
        Sittings { sittings: self.same.values().flatten().map(Vec::as_slice).collect() }
    }
}

/// Some sessions with one method named twice.
#[derive(Debug, Clone)]
struct Sittings<'a> {
    sittings: Vec<&'a [Look]>,
}

impl Sittings<'_> {
    fn share(&self, is_hit: impl Fn(&[Look]) -> bool) -> Share {
        Share::new(self.sittings.iter().filter(|looks| is_hit(looks)).count(), self.sittings.len())
    }

    /// The interval excluded 1 at some look: what holds every other false verdict.
    fn alarms(&self) -> Share {
        self.ever(equal(), Verdict::Refuted)
    }

    fn alarms_at_the_end(&self) -> Share {
        self.share(|looks| {
            let last = looks.last().map(std::slice::from_ref).unwrap_or_default();
            first(last, equal(), Verdict::Refuted).is_some()
        })
    }

    fn ever(&self, region: Interval, verdict: Verdict) -> Share {
        self.share(|looks| first(looks, region, verdict).is_some())
    }

    fn faults(&self) -> Share {
        self.share(|looks| looks.iter().any(|look| look.fault))
    }

    fn median_forks(&self) -> String {
        let forks: Vec<f64> =
            self.sittings.iter().map(|looks| looks.last().map_or(0.0, |look| look.forks as f64)).collect();
        median(&forks).map_or_else(|| "–".to_owned(), |forks| format!("{forks}"))
    }

    /// What is wrong, in the order of the headings.
    fn wrong(&self) -> [Share; 5] {
        [
            self.alarms_at_the_end(),
            self.alarms(),
            self.ever(within(), Verdict::Refuted),
            self.ever(faster(), Verdict::Supported),
            self.faults(),
        ]
    }

    /// What is right, in the order of the headings behind.
    fn right(&self) -> [Share; 2] {
        [self.ever(within(), Verdict::Supported), self.ever(faster(), Verdict::Refuted)]
    }

    /// A row of the table.
    fn row(&self, label: &str) -> String {
        let shares = self.wrong().into_iter().chain(self.right());
        let cells = shares.map(|share| share.hits().to_string()).collect::<Vec<_>>().join(" | ");
        format!("| {label} | {} | {} | {cells} |", self.sittings.len(), self.median_forks())
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.all();
        writeln!(f, "{}\n", self.promise())?;
        writeln!(
            f,
            "| one method named twice | n | forks | excludes 1 at the end | at any look | \"within 1 %\" refuted | \
             \"1 % faster\" supported | control at fault | \"within 1 %\" supported | \"1 % faster\" refuted |"
        )?;
        writeln!(f, "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")?;
        for (label, sittings) in &self.same {
            let sittings = Sittings { sittings: sittings.iter().map(Vec::as_slice).collect() };
            writeln!(f, "{}", sittings.row(label))?;
        }
        writeln!(f, "{}", all.row("all"))?;
        let bounds = all.wrong().map(|share| format!("{:.1} %", 100.0 * share.upper_bound())).join(" | ");
        writeln!(f, "| at most, with 97.5 % confidence | | | {bounds} | | |")?;
        if !self.injected.is_empty() {
            self.fmt_injected(f)?;
        }
        if !self.unmeasured.is_empty() {
            let mut reasons = self.unmeasured.clone();
            reasons.dedup();
            writeln!(f, "\nNot measured: {} sessions ({}).", self.unmeasured.len(), reasons.join("; "))?;
        }
        Ok(())
    }
}

impl Tally {
    fn promise(&self) -> String {
        let all = self.all();
        let word = match self.outcome() {
            Outcome::Passed => "the promise is kept",
            Outcome::Failed => "**the promise is broken**",
            _ => "too few to say whether the promise is kept",
        };
        format!(
            "False alarms, looking after every fork from the fifth: {} intervals excluded 1 at some look (promised: at \
             most 5 %; accepted: shown to be at most 7.5 %); {} controls were at fault at some look (promised: at most \
             1 %): {word}. Bounds in brackets are Clopper and Pearson's, 95 %.",
            all.alarms(),
            all.faults(),
        )
    }

    /// The other way round: what is there and should be found.
    fn fmt_injected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n| known effect | n | ratio over all forks | \"within 1 %\" refuted | after forks, median | \"within 1 %\" \
             supported | \"1 % slower\" supported | \"1 % faster\" supported |"
        )?;
        writeln!(f, "|---|---:|---:|---:|---:|---:|---:|---:|")?;
        let mut effects: Vec<_> = self.injected.iter().collect();
        effects.sort_by(|(_, a), (_, b)| f64::total_cmp(&a.ratio(), &b.ratio()));
        for (method, injected) in effects {
            let count = |region, verdict| {
                injected.sittings.iter().filter(|looks| first(looks, region, verdict).is_some()).count()
            };
            let when: Vec<f64> = injected
                .sittings
                .iter()
                .filter_map(|looks| first(looks, within(), Verdict::Refuted))
                .map(|forks| forks as f64)
                .collect();
            writeln!(
                f,
                "| {method} | {} | {:.4} | {} | {} | {} | {} | {} |",
                injected.sittings.len(),
                injected.ratio(),
                count(within(), Verdict::Refuted),
                median(&when).map_or_else(|| "–".to_owned(), |forks| forks.to_string()),
                count(within(), Verdict::Supported),
                count(slower(), Verdict::Supported),
                count(faster(), Verdict::Supported),
            )?;
        }
        Ok(())
    }
}

impl Injected {
    /// The median over all forks of all sessions; not a number without any.
    fn ratio(&self) -> f64 {
        median(&self.forks).map_or(f64::NAN, f64::exp)
    }
}

#[cfg(test)]
mod tests;
