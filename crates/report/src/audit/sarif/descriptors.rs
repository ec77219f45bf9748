//! The rules, as SARIF describes those of a tool.

use fathom_audit::{FindingClass, RuleFacts, RuleSentence, Severity, rule_facts};
use serde_json::{Value, json};
use serde_sarif::sarif::{
    MultiformatMessageString, PropertyBag, ReportingConfiguration, ReportingDescriptor, ResultLevel,
};
use std::collections::BTreeMap;

/// What a budget that a run is held to is called among the rules.
pub(super) const BUDGET: &str = "budget";
const BUDGET_HELP: &str = "A budget limits how many calls a run makes, what they cost, or how many findings it has. \
     The result names the calls that make up most of it: do without them, or change the budget \
     in .fathom.toml or on the command line (--assert).";

/// Every rule there is, by number; behind them, where there are any, that of budgets.
pub(super) fn descriptors(budgets: bool) -> Vec<ReportingDescriptor> {
    let budget = budgets.then(|| {
        ReportingDescriptor::builder()
            .id(BUDGET)
            .name("WithinBudget")
            .short_description(text("within a budget".to_owned()))
            .full_description(text("the run stays within a budget that its project gives it".to_owned()))
            .help(text(BUDGET_HELP.to_owned()))
            .default_configuration(ReportingConfiguration::builder().level(level(ResultLevel::Error)).build())
            .build()
    });
    rule_facts().iter().map(descriptor).chain(budget).collect()
}

/// A level as the form writes it.
pub(super) fn level(level: ResultLevel) -> Value {
    Value::from(level.to_string())
}

fn descriptor(facts: &RuleFacts) -> ReportingDescriptor {
    let sentences = facts.sentences();
    let worst = sentences.iter().map(|sentence| sentence.severity).min().unwrap_or(Severity::Info);
    let is_danger = sentences.iter().any(|sentence| sentence.class == FindingClass::Correctness);
    let titles: Vec<_> = sentences.iter().map(|sentence| sentence.title).collect();
    let spared = facts.guards.iter().map(|guard| json!({"name": guard.name, "spares": guard.spares}));
    let mut properties = BTreeMap::from([("needs".to_owned(), json!(facts.needs))]);
    properties.insert("guards".to_owned(), spared.collect());
    let default = ReportingConfiguration::builder().level(level(level_of(worst))).build();
    ReportingDescriptor::builder()
        .id(facts.id.to_string())
        .name(pascal_case(facts.name))
        .short_description(text(facts.name.replace('-', " ")))
        .full_description(text(titles.join("; ")))
        .help(text(help(facts, &sentences)))
        .default_configuration(default)
        .properties(PropertyBag {
            tags: Some(vec![if is_danger { "correctness" } else { "performance" }.to_owned()]),
            additional_properties: properties,
        })
        .build()
}

/// A cost's level follows from its price; without one it is a note.
fn level_of(severity: Severity) -> ResultLevel {
    match severity {
        Severity::High => ResultLevel::Error,
        Severity::Warn => ResultLevel::Warning,
        Severity::Info => ResultLevel::Note,
    }
}

fn help(facts: &RuleFacts, sentences: &[RuleSentence]) -> String {
    let advice = sentences.iter().map(|sentence| format!("{}: {}.", sentence.title, sentence.fix));
    let spared = facts.guards.iter().map(|guard| format!("Keeps silent: {}.", guard.spares));
    advice.chain(spared).collect::<Vec<_>>().join("\n")
}

fn text(words: String) -> MultiformatMessageString {
    MultiformatMessageString::builder().text(words).build()
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
