//! An audit as SARIF 2.1.0, the form in which code hosts and editors take the findings of
//! tools. A test holds what is written against the form's own schema.

mod descriptors;
mod form;
mod invocation;
mod places;

use super::{Group, GroupKind, budgets, groups, words};
use crate::options::Details;
use crate::redact::without_home;
use crate::visible::{visible, visible_strings};
use descriptors::{BUDGET, descriptors, level_of};
use fathom_audit::{Audit, BudgetOutcome, BudgetVerdict, Finding, FindingPrice, Owner, RuleId, rule_facts};
use fathom_model::Reading;
use form::{
    Found, Kind, Level, Location, Log, PropertyBag, Run, Stack, Suppression, Text, Tool, ToolComponent,
};
use places::Places;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The name of the key by which a finding is known again.
const FINGERPRINT: &str = "fathomFinding/v2";
/// What names the tool: it has no address on the web.
const INFORMATION_URI: &str = "urn:fathom:audit";
/// Bytes of a hash that tell findings apart.
const FINGERPRINT_BYTES: usize = 16;

/// The audit as SARIF; of costs only those of the program's own code, unless everything is asked for: nobody
/// mends the others at the line where a host shows them. Pure.
pub fn audit_sarif(audit: &Audit, details: Details) -> serde_json::Result<String> {
    let places = Places::of(audit);
    let driver = ToolComponent {
        information_uri: INFORMATION_URI,
        name: "Fathom",
        rules: descriptors(!audit.budgets.is_empty()),
        semantic_version: audit.fathom_version.clone(),
        version: audit.fathom_version.clone(),
    };
    let mut known = BTreeMap::new();
    let is_told = |group: &Group<'_>| group.kind != GroupKind::NotYours || details == Details::Full;
    let findings = groups(audit).into_iter().filter(is_told).flat_map(|group| group.findings);
    let mut results: Vec<Found> =
        findings.map(|finding| result(audit, finding, &places, &mut known)).collect();
    results.extend(audit.budgets.iter().map(|outcome| budget(outcome, &places)));
    let run = Run {
        invocations: vec![invocation::of(audit)],
        original_uri_base_ids: places.bases(),
        properties: bag([
            ("calls", json!(audit.events)),
            ("processes", json!(audit.processes)),
            ("filesOpened", json!(audit.files_opened)),
        ]),
        results,
        tool: Tool { driver },
    };
    let log = Log { schema: SCHEMA, runs: vec![run], version: "2.1.0" };
    Ok(visible_strings(&serde_json::to_string_pretty(&log)?))
}

fn result(audit: &Audit, finding: &Finding, places: &Places, known: &mut BTreeMap<String, usize>) -> Found {
    let frames: Vec<_> = finding.place.frames.iter().map(|frame| places.frame(frame)).collect();
    let suppression = finding.suppressed.as_ref().map(|suppression| Suppression {
        justification: suppression.reason.clone(),
        kind: "external",
        location: Location::of(places.physical(&suppression.file, None)),
    });
    Found {
        kind: None,
        level: level_of(finding.severity),
        locations: vec![places.location(finding)],
        message: message(audit, finding),
        occurrence_count: Some(finding.count),
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, fingerprint(finding, places, known))]),
        properties: Some(properties(finding)),
        related_locations: places.related(finding),
        rule_id: finding.rule.to_string(),
        rule_index: index_of(finding.rule),
        stacks: if frames.is_empty() { Vec::new() } else { vec![Stack { frames }] },
        suppressions: suppression.into_iter().collect(),
    }
}

/// What happens, how often, what it costs and what to do.
fn message(audit: &Audit, finding: &Finding) -> Text {
    let mut facts = vec![words::frequency(finding)];
    facts.extend(words::price(audit, finding));
    facts.extend(words::whose(finding));
    let place: Vec<String> = [
        finding.place.paths.as_ref().map(|paths| format!("at {}", visible(&words::paths(paths)))),
        finding.place.program.as_ref().map(|program| format!("by {}", visible(program))),
    ]
    .into_iter()
    .flatten()
    .collect();
    let calls: Vec<_> = finding
        .example
        .iter()
        .enumerate()
        .map(|(number, call)| format!("{}. {}", number + 1, call.text))
        .collect();
    let mut text = format!("{} ({})", finding.title, facts.join("; "));
    let doubt = words::doubt(finding).map(|(label, doubt)| format!("{label}: {doubt}"));
    let place = Some(place.join(", ")).filter(|place| !place.is_empty());
    for said in place.into_iter().chain([format!("fix: {}", finding.fix)]).chain(doubt) {
        text.push('\n');
        text.push_str(&said);
    }
    for call in calls {
        text.push('\n');
        text.push_str(&call);
    }
    Text::new(text)
}

/// What a reader who computes needs; absent is what is not known.
fn properties(finding: &Finding) -> PropertyBag {
    let price = finding.price.value();
    let number = |of: fn(&FindingPrice) -> Option<f64>| price.and_then(of).map(|value| json!(value));
    let reason = match &finding.price {
        Reading::Value(_) => None,
        Reading::Unavailable(reason) => Some(reason),
    };
    let references = (!finding.references.is_empty()).then(|| json!(finding.references));
    let known = [
        ("class", serde_json::to_value(finding.class).ok()),
        ("owner", serde_json::to_value(finding.owner).ok()),
        ("count", Some(json!(finding.count))),
        ("perFileOpened", finding.per_file_opened.map(|value| json!(value))),
        ("priceNs", number(|price| Some(price.total_ns))),
        ("priceLowNs", number(|price| price.low_ns)),
        ("priceHighNs", number(|price| price.high_ns)),
        ("priceShare", number(|price| price.share)),
        ("priceUnavailable", reason.map(|reason| json!(reason))),
        ("references", references),
    ];
    bag(known.into_iter().filter_map(|(name, value)| Some((name, value?))))
}

/// The same for the same finding of the next run, in another checkout, however it is worded: no
/// counts, no processes, no sentences, no place in the code. Findings that are alike in all of it, as those that
/// only the place tells apart, are numbered in their order.
fn fingerprint(finding: &Finding, places: &Places, known: &mut BTreeMap<String, usize>) -> String {
    let place = &finding.place;
    let program = place.program.as_deref().and_then(|program| program.rsplit('/').next());
    // Which calls have a stack is another matter in each run.
    let paths = finding.whole.as_ref().map_or(&place.paths, |whole| &whole.paths);
    let paths = paths.as_ref().map(|paths| paths.pattern_seen_from(places.root()));
    let paths = paths.map(|paths| without_home(&paths));
    let parts = [
        &format!("{}/{}", finding.rule, finding.pattern),
        owner(finding.owner_by_calls),
        &calls(finding),
        program.unwrap_or_default(),
        &paths.unwrap_or_default(),
        // Where a function stood in earlier versions.
        "",
    ];
    let hash = hash(&parts.join("\0"));
    let number = known.entry(hash.clone()).or_insert(0);
    *number += 1;
    if *number == 1 { hash } else { format!("{hash}:{number}") }
}

/// A name for each owner that no wording changes.
fn owner(owner: Owner) -> &'static str {
    match owner {
        Owner::Yours => "yours",
        Owner::Runtime => "runtime",
        Owner::Libc => "libc",
        Owner::Loader => "loader",
    }
}

/// The kernel's names of the calls that it is about.
fn calls(finding: &Finding) -> String {
    let of_whole = finding.whole.iter().flat_map(|whole| &whole.calls).map(String::as_str);
    let mut names: Vec<_> = finding.avoidable.iter().map(|call| call.call.as_str()).chain(of_whole).collect();
    if names.is_empty() {
        names.extend(finding.example.last().map(|call| call.call.as_str()));
    }
    names.sort_unstable();
    names.dedup();
    names.join(",")
}

/// Whether the run stayed within a budget.
fn budget(outcome: &BudgetOutcome, places: &Places) -> Found {
    let calls = outcome.calls.iter().map(|calls| format!("\n{}", budgets::who(outcome, calls)));
    let sentence = budgets::sentence(outcome);
    let text = format!("{}: {sentence}{}", budgets::verdict(outcome), calls.collect::<String>());
    let (kind, level) = match outcome.verdict {
        BudgetVerdict::Met => (Kind::Pass, Level::None),
        BudgetVerdict::NotMet => (Kind::Fail, Level::Error),
        // The form leaves the level of what is open to its kind.
        BudgetVerdict::NotKnown => (Kind::Open, Level::None),
    };
    Found {
        kind: Some(kind),
        level,
        locations: vec![places.of_project()],
        message: Text::new(text),
        occurrence_count: None,
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, hash(&outcome.budget))]),
        properties: None,
        related_locations: Vec::new(),
        rule_id: BUDGET.to_owned(),
        rule_index: Some(rule_facts().len()),
        stacks: Vec::new(),
        suppressions: Vec::new(),
    }
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(FINGERPRINT_BYTES).fold(String::new(), |mut hash, byte| {
        let _infallible = write!(hash, "{byte:02x}");
        hash
    })
}

fn index_of(rule: RuleId) -> Option<usize> {
    rule_facts().iter().position(|facts| facts.id == rule)
}

fn bag<'a>(values: impl IntoIterator<Item = (&'a str, Value)>) -> PropertyBag {
    let values = values.into_iter().map(|(name, value)| (name.to_owned(), value));
    PropertyBag { tags: Vec::new(), others: values.collect() }
}

#[cfg(test)]
mod tests;
