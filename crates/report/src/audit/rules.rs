//! The list of rules: what each finds, what it needs to be told, when it keeps silent.

use crate::options::TextOptions;
use crate::page::{Ink, Page};
use fathom_audit::rule_facts;

/// Every rule there is. Pure.
pub fn render_audit_rules(options: &TextOptions) -> String {
    let mut page = Page::new(options);
    for rule in rule_facts() {
        page.row("", &format!("{} {}", rule.id, rule.name), Ink::Heading);
        for sentence in rule.sentences() {
            page.hanging("    finds: ", 11, Ink::Plain, sentence.title);
        }
        page.hanging("    needs: ", 11, Ink::Plain, rule.needs);
        for guard in rule.guards {
            page.hanging("    suppressed by: ", 19, Ink::Plain, guard.spares);
        }
    }
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_listed_with_its_guards() {
        let text = render_audit_rules(&TextOptions::default());
        for rule in rule_facts() {
            assert!(text.contains(&format!("{} {}\n    finds: ", rule.id, rule.name)), "{}", rule.id);
        }
        let guards: usize = rule_facts().iter().map(|rule| rule.guards.len()).sum();
        assert_eq!(text.matches("    suppressed by: ").count(), guards);
    }
}
