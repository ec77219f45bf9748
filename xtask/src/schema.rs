//! The JSON schemas of a record, of a price list, of a command's counted calls, of two
//! commands compared, of verdicts, of verified write-ups, of an audit and of two sides of a change, of a search for a
//! commit, of kept runs and of their history, made from the types.

use anyhow::Context;
use fathom_audit::{Audit, Bisection, CallCost, ChangeReport, TrackedLine, WhatIf};
use fathom_claims::Judgement;
use fathom_model::{CommandComparison, CommandCount, LiveCalls, PriceList, Record};
use fathom_report::{TrackReport, VerifiedWriteUps};
use schemars::Schema;
use serde_json::Value;
use std::path::Path;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/record.schema.json");
const PRICE_LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/price-list.schema.json");
const COMMAND_COMPARISON: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/command-comparison.schema.json");
const VERDICTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/verdicts.schema.json");
const WRITE_UPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/write-ups.schema.json");
const AUDIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/audit.schema.json");
const CHANGE_REPORT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/change-report.schema.json");
const BISECTION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/bisection.schema.json");
const CALL_COST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/call-cost.schema.json");
const WHAT_IF: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/what-if.schema.json");
const TRACKED_RUN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tracked-run.schema.json");
const TRACK_REPORT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/track-report.schema.json");
const LIVE_CALLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/live-calls.schema.json");
const COMMAND_COUNT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/command-count.schema.json");

/// Writes the schemas into docs/.
pub(crate) fn write() -> anyhow::Result<()> {
    for (file, schema) in schemas() {
        let failed = || format!("failed to write {}", Path::new(file).display());
        std::fs::write(file, text(schema)?).with_context(failed)?;
    }
    Ok(())
}

/// The schemas, with the files that hold them.
pub(crate) fn schemas() -> [(&'static str, Schema); 14] {
    [
        (RECORD, schemars::schema_for!(Record)),
        (PRICE_LIST, schemars::schema_for!(PriceList)),
        (COMMAND_COUNT, schemars::schema_for!(CommandCount)),
        (LIVE_CALLS, schemars::schema_for!(LiveCalls)),
        (COMMAND_COMPARISON, schemars::schema_for!(CommandComparison)),
        (VERDICTS, schemars::schema_for!(Judgement)),
        (WRITE_UPS, schemars::schema_for!(VerifiedWriteUps)),
        (AUDIT, schemars::schema_for!(Audit)),
        (CHANGE_REPORT, schemars::schema_for!(ChangeReport)),
        (BISECTION, schemars::schema_for!(Bisection)),
        (WHAT_IF, schemars::schema_for!(WhatIf)),
        (CALL_COST, schemars::schema_for!(CallCost)),
        (TRACKED_RUN, schemars::schema_for!(TrackedLine)),
        (TRACK_REPORT, schemars::schema_for!(TrackReport)),
    ]
}

/// A schema, pretty and in an order that no feature of a dependency changes.
fn text(schema: Schema) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(&sorted(schema.into()))? + "\n")
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
    fn the_written_schemas_are_those_of_the_types() {
        for (file, schema) in schemas() {
            let written = std::fs::read_to_string(file).unwrap_or_default();
            assert!(written == text(schema).unwrap(), "{file} is stale: run `cargo xtask schema`");
        }
    }

    #[test]
    fn records_satisfy_the_written_schema_and_others_do_not() {
        let schema = serde_json::from_str(&std::fs::read_to_string(RECORD).unwrap()).unwrap();
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
