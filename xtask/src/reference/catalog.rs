//! The entries of the catalog with their claims.

use super::{prose, titled};
use fathom_catalog::{Entry, SHIPPED};

/// The page.
pub(super) fn page() -> anyhow::Result<String> {
    let entries = SHIPPED.iter().map(|shipped| Entry::parse(shipped.file, shipped.text));
    let entries = entries.collect::<Result<Vec<_>, _>>()?;
    let claims: usize = entries.iter().map(|entry| entry.claims().count()).sum();
    let mut pieces = vec![format!(
        "The {} experiments that ship with Fathom, with the {claims} claims about them. `fathom bench NAME` runs one, `fathom verify NAME` judges its claims; the link leads to what it showed on one machine.",
        entries.len()
    )];
    pieces.extend(entries.iter().flat_map(section));
    Ok(titled("Catalog", &pieces.join("\n\n")))
}

fn section(entry: &Entry) -> Vec<String> {
    let Entry { name, title, question, source, .. } = entry;
    let page = format!("[{}](../experiments/{name}.md). {}", prose(title), prose(question));
    let mut pieces = vec![format!("## {name}"), page, what_it_does(entry)];
    pieces.extend(source.iter().map(|source| format!("Source: {}", prose(source))));
    let claims: Vec<_> =
        entry.claims().map(|claim| format!("- `{}`: {}", claim.name, prose(&claim.sentence))).collect();
    if !claims.is_empty() {
        pieces.push("Claims:".to_owned());
        pieces.push(claims.join("\n"));
    }
    pieces
}

fn what_it_does(entry: &Entry) -> String {
    if entry.scenario().is_some() {
        return "A scenario: its result is what happened, not a time.".to_owned();
    }
    let operations: Vec<_> =
        entry.operations().iter().map(|operation| format!("`{}`", operation.word())).collect();
    let methods: Vec<_> = patterns(entry).iter().map(|pattern| format!("`{pattern}`")).collect();
    format!("Operations: {}. Methods: {}.", operations.join(", "), methods.join(", "))
}

/// Its methods as they are written, each once.
fn patterns(entry: &Entry) -> Vec<&str> {
    let mut patterns = Vec::new();
    for pattern in entry.method_patterns() {
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    patterns
}
