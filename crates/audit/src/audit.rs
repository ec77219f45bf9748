//! The result of an audit: findings and the calls they were found among.

use crate::budget::BudgetOutcome;
use crate::fact::{AuditFact, FactKind};
use crate::finding::{Finding, FindingClass, FindingPrice, Severity, ShareOf};
use crate::gap::Gap;
use crate::prices::Prices;
use fathom_model::{CallCondition, Estimate, Reading};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// The version of this form. It rises when a reader of the older form would misread
/// the newer one.
pub const AUDIT_VERSION: u32 = 3;

/// From this share of the run a cost is high.
const HIGH_SHARE: f64 = 0.05;
/// From this share it is a warning.
const WARN_SHARE: f64 = 0.01;
/// Below this share of the CPU time a cost is a trifle.
const TRIFLE_SHARE_OF_TIME: f64 = 0.0001;
/// The same of the file calls, which take a part of the time only.
const TRIFLE_SHARE_OF_CALLS: f64 = 0.001;
/// What has no price and occurred more often is none.
const TRIFLE_COUNT: u64 = 5;
/// How many notes on prices one finding carries.
const NOTES: usize = 4;

/// What tells this kind of file from a record of experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AuditKind {
    /// An audit.
    Audit,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Audit {
    /// What this file is.
    pub kind: AuditKind,
    /// The form of this value.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// When it was begun, RFC 3339 in UTC; `None` where nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// The command that was watched; `None` where events came from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<AuditedCommand>,
    /// What was audited, how it ended, where prices come from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<AuditFact>,
    /// What of the run was not judged. Where there is any, counts are lower bounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap>,
    /// Events that were judged.
    pub events: u64,
    /// Processes that were seen.
    pub processes: u64,
    /// Files that were opened with success, without those of the dynamic loader.
    pub files_opened: u64,
    /// All calls by what they were made with.
    pub calls: Vec<CallCondition>,
    /// What one call of each of `calls` takes untraced, in their order; `None` where there
    /// is no price. Empty where no prices were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call_prices_ns: Vec<Option<Estimate>>,
    /// Whether the run stayed within the budgets it was held to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<BudgetOutcome>,
    /// Dangers first, then costs, the dearest first.
    pub findings: Vec<Finding>,
    /// Costs that are true and far too small to matter ([`Audit::set_trifles_apart`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trifles: Vec<Finding>,
}

/// A command that was watched, and how it ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditedCommand {
    /// The program and its words.
    pub words: Vec<String>,
    /// The directory in which it was started.
    pub directory: String,
    /// The status it exited with; `None` where a signal killed it.
    pub exit_code: Option<i32>,
    /// The number of the signal that killed it.
    pub signal: Option<i32>,
}

impl Audit {
    /// Says one more thing of how this audit came about.
    pub fn say(&mut self, kind: FactKind, text: impl Into<String>) {
        self.about.push(AuditFact::new(kind, text));
    }

    /// The first fact of a kind.
    pub fn fact(&self, kind: FactKind) -> Option<&str> {
        self.about.iter().find(|fact| fact.kind == kind).map(|fact| fact.text.as_str())
    }

    /// Gives findings their price, share and severity, and ranks them. `cpu_ns` is the time on
    /// CPUs that the run took while it was watched. Without it, or where it is less than the
    /// calls cost, for nobody awaited some of the processes, shares are those of all priced calls.
    pub fn price(&mut self, prices: &dyn Prices, cpu_ns: Option<f64>) {
        let all = Sum::of(&self.calls, prices);
        self.call_prices_ns =
            self.calls.iter().map(|call| prices.price(call).map(|price| price.wall_ns)).collect();
        let (whole_ns, share_of) = match cpu_ns.filter(|cpu_ns| *cpu_ns >= all.total_ns) {
            Some(cpu_ns) => (cpu_ns, ShareOf::CpuTime),
            None => (all.total_ns, ShareOf::FileCalls),
        };
        for finding in &mut self.findings {
            finding.price = priced(finding, prices, whole_ns, share_of);
            if finding.class == FindingClass::Cost {
                finding.severity = severity(finding.price.value().and_then(|price| price.share));
            }
        }
        self.rank();
    }

    /// Takes costs out of the findings that are far too small to matter beside the run: a program
    /// that looks once more at its file among thousands of calls is no wasteful program.
    pub fn set_trifles_apart(&mut self) {
        let findings = std::mem::take(&mut self.findings);
        let events = self.events;
        let (trifles, findings) = findings.into_iter().partition(|finding| is_trifle(finding, events));
        (self.trifles, self.findings) = (trifles, findings);
    }

    /// Everything that was found, trifles last.
    pub fn findings_and_trifles(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().chain(&self.trifles)
    }

    /// Puts dangers first, then what is worse, dearer and more frequent.
    pub(crate) fn rank(&mut self) {
        let price = |finding: &Finding| finding.price.value().map_or(0.0, |price| price.total_ns);
        self.findings.sort_by(|one, other| {
            (one.class, one.severity)
                .cmp(&(other.class, other.severity))
                .then(price(other).total_cmp(&price(one)))
                .then((Reverse(one.count), one.rule).cmp(&(Reverse(other.count), other.rule)))
        });
    }
}

fn is_trifle(finding: &Finding, events: u64) -> bool {
    if finding.class != FindingClass::Cost || finding.suppressed.is_some() {
        return false;
    }
    let price = finding.price.value().filter(|price| price.calls_without_price == 0);
    match price.and_then(|price| Some((price.share?, price.share_of))) {
        Some((share, ShareOf::CpuTime)) => share < TRIFLE_SHARE_OF_TIME,
        Some((share, ShareOf::FileCalls)) => share < TRIFLE_SHARE_OF_CALLS,
        // What it costs is not known: it is a trifle where it is rare beyond doubt.
        None => {
            finding.count <= TRIFLE_COUNT && (finding.count as f64) < TRIFLE_SHARE_OF_CALLS * events as f64
        }
    }
}

fn severity(share: Option<f64>) -> Severity {
    match share {
        Some(share) if share >= HIGH_SHARE => Severity::High,
        Some(share) if share >= WARN_SHARE => Severity::Warn,
        _ => Severity::Info,
    }
}

fn priced(finding: &Finding, prices: &dyn Prices, whole_ns: f64, share_of: ShareOf) -> Reading<FindingPrice> {
    let calls = &finding.avoidable;
    if calls.is_empty() {
        return Reading::unavailable("no call of it could be spared");
    }
    let sum = Sum::of(calls, prices).less(&Sum::of(&finding.instead, prices));
    if sum.calls == 0 {
        let names: Vec<_> = calls.iter().map(|call| call.call.as_str()).collect();
        return Reading::unavailable(format!("the price list has no such {}", names.join(", ")));
    }
    Reading::Value(FindingPrice {
        total_ns: sum.total_ns,
        low_ns: sum.low_ns,
        high_ns: sum.high_ns,
        calls: sum.calls,
        calls_without_price: sum.without_price,
        share: (whole_ns > 0.0).then(|| sum.total_ns / whole_ns),
        share_of,
        notes: sum.notes,
    })
}

/// Prices added up. Ends are added too: the errors of one list may well go together.
struct Sum {
    total_ns: f64,
    low_ns: Option<f64>,
    high_ns: Option<f64>,
    calls: u64,
    without_price: u64,
    notes: Vec<String>,
}

impl Sum {
    fn of(calls: &[CallCondition], prices: &dyn Prices) -> Self {
        let mut sum = Self {
            total_ns: 0.0,
            low_ns: Some(0.0),
            high_ns: Some(0.0),
            calls: 0,
            without_price: 0,
            notes: Vec::new(),
        };
        for call in calls {
            let Some(price) = prices.price(call) else {
                sum.without_price += call.count;
                continue;
            };
            let count = call.count as f64;
            sum.calls += call.count;
            sum.total_ns += count * price.wall_ns.value;
            sum.low_ns = sum.low_ns.zip(price.wall_ns.low).map(|(sum, low)| sum + count * low);
            sum.high_ns = sum.high_ns.zip(price.wall_ns.high).map(|(sum, high)| sum + count * high);
            let is_new = |note: &String| sum.notes.len() < NOTES && !sum.notes.contains(note);
            if let Some(note) = price.note.filter(is_new) {
                sum.notes.push(note);
            }
        }
        sum
    }

    /// What is left when other calls have to be made; not below nothing.
    fn less(self, other: &Self) -> Self {
        let difference = |one: Option<f64>, other: Option<f64>| Some((one? - other?).max(0.0));
        Self {
            total_ns: (self.total_ns - other.total_ns).max(0.0),
            low_ns: difference(self.low_ns, other.high_ns),
            high_ns: difference(self.high_ns, other.low_ns),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::prices::{CallPrice, Prices};
    use crate::script::{READ, Script};
    use fathom_model::{CallCondition, Estimate};

    /// Each call costs 100 ns.
    struct Hundred;

    impl Prices for Hundred {
        fn price(&self, _call: &CallCondition) -> Option<CallPrice> {
            let wall_ns = Estimate { value: 100.0, low: None, high: None, confidence: 0.95, forks: 1 };
            Some(CallPrice { wall_ns, note: None })
        }
    }

    /// Counts of what is told and of trifles: a file of so many reads that is looked at four times
    /// more than it need be.
    fn told(reads: u64, cpu_ns: Option<f64>, priced: bool) -> (Vec<u64>, Vec<u64>) {
        let mut script = Script::new();
        let file = script.open("/data/a", READ);
        (0..5).for_each(|_| script.fstat(file, 1 << 30));
        (0..reads).for_each(|_| script.read(file, 1 << 20, 1 << 20));
        script.close(file);
        let mut auditor = crate::auditor::Auditor::new();
        script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
        let mut audit = auditor.finish();
        if priced {
            audit.price(&Hundred, cpu_ns);
        }
        audit.set_trifles_apart();
        let counts = |findings: &[crate::finding::Finding]| findings.iter().map(|one| one.count).collect();
        (counts(&audit.findings), counts(&audit.trifles))
    }

    #[test]
    fn what_is_far_too_small_to_matter_stands_apart() {
        let (found, trifle) = ((vec![4], vec![]), (vec![], vec![4]));
        // 400 ns of 5 ms, and of 3 ms.
        assert_eq!(told(500, Some(5e6), true), trifle);
        assert_eq!(told(500, Some(3e6), true), found);
        // Of the calls, where no time is known.
        assert_eq!(told(5000, None, true), trifle);
        assert_eq!(told(500, None, true), found);
        // Four among so many calls, without prices.
        assert_eq!(told(5000, None, false), trifle);
        assert_eq!(told(500, None, false), found);
    }
}
