//! The figures of a record: a time, a ratio and system calls for each variant.

use super::{Figure, FigureForm, Figures, Quantity};
use crate::export_error::ExportError;
use crate::measurement::{Measurement, ends, full, measurements};
use fathom_model::Record;

/// The record in a form of figures.
pub(crate) fn record_figures(record: &Record, form: FigureForm) -> Result<String, ExportError> {
    let about = vec![
        ("fathom", record.fathom_version.clone()),
        ("created", record.created.clone()),
        ("kernel", record.environment.kernel.clone()),
        ("architecture", record.environment.architecture.clone()),
        ("complete", record.complete.to_string()),
    ];
    let figures = measurements(record).iter().flat_map(|each| of_variant(each)).collect();
    Figures { about, figures }.written(form, "neither times nor counts")
}

fn of_variant(measurement: &Measurement<'_>) -> Vec<Figure> {
    let name = measurement.identity.name();
    let labels = measurement.identity.pairs();
    let mut figures = Vec::new();
    if let Some(summary) = measurement.summary() {
        let time = Figure::new(Quantity::OperationTime, name.clone(), summary.time_ns.value).labels(labels);
        figures.push(Figure { ends: ends(&summary.time_ns), ..time.extra(of_time(measurement)) });
    }
    if let Some(ratio) = measurement.ratio() {
        let figure = Figure::new(Quantity::TimeRatio, "", ratio.value).labels(labels);
        figures.push(Figure { name: None, ends: ends(ratio), ..figure });
    }
    if let Some(pass) = measurement.pass() {
        let exact = if pass.is_exact() { "exact" } else { "varied between repetitions: a median" };
        let calls = measurement.calls().unwrap_or_default();
        let each = pass.calls_per_operation();
        let figure = Figure::new(Quantity::OperationCalls, format!("{name}: system calls"), each);
        figures
            .push(figure.labels(labels).extra(format!("{exact}\n{calls}\n{}", measurement.identity.facts())));
    }
    let is_measured = f64::from(u8::from(!figures.is_empty()));
    let measured = Figure::new(Quantity::Measured, "", is_measured).labels(labels);
    figures.push(Figure { name: None, ..measured });
    figures
}

/// How the time is to be read: interval, forks, ratio, state, and every fact of the variant.
fn of_time(measurement: &Measurement<'_>) -> String {
    let Some(summary) = measurement.summary() else { return String::new() };
    let time = &summary.time_ns;
    let mut lines = vec![format!("median of {} forks, interval at {}", time.forks, time.confidence)];
    lines.extend(measurement.ratio().map(|ratio| format!("ratio to the baseline: {}", full(ratio))));
    lines.push(format!("verdict: {}", measurement.verdict()));
    lines.push(format!("cache: {}, {}", measurement.variant.cache, measurement.proof().0));
    lines.push(measurement.identity.facts());
    lines.join("\n")
}
