//! The schemas of what Fathom writes, from their own titles and descriptions.

use super::{prose, titled};
use anyhow::Context;
use std::path::Path;

/// The page.
pub(super) fn page() -> anyhow::Result<String> {
    let mut lines = vec![
        "JSON Schemas of the files that Fathom writes and reads. They are made from the program's types (`cargo run -p xtask -- schema`), and tests hold what is written against them.".to_owned(),
        String::new(),
        "| schema | of | keys |".to_owned(),
        "|---|---|---|".to_owned(),
    ];
    for (file, schema) in crate::schema::schemas() {
        let name =
            Path::new(file).file_name().and_then(|name| name.to_str()).context("a schema has a name")?;
        let text = |key: &str| schema.get(key).and_then(|value| value.as_str()).unwrap_or_default();
        // Of lines of several kinds each has keys of its own.
        let mut keys: Vec<String> = match schema.get("properties").and_then(|keys| keys.as_object()) {
            Some(keys) => keys.keys().map(|key| format!("`{key}`")).collect(),
            None if schema.get("oneOf").is_some() => vec!["`kind`".to_owned()],
            None => anyhow::bail!("{name} has no keys"),
        };
        // As they are in the files; some feature of a dependency may keep another order.
        keys.sort();
        let about = prose(&text("description").split_whitespace().collect::<Vec<_>>().join(" "));
        lines.push(format!("| [{name}](../{name}) | **{}**: {about} | {} |", text("title"), keys.join(", ")));
    }
    Ok(titled("Schemas", &lines.join("\n")))
}
