//! What `fathom verify` was asked for: the claims of entries, or those that the statements
//! of write-ups rest on.

use crate::arguments::Verify;
use crate::command::Hinted;
use crate::command::entries::entry_named;
use crate::output;
use anyhow::Context;
use fathom_catalog::{Entry, SHIPPED, WRITE_UPS, WriteUpFile, nearest};
use fathom_lab::limited_read::read_text;
use fathom_model::{Claim, ClaimPath, WriteUp};
use std::collections::BTreeSet;
use std::path::Path;

/// Claims that are asked for, and the documents that they are asked for.
pub(super) struct Selection {
    /// The entries of which a claim is asked for.
    pub(super) entries: Vec<Entry>,
    /// The documents.
    pub(super) write_ups: Vec<WriteUp>,
    claims: BTreeSet<ClaimPath>,
}

impl Selection {
    pub(super) fn new(verify: &Verify) -> anyhow::Result<Self> {
        let mut entries = entries_of(verify)?;
        let write_ups = write_ups_of(verify, &entries)?;
        let mut claims: BTreeSet<ClaimPath> = entries.iter().flat_map(paths_of).collect();
        if !verify.of.is_empty() {
            let of_documents: BTreeSet<&ClaimPath> = write_ups
                .iter()
                .flat_map(|write_up| &write_up.statements)
                .flat_map(|statement| &statement.claims)
                .collect();
            claims.retain(|path| of_documents.contains(path));
        }
        check_names(verify, &claims)?;
        claims.retain(|path| verify.claim.is_empty() || verify.claim.contains(&path.claim));
        entries.retain(|entry| claims.iter().any(|path| path.experiment == entry.name));
        Ok(Self { entries, write_ups, claims })
    }

    /// Each claim with its entry's name.
    pub(super) fn claims(&self) -> Vec<(&str, &Claim)> {
        let all = self.entries.iter().flat_map(|entry| {
            entry.claims().map(|claim| (entry.name.as_str(), claim)).filter(|(experiment, claim)| {
                self.claims.iter().any(|path| path.experiment == *experiment && path.claim == claim.name)
            })
        });
        all.collect()
    }

    /// The claims of one entry.
    pub(super) fn names_in(&self, entry: &Entry) -> Vec<String> {
        let of_entry = self.claims.iter().filter(|path| path.experiment == entry.name);
        of_entry.map(|path| path.claim.clone()).collect()
    }
}

fn paths_of(entry: &Entry) -> impl Iterator<Item = ClaimPath> {
    entry.claims().map(|claim| ClaimPath { experiment: entry.name.clone(), claim: claim.name.clone() })
}

/// The entries whose claims are meant: those named, else all that claim something.
fn entries_of(verify: &Verify) -> anyhow::Result<Vec<Entry>> {
    let names: Vec<String> = if verify.what.is_empty() {
        SHIPPED.iter().map(|file| file.name.to_owned()).collect()
    } else {
        verify.what.clone()
    };
    let mut entries = Vec::new();
    for name in names {
        let entry = entry_named(&name)?.ok_or_else(|| {
            let hint = match nearest(&name, SHIPPED.iter().map(|file| file.name)) {
                Some(word) => format!("did you mean `{word}`?"),
                None if WRITE_UPS.iter().any(|file| file.name == name) => {
                    format!("`fathom verify --of {name}` verifies the document of this name")
                }
                None => {
                    "`fathom list entries` shows every entry; a file of your own ends in .toml".to_owned()
                }
            };
            Hinted::error(format!("there is no experiment `{name}`"), hint)
        })?;
        if entry.claims().next().is_some() {
            entries.push(entry);
        } else if !verify.what.is_empty() {
            output::note(&format!("note: {name} has no claims"));
        }
    }
    Ok(entries)
}

/// The documents that are named; their claims are the catalog's, or those of a file that is named.
fn write_ups_of(verify: &Verify, named: &[Entry]) -> anyhow::Result<Vec<WriteUp>> {
    if verify.of.is_empty() {
        return Ok(Vec::new());
    }
    let mut entries = named.to_vec();
    for file in SHIPPED.iter().filter(|file| named.iter().all(|entry| entry.name != file.name)) {
        entries.push(Entry::parse(file.file, file.text)?);
    }
    let mut write_ups: Vec<WriteUp> = Vec::new();
    for name in &verify.of {
        let file = write_up_named(name)?;
        file.check_claims(&entries)?;
        if write_ups.iter().all(|known| known.name != file.write_up.name) {
            write_ups.push(file.write_up);
        }
    }
    Ok(write_ups)
}

/// A file of the user's, or a write-up of the catalog.
fn write_up_named(name: &str) -> anyhow::Result<WriteUpFile> {
    if Path::new(name).extension().is_some_and(|ending| ending == "toml") {
        let text = read_text(Path::new(name)).with_context(|| format!("failed to read {name}"))?;
        return Ok(WriteUpFile::parse(name, &text)?);
    }
    let Some(shipped) = WRITE_UPS.iter().find(|file| file.name == name) else {
        let hint = match nearest(name, WRITE_UPS.iter().map(|file| file.name)) {
            Some(word) => format!("did you mean `{word}`?"),
            None => {
                "`fathom list write-ups` shows every document; a file of your own ends in .toml".to_owned()
            }
        };
        return Err(Hinted::error(format!("there is no write-up `{name}`"), hint));
    };
    Ok(WriteUpFile::parse(shipped.file, shipped.text)?)
}

/// A claim that is named has to exist, and where documents are named, one has to rest on it.
fn check_names(verify: &Verify, claims: &BTreeSet<ClaimPath>) -> anyhow::Result<()> {
    let known = || claims.iter().map(|path| path.claim.as_str());
    for name in &verify.claim {
        if !known().any(|known| known == name) {
            let hint = match nearest(name, known()) {
                Some(word) => format!("did you mean `{word}`?"),
                None => "`fathom list claims` prints the name of each claim".to_owned(),
            };
            let message = if verify.of.is_empty() {
                format!("there is no claim `{name}`")
            } else {
                format!("no statement of {} rests on a claim `{name}`", verify.of.join(", "))
            };
            return Err(Hinted::error(message, hint));
        }
    }
    Ok(())
}
