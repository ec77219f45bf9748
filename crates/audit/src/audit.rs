//! The result of an audit: findings and the calls they were found among.

use crate::budget_outcome::BudgetOutcome;
use crate::call_key::ANONYMOUS_MEMORY;
use crate::call_tree::{CallLatencies, CallTree, CallTreeWait};
use crate::container::AuditedContainer;
use crate::fact::{AuditFact, FactKind};
use crate::finding::{Doubt, Finding, FindingPrice, Severity};
use crate::gap::{Gap, GapKind};
use crate::prices::Prices;
use crate::rule_choice::RuleChoice;
use crate::severity::Scale;
use crate::waited::FileWaits;
use fathom_model::{CountedCalls, Estimate, Reading};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The version of this form. It rises when a reader of the older form would misread
/// the newer one.
pub const AUDIT_VERSION: u32 = 3;

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
    /// How long a process was watched that ran before and may live on, in ns; `None` of a
    /// command, which was watched from its beginning to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_ns: Option<u64>,
    /// Files that were opened with success, without those of the dynamic loader.
    pub files_opened: u64,
    /// All calls by what they were made with.
    pub calls: Vec<CountedCalls>,
    /// What one call of each of `calls` takes untraced, in their order; `None` where there
    /// is no price. Empty where no prices were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call_prices_ns: Vec<Option<Estimate>>,
    /// What mending everything that is the program's own saves at most; `None` where no prices
    /// were given, or nothing is to be mended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub savings: Option<Savings>,
    /// Whether the run stayed within the budgets it was held to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<BudgetOutcome>,
    /// Which rules judged; all where nothing else stands here.
    #[serde(default, skip_serializing_if = "RuleChoice::is_all")]
    pub rules: RuleChoice,
    /// Dangers first, then costs, the dearest first.
    pub findings: Vec<Finding>,
    /// Costs that are true and far too small to matter ([`Audit::set_trifles_apart`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trifles: Vec<Finding>,
    /// All calls by what they ask for; `None` where nobody wanted that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<CallTree>,
    /// How long calls took and threads waited in them, where somebody wanted that and no tree: as the tree's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<CallTreeWait>,
    /// How long calls took, by kind, in powers of two, where waits were wanted: as the tree's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub latencies: Vec<CallLatencies>,
    /// How long threads waited in calls on files, where that is a notable part of the run.
    #[serde(skip)]
    pub waited: Option<FileWaits>,
    /// The container or control group that was watched; `None` where it was a command or a process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<AuditedContainer>,
    /// How often each file was opened, where somebody wanted that.
    #[serde(skip)]
    pub opens: Vec<(String, u64)>,
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

/// What mending all costs of a run that are its own saves at most: other calls may have to be made
/// where a finding does not say which.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Savings {
    /// The price of all avoidable calls, each once, in ns; it passes as wall time.
    pub total_ns: f64,
    /// Lower end; `None` where a price had no interval.
    pub low_ns: Option<f64>,
    /// Upper end.
    pub high_ns: Option<f64>,
    /// How many calls that is.
    pub calls: u64,
    /// Avoidable calls that have no price and are not in the sum.
    pub calls_without_price: u64,
    /// The price of all calls of the run that have one, in ns.
    pub of_ns: f64,
    /// The first as a share of the second, 0 to 1.
    pub share: f64,
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

    /// Says what was not judged. A call that was lost may lie between those that a finding goes by (the
    /// fsync before a rename, the close of what piles up): then no finding fails a run, and nothing is
    /// saved for certain.
    pub fn admit(&mut self, gaps: impl IntoIterator<Item = Gap>) {
        self.gaps.extend(gaps);
        if !self.has_lost() {
            return;
        }
        for finding in &mut self.findings {
            finding.is_uncertain = true;
            finding.severity = Severity::Info;
            let lost = "a call that was lost lies between these";
            finding.doubt = Doubt::Unless(match &finding.doubt {
                Doubt::Unless(doubt) => format!("{lost}; or {doubt}"),
                Doubt::Certain(_) => lost.to_owned(),
            });
        }
        self.rank();
    }

    /// True where events were lost: what they would have changed is not known.
    pub fn has_lost(&self) -> bool {
        self.gaps.iter().any(|gap| gap.kind == GapKind::Lost)
    }

    /// Gives findings their price and share, and the audit what mending them saves, and ranks them. What
    /// was set apart as too small to matter has a price and is in no sum.
    pub fn price(&mut self, prices: &dyn Prices) {
        let all = Sum::of(self.calls.iter().filter(|call| !is_of_memory(call)), prices);
        self.call_prices_ns =
            self.calls.iter().map(|call| prices.price(call).map(|price| price.wall_ns)).collect();
        for finding in self.findings.iter_mut().chain(&mut self.trifles) {
            finding.price = priced((&finding.avoidable, &finding.instead), prices, all.total_ns);
        }
        if let Some(tree) = &mut self.tree {
            tree.price(prices);
        }
        self.savings = Savings::of(&self.findings, all.total_ns, prices);
        self.rank();
    }

    /// Calls of the file path that are about files: all but those on memory without a file.
    pub fn file_calls(&self) -> u64 {
        let of_memory = self.calls.iter().filter(|call| is_of_memory(call));
        self.events.saturating_sub(of_memory.map(|call| call.count).sum())
    }

    /// Gives costs their severity, which follows from the calls, and ranks findings.
    pub fn judge(&mut self) {
        self.scale().judge(&mut self.findings);
        self.rank();
    }

    fn scale(&self) -> Scale {
        Scale::of(&self.calls, self.processes, self.window_ns)
    }

    /// Takes costs out of the findings that are far too small to matter beside the run: a program
    /// that looks once more at its file among thousands of calls is no wasteful program.
    pub fn set_trifles_apart(&mut self) {
        let are_trifles = self.scale().judge(&mut self.findings);
        for (finding, is_trifle) in std::mem::take(&mut self.findings).into_iter().zip(are_trifles) {
            let among = if is_trifle { &mut self.trifles } else { &mut self.findings };
            among.push(finding);
        }
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

impl Savings {
    /// Of costs that are the program's own and that nobody decided to live with. No call is in
    /// two of them. What has to be called instead is taken off the whole, at however many places it was found.
    fn of(findings: &[Finding], all_ns: f64, prices: &dyn Prices) -> Option<Self> {
        let mended = || findings.iter().filter(|finding| finding.is_of_savings());
        let mut wholes: BTreeMap<u32, Vec<&Finding>> = BTreeMap::new();
        for finding in mended() {
            if let Some(whole) = &finding.whole {
                wholes.entry(whole.number).or_default().push(finding);
            }
        }
        let alone = mended().filter(|finding| finding.whole.is_none());
        let alone = alone.filter_map(|finding| finding.price.value().cloned());
        let of_whole = |parts: Vec<&Finding>| {
            let calls = |of: fn(&Finding) -> &Vec<CountedCalls>| {
                parts.iter().flat_map(|part| of(part)).cloned().collect::<Vec<_>>()
            };
            let (avoidable, instead) = (calls(|part| &part.avoidable), calls(|part| &part.instead));
            priced((&avoidable, &instead), prices, all_ns).value().cloned()
        };
        let prices: Vec<_> = alone.chain(wholes.into_values().filter_map(of_whole)).collect();
        let sum = |ends: fn(&FindingPrice) -> Option<f64>| prices.iter().map(ends).sum();
        let unpriced = mended().filter(|finding| finding.price.value().is_none());
        let unpriced = unpriced.flat_map(|finding| &finding.avoidable).map(|call| call.count);
        let total_ns: f64 = prices.iter().map(|price| price.total_ns).sum();
        (total_ns > 0.0).then(|| Self {
            total_ns,
            low_ns: sum(|price| price.low_ns),
            high_ns: sum(|price| price.high_ns),
            calls: prices.iter().map(|price| price.calls).sum(),
            calls_without_price: prices.iter().map(|price| price.calls_without_price).chain(unpriced).sum(),
            of_ns: all_ns,
            share: total_ns / all_ns,
        })
    }
}

fn priced(
    (calls, instead): (&[CountedCalls], &[CountedCalls]),
    prices: &dyn Prices,
    whole_ns: f64,
) -> Reading<FindingPrice> {
    if calls.is_empty() {
        return Reading::unavailable("what it costs is not in calls that could be spared");
    }
    let sum = Sum::of(calls, prices).less(&Sum::of(instead, prices));
    if sum.calls == 0 {
        let names: BTreeSet<_> = calls.iter().map(|call| call.call.as_str()).collect();
        let names: Vec<_> = names.into_iter().collect();
        return Reading::unavailable(format!("the price list has no such {}", names.join(", ")));
    }
    Reading::Value(FindingPrice {
        total_ns: sum.total_ns,
        low_ns: sum.low_ns,
        high_ns: sum.high_ns,
        calls: sum.calls,
        calls_without_price: sum.without_price,
        share: (whole_ns > 0.0).then(|| sum.total_ns / whole_ns),
        is_of_plain_calls: sum.is_of_plain_calls,
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
    /// Some are operations of a ring at the prices of plain calls.
    is_of_plain_calls: bool,
    notes: Vec<String>,
}

/// True of calls on memory without a file, which have prices of their own or none.
pub(crate) fn is_of_memory(call: &CountedCalls) -> bool {
    call.flags == ANONYMOUS_MEMORY
}

impl Sum {
    fn of<'a>(calls: impl IntoIterator<Item = &'a CountedCalls>, prices: &dyn Prices) -> Self {
        let mut sum = Self {
            total_ns: 0.0,
            low_ns: Some(0.0),
            high_ns: Some(0.0),
            calls: 0,
            without_price: 0,
            is_of_plain_calls: false,
            notes: Vec::new(),
        };
        for call in calls {
            let Some(price) = prices.price(call) else {
                sum.without_price += call.count;
                continue;
            };
            let count = call.count as f64;
            sum.calls += call.count;
            sum.is_of_plain_calls |= price.is_of_plain_call;
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
    use super::*;
    use crate::finding::Owner;
    use crate::prices::CallPrice;
    use crate::script::{READ, Script, WRITE};
    /// Each call costs 100 ns.
    struct Hundred;

    impl Prices for Hundred {
        fn price(&self, _call: &CountedCalls) -> Option<CallPrice> {
            let wall_ns = Estimate { value: 100.0, low: None, high: None, confidence: 0.95, forks: 1 };
            Some(CallPrice { wall_ns, is_of_plain_call: false, note: None })
        }
    }

    fn audit(program: impl FnOnce(&mut Script)) -> Audit {
        let mut script = Script::new();
        program(&mut script);
        let mut auditor = crate::auditor::Auditor::new();
        script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
        auditor.finish()
    }

    /// A file of so many reads that is looked at four times more than it need be.
    fn reads(reads: u64) -> Audit {
        audit(|script| {
            let file = script.open("/data/a", READ);
            (0..5).for_each(|_| script.fstat(file, 1 << 30));
            (0..reads).for_each(|_| script.read(file, 1 << 20, 1 << 20));
            script.close(file);
        })
    }

    #[test]
    fn what_a_lost_call_may_explain_fails_no_run() {
        let with = |kind: GapKind| {
            let mut audit = audit(|script| {
                script.access("/tmp/job");
                script.open("/tmp/job", WRITE);
            });
            audit.admit([Gap::new(kind, "some of it")]);
            let race = audit.findings.into_iter().find(|finding| finding.rule.0 == 55).unwrap();
            (race.severity, race.is_uncertain)
        };
        assert_eq!(with(GapKind::Unseen), (Severity::Warn, false));
        assert_eq!(with(GapKind::Lost), (Severity::Info, true), "the open before the check may be lost");
    }

    #[test]
    fn what_is_far_too_small_to_matter_stands_apart() {
        // Counts of what is told and of trifles.
        let told = |reads: u64| {
            let mut audit = self::reads(reads);
            audit.set_trifles_apart();
            let counts = |findings: &[Finding]| findings.iter().map(|one| one.count).collect::<Vec<_>>();
            (counts(&audit.findings), counts(&audit.trifles))
        };
        // 1.6 µs of some 50 ms, and of some 1.1 ms.
        assert_eq!(told(500), (vec![], vec![4]));
        assert_eq!(told(1), (vec![4], vec![]));
        let mut audit = reads(500);
        audit.set_trifles_apart();
        audit.price(&Hundred);
        assert_eq!(audit.savings, None, "no sum of what is not shown");
        assert!(audit.trifles[0].price.value().is_some());
    }

    #[test]
    fn savings_are_the_sum_of_what_is_to_be_mended() {
        let mut audit = audit(|script| {
            for file in 0..10 {
                script.stat(&format!("/data/{file}"), 10);
                let open = script.open(&format!("/data/{file}"), READ);
                (0..3).for_each(|_| script.fstat(open, 10));
                script.close(open);
            }
        });
        audit.price(&Hundred);
        let savings = audit.savings.clone().unwrap();
        // Ten looks, and two of three questions of each file.
        assert_eq!((savings.calls, savings.total_ns, savings.of_ns), (30, 3000.0, 6000.0));
        let of_findings: f64 = audit.findings.iter().map(|one| one.price.value().unwrap().total_ns).sum();
        assert!((of_findings - savings.total_ns).abs() < 1e-9);
        audit.findings.iter_mut().for_each(|finding| finding.owner_by_calls = Owner::Runtime);
        audit.price(&Hundred);
        assert_eq!(audit.savings, None);
    }

    #[test]
    fn what_has_no_price_is_named_once() {
        struct Nothing;
        impl Prices for Nothing {
            fn price(&self, _call: &CountedCalls) -> Option<CallPrice> {
                None
            }
        }
        let mut audit = audit(|script| {
            for file in 0..3 {
                let open = script.open(&format!("/data/{file}"), READ);
                (0..3).for_each(|_| script.fstat(open, 10));
                (0..3).for_each(|_| script.fstat_as(open, fathom_events::FileKind::Block, 10));
            }
        });
        audit.price(&Nothing);
        let reasons: Vec<_> = audit.findings.iter().map(|finding| format!("{:?}", finding.price)).collect();
        assert!(reasons.iter().all(|reason| reason.matches("fstat").count() == 1), "{reasons:?}");
        assert_eq!(audit.savings, None);
    }
}
