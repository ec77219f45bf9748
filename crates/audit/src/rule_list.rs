//! What is known of every rule before it finds anything.

use crate::rule::RuleFacts;
use crate::rules::RULES;

/// Every rule there is, by number.
pub fn rule_facts() -> &'static [RuleFacts] {
    RULES
}
