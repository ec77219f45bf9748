//! What is found never depends on which calls have a stack: all, some or none, at places of the code that are
//! known early or late. Only where findings are shown does.

use crate::audit::Audit;
use crate::auditor::Auditor;
use crate::budget::Budget;
use crate::difference::{AuditDifference, FindingChange, Side};
use crate::finding::{Finding, Frame, Owner, RuleId, Severity};
use crate::path_set::PathSet;
use crate::prices::{CallPrice, Prices};
use crate::rules::TRIOS;
use crate::script::Script;
use crate::world::Tolerance;
use fathom_events::StackId;
use fathom_model::CountedCalls;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Which calls of a run have a stack.
#[derive(Debug, Clone, Copy)]
struct Stacks {
    /// Places of the code that calls come from; 0 where no call has a stack.
    places: u32,
    /// So many of 64 calls have one.
    share: u64,
    /// From this part of the calls on, of 64.
    from: u64,
    seed: u64,
}

const NONE: Stacks = Stacks { places: 0, share: 0, from: 0, seed: 0 };

impl Stacks {
    /// Stacks differ more than places do: four go by each.
    fn of_call(self, number: u64, calls: u64) -> Option<StackId> {
        let mixed = mixed(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let has_one = self.places > 0 && mixed % 64 < self.share && number * 64 >= self.from * calls;
        // Calls beside each other come from one place mostly, and from one stack or another.
        let place = self::mixed(self.seed ^ (number / 3)) % u64::from(self.places.max(1));
        has_one.then(|| StackId(u32::try_from(place * 4 + mixed / 64 % 4).unwrap_or_default()))
    }
}

/// Bits in an order that looks like none.
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

fn frames(stack: u32) -> Vec<Frame> {
    let line = stack / 4 + 1;
    let frame = |function: String, line, owner| Frame {
        function: Some(function),
        file: Some("place.py".to_owned()),
        line: Some(line),
        module: None,
        address: Some(u64::from(stack)),
        owner,
    };
    vec![frame(format!("place{line}"), line, Owner::Yours), frame("main".to_owned(), stack, Owner::Yours)]
}

const BUDGETS: [&str; 8] = [
    "findings <= 1",
    "R15 <= 3",
    "R13 findings <= 3",
    "open <= 1",
    "stat <= 1",
    "bytes read <= 1",
    "close <= 0.1 per open",
    "processes <= 1",
];

fn audited(script: &Script, stacks: Stacks) -> Audit {
    let budgets: Vec<_> = BUDGETS.iter().map(|budget| Budget::parse(budget).unwrap()).collect();
    let tolerance = Tolerance::new(RuleId(3), "measured", ".fathom.toml", ".fathom.toml:3");
    let tolerance = tolerance.on_paths("/data/[ab]*").unwrap();
    let auditor = Auditor::new().with_mounts(script.mounts.clone()).started_with(&script.words);
    let of_function = Tolerance::new(RuleId(15), "known", ".fathom.toml", ".fathom.toml:9");
    let tolerances = vec![tolerance, of_function.in_functions("place1").unwrap()];
    let mut auditor = auditor.with_budgets(&budgets).with_tolerances(tolerances).with_sampled_stacks(true);
    let calls = script.events.len() as u64;
    for (number, event) in (0..).zip(&script.events) {
        let mut event = event.clone();
        event.stack = stacks.of_call(number, calls);
        auditor.observe(&event, &script.paths);
    }
    let mut audit = auditor.finish_with_stacks(&mut frames);
    audit.settle(&budgets);
    audit
}

/// Whose findings they are, wherever in the code: rule, pattern, program, owner by calls, whether suppressed.
type Kind = (RuleId, u32, Option<String>, Owner, bool);

/// What all findings of a kind come to.
#[derive(Debug, Default, PartialEq)]
struct Sum {
    count: u64,
    avoidable: BTreeMap<String, (u64, u64)>,
    instead: BTreeMap<String, (u64, u64)>,
    severities: BTreeSet<Severity>,
    /// What the paths share, of each that is one but for places in the code.
    patterns: BTreeSet<Option<String>>,
    /// How often each of these.
    counts: Vec<u64>,
}

fn add(sums: &mut BTreeMap<String, (u64, u64)>, calls: &[CountedCalls]) {
    for call in calls {
        let condition = CountedCalls { bytes: 0, count: 0, ..call.clone() };
        let sum = sums.entry(format!("{condition:?}")).or_default();
        *sum = (sum.0 + call.count, sum.1 + call.bytes);
    }
}

fn sums(audit: &Audit) -> BTreeMap<Kind, Sum> {
    let mut sums: BTreeMap<Kind, Sum> = BTreeMap::new();
    let mut wholes = BTreeSet::new();
    for finding in audit.findings.iter().chain(&audit.trifles) {
        let Finding { rule, pattern, owner_by_calls, .. } = *finding;
        let program = finding.place.program.clone();
        let sum =
            sums.entry((rule, pattern, program, owner_by_calls, finding.suppressed.is_some())).or_default();
        sum.count += finding.count;
        add(&mut sum.avoidable, &finding.avoidable);
        add(&mut sum.instead, &finding.instead);
        sum.severities.insert(finding.severity);
        let paths = finding.whole.as_ref().map_or(&finding.place.paths, |whole| &whole.paths);
        sum.patterns.insert(paths.as_ref().map(PathSet::pattern));
        let whole = finding.whole.as_ref().map(|whole| (whole.number, whole.count));
        if whole.is_none_or(|(number, _)| wholes.insert(number)) {
            sum.counts.push(whole.map_or(finding.count, |(_, count)| count));
            sum.counts.sort_unstable();
        }
    }
    sums
}

/// No call has a price.
struct Nothing;

impl Prices for Nothing {
    fn price(&self, _call: &CountedCalls) -> Option<CallPrice> {
        None
    }
}

/// What an audit says otherwise than one of the same calls without a stack.
fn differences(plain: &Audit, audit: &Audit) -> Vec<String> {
    let mut differences = Vec::new();
    let (expected, found) = (sums(plain), sums(audit));
    for key in expected.keys().chain(found.keys()).collect::<BTreeSet<_>>() {
        let [expected, found] = [expected.get(key), found.get(key)];
        if expected != found {
            differences.push(format!("{key:?}: {found:#?} for {expected:#?}"));
        }
    }
    for (expected, found) in plain.budgets.iter().zip(&audit.budgets) {
        let mut found = found.clone();
        for calls in &mut found.calls {
            (calls.here, calls.stack, calls.frames) = (None, None, Vec::new());
        }
        if found != *expected {
            differences.push(format!("{found:#?} for {expected:#?}"));
        }
    }
    if audit.calls != plain.calls {
        differences.push(format!("{:#?} for {:#?}", audit.calls, plain.calls));
    }
    let side = |audit: &Audit| Side::of_audit("", audit.clone());
    let difference = AuditDifference::new(&side(plain), &side(audit), &Nothing, "");
    let differ = difference.findings.iter().filter(|row| row.change != FindingChange::Same);
    differences.extend(differ.map(|row| format!("{row:#?}")));
    differences
}

type Program = (String, fn(&mut Script));

fn programs() -> Vec<Program> {
    let of_trio = |trio: &crate::trio::Trio| {
        let wasteful = [(format!("R{:02} waste", trio.rule), trio.waste)];
        let rule = trio.rule;
        let look_alikes =
            trio.look_alikes.iter().map(move |(name, program)| (format!("R{rule:02} {name}"), *program));
        wasteful.into_iter().chain(look_alikes).collect::<Vec<_>>()
    };
    TRIOS.iter().flat_map(of_trio).collect()
}

#[test]
fn findings_are_the_same_with_all_some_or_no_stacks() {
    for (name, program) in programs() {
        let mut script = Script::new();
        script.load("/usr/bin/python3");
        program(&mut script);
        let plain = audited(&script, NONE);
        for (seed, (places, share, from)) in
            (1..).zip([(1, 64, 0), (1, 62, 0), (3, 64, 0), (3, 60, 0), (4, 32, 0), (2, 8, 0), (3, 64, 40)])
        {
            let stacks = Stacks { places, share, from, seed };
            let differences = differences(&plain, &audited(&script, stacks));
            assert!(differences.is_empty(), "{name}, {stacks:?}: {}", differences.join("\n"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn programs_after_each_other_are_judged_the_same(
        chosen in prop::collection::vec(any::<prop::sample::Index>(), 2..5),
        places in 1_u32..6,
        share in 0_u64..65,
        from in 0_u64..64,
        seed in any::<u64>(),
    ) {
        let programs = programs();
        let mut script = Script::new();
        for (number, chosen) in (0..).zip(&chosen) {
            script.act_as(100 + number % 2, 100 + number % 2);
            script.load(if number % 2 == 0 { "/usr/bin/python3" } else { "/srv/app/tool" });
            chosen.get(&programs).1(&mut script);
        }
        let names: Vec<_> = chosen.iter().map(|chosen| &chosen.get(&programs).0).collect();
        let stacks = Stacks { places, share, from, seed };
        let differences = differences(&audited(&script, NONE), &audited(&script, stacks));
        prop_assert!(differences.is_empty(), "{names:?}, {stacks:?}: {}", differences.join("\n"));
    }
}
