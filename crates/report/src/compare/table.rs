//! Comparisons as one table: a row for each variant, or for two commands.

use super::in_words;
use super::variants::time_word;
use crate::export_error::ExportError;
use crate::table_text::{TableForm, TextTable};
use fathom_model::Reading;
use fathom_stats::{CallsComparison, CommandsCompared, GateVerdict, RecordComparison, TimeComparison};

/// A comparison of two records as one table. Pure.
///
/// # Errors
///
/// Those of writing CSV.
pub fn record_comparison_table(
    comparison: &RecordComparison,
    form: TableForm,
) -> Result<String, ExportError> {
    let variants =
        comparison.variants.iter().map(|variant| row(in_words(&variant.name), &variant.calls, &variant.time));
    let alone = |items: &[fathom_stats::Unmatched], side: &str| {
        let count = items.len();
        (count > 0).then(|| note("not compared", format!("{count} in {side} alone")))
    };
    let unmeasured = comparison
        .unmeasured
        .iter()
        .map(|item| note(&format!("not measured: {}", item.method), item.reason.clone()));
    let gates =
        comparison.gates.iter().map(|gate| note(&format!("gate {}", gate.gate), gate_word(gate.verdict)));
    let rows = variants
        .chain(alone(&comparison.only_old, "the old record"))
        .chain(alone(&comparison.only_new, "the new record"))
        .chain(unmeasured)
        .chain(gates);
    table(rows.collect()).written(form)
}

/// A comparison of two commands as one table. Pure.
///
/// # Errors
///
/// Those of writing CSV.
pub fn commands_table(found: &CommandsCompared, form: TableForm) -> Result<String, ExportError> {
    let mut rows = vec![row(format!("{} → {}", found.old, found.new), &found.calls, &found.time)];
    if !found.complete {
        rows.push(note("incomplete", "it ended early".to_owned()));
    }
    rows.extend(found.gates.iter().map(|gate| note(&format!("gate {}", gate.gate), gate_word(gate.verdict))));
    table(rows).written(form)
}

fn table(rows: Vec<Vec<String>>) -> TextTable {
    TextTable {
        header: vec![
            "what",
            "old calls",
            "new calls",
            "old ns",
            "new ns",
            "ratio",
            "ratio low",
            "ratio high",
            "verdict",
        ],
        figures: vec![false, true, true, true, true, true, true, true, false],
        rows,
    }
}

fn row(name: String, calls: &Reading<CallsComparison>, time: &Reading<TimeComparison>) -> Vec<String> {
    let calls_of = |side: fn(&CallsComparison) -> f64| {
        calls.value().map(|calls| side(calls).to_string()).unwrap_or_default()
    };
    let figure = |value: Option<f64>| value.map(|value| format!("{value:.6}")).unwrap_or_default();
    let times = time.value();
    let ratio = times.map(|time| &time.ratio);
    let reasons = [
        match calls {
            Reading::Unavailable(reason) => Some(format!("no calls: {reason}")),
            Reading::Value(_) => None,
        },
        match time {
            Reading::Unavailable(reason) => Some(format!("no time: {reason}")),
            Reading::Value(time) => Some(
                [time_word(time.change).to_owned()]
                    .into_iter()
                    .chain(time.caveats.clone())
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
        },
    ];
    vec![
        name,
        calls_of(|calls| calls.old.median),
        calls_of(|calls| calls.new.median),
        figure(times.map(|time| time.old_ns.value)),
        figure(times.map(|time| time.new_ns.value)),
        figure(ratio.map(|ratio| ratio.value)),
        figure(ratio.and_then(|ratio| ratio.low)),
        figure(ratio.and_then(|ratio| ratio.high)),
        reasons.into_iter().flatten().collect::<Vec<_>>().join("; "),
    ]
}

fn note(what: &str, text: String) -> Vec<String> {
    let mut cells = vec![String::new(); 9];
    what.clone_into(&mut cells[0]);
    cells[8] = text;
    cells
}

fn gate_word(verdict: GateVerdict) -> String {
    super::gates::verdict_word(verdict).0.to_owned()
}
