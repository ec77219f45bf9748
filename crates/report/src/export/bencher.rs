//! Bencher's metric format: per variant its measures, with the ends of the
//! interval as lower and upper value. Ratios of a faulty comparison are left out.

use super::ExportError;
use crate::measurement::{ends, measurements};
use fathom_model::{Estimate, Record};
use serde_json::{Map, Value, json};

/// The record as a JSON object of benchmarks.
pub(super) fn export(record: &Record) -> Result<String, ExportError> {
    let mut benchmarks = Map::new();
    for measurement in measurements(record) {
        let mut measures = Map::new();
        if let Some(summary) = measurement.summary() {
            // Bencher's own measure, in ns.
            measures.insert("latency".to_owned(), metric(&summary.time_ns));
            for (figure, measure) in [("allocs", "allocations"), ("alloc_bytes", "allocated-bytes")] {
                let each = summary.runtime_per_operation.get(figure).filter(|each| each.is_finite());
                measures.extend(each.map(|each| (measure.to_owned(), json!({ "value": each }))));
            }
        }
        measures.extend(measurement.ratio().map(|ratio| ("ratio".to_owned(), metric(ratio))));
        if let Some(pass) = measurement.pass() {
            measures.insert("system-calls".to_owned(), json!({ "value": pass.calls_per_operation() }));
        }
        if !measures.is_empty() {
            benchmarks.insert(measurement.identity.name(), Value::Object(measures));
        }
    }
    if benchmarks.is_empty() {
        return Err(ExportError::Nothing("neither times nor counts"));
    }
    Ok(serde_json::to_string_pretty(&benchmarks)? + "\n")
}

fn metric(estimate: &Estimate) -> Value {
    match ends(estimate) {
        Some((low, high)) => json!({ "value": estimate.value, "lower_value": low, "upper_value": high }),
        None => json!({ "value": estimate.value }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{complete, troubled};

    #[test]
    fn the_interval_becomes_the_bounds() {
        let record = complete();
        let value: Value = serde_json::from_str(&export(&record).unwrap()).unwrap();
        let name = measurements(&record)[1].identity.name();
        let measures = &value[&name];
        assert_eq!(
            measures["latency"],
            json!({ "value": 3621.0, "lower_value": 3609.0, "upper_value": 3633.0 })
        );
        assert_eq!(measures["system-calls"], json!({ "value": 7.0 }));
        assert_eq!(measures["ratio"]["value"], 1.6355);
        assert_eq!(measures["allocations"]["value"], 3.0);
    }

    #[test]
    fn a_fault_of_the_control_takes_the_ratios_away() {
        let record = troubled();
        let value: Value = serde_json::from_str(&export(&record).unwrap()).unwrap();
        for measurement in measurements(&record).iter().filter(|each| each.is_faulty()) {
            assert_eq!(value[measurement.identity.name()]["ratio"], Value::Null);
        }
    }
}
