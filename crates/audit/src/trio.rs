//! What every rule is tested by: a program with the waste, the same without it, and
//! look-alikes that its guards spare. A guard that could be deleted fails here.

use crate::auditor::Auditor;
use crate::finding::{Finding, Frame, Owner, RuleId, Severity};
use crate::rule::Guards;
use crate::rule_list::rule_facts;
use crate::rules::TRIOS;
use crate::script::Script;
use fathom_events::StackId;
use std::collections::BTreeMap;

/// A guard's name and a program that it spares.
pub(crate) type LookAlike = (&'static str, fn(&mut Script));

/// The three kinds of program for one rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trio {
    pub(crate) rule: u16,
    pub(crate) waste: fn(&mut Script),
    /// How often the waste occurs in it, exactly.
    pub(crate) count: u64,
    pub(crate) fixed: fn(&mut Script),
    /// With the guard that spares each; an empty name where the pattern itself does.
    pub(crate) look_alikes: &'static [LookAlike],
}

fn found(program: fn(&mut Script), rule: RuleId, guards: Guards) -> Vec<Finding> {
    let mut script = Script::new();
    program(&mut script);
    script.findings_of(rule, guards)
}

#[test]
fn the_waste_is_found_with_its_exact_count() {
    for trio in TRIOS {
        let found = found(trio.waste, RuleId(trio.rule), Guards::default());
        let count: u64 = found.iter().map(|finding| finding.count).sum();
        assert_eq!(count, trio.count, "R{:02}: {found:#?}", trio.rule);
        for finding in &found {
            assert!((1..=6).contains(&finding.example.len()), "{finding:#?}");
            assert!(!finding.title.is_empty() && !finding.fix.is_empty());
            assert!(!finding.references.is_empty(), "R{:02}: nobody found it before?", trio.rule);
        }
    }
}

#[test]
fn the_fixed_program_and_look_alikes_are_spared() {
    for trio in TRIOS {
        let rule = RuleId(trio.rule);
        assert_eq!(found(trio.fixed, rule, Guards::default()), [], "{rule}, fixed");
        for (guard, program) in trio.look_alikes {
            assert_eq!(found(*program, rule, Guards::default()), [], "{rule}, {guard}");
        }
    }
}

#[test]
fn every_guard_is_needed() {
    for facts in rule_facts() {
        let trio = TRIOS.iter().find(|trio| RuleId(trio.rule) == facts.id).expect("every rule has its trio");
        assert!(!trio.look_alikes.is_empty(), "{} has no look-alike", facts.id);
        for guard in facts.guards {
            let mut spared = trio.look_alikes.iter().filter(|(name, _)| *name == guard.name);
            let flags = |(_, program): &(_, fn(&mut Script))| {
                !found(*program, facts.id, Guards::without(guard.name)).is_empty()
            };
            assert!(spared.any(flags), "{}: nothing shows that `{}` is needed", facts.id, guard.name);
        }
        for (name, _) in trio.look_alikes.iter().filter(|(name, _)| !name.is_empty()) {
            assert!(facts.guards.iter().any(|guard| guard.name == *name), "{}: no guard `{name}`", facts.id);
        }
    }
}

/// What is said of a program when its calls come from so many places in turn: how often, by rule, pattern,
/// severity and owner. Calls alone decide on the verdict.
fn verdict(program: fn(&mut Script), places: u32) -> BTreeMap<(RuleId, u32, Severity, Owner), u64> {
    let mut script = Script::new();
    program(&mut script);
    let mut auditor = Auditor::new();
    for (number, event) in (0..).zip(&mut script.events) {
        event.stack = (places > 0).then(|| StackId(number / 2 % places.max(1)));
        auditor.observe(event, &script.paths);
    }
    let place = |line| {
        let (function, file) = (Some("place".to_owned()), Some("place.py".to_owned()));
        vec![Frame { function, file, line: Some(line + 1), module: None, address: None, owner: Owner::Yours }]
    };
    let mut counts = BTreeMap::new();
    let audit = auditor.finish_with_stacks(&mut |stack| place(stack));
    for finding in audit.findings.iter().chain(&audit.trifles) {
        let key = (finding.rule, finding.pattern, finding.severity, finding.owner_by_calls);
        *counts.entry(key).or_default() += finding.count;
    }
    counts
}

#[test]
fn stacks_change_no_count_and_no_severity() {
    for trio in TRIOS {
        let look_alikes = trio.look_alikes.iter().map(|(_, program)| *program);
        for program in [trio.waste, trio.fixed].into_iter().chain(look_alikes) {
            let plain = verdict(program, 0);
            for places in [1, 2, 5] {
                assert_eq!(verdict(program, places), plain, "R{:02}, {places} places", trio.rule);
            }
        }
    }
}

#[test]
fn rules_stand_in_order_and_once() {
    assert!(rule_facts().windows(2).all(|pair| pair[0].id < pair[1].id));
    assert_eq!(TRIOS.len(), rule_facts().len());
}
