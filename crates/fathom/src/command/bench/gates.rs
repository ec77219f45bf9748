//! `fathom bench --fail-on`: what of one run ends with exit code 1.

use crate::arguments::BenchGate as Gate;
use crate::exit::Exit;
use crate::output;
use fathom_model::{CallCount, Comparison, CountPass, MethodId, Reading, Record};

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
    let pass = |at: usize| comparison.counts.get(at)?.value();
    let (Some(first), Some(second)) = (pass(first), pass(second)) else {
        return (Exit::Inconclusive, "calls were not counted".to_owned());
    };
    by_calls((one, first), (other, second))
}

/// Sure only of what is exact: calls that vary from run to run (a runtime's own, as Go's `futex` of an
/// operation that takes long) may be none of the function's.
fn by_calls(
    (one, first): (&MethodId, &CountPass),
    (other, second): (&MethodId, &CountPass),
) -> (Exit, String) {
    let (least, most) = calls_between(first);
    let (other_least, other_most) = calls_between(second);
    let exit = if least > other_most {
        Exit::Findings
    } else if most <= other_least {
        Exit::Done
    } else {
        Exit::Inconclusive
    };
    let words = format!("{one} makes {}, {other} {}", written(first), written(second));
    (exit, words)
}

/// Calls of an operation without those that vary, and with the most that there were of those.
fn calls_between(pass: &CountPass) -> (f64, f64) {
    let (exact, varying): (Vec<_>, Vec<_>) = pass.inside.iter().partition(|call| call.is_exact());
    let least: f64 = exact.iter().map(|call| call.per_operation()).sum();
    let most = |call: &&CallCount| {
        let difference = call.differences.iter().max().copied().unwrap_or_default();
        difference as f64 / call.operations.max(1) as f64
    };
    (least, least + varying.iter().map(most).sum::<f64>())
}

fn written(pass: &CountPass) -> String {
    let (least, most) = calls_between(pass);
    let names: Vec<&str> =
        pass.inside.iter().filter(|call| !call.is_exact()).map(|call| call.call.as_str()).collect();
    let number = |calls: f64| if calls.fract() == 0.0 { format!("{calls}") } else { format!("{calls:.2}") };
    if names.is_empty() {
        return format!("{} calls", number(least));
    }
    format!("{} to {} calls ({} varies)", number(least), number(most), names.join(", "))
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

    fn pass(calls: &[(&str, &[i64])]) -> CountPass {
        let call = |(name, differences): &(&str, &[i64])| CallCount {
            call: (*name).to_owned(),
            errno: None,
            differences: differences.to_vec(),
            operations: 10,
        };
        CountPass {
            run_lengths: [10, 20],
            repetitions: 3,
            inside: calls.iter().map(call).collect(),
            background: Vec::new(),
            outside: Vec::new(),
            recipe: Vec::new(),
            threads: 1,
            missing: None,
        }
    }

    fn judged(first: &CountPass, second: &CountPass) -> (Exit, String) {
        let (one, other) = (MethodId::new("w.go", "A"), MethodId::new("w.go", "B"));
        by_calls((&one, first), (&other, second))
    }

    #[test]
    fn calls_that_vary_decide_nothing() {
        let exact = pass(&[("read", &[20, 20, 20])]);
        let varies = pass(&[("read", &[20, 20, 20]), ("futex", &[11, 12, 13])]);
        let words = "w.go:A makes 2 to 3.30 calls (futex varies), w.go:B 2 calls".to_owned();
        assert_eq!(judged(&varies, &exact), (Exit::Inconclusive, words));
        assert_eq!(judged(&exact, &varies).0, Exit::Done);
        let more = pass(&[("read", &[40, 40, 40]), ("futex", &[11, 12, 13])]);
        assert_eq!(judged(&more, &exact).0, Exit::Findings);
        assert_eq!(judged(&more, &varies).0, Exit::Findings);
    }
}
