//! `fathom list`: entries, their claims, write-ups, operations, methods, and whether they can run here.

use crate::arguments::{List, Listing};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::methods::build_note;
use crate::{interrupt, output};
use fathom_catalog::{Entry, SHIPPED, WRITE_UPS, WriteUpFile, nearest};
use fathom_lab::{
    BuildStep, BuildWatch, DriverSet, DriverState, ranks_manifest, shipped_manifests, shipped_registry,
    shipped_survey,
};
use fathom_model::{MethodDescription, MethodId, Operation, Setting, SettingKind, WriteUp};
use std::fmt::Write as _;
use std::sync::atomic::Ordering;

/// Prints what was asked for.
pub(crate) fn run(list: &List) -> anyhow::Result<Exit> {
    let mut text = String::new();
    let names = Names::of(list)?;
    match list.asked() {
        None => overview(&mut text)?,
        Some(Listing::Entries) => list_entries(&mut text)?,
        Some(Listing::Claims) => list_claims(&mut text, &names)?,
        Some(Listing::WriteUps) => list_write_ups(&mut text)?,
        Some(Listing::Operations) => {
            list_operations(&mut text)?;
            list_settings(&mut text)?;
        }
        Some(Listing::Drivers) => {
            let stop = interrupt::flag()?;
            list_drivers(&mut text, shipped_survey(None, &stop)?)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(Exit::Interrupted);
            }
        }
        Some(Listing::Methods) => list_methods(&mut text, &names, list.no_build)?,
    }
    output::data(text.trim_end())?;
    Ok(Exit::Done)
}

/// What the listing is narrowed to; all when empty.
struct Names<'a>(&'a [String]);

impl<'a> Names<'a> {
    /// Refuses names that are not there, and names for what is listed whole.
    fn of(list: &'a List) -> anyhow::Result<Self> {
        let known: Vec<String> = match list.asked() {
            Some(Listing::Claims) => SHIPPED.iter().map(|file| file.name.to_owned()).collect(),
            Some(Listing::Methods) => {
                shipped_manifests()?.into_iter().map(|manifest| manifest.name).collect()
            }
            _ => Vec::new(),
        };
        if let Some(name) = list.names.iter().find(|name| !known.contains(name)) {
            let hint = match nearest(name, known.iter().map(String::as_str)) {
                _ if known.is_empty() => "only claims and methods are narrowed by names".to_owned(),
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are {}", known.join(", ")),
            };
            return Err(Hinted::error(format!("nothing to list is called `{name}`"), hint));
        }
        Ok(Self(&list.names))
    }

    fn has(&self, name: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|asked| asked == name)
    }
}

/// Entries on one page, and how to see the rest.
fn overview(text: &mut String) -> anyhow::Result<()> {
    list_entries(text)?;
    let mut claims = 0;
    for file in SHIPPED {
        claims += Entry::parse(file.file, file.text)?.claims().count();
    }
    let manifests = shipped_manifests()?;
    let methods: usize = manifests.iter().map(|manifest| manifest.methods.len()).sum();
    let rows = [
        ("list claims", format!("{claims} published statements that entries test; `list claims open-go`")),
        ("list write-ups", format!("{} documents that `fathom verify --of` judges", WRITE_UPS.len())),
        (
            "list operations",
            format!(
                "{} operations and {} settings for `fathom bench OPERATION`",
                Operation::ALL.len(),
                Setting::ALL.len()
            ),
        ),
        ("list drivers", format!("{} languages, and whether they can run here", manifests.len())),
        ("list methods", format!("{methods} ways of those languages; `list methods go`")),
    ];
    writeln!(text, "More")?;
    for (command, what) in rows {
        writeln!(text, "  {command:<18} {what}")?;
    }
    Ok(())
}

fn list_drivers(text: &mut String, survey: Vec<(String, DriverState)>) -> anyhow::Result<()> {
    writeln!(text, "Drivers (fathom bench OPERATION --methods DRIVER:*)")?;
    let mut manifests = shipped_manifests()?;
    manifests.push(ranks_manifest()?);
    for (name, state) in survey {
        let manifest = manifests.iter().find(|manifest| manifest.name == name);
        let methods = manifest.map_or(0, |manifest| manifest.methods.len());
        let state = match state {
            DriverState::Ready(driver) => driver.facts.runtime.clone(),
            DriverState::NotBuilt { toolchain } => {
                // A toolchain's version text goes on for lines.
                let version = toolchain.split(';').next().unwrap_or_default();
                format!("{version}; not tried yet, built on first use")
            }
            DriverState::Unavailable(reason) => format!("unavailable: {reason}"),
            DriverState::NotKnown => "not known: no answer".to_owned(),
        };
        let with = if name == manifests[manifests.len() - 1].name { " with --ranks" } else { "" };
        writeln!(text, "  {name:<18} {methods:>3} methods{with}; {state}")?;
    }
    Ok(())
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

fn list_claims(text: &mut String, names: &Names<'_>) -> anyhow::Result<()> {
    writeln!(text, "Claims (fathom verify ENTRY --claim NAME)")?;
    for file in SHIPPED.iter().filter(|file| names.has(file.name)) {
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

fn list_methods(text: &mut String, asked: &Names<'_>, no_build: bool) -> anyhow::Result<()> {
    let registry = shipped_registry()?;
    let names: Vec<&str> =
        registry.drivers().iter().map(|driver| driver.name.as_str()).filter(|name| asked.has(name)).collect();
    let drivers = if no_build {
        None
    } else {
        let mut tell = |step: BuildStep<'_>| output::note(&build_note(step));
        let mut watch = BuildWatch { tell: &mut tell, stop: None };
        Some(DriverSet::prepare(names.iter().copied(), &mut watch)?)
    };
    for manifest in registry.drivers().iter().filter(|manifest| asked.has(&manifest.name)) {
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
