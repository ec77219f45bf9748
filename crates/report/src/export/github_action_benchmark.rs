//! `customSmallerIsBetter` of github-action-benchmark: an entry per variant for
//! its time and one for its system calls.

use super::ExportError;
use super::measurement::{Measurement, ends, full, measurements};
use fathom_model::Record;
use serde_json::{Value, json};

/// The record as a JSON list of entries.
pub(super) fn export(record: &Record) -> Result<String, ExportError> {
    let mut entries: Vec<Value> = Vec::new();
    for measurement in measurements(record) {
        let name = measurement.identity.name();
        if let Some(summary) = measurement.summary() {
            let mut entry = json!({
                "name": name,
                "unit": "ns/op",
                "value": summary.time_ns.value,
                "extra": of_time(&measurement),
            });
            if let Some((low, high)) = ends(&summary.time_ns) {
                entry["range"] = json!(format!("[{low}, {high}]"));
            }
            entries.push(entry);
        }
        if let Some(pass) = measurement.pass() {
            entries.push(json!({
                "name": format!("{name}: system calls"),
                "unit": "syscalls/op",
                "value": pass.calls_per_operation(),
                "extra": format!(
                    "{}\n{}",
                    if pass.is_exact() { "exact" } else { "varied between repetitions: a median" },
                    measurement.calls().unwrap_or_default(),
                ),
            }));
        }
    }
    if entries.is_empty() {
        return Err(ExportError::Nothing("neither times nor counts"));
    }
    Ok(serde_json::to_string_pretty(&entries)? + "\n")
}

/// How the time is to be read: interval, forks, ratio, state.
fn of_time(measurement: &Measurement<'_>) -> String {
    let Some(summary) = measurement.summary() else { return String::new() };
    let time = &summary.time_ns;
    let mut lines = vec![format!("median of {} forks, interval at {}", time.forks, time.confidence)];
    lines.extend(measurement.ratio().map(|ratio| format!("ratio to the baseline: {}", full(ratio))));
    lines.push(format!("verdict: {}", measurement.verdict()));
    lines.push(format!("cache: {}, {}", measurement.variant.cache, measurement.proof().0));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::all;
    use std::collections::BTreeSet;

    #[test]
    fn every_entry_has_a_name_of_its_own_a_unit_and_a_number() {
        for (record_name, record) in all() {
            let Ok(text) = export(&record) else { continue };
            let entries: Vec<Value> = serde_json::from_str(&text).unwrap();
            let names: BTreeSet<_> = entries.iter().map(|entry| entry["name"].as_str().unwrap()).collect();
            assert_eq!(names.len(), entries.len(), "{record_name}");
            for entry in &entries {
                assert!(entry["value"].is_f64() && entry["unit"].is_string(), "{record_name}: {entry}");
                assert!(!entry["extra"].as_str().unwrap().is_empty(), "{record_name}: {entry}");
            }
            let timed = measurements(&record).iter().filter(|each| each.summary().is_some()).count();
            let times = entries.iter().filter(|entry| entry["unit"] == "ns/op").count();
            assert_eq!(times, timed, "{record_name}");
        }
    }
}
