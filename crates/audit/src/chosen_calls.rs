//! Calls of a run that somebody asks about: those of a rule's findings, or of a pattern as budgets
//! have it, each by the number of its event.

use crate::budget::CallPattern;
use crate::claims::Claims;
use crate::finding::{Finding, FindingClass, Owner, RuleId};
use crate::moment::Moment;
use crate::rule_list::rule_facts;
use crate::world::{FileNumber, PlaceId};
use fathom_events::CallName;
use fathom_model::CountedCalls;
use std::collections::{BTreeSet, HashSet};

/// What is asked about: `R13`, `all-of-mine`, `newfstatat(*.json)`, `newfstatat(*.json) repeated`.
#[derive(Debug, Clone)]
pub struct ChosenCalls {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    /// What the audit's total is of.
    AllOfMine,
    Rule(RuleId),
    Pattern {
        pattern: Box<CallPattern>,
        repeated: bool,
    },
}

/// Instead of a rule: all findings that the audit's total is of.
const ALL_OF_MINE: &str = "all-of-mine";

/// The word behind a pattern that leaves out the first of calls that are alike.
const REPEATED: &str = "repeated";

impl ChosenCalls {
    /// Reads what is asked about; the error says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text == ALL_OF_MINE {
            return Ok(Self { text: text.to_owned(), kind: Kind::AllOfMine });
        }
        let rule = text.strip_prefix('R').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        if rule.is_some_and(|digits| !digits.is_empty()) {
            let id = RuleId::try_from(text.to_owned())?;
            let facts = rule_facts().iter().find(|facts| facts.id == id);
            let facts =
                facts.ok_or_else(|| format!("there is no rule {text}: `fathom audit --rules` lists them"))?;
            let is_cost = facts.sentences().iter().any(|sentence| sentence.class == FindingClass::Cost);
            if !is_cost {
                return Err(format!(
                    "{text} finds dangers, which cost nothing: there is no time to ask about"
                ));
            }
            return Ok(Self { text: text.to_owned(), kind: Kind::Rule(id) });
        }
        let (pattern, repeated) = match text.strip_suffix(REPEATED) {
            Some(pattern) if pattern.ends_with([' ', ')']) => (pattern, true),
            _ => (text, false),
        };
        let pattern = CallPattern::parse(pattern.trim()).map_err(|error| error.to_string())?;
        Ok(Self { text: text.to_owned(), kind: Kind::Pattern { pattern: Box::new(pattern), repeated } })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Patterns of paths are seen from this directory too.
    #[must_use]
    pub fn seen_from(mut self, directory: &str) -> Self {
        if let Kind::Pattern { pattern, .. } = &mut self.kind {
            pattern.see_from(directory);
        }
        self
    }
}

/// The calls of a run that were meant.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallsChosen {
    /// Numbers of their events, from 1.
    pub numbers: BTreeSet<u64>,
    /// What a finding says is to be called in their place.
    pub instead: Vec<CountedCalls>,
    /// Calls that a finding counts and does not know one by one.
    pub unknown: u64,
    /// Calls of the rule's findings that are not the program's own, where others are: they are not meant.
    pub of_others: u64,
}

impl CallsChosen {
    fn calls(&self) -> u64 {
        self.numbers.len() as u64 + self.unknown
    }
}

/// Finds the calls that are meant as events come.
#[derive(Debug)]
pub(crate) struct ChosenTally {
    chosen: ChosenCalls,
    asked: HashSet<Alike>,
    found: CallsChosen,
    /// Of a rule: in findings that are not the program's own.
    of_others: CallsChosen,
}

/// What makes calls alike: of one process, by one name, of one path or open file, with one end.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Alike {
    process: u32,
    call: CallName,
    place: Option<PlaceId>,
    file: Option<FileNumber>,
    errno: Option<i32>,
}

impl ChosenTally {
    pub(crate) fn new(chosen: ChosenCalls) -> Self {
        Self {
            chosen,
            asked: HashSet::new(),
            found: CallsChosen::default(),
            of_others: CallsChosen::default(),
        }
    }

    pub(crate) fn observe(&mut self, moment: &Moment<'_>) {
        let Kind::Pattern { pattern, repeated } = &mut self.chosen.kind else { return };
        if !pattern.selects(moment) {
            return;
        }
        // By path where it names one: an open makes another file each time.
        let alike = Alike {
            process: moment.process(),
            call: moment.event.call,
            place: moment.place,
            file: moment.file.map(|file| file.number).filter(|_| moment.place.is_none()),
            errno: moment.errno(),
        };
        if self.asked.insert(alike) && *repeated {
            return;
        }
        self.found.numbers.insert(moment.when.number);
    }

    /// Takes in a finding's calls.
    pub(crate) fn find(&mut self, finding: &Finding, claims: &Claims, instead: Vec<CountedCalls>) {
        let is_meant = match self.chosen.kind {
            Kind::AllOfMine => finding.is_of_savings(),
            Kind::Rule(asked) => asked == finding.rule,
            Kind::Pattern { .. } => false,
        };
        if !is_meant {
            return;
        }
        let is_own = finding.owner_by_calls == Owner::Yours;
        let found = if is_own { &mut self.found } else { &mut self.of_others };
        let known = claims.numbers().count() as u64;
        found.unknown += claims.calls().saturating_sub(known);
        found.numbers.extend(claims.numbers());
        found.instead.extend(instead);
    }

    /// What is the program's own; where nothing is, what its runtime does.
    pub(crate) fn into_found(mut self) -> CallsChosen {
        if self.found.calls() == 0 {
            return self.of_others;
        }
        self.found.of_others = self.of_others.calls();
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Auditor;
    use fathom_events::{CallOutcome, FileAction, FileEvent, PathTable, Target};

    fn chosen(text: &str) -> Vec<u64> {
        let mut paths = PathTable::new();
        let mut auditor =
            Auditor::new().starting_in("/w").asking_about(ChosenCalls::parse(text).unwrap().seen_from("/w"));
        for path in ["a.json", "b.json", "a.json", "c.txt", "a.json", "b.json"] {
            let target = Target::path(paths.number(path.as_ref()));
            auditor.take(
                FileEvent {
                    at_ns: 0,
                    process: 1,
                    thread: 1,
                    call: "newfstatat",
                    action: FileAction::Stat { target, facts: None, mask: 0 },
                    outcome: CallOutcome::Value(0),
                    took_ns: None,
                    waited_ns: None,
                    slept_ns: None,
                    stack: None,
                },
                &paths,
            );
        }
        let (_, chosen) = auditor.finish_with_chosen(&mut |_| Vec::new());
        chosen.numbers.into_iter().collect()
    }

    #[test]
    fn patterns_choose_calls_by_path_and_leave_out_the_first_where_asked() {
        assert_eq!(chosen("newfstatat(*.json)"), [1, 2, 3, 5, 6]);
        assert_eq!(chosen("newfstatat(*.json) repeated"), [3, 5, 6]);
        assert_eq!(chosen("stat"), [1, 2, 3, 4, 5, 6]);
        assert!(chosen("openat(*.json)").is_empty());
    }

    #[test]
    fn rules_choose_the_calls_of_their_findings() {
        // The same question again, of a path that nothing changed.
        assert_eq!(chosen("R15"), [3, 5, 6]);
        // Nothing else is found there, so that this is all.
        assert_eq!(chosen("all-of-mine"), [3, 5, 6]);
    }

    #[test]
    fn of_a_rule_the_programs_own_calls_are_meant_where_there_are_any() {
        let chosen = |asks: bool| {
            let mut script = crate::script::Script::new();
            script.load("/usr/bin/tclsh8.6");
            for _ in 0..2 {
                for number in 0..40 {
                    script.stat(&format!("/srv/lib/{number}"), 4096);
                    script.stat_fails(&format!("/srv/lib/{number}/pkgIndex.tcl"));
                }
            }
            (0..if asks { 10 } else { 0 }).for_each(|_| script.stat("/srv/data", 99));
            let mut auditor = Auditor::new().asking_about(ChosenCalls::parse("R15").unwrap());
            script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
            let (_, chosen) = auditor.finish_with_chosen(&mut |_| Vec::new());
            (chosen.calls(), chosen.of_others)
        };
        assert_eq!(chosen(true), (9, 40));
        assert_eq!(chosen(false), (40, 0), "who asks about a runtime's means them");
    }

    #[test]
    fn what_is_no_rule_and_no_call_is_refused_with_the_reason() {
        let refused = |text: &str| ChosenCalls::parse(text).unwrap_err();
        assert!(refused("R999").contains("no rule R999"), "{}", refused("R999"));
        assert!(refused("newfstta").contains("newfstatat"), "{}", refused("newfstta"));
        assert!(refused("findings").contains("calls"), "{}", refused("findings"));
    }
}
