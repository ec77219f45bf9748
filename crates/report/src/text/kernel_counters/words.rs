//! Predictions, sizes of requests and reasons in words.

use super::Seen;
use crate::quantity::{bytes, grouped, things};
use fathom_model::{EvidencePass, Prediction, PredictionOutcome, Reading, RequestSizes, Scope};
use std::cmp::Reverse;

/// More sizes than this are summed up.
const SIZES: usize = 5;

/// What the predictions came to: those that failed, and the others.
pub(super) fn predictions(pass: &EvidencePass, full: bool) -> (Vec<String>, Vec<String>) {
    let (failed, held): (Vec<_>, Vec<_>) =
        pass.predictions.iter().map(|one| prediction(pass, one, full)).partition(|(_, failed)| *failed);
    let texts = |all: Vec<(String, bool)>| all.into_iter().map(|(text, _)| text).collect();
    (texts(failed), texts(held))
}

/// What a prediction came to, and whether it failed.
fn prediction(pass: &EvidencePass, prediction: &Prediction, full: bool) -> (String, bool) {
    let Prediction { name, expected, because } = prediction;
    let predicted = |reasoned: bool| {
        let because = if reasoned { format!(" ({because})") } else { String::new() };
        format!("{name} predicted {}{because}", grouped(*expected))
    };
    let Some(PredictionOutcome { values, outside }) = pass.outcome(prediction) else {
        return (format!("{}, not counted", predicted(full)), false);
    };
    if values.iter().all(|value| u64::try_from(*value).is_ok_and(|value| value == *expected)) {
        let beside = match outside {
            0 => String::new(),
            _ => format!(
                " beside {} outside the file (metadata, or the program's own pages)",
                things(outside, "read")
            ),
        };
        return (format!("{}, exact{beside}", predicted(full)), false);
    }
    let (least, most) = values.iter().fold((i64::MAX, i64::MIN), |(a, b), &v| (a.min(v), b.max(v)));
    let written = |value: i64| u64::try_from(value).map_or(value.to_string(), grouped);
    let found =
        if least == most { written(least) } else { format!("{} to {}", written(least), written(most)) };
    (format!("NOT as predicted: {name} {found}, {}", predicted(true)), true)
}

/// `read requests: 1,953 of 16 KiB, 40 of 4 KiB`.
pub(super) fn requests(requests: &RequestSizes) -> String {
    let mut sizes = requests.sizes.clone();
    sizes.sort_by_key(|&(size, count)| (Reverse(count), size));
    let (shown, rest) = sizes.split_at(sizes.len().min(SIZES));
    let mut parts: Vec<_> = shown
        .iter()
        .map(|&(size, count)| match size {
            // A flush moves nothing.
            0 => grouped(count),
            _ => format!("{} of {}", grouped(count), bytes(size)),
        })
        .collect();
    if !rest.is_empty() {
        let count = rest.iter().map(|(_, count)| count).sum();
        parts.push(format!("{} of {} other sizes", grouped(count), rest.len()));
    }
    if requests.lost > 0 {
        parts.push(format!("{} not kept", grouped(requests.lost)));
    }
    format!("{} requests: {}", requests.kind, parts.join(", "))
}

/// Each reason with the counters and the methods that it holds for.
pub(super) fn reasons(seen: &[Seen<'_>]) -> Vec<(String, Vec<String>, Vec<String>)> {
    let mut reasons: Vec<(String, Vec<String>, Vec<String>)> = Vec::new();
    for seen in seen {
        for counter in &seen.pass.counters {
            let Reading::Unavailable(reason) = &counter.differences else { continue };
            let name = match counter.scope {
                Scope::Task => counter.name.clone(),
                Scope::Device => format!("device: {}", counter.name),
                Scope::Machine => format!("machine: {}", counter.name),
            };
            let at = reasons.iter().position(|(known, ..)| known == reason).unwrap_or_else(|| {
                reasons.push((reason.clone(), Vec::new(), Vec::new()));
                reasons.len() - 1
            });
            let (_, names, members) = &mut reasons[at];
            for (list, item) in [(names, name), (members, seen.label.to_owned())] {
                if !list.contains(&item) {
                    list.push(item);
                }
            }
        }
    }
    reasons
}
