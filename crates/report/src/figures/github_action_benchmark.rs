//! `customSmallerIsBetter` of github-action-benchmark: a list of entries.

use super::Figure;
use crate::export_error::ExportError;
use crate::visible::visible_json;
use serde_json::{Value, json};

/// The figures that have a name for people.
pub(super) fn written(figures: &[Figure]) -> Result<String, ExportError> {
    let entries: Vec<Value> = figures.iter().filter_map(entry).collect();
    Ok(visible_json(&serde_json::to_string_pretty(&entries)?) + "\n")
}

fn entry(figure: &Figure) -> Option<Value> {
    let mut extra = Vec::new();
    extra.extend(figure.before.map(|before| format!("before: {before}")));
    extra.extend((!figure.extra.is_empty()).then(|| figure.extra.clone()));
    let unit = figure.quantity.naming().unit;
    let mut entry = json!({ "name": figure.name.as_ref()?, "unit": unit, "value": figure.value });
    if let Some((low, high)) = figure.ends {
        entry["range"] = json!(format!("[{low}, {high}]"));
    }
    if !extra.is_empty() {
        entry["extra"] = json!(extra.join("\n"));
    }
    Some(entry)
}
