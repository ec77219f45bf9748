//! Evidence: what a reader needs to check a verdict by hand.

use crate::effect::Question;
use fathom_model::{CallCount, Comparison, Estimate, Place, PlaceFacts, Proof, Record, StopReason};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What stands behind an instance.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Calls per operation that the two do not make equally often; of a variant
    /// alone, all its calls.
    pub calls: Vec<CallsBeside>,
    /// In what the two differ beside the method.
    pub parameters: Vec<String>,
    /// How far the cache states can be believed.
    pub cache: Vec<String>,
    /// Answers that are not the truth.
    pub answers: Vec<String>,
    /// The same method beside itself, in the same blocks.
    pub control: Option<Estimate>,
    /// Why no more forks were taken.
    pub stop: Option<StopReason>,
    /// What the record says of it.
    pub said: Vec<String>,
}

/// How often a call is made per operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallsBeside {
    /// The call, with its errno when it fails: `epoll_ctl=EPERM`.
    pub call: String,
    /// By what the check is about.
    pub of: f64,
    /// By what that is compared with.
    pub to: Option<f64>,
}

impl Evidence {
    /// The evidence that a comparison holds for a question.
    pub(crate) fn of(record: &Record, comparison: &Comparison, question: &Question<'_>) -> Self {
        let indices = || [Some(question.of), question.to].into_iter().flatten();
        let mut evidence = Self {
            calls: calls(comparison, question),
            parameters: parameters(record, comparison, question),
            ..Self::default()
        };
        for variant in indices() {
            evidence.cache.extend(cache(comparison, variant));
            evidence.answers.extend(answer(comparison, variant));
        }
        evidence.cache.dedup();
        if question.metric.is_timed() {
            evidence.control = comparison.control.value().map(|control| control.ratio);
            evidence.stop = Some(comparison.stop.clone());
        }
        evidence
    }
}

fn calls(comparison: &Comparison, question: &Question<'_>) -> Vec<CallsBeside> {
    let of = counted(comparison, question.of);
    let to = question.to.map(|to| counted(comparison, to));
    let none = BTreeMap::new();
    let others = to.as_ref().unwrap_or(&none);
    let mut names: Vec<&String> = of.keys().chain(others.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let beside = names.into_iter().map(|name| CallsBeside {
        call: name.clone(),
        of: of.get(name).copied().unwrap_or(0.0),
        to: to.as_ref().map(|to| to.get(name).copied().unwrap_or(0.0)),
    });
    beside.filter(|beside| beside.to.is_none_or(|to| (to - beside.of).abs() > 1e-9)).collect()
}

fn counted(comparison: &Comparison, variant: usize) -> BTreeMap<String, f64> {
    let pass = comparison.counts.get(variant).and_then(|counts| counts.value());
    let calls = pass.into_iter().flat_map(|pass| &pass.inside);
    let mut counted = BTreeMap::new();
    for call in calls {
        *counted.entry(name(call)).or_default() += call.per_operation();
    }
    counted
}

fn name(call: &CallCount) -> String {
    match &call.errno {
        Some(errno) => format!("{}={errno}", call.call),
        None => call.call.clone(),
    }
}

/// In what two variants differ, in words; the method is said elsewhere.
fn parameters(record: &Record, comparison: &Comparison, question: &Question<'_>) -> Vec<String> {
    let Some(to) = question.to else { return Vec::new() };
    let (one, two) = (&comparison.variants[question.of], &comparison.variants[to]);
    let (a, b) = (&one.parameters, &two.parameters);
    let mut found = Vec::new();
    let mut differs = |what: &str, one: String, two: String| {
        if one != two {
            found.push(format!("{what} {one} beside {two}"));
        }
    };
    differs("operation", one.operation.to_string(), two.operation.to_string());
    let place = |index: usize| record.places.get(index).map(named).unwrap_or_default();
    differs("place", place(one.place), place(two.place));
    differs("cache", one.cache.to_string(), two.cache.to_string());
    differs("size", a.data.size_bytes.to_string(), b.data.size_bytes.to_string());
    differs("files", a.data.files.to_string(), b.data.files.to_string());
    if one.operation == two.operation {
        differs("block", a.block_bytes.to_string(), b.block_bytes.to_string());
        differs("buffer", format!("{:?}", a.buffer).to_lowercase(), format!("{:?}", b.buffer).to_lowercase());
        differs("access", format!("{:?}", a.access).to_lowercase(), format!("{:?}", b.access).to_lowercase());
        let alignments = [a.alignment, b.alignment].map(|alignment| format!("{alignment:?}").to_lowercase());
        let [one, two] = alignments;
        differs("alignment", one, two);
    }
    for setting in fathom_model::Setting::ALL {
        differs(setting.word(), a.settings.value(setting).to_string(), b.settings.value(setting).to_string());
    }
    found
}

fn cache(comparison: &Comparison, variant: usize) -> Option<String> {
    let evidence = comparison.cache.get(variant)?;
    let state = evidence.state;
    Some(match &evidence.proof {
        Proof::Proven => format!("{state}, proven by {} checks", evidence.checks),
        Proof::Unknown(reason) => format!("{state}, not known: {reason}"),
        Proof::NotApplicable(reason) => reason.clone(),
    })
}

fn answer(comparison: &Comparison, variant: usize) -> Option<String> {
    let answer = comparison.answers.get(variant).filter(|answer| !answer.is_right())?;
    let method = &comparison.variants.get(variant)?.method;
    let flaw = answer.flaw.as_ref().map(|flaw| format!(" ({flaw})")).unwrap_or_default();
    Some(if answer.what == "digest" {
        format!("{method} delivers other bytes than the file's{flaw}")
    } else {
        format!("{method} answers {} {} of {}{flaw}", answer.found, answer.what, answer.expected)
    })
}

/// A place in words: `tmpfs /dev/shm`.
pub(crate) fn named(facts: &PlaceFacts) -> String {
    match &facts.place {
        Place::Memfd => "memfd".to_owned(),
        // Fathom's own mount is gone when this is read: its kind is told, not where it was.
        Place::Directory(path) if path.to_string_lossy().contains("/.fathom-") => {
            format!("a fresh {}", path.file_name().unwrap_or_default().display())
        }
        Place::Directory(path) => format!("{} {}", facts.file_system, path.display()),
    }
}
