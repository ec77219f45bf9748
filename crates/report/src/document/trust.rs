//! How far results can be trusted, in a sentence: what was proven, what the
//! control says, and what disturbed the machine.

use crate::quantity::{percent, things};
use crate::redact::REDACTED;
use crate::standing::is_faulty;
use crate::statement::Statement;
use fathom_model::{Comparison, Proof, Record, Severity, Warning};

/// From so many preempted samples on, a reader has to know.
const PREEMPTED_MAX: f64 = 0.2;

/// The sentence.
pub(crate) fn sentence(records: &[&Record]) -> String {
    let comparisons: Vec<&Comparison> =
        records.iter().flat_map(|r| &r.experiments).flat_map(|e| &e.comparisons).collect();
    let mut parts = Vec::new();
    parts.extend(states(&comparisons));
    parts.extend(controls(&comparisons));
    parts.push(warned(records, &comparisons));
    if records.iter().any(|record| !record.complete) {
        parts.push("a run ended early and is incomplete".to_owned());
    }
    let mut text = parts.join("; ");
    if let Some(first) = text.get(..1).map(str::to_uppercase) {
        text.replace_range(..1, &first);
    }
    text + "."
}

fn states(comparisons: &[&Comparison]) -> Option<String> {
    let proofs: Vec<&Proof> =
        comparisons.iter().flat_map(|comparison| &comparison.cache).map(|evidence| &evidence.proof).collect();
    let count = |wanted: fn(&Proof) -> bool| proofs.iter().filter(|proof| wanted(proof)).count();
    let proven = count(|proof| matches!(proof, Proof::Proven));
    let unknown = count(|proof| matches!(proof, Proof::Unknown(_)));
    match (proven, unknown) {
        (0, 0) => None,
        (_, 0) => Some("every cache state that matters was proven by checks around the samples".to_owned()),
        (proven, unknown) => Some(format!(
            "the cache state was proven for {proven} of {} measurements and is UNKNOWN for the rest",
            proven + unknown
        )),
    }
}

fn controls(comparisons: &[&Comparison]) -> Option<String> {
    let controlled: Vec<_> = comparisons.iter().filter_map(|c| Some((c, c.control.value()?))).collect();
    let faulty = controlled.iter().filter(|(comparison, _)| is_faulty(comparison)).count();
    let silent = controlled
        .iter()
        .filter(|(_, control)| Statement::of_ratio(&control.ratio) == Statement::NoDifference)
        .count();
    match (controlled.len(), faulty) {
        (0, _) => None,
        (1, 0) if silent == 1 => Some("the A/A control shows no difference, as it must".to_owned()),
        (all, 0) if silent == all => Some(format!("all {all} A/A controls show no difference, as they must")),
        (all, 0) => {
            let open = controlled
                .iter()
                .filter(|(_, control)| Statement::of_ratio(&control.ratio) == Statement::Nothing)
                .count();
            let narrow = all - silent - open;
            let open = if open > 0 { format!(", {open} have too few forks to tell") } else { String::new() };
            let narrow = if narrow > 0 {
                format!(", {narrow} differ at 95 %, though not at 99 %")
            } else {
                String::new()
            };
            Some(format!("of {all} A/A controls {silent} show no difference{open}{narrow}; none is at fault"))
        }
        (all, some) => {
            Some(format!("{some} of {all} A/A controls are AT FAULT: their ratios are not to be used"))
        }
    }
}

fn warned(records: &[&Record], comparisons: &[&Comparison]) -> String {
    let all: Vec<&Warning> = records
        .iter()
        .flat_map(|record| &record.warnings)
        .chain(comparisons.iter().flat_map(|comparison| &comparison.warnings))
        // What was left out of the text disturbed nothing.
        .filter(|warning| warning.code != REDACTED)
        .collect();
    let of = |severity| all.iter().filter(|warning| warning.severity == severity).count() as u64;
    let preempted = comparisons
        .iter()
        .flat_map(|comparison| &comparison.summaries)
        .filter_map(|summary| summary.value()?.preempted_share)
        .fold(0.0_f64, f64::max);
    let interrupted = format!("up to {} of a method's samples were preempted", percent(preempted));
    match (of(Severity::Fault), of(Severity::Warning)) {
        (0, some) if some > 0 && preempted > PREEMPTED_MAX => {
            format!("{} below; {interrupted}", stand(some, "warning"))
        }
        (0, 0) if preempted > PREEMPTED_MAX => interrupted,
        (0, 0) if of(Severity::Note) > 0 => format!("{} below", stand(of(Severity::Note), "note")),
        (0, 0) => "nothing disturbed the measurement that Fathom knows of".to_owned(),
        (0, some) => format!("{} below", stand(some, "warning")),
        (faults, some) => format!("{} and {} stand below", things(faults, "fault"), things(some, "warning")),
    }
}

/// `1 warning stands`, `3 warnings stand`.
fn stand(count: u64, noun: &str) -> String {
    format!("{} {}", things(count, noun), if count == 1 { "stands" } else { "stand" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{complete, interrupted, troubled};

    #[test]
    fn trust_is_what_the_record_supports() {
        let text = sentence(&[&complete()]);
        assert!(text.starts_with("Every cache state") && text.contains("A/A control"), "{text}");
        let text = sentence(&[&troubled()]);
        assert!(text.contains("AT FAULT") && text.contains("warning"), "{text}");
        assert!(sentence(&[&interrupted()]).contains("incomplete"));
    }
}
