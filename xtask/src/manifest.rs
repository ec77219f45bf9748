//! The methods of `driver.toml`, as the driver itself describes them. What stands above the
//! first of them is written by hand and stays.

use anyhow::{Context, Result, ensure};
use fathom_model::{Description, MethodDescription};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Writes the methods of a manifest anew, from what `PROGRAM… describe` says.
pub(crate) fn write(path: &Path, program: &[String]) -> Result<()> {
    let (name, arguments) = program.split_first().context("no program")?;
    let output = Command::new(name).args(arguments).arg("describe").output().context(name.clone())?;
    ensure!(output.status.success(), "{name} describe: {}", output.status);
    let described: Description = serde_json::from_slice(&output.stdout)?;
    let text = fs::read_to_string(path)?;
    let head = text.split("[[methods]]").next().unwrap_or_default();
    let methods: Result<Vec<_>> = described.methods.iter().map(entry).collect();
    Ok(fs::write(path, format!("{head}{}\n", methods?.join("\n\n")))?)
}

fn entry(method: &MethodDescription) -> Result<String> {
    let operations = method.operations.iter().map(|operation| operation.word());
    let mut lines = vec![
        "[[methods]]".to_owned(),
        format!("name = {}", quoted(&method.name)?),
        format!("operations = {}", list(operations)?),
        format!("does = {}", quoted(&method.does)?),
    ];
    if !method.takes.is_empty() {
        lines.push(format!("takes = {}", list(method.takes.iter().map(|setting| setting.word()))?));
    }
    if let Some(flaw) = &method.flaw {
        lines.push(format!("flaw = {}", quoted(flaw)?));
    }
    Ok(lines.join("\n"))
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> Result<String> {
    let words: Result<Vec<_>> = words.map(quoted).collect();
    Ok(format!("[{}]", words?.join(", ")))
}

/// A string as JSON and TOML alike write it.
fn quoted(text: &str) -> Result<String> {
    Ok(serde_json::to_string(text)?)
}
