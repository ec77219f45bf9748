//! One row per variant, then one per thing that was asked for and not measured.
//! Units stand in the headings; an empty cell is something that is not known.

use super::ExportError;
use crate::label::{access_word, alignment_word, buffer_word};
use crate::measurement::{Measurement, ends, measurements};
use crate::visible::visible_lines;
use fathom_model::{Estimate, Reading, Record, Setting, Unmeasured};
use std::collections::BTreeMap;

/// Cells by heading.
type Row = BTreeMap<String, String>;

/// The headings before the settings: what was measured.
const WHAT: [&str; 19] = [
    "name",
    "experiment",
    "comparison",
    "status",
    "reason",
    "method",
    "driver",
    "operation",
    "file_system",
    "place",
    "cache",
    "cache_proof",
    "files",
    "size_bytes",
    "content",
    "block_bytes",
    "access",
    "alignment",
    "buffer",
];

/// The headings after the settings: what was found, and where.
const FOUND: [&str; 32] = [
    "time_ns",
    "time_low_ns",
    "time_high_ns",
    "time_confidence",
    "forks",
    "blocks",
    "operations_timed",
    "baseline",
    "verdict",
    "ratio",
    "ratio_low",
    "ratio_high",
    "ratio_confidence",
    "ratio_simultaneous_low",
    "ratio_simultaneous_high",
    "ratio_simultaneous_confidence",
    "delta_ns",
    "delta_low_ns",
    "delta_high_ns",
    "loop_ns",
    "calls_per_operation",
    "calls_exact",
    "calls",
    "calls_reason",
    "allocs_per_operation",
    "alloc_bytes_per_operation",
    "control_ratio",
    "control_fault",
    "kernel",
    "cpu_model",
    "created",
    "fathom_version",
];

/// The record as CSV (RFC 4180), with headings.
pub(super) fn export(record: &Record) -> Result<String, ExportError> {
    let settings = Setting::ALL.into_iter().map(setting_heading);
    let what = WHAT.into_iter().map(str::to_owned);
    let headings: Vec<String> = what.chain(settings).chain(FOUND.into_iter().map(str::to_owned)).collect();
    let mut rows: Vec<Row> = measurements(record).iter().map(|each| row(record, each)).collect();
    for experiment in &record.experiments {
        rows.extend(experiment.unmeasured.iter().map(|each| unmeasured(record, &experiment.name, each)));
    }
    if rows.is_empty() {
        return Err(ExportError::Nothing("no comparisons"));
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&headings)?;
    for row in &rows {
        writer.write_record(headings.iter().map(|heading| row.get(heading).map_or("", String::as_str)))?;
    }
    let bytes =
        writer.into_inner().map_err(|error| csv::Error::from(std::io::Error::from(error.error().kind())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// `queue_depth`; with its unit where it has one.
fn setting_heading(setting: Setting) -> String {
    let word = setting.word().replace('-', "_");
    match setting {
        Setting::Write => format!("{word}_bytes"),
        Setting::ReadAhead => format!("{word}_kib"),
        Setting::Operations => "batch_operations".to_owned(),
        _ => word,
    }
}

fn row(record: &Record, measurement: &Measurement<'_>) -> Row {
    let mut row = of_run(record);
    let (variant, parameters) = (measurement.variant, &measurement.variant.parameters);
    let status = match (measurement.summary(), measurement.pass()) {
        _ if measurement.is_faulty() => "control-fault",
        (Some(_), _) => "measured",
        (None, Some(_)) => "counted",
        (None, None) => "unmeasured",
    };
    set(&mut row, "name", measurement.identity.name());
    set(&mut row, "experiment", &measurement.experiment.name);
    set(&mut row, "comparison", &measurement.comparison.label);
    set(&mut row, "status", status);
    set(&mut row, "reason", measurement.failure().or(measurement.untimed()).unwrap_or_default());
    set(&mut row, "method", &variant.method);
    set(&mut row, "driver", &variant.method.driver);
    set(&mut row, "operation", variant.operation);
    if let Some(place) = record.places.get(variant.place) {
        set(&mut row, "file_system", &place.file_system);
        set(&mut row, "place", &place.place);
    }
    set(&mut row, "cache", variant.cache);
    set(&mut row, "cache_proof", measurement.proof().0);
    set(&mut row, "files", parameters.data.files);
    set(&mut row, "size_bytes", parameters.data.size_bytes);
    set(&mut row, "content", parameters.data.content);
    set(&mut row, "block_bytes", parameters.block_bytes);
    set(&mut row, "access", access_word(parameters.access));
    set(&mut row, "alignment", alignment_word(parameters.alignment));
    set(&mut row, "buffer", buffer_word(parameters.buffer));
    for setting in Setting::ALL {
        set(&mut row, &setting_heading(setting), parameters.settings.value(setting));
    }
    times(&mut row, measurement);
    counts(&mut row, measurement);
    if let Reading::Value(control) = &measurement.comparison.control {
        number(&mut row, "control_ratio", control.ratio.value);
        set(&mut row, "control_fault", control.instrument_fault);
    }
    row
}

fn times(row: &mut Row, measurement: &Measurement<'_>) {
    set(row, "baseline", measurement.index == measurement.comparison.baseline);
    set(row, "verdict", measurement.verdict());
    let Some(summary) = measurement.summary() else { return };
    estimate(row, ["time_ns", "time_low_ns", "time_high_ns", "time_confidence"], Some(&summary.time_ns));
    set(row, "forks", summary.time_ns.forks);
    set(row, "blocks", summary.blocks);
    set(row, "operations_timed", summary.operations);
    estimate(row, ["ratio", "ratio_low", "ratio_high", "ratio_confidence"], summary.ratio.as_ref());
    let simultaneous =
        ["", "ratio_simultaneous_low", "ratio_simultaneous_high", "ratio_simultaneous_confidence"];
    estimate(row, simultaneous, summary.ratio_simultaneous.as_ref());
    estimate(row, ["delta_ns", "delta_low_ns", "delta_high_ns", ""], summary.delta_ns.as_ref());
    estimate(row, ["loop_ns", "", "", ""], summary.loop_ns.as_ref());
    for (figure, heading) in
        [("allocs", "allocs_per_operation"), ("alloc_bytes", "alloc_bytes_per_operation")]
    {
        if let Some(each) = summary.runtime_per_operation.get(figure) {
            number(row, heading, *each);
        }
    }
}

fn counts(row: &mut Row, measurement: &Measurement<'_>) {
    set(row, "calls_reason", measurement.uncounted().unwrap_or_default());
    if let Some(pass) = measurement.pass() {
        number(row, "calls_per_operation", pass.calls_per_operation());
        set(row, "calls_exact", pass.is_exact());
        set(row, "calls", measurement.calls().unwrap_or_default());
    }
}

fn unmeasured(record: &Record, experiment: &str, unmeasured: &Unmeasured) -> Row {
    let mut row = of_run(record);
    set(&mut row, "experiment", experiment);
    set(&mut row, "comparison", unmeasured.scope.as_deref().unwrap_or_default());
    set(&mut row, "status", "unmeasured");
    set(&mut row, "reason", &unmeasured.reason);
    set(&mut row, "method", &unmeasured.method);
    set(&mut row, "driver", &unmeasured.method.driver);
    row
}

fn of_run(record: &Record) -> Row {
    let mut row = Row::new();
    set(&mut row, "kernel", &record.environment.kernel);
    set(&mut row, "cpu_model", record.environment.cpu_model.value().map_or("", String::as_str));
    set(&mut row, "created", &record.created);
    set(&mut row, "fathom_version", &record.fathom_version);
    row
}

/// Value, ends and confidence under these headings, those without a heading left out.
fn estimate(row: &mut Row, headings: [&str; 4], estimate: Option<&Estimate>) {
    let Some(estimate) = estimate else { return };
    number(row, headings[0], estimate.value);
    if let Some((low, high)) = ends(estimate) {
        number(row, headings[1], low);
        number(row, headings[2], high);
        number(row, headings[3], estimate.confidence);
    }
}

fn number(row: &mut Row, heading: &str, value: f64) {
    if value.is_finite() && !heading.is_empty() {
        set(row, heading, value);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "numbers and words alike")]
fn set(row: &mut Row, heading: &str, value: impl ToString) {
    // A line break is quoted; what else could steer a terminal or a reader is made visible.
    row.insert(heading.to_owned(), visible_lines(&value.to_string()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::CountPass;
    use fathom_testkit::{all, troubled};
    use std::collections::BTreeSet;

    fn rows(record: &Record) -> (Vec<String>, Vec<Row>) {
        let text = export(record).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let headings: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let row = |cells: csv::StringRecord| {
            headings.iter().cloned().zip(cells.iter().map(str::to_owned)).collect::<Row>()
        };
        let rows = reader.records().map(|cells| row(cells.unwrap())).collect();
        (headings, rows)
    }

    #[test]
    fn every_heading_is_filled_somewhere_and_every_cell_has_a_heading() {
        let mut filled = BTreeSet::new();
        let mut known = BTreeSet::new();
        for (_, record) in all() {
            if export(&record).is_err() {
                continue;
            }
            known.extend(rows(&record).0);
            for measurement in measurements(&record) {
                filled.extend(row(&record, &measurement).into_keys());
            }
        }
        assert_eq!(filled, known);
    }

    #[test]
    fn figures_are_the_record_s_to_the_last_digit() {
        for (name, record) in all() {
            let Ok(_) = export(&record) else { continue };
            let (_, rows) = rows(&record);
            for (measurement, row) in measurements(&record).iter().zip(&rows) {
                let cell = |heading: &str| row[heading].parse::<f64>().ok();
                let summary = measurement.summary();
                assert_eq!(cell("time_ns"), summary.map(|summary| summary.time_ns.value), "{name}");
                let ratio = summary.and_then(|summary| summary.ratio);
                assert_eq!(cell("ratio"), ratio.map(|ratio| ratio.value), "{name}");
                assert_eq!(cell("ratio_low"), ratio.and_then(|ratio| ratio.low), "{name}");
                let pass = measurement.pass();
                assert_eq!(cell("calls_per_operation"), pass.map(CountPass::calls_per_operation), "{name}");
            }
        }
    }

    #[test]
    fn what_was_not_measured_has_a_row_with_the_reason() {
        let record = troubled();
        let (_, rows) = rows(&record);
        let asked: Vec<_> = record.experiments.iter().flat_map(|each| &each.unmeasured).collect();
        assert!(!asked.is_empty());
        for unmeasured in asked {
            let fits =
                |row: &&Row| row["status"] == "unmeasured" && row["method"] == unmeasured.method.to_string();
            assert_eq!(rows.iter().find(fits).unwrap()["reason"], unmeasured.reason);
        }
        assert!(rows.iter().any(|row| row["status"] == "control-fault" && row["verdict"] == "control-fault"));
    }
}
