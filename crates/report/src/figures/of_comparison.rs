//! The figures of a comparison: the new side's, with the old one's beside each, and what gates say.

use super::{Figure, FigureForm, Figures, Quantity};
use crate::compare::gates::verdict_word;
use crate::compare::in_words;
use crate::compare::variants::time_word;
use crate::export_error::ExportError;
use crate::measurement::ends;
use fathom_model::Reading;
use fathom_stats::{
    CallsComparison, Change, CommandsCompared, Gate, GateVerdict, RecordComparison, TimeComparison,
};

/// The quantities of what is compared: operations or runs.
struct Kinds {
    time: Quantity,
    calls: Quantity,
}

/// A comparison of two records as figures. Pure.
///
/// # Errors
///
/// Where nothing was compared.
pub fn record_comparison_figures(found: &RecordComparison, form: FigureForm) -> Result<String, ExportError> {
    let kinds = Kinds { time: Quantity::OperationTime, calls: Quantity::OperationCalls };
    let mut figures = Vec::new();
    for variant in &found.variants {
        let name = &variant.name;
        let labels = [
            ("experiment", name.experiment.clone()),
            ("comparison", name.label.clone()),
            ("method", crate::compare::method_in_words(name)),
            ("operation", name.operation.word().to_owned()),
            ("place", name.place.clone()),
            ("cache", name.cache.to_string()),
        ];
        figures.extend(of_pair(&kinds, &in_words(name), &labels, &variant.calls, &variant.time));
    }
    figures.extend(found.gates.iter().map(|gate| of_gate(&gate.gate, gate.verdict)));
    let about = vec![
        ("old", found.old.name.clone()),
        ("new", found.new.name.clone()),
        ("old_created", found.old.created.clone()),
        ("new_created", found.new.created.clone()),
        ("complete", (found.old.complete && found.new.complete).to_string()),
    ];
    Figures { about, figures }.written(form, "nothing that was compared")
}

/// A comparison of two commands as figures. Pure.
///
/// # Errors
///
/// Where nothing was compared.
pub fn commands_figures(found: &CommandsCompared, form: FigureForm) -> Result<String, ExportError> {
    let kinds = Kinds { time: Quantity::RunTime, calls: Quantity::AllCalls };
    let labels = [("old", found.old.clone()), ("new", found.new.clone())];
    let mut figures = of_pair(&kinds, &found.new, &labels, &found.calls, &found.time);
    figures.extend(found.gates.iter().map(|gate| of_gate(&gate.gate, gate.verdict)));
    let about = vec![("created", found.created.clone()), ("complete", found.complete.to_string())];
    Figures { about, figures }.written(form, "nothing that was compared")
}

fn of_pair(
    kinds: &Kinds,
    name: &str,
    labels: &[(&'static str, String)],
    calls: &Reading<CallsComparison>,
    time: &Reading<TimeComparison>,
) -> Vec<Figure> {
    let mut figures = Vec::new();
    if let Reading::Value(time) = time {
        let verdict = std::iter::once(time_word(time.change).to_owned()).chain(time.caveats.clone());
        let verdict = verdict.collect::<Vec<_>>().join("\n");
        let new = Figure::new(kinds.time, name, time.new_ns.value).labels(labels).extra(verdict.clone());
        figures.push(Figure { before: Some(time.old_ns.value), ends: ends(&time.new_ns), ..new });
        // What differs from itself has no ratio to be used.
        if time.change != Change::ControlFault {
            let ratio = &time.ratio_simultaneous;
            let figure = Figure::new(Quantity::TimeRatio, format!("{name}: new/old"), ratio.value);
            figures.push(Figure { ends: ends(ratio), ..figure.labels(labels).extra(verdict) });
        }
    }
    if let Reading::Value(calls) = calls {
        let new = Figure::new(kinds.calls, format!("{name}: system calls"), calls.new.median).labels(labels);
        figures.push(Figure { before: Some(calls.old.median), ..new });
    }
    figures
}

fn of_gate(gate: &Gate, verdict: GateVerdict) -> Figure {
    let value = f64::from(u8::from(verdict != GateVerdict::Holds));
    let word = verdict_word(verdict).0.to_lowercase();
    let figure = Figure::new(Quantity::NotMet, format!("gate {gate}"), value);
    figure.label("gate", gate.to_string()).label("verdict", word.clone()).extra(word)
}
