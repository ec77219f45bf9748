//! Hyperfine's JSON of version 1: an operation stands as a command, a fork as a
//! run, times in seconds. User and system time are not known apart: null.

use super::ExportError;
use crate::measurement::{Measurement, measurements};
use fathom_model::{ArmKind, Record};
use serde_json::{Map, Value, json};

const NS_PER_S: f64 = 1e9;

/// The record as a JSON object with `results`.
pub(super) fn export(record: &Record) -> Result<String, ExportError> {
    let results: Vec<Value> = measurements(record).iter().filter_map(result).collect();
    if results.is_empty() {
        return Err(ExportError::Nothing("no times"));
    }
    Ok(serde_json::to_string_pretty(&json!({ "results": results }))? + "\n")
}

fn result(measurement: &Measurement<'_>) -> Option<Value> {
    let summary = measurement.summary()?;
    let forks = measurement.forks(ArmKind::Variant(measurement.index));
    let times: Vec<f64> = forks.iter().map(|fork| fork.time_ns / NS_PER_S).collect();
    let least = times.iter().copied().reduce(f64::min)?;
    let most = times.iter().copied().reduce(f64::max)?;
    // The form's own figures; what they describe is `times`.
    let n = times.len() as f64;
    let mean = times.iter().sum::<f64>() / n;
    let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
    let deviation = (times.len() > 1).then(|| (squares / (n - 1.0)).sqrt());
    Some(json!({
        "command": measurement.identity.name(),
        // The facts that the name leaves out are as usual; here is every one.
        "parameters": parameters(measurement),
        "mean": mean,
        "stddev": deviation,
        "median": summary.time_ns.value / NS_PER_S,
        "user": null,
        "system": null,
        "min": least,
        "max": most,
        "times": times,
        "exit_codes": vec![Value::Null; times.len()],
    }))
}

/// Every fact of the variant, as hyperfine has the values of a scan.
fn parameters(measurement: &Measurement<'_>) -> Map<String, Value> {
    let pairs = measurement.identity.pairs().iter();
    pairs.map(|(key, value)| ((*key).to_owned(), json!(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::complete;

    #[test]
    fn the_runs_are_the_forks_and_the_median_is_the_record_s() {
        let record = complete();
        let value: Value = serde_json::from_str(&export(&record).unwrap()).unwrap();
        let result = &value["results"][1];
        let comparison = &record.experiments[0].comparisons[0];
        let times: Vec<f64> = serde_json::from_value(result["times"].clone()).unwrap();
        assert_eq!(times.len(), comparison.forks.len());
        assert_eq!(result["median"], 3621.0 / 1e9);
        assert_eq!(result["command"], "open-go go:os.Open open-close ext4:/var/tmp 1GiB warm");
        assert_eq!(result["parameters"]["content"], "random", "what the name leaves out");
        let figure = |name: &str| result[name].as_f64().unwrap();
        assert!(figure("min") <= figure("mean") && figure("mean") <= figure("max"), "{result}");
        assert!((figure("mean") / 3621e-9 - 1.0).abs() < 1e-3 && figure("stddev") > 0.0, "{result}");
        assert!(result["user"].is_null() && result["system"].is_null());
    }
}
