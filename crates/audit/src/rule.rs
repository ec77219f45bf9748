//! What a rule is: it sees every call, and tells the cases it found. The table of all of
//! them is in `rules.rs`.

use crate::cases::Cases;
use crate::finding::{FindingClass, RuleId, Severity};
use crate::moment::Moment;
use crate::rules::RULES;
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

/// Every rule there is, by number.
pub fn rule_facts() -> &'static [RuleFacts] {
    RULES
}

/// A rule at work.
pub(crate) trait Rule: fmt::Debug {
    /// Sees one call.
    fn observe(&mut self, moment: &Moment<'_>);

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
    pub(crate) doubt: &'static str,
    pub(crate) class: FindingClass,
    /// Of a danger. A cost's follows from its price.
    pub(crate) severity: Severity,
}

impl Words {
    /// Those of a cost.
    pub(crate) const fn cost(title: &'static str, fix: &'static str, doubt: &'static str) -> Self {
        Self { title, fix, doubt, class: FindingClass::Cost, severity: Severity::Info }
    }

    /// Those of a danger.
    pub(crate) const fn danger(
        severity: Severity,
        title: &'static str,
        fix: &'static str,
        doubt: &'static str,
    ) -> Self {
        Self { title, fix, doubt, class: FindingClass::Correctness, severity }
    }
}

/// Guards in force. All are, but in the test that takes one away.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Guards {
    without: Option<&'static str>,
}

impl Guards {
    /// All but one.
    #[cfg(test)]
    pub(crate) fn without(name: &'static str) -> Self {
        Self { without: Some(name) }
    }

    /// True when this is a case that the guard spares.
    pub(crate) fn spare(self, guard: Guard, is_case: bool) -> bool {
        is_case && self.without != Some(guard.name)
    }
}
