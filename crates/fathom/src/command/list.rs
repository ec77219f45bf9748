//! `fathom list`: entries, their claims, write-ups, operations, methods, and whether they can run here.

use crate::arguments::{List, Listing};
use crate::exit::Exit;
use crate::output;
use fathom_catalog::{Entry, SHIPPED, WRITE_UPS, WriteUpFile};
use fathom_lab::{DriverSet, shipped_registry};
use fathom_model::{MethodDescription, MethodId, Operation, Setting, SettingKind, WriteUp};
use std::fmt::Write as _;

/// Prints what was asked for.
pub(crate) fn run(list: &List) -> anyhow::Result<Exit> {
    let wants = |listing| list.what.is_none_or(|what| what == listing);
    let mut text = String::new();
    if wants(Listing::Entries) {
        list_entries(&mut text)?;
    }
    if wants(Listing::Claims) {
        list_claims(&mut text)?;
    }
    if wants(Listing::WriteUps) {
        list_write_ups(&mut text)?;
    }
    if wants(Listing::Operations) {
        list_operations(&mut text)?;
        list_settings(&mut text)?;
    }
    if wants(Listing::Methods) {
        list_methods(&mut text, list.no_build)?;
    }
    output::data(text.trim_end())?;
    Ok(Exit::Done)
}

fn list_entries(text: &mut String) -> anyhow::Result<()> {
    writeln!(text, "Entries (fathom bench NAME)")?;
    for file in SHIPPED {
        let entry = Entry::parse(file.file, file.text)?;
        writeln!(text, "  {:<18} {}", entry.name, entry.title)?;
    }
    writeln!(text)?;
    Ok(())
}

fn list_claims(text: &mut String) -> anyhow::Result<()> {
    writeln!(text, "Claims (fathom verify ENTRY --claim NAME)")?;
    for file in SHIPPED {
        let entry = Entry::parse(file.file, file.text)?;
        for (number, claim) in entry.claims().enumerate() {
            let of = if number == 0 { entry.name.as_str() } else { "" };
            writeln!(text, "  {of:<18} {}: \"{}\"", claim.name, claim.sentence)?;
        }
    }
    writeln!(text)?;
    Ok(())
}

fn list_write_ups(text: &mut String) -> anyhow::Result<()> {
    writeln!(text, "Write-ups (fathom verify --of NAME)")?;
    for file in WRITE_UPS {
        let WriteUp { name, title, author, date, statements, .. } =
            WriteUpFile::parse(file.file, file.text)?.write_up;
        let date = date.map(|date| format!(", {date}")).unwrap_or_default();
        writeln!(text, "  {name:<18} {title} ({author}{date}); statements: {}", statements.len())?;
    }
    writeln!(text)?;
    Ok(())
}

fn list_operations(text: &mut String) -> anyhow::Result<()> {
    writeln!(text, "Operations (fathom bench OPERATION --methods ...)")?;
    for operation in Operation::ALL {
        writeln!(text, "  {:<18} {}", operation.word(), operation.sentence())?;
    }
    writeln!(text)?;
    Ok(())
}

fn list_settings(text: &mut String) -> anyhow::Result<()> {
    writeln!(text, "Settings (fathom bench ... --set NAME=VALUE,VALUE)")?;
    for setting in Setting::ALL {
        writeln!(text, "  {:<18} {} ({})", setting.word(), setting.sentence(), values_of(setting))?;
    }
    writeln!(text)?;
    Ok(())
}

/// The values of a setting, the usual one first where they are words.
fn values_of(setting: Setting) -> String {
    match setting.kind() {
        SettingKind::Count(least, most) => format!("{least} to {most}, usually {}", setting.default_value()),
        SettingKind::Size(_) => "a size, usually none".to_owned(),
        SettingKind::Words(words) => format!("{}; usually {}", words.join(", "), setting.default_value()),
        SettingKind::Text => match setting.default_value().to_string().as_str() {
            "" => "usually none".to_owned(),
            usual => format!("usually {usual}"),
        },
    }
}

fn list_methods(text: &mut String, no_build: bool) -> anyhow::Result<()> {
    let registry = shipped_registry()?;
    let names: Vec<&str> = registry.drivers().iter().map(|driver| driver.name.as_str()).collect();
    let drivers = if no_build {
        None
    } else {
        let mut building = |name: &str| output::note(&format!("building the {name} driver (once) ..."));
        Some(DriverSet::prepare(names.iter().copied(), &mut building)?)
    };
    for manifest in registry.drivers() {
        let state = match drivers.as_ref().map(|drivers| drivers.driver(&manifest.name)) {
            None => "not looked for (--no-build)".to_owned(),
            Some(Ok(driver)) => driver.facts.runtime.clone(),
            Some(Err(reason)) => format!("unavailable: {reason}"),
        };
        writeln!(text, "Methods of {} ({}; {state})", manifest.name, manifest.language)?;
        for method in &manifest.methods {
            let id = MethodId::new(&manifest.name, &method.name);
            let refused = drivers
                .as_ref()
                .filter(|drivers| drivers.driver(&manifest.name).is_ok())
                .and_then(|drivers| drivers.driver_of(&id).err());
            write_method(text, &id, method, refused.as_deref())?;
        }
        writeln!(text)?;
    }
    Ok(())
}

fn write_method(
    text: &mut String,
    id: &MethodId,
    method: &MethodDescription,
    refused: Option<&str>,
) -> std::fmt::Result {
    let operations: Vec<_> = method.operations.iter().map(|operation| operation.word()).collect();
    writeln!(text, "  {id}")?;
    writeln!(text, "      {}; {}", operations.join(", "), method.does)?;
    if !method.takes.is_empty() {
        let takes: Vec<_> = method.takes.iter().map(|setting| setting.word()).collect();
        writeln!(text, "      takes {}", takes.join(", "))?;
    }
    if let Some(flaw) = &method.flaw {
        writeln!(text, "      answers wrongly, as published: {flaw}")?;
    }
    match refused {
        Some(reason) => writeln!(text, "      unavailable: {reason}"),
        None => Ok(()),
    }
}
