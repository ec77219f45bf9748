//! The notices of the libraries that are linked in: their licences ask that these go along.

use crate::static_build::{Architecture, ROOT};
use anyhow::Context;
use cargo_metadata::{CargoOpt, DependencyKind, Metadata, MetadataCommand, Package, PackageId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// Every library of the static program with its licence's name, and each text once.
pub(super) fn third_party() -> anyhow::Result<String> {
    let mut command = MetadataCommand::new();
    command.manifest_path(Path::new(ROOT).join("Cargo.toml")).features(CargoOpt::AllFeatures);
    let platforms =
        Architecture::ALL.iter().flat_map(|target| ["--filter-platform".to_owned(), target.triple()]);
    let metadata = command.other_options(platforms.collect::<Vec<_>>()).exec()?;
    let mut list = String::from("Fathom's program has these libraries inside.\n\n");
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in linked(&metadata)? {
        let name = format!("{} {}", package.name, package.version);
        let licence = package.license.as_deref().unwrap_or("see its text");
        writeln!(list, "{name}: {licence}")?;
        for text in notices(package)? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    for (text, names) in texts {
        write!(list, "\n{}\n{}:\n\n{text}\n", "-".repeat(72), names.join(", "))?;
    }
    Ok(list)
}

/// Libraries that `fathom-io` reaches without those of builds and tests, by name.
fn linked(metadata: &Metadata) -> anyhow::Result<Vec<&Package>> {
    let resolve = metadata.resolve.as_ref().context("cargo resolved nothing")?;
    let edges: BTreeMap<_, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let root = metadata.packages.iter().find(|package| package.name.as_str() == "fathom-io");
    let mut waiting = vec![&root.context("there is no package fathom-io")?.id];
    let mut reached: BTreeSet<&PackageId> = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if reached.insert(id) {
            let normal = edges[id]
                .deps
                .iter()
                .filter(|dep| dep.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal));
            waiting.extend(normal.map(|dep| &dep.pkg));
        }
    }
    let is_foreign = |package: &&Package| reached.contains(&package.id) && package.source.is_some();
    let mut packages: Vec<_> = metadata.packages.iter().filter(is_foreign).collect();
    packages.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(packages)
}

/// The texts beside a package's manifest.
fn notices(package: &Package) -> anyhow::Result<Vec<String>> {
    let folder = package.manifest_path.parent().context("a manifest lies in a folder")?;
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)?.flatten() {
        let name = entry.file_name().to_string_lossy().to_lowercase();
        let is_notice = ["licen", "copying", "copyright", "notice", "unlicense"];
        if entry.path().is_file() && is_notice.iter().any(|start| name.starts_with(start)) {
            let text = std::fs::read(entry.path())?;
            found.push(String::from_utf8_lossy(&text).trim().replace("\r\n", "\n"));
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notices_are_of_what_is_linked_in_and_of_nothing_else() {
        let text = third_party().unwrap();
        assert!(text.contains("\nclap ") && text.contains("\nzstd "), "libraries of the program");
        assert!(
            !text.contains("\nproptest ") && !text.contains("\nassert_cmd "),
            "those of tests are not inside"
        );
        assert!(!text.contains("\nfathom-"), "our own crates are no third party");
        assert!(text.contains("Permission is hereby granted"), "the texts themselves");
    }
}
