//! The rules, as SARIF describes those of a tool.

use super::form::{Level, PropertyBag, ReportingConfiguration, ReportingDescriptor, Text};
use fathom_audit::{FindingClass, RuleFacts, RuleSentence, Severity, rule_facts};
use serde_json::json;
use std::collections::BTreeMap;

/// What a budget that a run is held to is called among the rules.
pub(super) const BUDGET: &str = "budget";
const BUDGET_HELP: &str = "A budget limits how many calls a run makes, what they cost, or how many findings it has. \
     The result names the calls that make up most of it: do without them, or change the budget \
     in .fathom.toml or on the command line (--assert).";

/// Every rule there is, by number; behind them, where there are any, that of budgets.
pub(super) fn descriptors(budgets: bool) -> Vec<ReportingDescriptor> {
    let budget = budgets.then(|| ReportingDescriptor {
        default_configuration: ReportingConfiguration { level: Level::Error },
        full_description: Text::new("the run stays within a budget that its project gives it"),
        help: Text::new(BUDGET_HELP),
        id: BUDGET.to_owned(),
        name: "WithinBudget".to_owned(),
        properties: None,
        short_description: Text::new("within a budget"),
    });
    rule_facts().iter().map(descriptor).chain(budget).collect()
}

fn descriptor(facts: &RuleFacts) -> ReportingDescriptor {
    let sentences = facts.sentences();
    let worst = sentences.iter().map(|sentence| sentence.severity).min().unwrap_or(Severity::Info);
    let is_danger = sentences.iter().any(|sentence| sentence.class == FindingClass::Correctness);
    let titles: Vec<_> = sentences.iter().map(|sentence| sentence.title).collect();
    let spared = facts.guards.iter().map(|guard| json!({"name": guard.name, "spares": guard.spares}));
    let mut others = BTreeMap::from([("needs".to_owned(), json!(facts.needs))]);
    others.insert("guards".to_owned(), spared.collect());
    ReportingDescriptor {
        default_configuration: ReportingConfiguration { level: level_of(worst) },
        full_description: Text::new(titles.join("; ")),
        help: Text::new(help(facts, &sentences)),
        id: facts.id.to_string(),
        name: pascal_case(facts.name),
        properties: Some(PropertyBag {
            tags: vec![if is_danger { "correctness" } else { "performance" }],
            others,
        }),
        short_description: Text::new(facts.name.replace('-', " ")),
    }
}

/// The form's word for how bad something is.
pub(super) fn level_of(severity: Severity) -> Level {
    match severity {
        Severity::High => Level::Error,
        Severity::Warn => Level::Warning,
        Severity::Info => Level::Note,
    }
}

fn help(facts: &RuleFacts, sentences: &[RuleSentence]) -> String {
    let advice = sentences.iter().map(|sentence| format!("{}: {}.", sentence.title, sentence.fix));
    let spared = facts.guards.iter().map(|guard| format!("Keeps silent: {}.", guard.spares));
    advice.chain(spared).collect::<Vec<_>>().join("\n")
}

/// The form asks for names like this one: `StatThenOpen`.
fn pascal_case(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    name.split('-').map(word).collect()
}
