//! What is left at the end: findings, each call accused once, with their owners and places.

use super::{AskedRule, Auditor};
use crate::audit::{AUDIT_VERSION, Audit, AuditKind};
use crate::call_sites::CallSites;
use crate::cases::{Case, Group, shares};
use crate::chosen_calls::{CallsChosen, ChosenTally};
use crate::claims::{Contender, give_each_call_to_one};
use crate::classed_calls::{ClassTally, ReadLine, RunCalls};
use crate::code_owners::Hidden;
use crate::fact::{AuditFact, FactKind};
use crate::finding::{Finding, FindingClass, FindingPlace, Frame, Owner, RuleId, WholeFinding};
use crate::gap::{Gap, GapKind};
use crate::knowledge::Knowledge;
use crate::rule::{RuleFacts, Words};
use crate::rule_choice::RuleChoice;
use crate::shared_path::SharedPath;
use crate::world::World;
use fathom_model::Reading;
use std::collections::{BTreeMap, BTreeSet};

impl Auditor {
    /// One that also counts how often each file was opened.
    #[must_use]
    pub fn counting_opens(mut self) -> Self {
        self.world.opens = Some(BTreeMap::new());
        self
    }

    /// One that is given stacks of some of the calls only: which ones is another matter in each run, so that they
    /// decide nothing that somebody lives with.
    #[must_use]
    pub fn with_sampled_stacks(mut self, are_sampled: bool) -> Self {
        self.has_sampled_stacks = are_sampled;
        self
    }

    /// What was found. Findings have no price yet: [`Audit::price`] gives them one.
    pub fn finish(self) -> Audit {
        self.finish_with_stacks(&mut |_| Vec::new())
    }

    /// The same, of events that have stacks: `explain` tells the frames of a number, the
    /// innermost first. Cases are told apart by the place in your code that they come from.
    pub fn finish_with_stacks(mut self, explain: &mut dyn FnMut(u32) -> Vec<Frame>) -> Audit {
        self.conclude(explain, &mut |_, _| None)
    }

    /// The same for who ends soon: what was known is not freed, which takes as long as a tenth of
    /// the judging.
    pub fn finish_for_good(self, explain: &mut dyn FnMut(u32) -> Vec<Frame>) -> Audit {
        std::mem::ManuallyDrop::new(self).conclude(explain, &mut |_, _| None)
    }

    /// The same with the calls by their classes, which are none where they were not counted; `read` gives
    /// what stands in the lines that make them.
    pub fn finish_with_classes(
        mut self,
        explain: &mut dyn FnMut(u32) -> Vec<Frame>,
        read: &mut ReadLine<'_>,
    ) -> (Audit, RunCalls) {
        let audit = self.conclude(explain, read);
        (audit, self.classes.take().map(ClassTally::into_calls).unwrap_or_default())
    }

    /// The same with the calls that somebody asks about; none where nobody did.
    pub fn finish_with_chosen(mut self, explain: &mut dyn FnMut(u32) -> Vec<Frame>) -> (Audit, CallsChosen) {
        let audit = self.conclude(explain, &mut |_, _| None);
        (audit, self.chosen.take().map(ChosenTally::into_found).unwrap_or_default())
    }

    fn conclude(&mut self, explain: &mut dyn FnMut(u32) -> Vec<Frame>, read: &mut ReadLine<'_>) -> Audit {
        let mut explain = |stack| explain(stack);
        self.settle();
        let mut sites = CallSites::new(&mut explain).of_yours_alone(self.has_sampled_stacks);
        let (mut found, mut decisions) = (Vec::new(), Vec::new());
        for AskedRule { facts, rule, .. } in &mut self.rules {
            rule.finish(&self.world);
            for (pattern, (words, cases)) in (1..).zip(rule.cases()) {
                let by_site = cases.by_site(&mut sites, &self.world);
                let is_sampled = self.has_sampled_stacks;
                let frames = |stack: Option<u32>| sites.frames(stack.filter(|_| !is_sampled));
                let sorted = self.world.tolerances.sort(facts.id, by_site, frames, &self.world);
                for ((group, decided), case) in sorted {
                    decisions.extend(decided);
                    found.push(Found { facts, words, pattern, group, decided, case });
                }
            }
        }
        let mut found = accused_once(found, &self.choice, &self.world);
        found.retain(|found| self.choice.has(found.facts.id));
        let wholes = wholes(&found, &self.world);
        let findings: Vec<_> = found
            .iter()
            .map(|found| {
                let decided = found.decided;
                let suppressed = decided.and_then(|decided| self.world.tolerances.suppression(decided));
                let whole = wholes.get(&found.contest()).cloned();
                Finding { suppressed, whole, ..finding(found, &sites, &self.world, self.knowledge) }
            })
            .collect();
        if let Some(chosen) = &mut self.chosen {
            let costs =
                found.iter().zip(&findings).filter(|(_, finding)| finding.class == FindingClass::Cost);
            costs.for_each(|(found, finding)| {
                chosen.find(finding, &found.case.claims, found.case.instead());
            });
        }
        let is_placeless = findings.iter().any(|finding| finding.place.stack.is_none());
        let hidden = sites.hidden_by().filter(|_| is_placeless);
        let unused = self.world.tolerances.unused(&decisions);
        let unused = unused.map(|text| AuditFact::new(FactKind::Unused, text));
        let shim = self.shim.fact(self.events, &self.world.places);
        let starts = starts(self.loading, self.events, self.world.processes_seen);
        let about = hidden.map(hidden_by).chain(unused).chain(shim).chain(starts).collect();
        let budgets = self.budgets.iter().map(|budget| budget.outcome(&self.world, &mut sites)).collect();
        if let Some(classes) = &mut self.classes {
            classes.conclude(&self.world, &mut sites, read);
        }
        let mut calls: Vec<_> = self.calls.drain().collect();
        calls.sort_unstable_by_key(|(key, _)| *key);
        let mut audit = Audit {
            kind: AuditKind::Audit,
            schema_version: AUDIT_VERSION,
            fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
            created: None,
            command: None,
            about,
            gaps: asynchronous_gaps(&self.asynchronous),
            events: self.events,
            processes: self.world.processes_seen,
            window_ns: self.window.map(|(first, last)| last.saturating_sub(first)),
            files_opened: self.world.files_opened,
            calls: calls.into_iter().map(|(key, amount)| key.condition(amount)).collect(),
            call_prices_ns: Vec::new(),
            savings: None,
            budgets,
            rules: self.choice.clone(),
            findings,
            trifles: Vec::new(),
            tree: self.tree.as_ref().map(|tree| tree.conclude(&self.world)),
            waits: Vec::new(),
            latencies: Vec::new(),
            waited: self.waited.conclude(&self.world),
            container: None,
            opens: self.world.opens_by_path(),
        };
        audit.judge();
        audit
    }
}

/// What stacks do not tell of programs that run others.
fn hidden_by(hidden: &Hidden) -> AuditFact {
    let text = match hidden {
        Hidden::ByInterpreter(name) => format!(
            "of {name} some stacks show the interpreter alone, not which line of its program called; \
             docs/auditing.md says how it can be made to tell"
        ),
        Hidden::InPool(name) => format!(
            "of {name} some calls are made by threads of its pool (fs.promises, callbacks) for code that waits \
             elsewhere: which line asked for them is not known"
        ),
    };
    AuditFact::new(FactKind::Stacks, text)
}

/// What a rule found, before it is known which of its calls are another's.
struct Found {
    facts: &'static RuleFacts,
    words: &'static Words,
    /// Which of the rule's patterns, from 1.
    pattern: u32,
    group: Group,
    /// Which decision to live with it holds it.
    decided: Option<usize>,
    case: Case,
}

/// What contends for calls as one: a rule's pattern, a group wherever in the code, and what was decided.
type Contest = (RuleId, u32, Group, Option<usize>);

impl Found {
    fn contest(&self) -> Contest {
        (self.facts.id, self.pattern, Group { stack: None, ..self.group }, self.decided)
    }
}

/// What is left of costs when each call is one finding's. Whose it is must not depend on whether stacks
/// were taken: findings that only the place in the code tells apart contend as one.
fn accused_once(found: Vec<Found>, choice: &RuleChoice, world: &World) -> Vec<Found> {
    let is_cost = |found: &&Found| found.words.class == FindingClass::Cost;
    let mut contests: BTreeMap<Contest, Vec<&Found>> = BTreeMap::new();
    for found in found.iter().filter(is_cost) {
        contests.entry(found.contest()).or_default().push(found);
    }
    let contender = |places: &Vec<&Found>| {
        let mut claims = places[0].case.claims.clone();
        for found in &places[1..] {
            claims.join(&found.case.claims);
        }
        Contender {
            rule: places[0].facts.id.0,
            claims,
            instead: places.iter().map(|found| found.case.instead_calls()).sum(),
            is_general: places[0].words.is_general,
            is_set_aside: places[0].decided.is_some() || !choice.has(places[0].facts.id),
        }
    };
    let contenders: Vec<_> = contests.values().map(contender).collect();
    let kept = give_each_call_to_one(&contenders);
    let shares = contests.iter().zip(kept).map(|((contest, places), kept)| {
        let cases: Vec<_> = places.iter().map(|found| &found.case).collect();
        (*contest, shares(&cases, kept).into_iter())
    });
    let mut shares: BTreeMap<Contest, _> = shares.collect();
    let left = |found: Found| {
        if !is_cost(&&found) {
            return Some(found);
        }
        let share = shares.get_mut(&found.contest())?.next()?;
        let case = found.case.left_with(share, world)?;
        Some(Found { case, ..found })
    };
    found.into_iter().filter_map(left).collect()
}

/// What findings that only the place in the code tells apart come to together, where there are several.
fn wholes(found: &[Found], world: &World) -> BTreeMap<Contest, WholeFinding> {
    let mut contests: BTreeMap<Contest, Vec<&Case>> = BTreeMap::new();
    for found in found {
        contests.entry(found.contest()).or_default().push(&found.case);
    }
    let several = contests.into_iter().filter(|(_, cases)| cases.len() > 1);
    let whole = |(number, (contest, cases)): (u32, (Contest, Vec<&Case>))| {
        let mut paths = SharedPath::default();
        for case in &cases {
            paths.join(&case.paths, world);
        }
        let calls = cases.iter().flat_map(|case| case.avoidable()).map(|call| call.call);
        let mut calls: BTreeSet<String> = calls.collect();
        if calls.is_empty() {
            let first = cases.iter().filter_map(|case| case.example.last()).min_by_key(|call| call.number);
            calls.extend(first.map(|call| call.call.clone()));
        }
        let whole = WholeFinding {
            number,
            count: cases.iter().map(|case| case.count).sum(),
            paths: paths.set(world),
            calls: calls.into_iter().collect(),
        };
        (contest, whole)
    };
    (1..).zip(several).map(whole).collect()
}

fn finding(found: &Found, sites: &CallSites<'_>, world: &World, knowledge: &Knowledge) -> Finding {
    let Found { facts, words, pattern, group, case, .. } = found;
    let known = knowledge.of((facts.id, *pattern), group.runtime, group.is_runtimes);
    let owner_by_calls = if group.is_loaders {
        Owner::Loader
    } else if group.is_libcs && !group.is_runtimes {
        Owner::Libc
    } else {
        known.owner.unwrap_or(Owner::Yours)
    };
    let by_stack = sites.owner(group.stack).filter(|_| owner_by_calls != Owner::Loader);
    Finding {
        rule: facts.id,
        pattern: *pattern,
        title: words.title.to_owned(),
        class: words.class,
        severity: words.severity,
        count: case.count,
        per_file_opened: (world.files_opened > 0).then(|| case.count as f64 / world.files_opened as f64),
        avoidable: case.avoidable(),
        instead: case.instead(),
        example: case.example.clone(),
        place: FindingPlace {
            paths: case.paths.set(world),
            program: group.program.map(|program| world.places.path(program).to_owned()),
            process: case.process,
            stack: group.stack,
            frames: sites.frames(group.stack).to_vec(),
            is_sampled: case.is_sampled,
        },
        most_at: case.most_at(world),
        directories: case.directories(world),
        owner: by_stack.unwrap_or(owner_by_calls),
        owner_by_calls,
        price: Reading::unavailable("no prices were given"),
        fix: known.fix.unwrap_or(words.fix).to_owned(),
        doubt: words.doubt(),
        is_uncertain: words.is_uncertain,
        references: known.references,
        suppressed: None,
        whole: None,
    }
}

/// From so many processes on, whose loaders make this part of all calls, they are what there is to save.
const MANY_PROCESSES: u64 = 20;
const MOSTLY_LOADED: f64 = 0.5;

/// That most calls are those by which programs start, where many are started.
fn starts(loading: u64, events: u64, processes: u64) -> Option<AuditFact> {
    let share = loading as f64 / events.max(1) as f64;
    (processes >= MANY_PROCESSES && share >= MOSTLY_LOADED).then(|| {
        let text = format!(
            "{:.0} % of the calls are made by the loader before a program's own code runs, in {processes} \
             processes: fewer starts are fewer calls",
            100.0 * share
        );
        AuditFact::new(FactKind::Starts, text)
    })
}

/// What is read and written by `io_submit` makes no call of its own.
fn asynchronous_gaps(programs: &BTreeMap<String, u64>) -> Vec<Gap> {
    let gap = |(program, contexts): (&String, &u64)| {
        let contexts = if *contexts == 1 { "1 context".to_owned() } else { format!("{contexts} contexts") };
        let text = format!(
            "{program} set up asynchronous I/O ({contexts}): what it reads and writes by io_submit is not seen"
        );
        Gap::new(GapKind::Unseen, text)
    };
    programs.iter().map(gap).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_starts_are_told_where_they_are_most_of_it() {
        let told = |loading, processes| starts(loading, 10_000, processes).map(|fact| fact.text);
        assert!(told(7_250, 101).unwrap().starts_with("72 % of the calls are made by the loader"));
        assert_eq!(told(7_250, 19), None);
        assert_eq!(told(4_999, 101), None);
    }
}
