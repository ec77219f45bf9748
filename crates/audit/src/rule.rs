//! What a rule is: it sees every call, and tells the cases it found. The table of all of
//! them is in `rules.rs`.

use crate::cases::Cases;
use crate::claims::Claim;
use crate::finding::{Doubt, FindingClass, RuleId, Severity};
use crate::first_look::FirstLook;
use crate::interest::Interest;
use crate::moment::Moment;
use crate::world::World;
use std::fmt;

/// A condition under which a rule keeps silent although its pattern is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// Its name, one word or several with dashes.
    pub name: &'static str,
    /// What it spares, and why.
    pub spares: &'static str,
}

/// What there is to say of a rule.
#[derive(Debug, Clone, Copy)]
pub struct RuleFacts {
    /// Its number.
    pub id: RuleId,
    /// Its name: `fstat-after-write-open`.
    pub name: &'static str,
    /// What the source of events must tell for it to find anything.
    pub needs: &'static str,
    /// When it keeps silent.
    pub guards: &'static [Guard],
    pub(crate) begin: fn(Guards) -> Box<dyn Rule>,
}

impl RuleFacts {
    /// What it says when it finds something: most rules say one thing, some say several.
    pub fn sentences(&self) -> Vec<RuleSentence> {
        let rule = (self.begin)(Guards::default());
        rule.cases().into_iter().map(|(words, _)| RuleSentence::from(words)).collect()
    }
}

/// What a rule says of a finding, before anything was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleSentence {
    /// What happens.
    pub title: &'static str,
    /// What to do.
    pub fix: &'static str,
    /// What could make it wrong; where `is_certain`, why nothing could.
    pub doubt: &'static str,
    /// Nothing could make it wrong.
    pub is_certain: bool,
    /// Cost or danger.
    pub class: FindingClass,
    /// Of a danger; of a cost it follows from the calls.
    pub severity: Severity,
}

impl From<&Words> for RuleSentence {
    fn from(words: &Words) -> Self {
        let Words { title, fix, doubt, is_certain, class, severity, .. } = *words;
        Self { title, fix, doubt, is_certain, class, severity }
    }
}

/// A rule at work.
pub(crate) trait Rule: fmt::Debug {
    /// The calls that it has to see: those at which it finds something, learns something, or
    /// gives up what it learned. It has to be the same at all times.
    fn interest(&self) -> Interest {
        Interest::ALL
    }

    /// The part of them that it has to see while it remembers nothing ([`Rule::remembers`]): those
    /// at which it finds something or begins to remember.
    fn wakes_at(&self) -> Interest {
        self.interest()
    }

    /// True while it remembers anything that a call of its interest may change.
    fn remembers(&self) -> bool {
        true
    }

    /// Sees one call.
    fn observe(&mut self, moment: &Moment<'_>);

    /// Of a rule that remembers nothing of a first look at a path (`Moment::is_first_look`): the calls
    /// on that path before which it has to take the look in.
    fn recalls(&self) -> Interest {
        Interest::NONE
    }

    /// Takes in the first look at a path, before such a call.
    fn recall(&mut self, _look: &FirstLook, _call: Claim, _world: &World) {}

    /// The trace has ended; what is open stays open.
    fn finish(&mut self, _world: &World) {}

    /// What was found, with the words for it.
    fn cases(&self) -> Vec<(&'static Words, &Cases)>;
}

/// What a finding says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words {
    pub(crate) title: &'static str,
    pub(crate) fix: &'static str,
    /// What could make it wrong; where `is_certain`, why nothing could.
    pub(crate) doubt: &'static str,
    pub(crate) is_certain: bool,
    pub(crate) class: FindingClass,
    /// Of a danger. A cost's follows from what it costs.
    pub(crate) severity: Severity,
    /// It says of many calls what other rules say more exactly of some: those come first.
    pub(crate) is_general: bool,
    /// The calls fit, and what no call shows decides whether they are waste: what the bytes are,
    /// or what an answer was used for.
    pub(crate) is_uncertain: bool,
}

impl Words {
    /// Those of a cost.
    pub(crate) const fn cost(title: &'static str, fix: &'static str, doubt: &'static str) -> Self {
        let (class, severity) = (FindingClass::Cost, Severity::Info);
        Self { title, fix, doubt, is_certain: false, class, severity, is_general: false, is_uncertain: false }
    }

    /// The same of a cost that other rules name more exactly where they can.
    pub(crate) const fn general(self) -> Self {
        Self { is_general: true, ..self }
    }

    /// The same of a cost that what no call shows may justify: it is never more than info, takes
    /// no call from another finding, and is in no sum.
    pub(crate) const fn uncertain(self) -> Self {
        Self { is_uncertain: true, is_general: true, ..self }
    }

    /// The same of a cost that is never more than info and in no sum, although no rule names its calls more
    /// exactly.
    pub(crate) const fn perhaps(self) -> Self {
        Self { is_uncertain: true, ..self }
    }

    /// Those of a danger.
    pub(crate) const fn danger(
        severity: Severity,
        title: &'static str,
        fix: &'static str,
        doubt: &'static str,
    ) -> Self {
        let class = FindingClass::Correctness;
        Self { title, fix, doubt, is_certain: false, class, severity, is_general: false, is_uncertain: false }
    }

    /// The same where nothing could make it wrong: the doubt's words say why.
    pub(crate) const fn certain(self) -> Self {
        Self { is_certain: true, ..self }
    }

    /// What could make it wrong.
    pub(crate) fn doubt(&self) -> Doubt {
        let words = self.doubt.to_owned();
        if self.is_certain { Doubt::Certain(words) } else { Doubt::Unless(words) }
    }
}

/// Guards in force. All are, but where one is taken away to see what it is for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Guards {
    without: Option<&'static str>,
}

impl Guards {
    /// All but those of that name.
    pub(crate) fn without(name: &'static str) -> Self {
        Self { without: Some(name) }
    }

    /// True when this is a case that the guard spares.
    pub(crate) fn spare(self, guard: Guard, is_case: bool) -> bool {
        is_case && self.without != Some(guard.name)
    }
}

#[cfg(test)]
mod tests {
    use crate::rule_list::rule_facts;

    #[test]
    fn every_rule_says_what_happens_and_what_to_do_before_it_finds_anything() {
        for facts in rule_facts() {
            let sentences = facts.sentences();
            assert!(!sentences.is_empty(), "{}", facts.id);
            for sentence in sentences {
                assert!(!sentence.title.is_empty() && !sentence.fix.is_empty(), "{}", facts.id);
                // It stands behind "unless", or behind "certain".
                let doubt = sentence.doubt;
                assert!(!doubt.is_empty() && !doubt.starts_with("none"), "{}: {doubt}", facts.id);
                assert!(!doubt.contains("unless"), "{}: {doubt}", facts.id);
            }
        }
    }
}
