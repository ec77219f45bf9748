//! The methods of `driver.toml`, as the driver itself describes them. Each has a line; what it does in words
//! stays as it is there where the driver does not say. What stands around them is written by hand and stays.

use anyhow::{Context, Result, ensure};
use fathom_catalog::DriverManifest;
use fathom_model::{Description, MethodDescription};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What stands between the words of people and the methods.
const BEGIN: &str = "methods = [\n";

/// Writes the methods of a manifest anew, from what `PROGRAM… describe` says.
pub(crate) fn write(path: &Path, program: &[String]) -> Result<()> {
    let (name, arguments) = program.split_first().context("no program")?;
    let output = Command::new(name).args(arguments).arg("describe").output().context(name.clone())?;
    ensure!(output.status.success(), "{name} describe: {}", output.status);
    let mut described: Description = serde_json::from_slice(&output.stdout)?;
    let text = fs::read_to_string(path)?;
    let (head, rest) =
        text.split_once(BEGIN).with_context(|| format!("{} has no methods", path.display()))?;
    let (_, foot) = rest.split_once("\n]\n").with_context(|| format!("{} has no end", path.display()))?;
    let known = DriverManifest::parse(&path.display().to_string(), &text)
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    for method in described.methods.iter_mut().filter(|method| method.does.is_empty()) {
        let does = known.method(&method.name).map(|known| known.does.clone());
        method.does =
            does.with_context(|| format!("{} does not say what `{}` does", path.display(), method.name))?;
    }
    let methods: Result<Vec<_>> = described.methods.iter().map(entry).collect();
    Ok(fs::write(path, format!("{head}{BEGIN}{}\n]\n{foot}", methods?.join("\n")))?)
}

fn entry(method: &MethodDescription) -> Result<String> {
    let operations = method.operations.iter().map(|operation| operation.word());
    let mut pairs = vec![
        format!("name = {}", quoted(&method.name)?),
        format!("operations = {}", list(operations)?),
        format!("does = {}", quoted(&method.does)?),
    ];
    if !method.takes.is_empty() {
        pairs.push(format!("takes = {}", list(method.takes.iter().map(|setting| setting.word()))?));
    }
    if let Some(flaw) = &method.flaw {
        pairs.push(format!("flaw = {}", quoted(flaw)?));
    }
    Ok(format!("    {{ {} }},", pairs.join(", ")))
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> Result<String> {
    let words: Result<Vec<_>> = words.map(quoted).collect();
    Ok(format!("[{}]", words?.join(", ")))
}

/// A string as JSON and TOML alike write it.
fn quoted(text: &str) -> Result<String> {
    Ok(serde_json::to_string(text)?)
}
