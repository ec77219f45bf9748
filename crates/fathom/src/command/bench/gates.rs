//! `fathom bench --fail-on`: what of one run ends with exit code 1.

use crate::exit::Exit;
use crate::output;
use fathom_model::{Comparison, MethodId, Reading, Record};

/// What a run is failed for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Gate {
    /// Answers of functions that differ.
    Answers,
    /// The first method makes more calls than the second.
    Calls(MethodId, MethodId),
    /// The first method is slower than the second by more than this share.
    Time(MethodId, MethodId, f64),
}

/// A gate in its words.
pub(crate) fn gate(text: &str) -> Result<Gate, String> {
    let method = |word: &str| word.parse::<MethodId>().map_err(|error| error.to_string());
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["answers"] => Ok(Gate::Answers),
        ["calls", one, ">", other] => Ok(Gate::Calls(method(one)?, method(other)?)),
        ["time", one, ">", other] => Ok(Gate::Time(method(one)?, method(other)?, 0.0)),
        ["time", one, ">", other, percent] => {
            let share = percent.strip_prefix('+').and_then(|text| text.strip_suffix('%'));
            let share = share.and_then(|text| text.parse::<f64>().ok()).filter(|share| *share >= 0.0);
            let share = share.ok_or_else(|| format!("`{percent}` is no limit like +5%"))?;
            Ok(Gate::Time(method(one)?, method(other)?, share / 100.0))
        }
        _ => Err("a gate is `answers`, `calls A > B` or `time A > B +5%`, with methods like ways.go:Read"
            .to_owned()),
    }
}

/// Says of each gate whether it held, and ends as they say: a failure before what is not known.
pub(super) fn judge(gates: &[Gate], record: &Record) -> Exit {
    let mut exit = Exit::Done;
    for gate in gates {
        let comparisons: Vec<&Comparison> =
            record.experiments.iter().flat_map(|experiment| &experiment.comparisons).collect();
        let verdicts = comparisons.iter().map(|comparison| verdict(gate, comparison));
        let (mut failed, mut unknown, mut held) = (None, None, None);
        for (verdict, words) in verdicts.chain(unmeasured(gate, record)) {
            let slot = match verdict {
                Exit::Findings => &mut failed,
                Exit::Done => &mut held,
                _ => &mut unknown,
            };
            slot.get_or_insert(words);
        }
        let (word, words, of_gate) = match (failed, unknown, held) {
            (Some(words), ..) => ("FAILED", words, Exit::Findings),
            (None, Some(words), _) => ("not known", words, Exit::Inconclusive),
            (None, None, Some(words)) => ("held", words, Exit::Done),
            (None, None, None) => ("not known", "nothing was compared".to_owned(), Exit::Inconclusive),
        };
        output::note(&format!("gate {word}: {words}"));
        exit = match (exit, of_gate) {
            (Exit::Findings, _) | (_, Exit::Findings) => Exit::Findings,
            (Exit::Done, other) => other,
            (kept, _) => kept,
        };
    }
    exit
}

/// A function that was not measured answered nothing.
fn unmeasured(gate: &Gate, record: &Record) -> Option<(Exit, String)> {
    let mut all = record.experiments.iter().flat_map(|experiment| &experiment.unmeasured);
    let first = all.next().filter(|_| *gate == Gate::Answers)?;
    Some((Exit::Inconclusive, format!("{} was not measured: {}", first.method, first.reason)))
}

fn verdict(gate: &Gate, comparison: &Comparison) -> (Exit, String) {
    let place = |method: &MethodId| comparison.variants.iter().position(|variant| variant.method == *method);
    let missing = |method: &MethodId| (Exit::Inconclusive, format!("{method} was not measured"));
    let (one, other) = match gate {
        Gate::Answers => {
            let wrong =
                comparison.answers.iter().zip(&comparison.variants).find(|(answer, _)| !answer.is_right());
            return match wrong {
                Some((answer, variant)) => {
                    let how = answer.disagrees.clone().unwrap_or_else(|| "answers wrongly".to_owned());
                    (Exit::Findings, format!("{} {how}", variant.method))
                }
                None if comparison.answers.is_empty() => {
                    (Exit::Inconclusive, "no answers were compared".to_owned())
                }
                None => (Exit::Done, "all answers agree".to_owned()),
            };
        }
        Gate::Calls(one, other) | Gate::Time(one, other, _) => (one, other),
    };
    let Some(first) = place(one) else { return missing(one) };
    let Some(second) = place(other) else { return missing(other) };
    if let Gate::Time(.., share) = gate {
        return by_time(comparison, (one, first), (other, second), *share);
    }
    let calls = |at: usize| Some(comparison.counts.get(at)?.value()?.calls_per_operation());
    let (Some(first), Some(second)) = (calls(first), calls(second)) else {
        return (Exit::Inconclusive, "calls were not counted".to_owned());
    };
    let words = format!("{one} makes {first} calls, {other} {second}");
    (if first > second { Exit::Findings } else { Exit::Done }, words)
}

/// Sure only where the intervals of both leave no doubt.
fn by_time(
    comparison: &Comparison,
    (one, first): (&MethodId, usize),
    (other, second): (&MethodId, usize),
    share: f64,
) -> (Exit, String) {
    let interval = |at: usize| match comparison.summaries.get(at).and_then(Reading::value) {
        Some(_) if at == comparison.baseline => Some((1.0, 1.0)),
        Some(summary) => summary.ratio.as_ref()?.interval(),
        None => None,
    };
    let faulty = comparison.control.value().is_some_and(|control| control.instrument_fault);
    let (Some(a), Some(b)) = (interval(first), interval(second)) else {
        return (Exit::Inconclusive, format!("{one} and {other} have no intervals yet: more --time"));
    };
    let (low, high) = (a.0 / b.1, a.1 / b.0);
    let words = format!("{one} takes {low:.3} to {high:.3} times as long as {other}");
    let exit = if faulty {
        return (Exit::Inconclusive, "the A/A control failed".to_owned());
    } else if low > 1.0 + share {
        Exit::Findings
    } else if high <= 1.0 + share {
        Exit::Done
    } else {
        Exit::Inconclusive
    };
    (exit, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_read_and_mistakes_are_refused() {
        let method = |text: &str| text.parse::<MethodId>().unwrap();
        assert_eq!(gate("answers"), Ok(Gate::Answers));
        let calls = Gate::Calls(method("ways.go:A"), method("ways.go:B"));
        assert_eq!(gate("calls ways.go:A > ways.go:B"), Ok(calls));
        let time = Gate::Time(method("a.c:x"), method("native:read"), 0.05);
        assert_eq!(gate("time a.c:x > native:read +5%"), Ok(time));
        for mistaken in ["", "answer", "calls A > B", "time a.c:x > a.c:y 5", "time a.c:x > a.c:y +-5%"] {
            assert!(gate(mistaken).is_err(), "{mistaken}");
        }
    }
}
