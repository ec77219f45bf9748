//! The JSON schema of a record, made from the types of the model.

use anyhow::Context;
use fathom_model::Record;
use serde_json::Value;
use std::path::Path;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/record.schema.json");

/// Writes docs/record.schema.json.
pub(crate) fn write() -> anyhow::Result<()> {
    let text = text()?;
    std::fs::write(FILE, text).with_context(|| format!("failed to write {}", Path::new(FILE).display()))
}

/// The schema, pretty and in an order that no feature of a dependency changes.
fn text() -> anyhow::Result<String> {
    let schema = serde_json::to_value(schemars::schema_for!(Record))?;
    Ok(serde_json::to_string_pretty(&sorted(schema))? + "\n")
}

/// Keys in rising order: some other crate of the build may ask `serde_json` to keep
/// them as they came.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<_> = map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            pairs.sort_by(|left, right| left.0.cmp(&right.0));
            Value::Object(pairs.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_written_schema_is_that_of_the_types() {
        let written = std::fs::read_to_string(FILE).unwrap();
        assert!(written == text().unwrap(), "docs/record.schema.json is stale: run `cargo xtask schema`");
    }

    #[test]
    fn records_satisfy_the_written_schema_and_others_do_not() {
        let schema = serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (name, record) in fathom_testkit::all() {
            let value = serde_json::to_value(&record).unwrap();
            let errors: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
            assert_eq!(errors, Vec::<String>::new(), "{name}");
            let mut broken = value;
            broken["experiments"] = Value::from("none");
            assert!(!validator.is_valid(&broken), "{name}");
        }
    }
}
