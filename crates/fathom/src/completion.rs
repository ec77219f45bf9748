//! What the tab key offers for values: names of the catalog, methods, rules, kept records, files.
//!
//! A shell calls the program itself (`FATHOM_COMPLETE=bash fathom -- WORDS`), so that what it offers
//! is what this program knows.

mod bash;

use crate::record_folder::default_folder;
use bash::Bash;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::{Elvish, Fish, Powershell, Shells, Zsh};
use clap_complete::{CompleteEnv, Shell};
use fathom_audit::rule_facts;
use fathom_catalog::{Entry, SHIPPED, WRITE_UPS, WriteUpFile};
use fathom_lab::shipped_manifests;
use fathom_model::Operation;
use std::ffi::OsStr;
use std::io;

/// Says in the environment that a shell asks.
const VARIABLE: &str = "FATHOM_COMPLETE";

const SHELLS: Shells<'static> = Shells(&[&Bash, &Elvish, &Fish, &Powershell, &Zsh]);

/// Answers a shell about this command line and is true, where one asks.
pub(crate) fn answer_shell(command_line: fn() -> clap::Command) -> bool {
    let here = std::env::current_dir().ok();
    let asked = CompleteEnv::with_factory(command_line)
        .var(VARIABLE)
        .shells(SHELLS)
        .try_complete(std::env::args_os(), here.as_deref());
    // A shell that is not known gets nothing to offer, and the line that is typed no error.
    asked.unwrap_or(true)
}

/// The script that makes a shell ask.
pub(crate) fn script(shell: Shell) -> io::Result<Vec<u8>> {
    let mut script = Vec::new();
    if let Some(completer) = SHELLS.completer(&shell.to_string()) {
        completer.write_registration(VARIABLE, "fathom", "fathom", "fathom", &mut script)?;
    }
    Ok(script)
}

/// Entries and operations, and files of one's own.
pub(crate) fn measurable() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let operations = Operation::ALL.into_iter().map(|each| told(each.word(), each.sentence()));
        with_files(typed, entry_names().chain(operations))
    })
}

/// Entries, and files of one's own.
pub(crate) fn entries() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| with_files(typed, entry_names()))
}

/// Write-ups, and files of one's own.
pub(crate) fn write_ups() -> ArgValueCompleter {
    let titled = |file: &fathom_catalog::ShippedFile| {
        let title = WriteUpFile::parse(file.file, file.text).map(|read| read.write_up.title);
        told(file.name, &title.unwrap_or_default())
    };
    ArgValueCompleter::new(move |typed: &OsStr| with_files(typed, WRITE_UPS.iter().map(titled)))
}

/// Names of claims.
pub(crate) fn claims() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let claims = entries_read().flat_map(|entry| {
            entry.claims().map(|claim| told(&claim.name, &claim.sentence)).collect::<Vec<_>>()
        });
        matching(typed, claims)
    })
}

/// Methods as `driver:name`, and `driver:*`.
pub(crate) fn methods() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let methods = shipped_manifests().into_iter().flatten().flat_map(|manifest| {
            let all = told(&format!("{}:*", manifest.name), &format!("every way of {}", manifest.language));
            let each = manifest
                .methods
                .iter()
                .map(|method| told(&format!("{}:{}", manifest.name, method.name), &method.does))
                .collect::<Vec<_>>();
            std::iter::once(all).chain(each)
        });
        matching(typed, methods)
    })
}

/// Entries and drivers: what a listing is narrowed to.
pub(crate) fn listed() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| matching(typed, entry_names().chain(driver_names())))
}

/// Drivers, and programs.
pub(crate) fn drivers() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| with_files(typed, driver_names()))
}

/// Rules of the audit.
pub(crate) fn rules() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        matching(typed, rule_facts().iter().map(|rule| told(&rule.id.to_string(), rule.name)))
    })
}

/// Records that nobody named a file for, the newest first, and files.
pub(crate) fn records() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let folder = default_folder().ok();
        let kept = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
        let mut kept: Vec<_> = kept.map(|file| file.path()).collect();
        kept.sort_unstable_by(|a, b| b.cmp(a));
        let kept = kept.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "json"));
        with_files(typed, kept.map(CompletionCandidate::new))
    })
}

fn entries_read() -> impl Iterator<Item = Entry> {
    SHIPPED.iter().filter_map(|file| Entry::parse(file.file, file.text).ok())
}

fn entry_names() -> impl Iterator<Item = CompletionCandidate> {
    entries_read().map(|entry| told(&entry.name, &entry.title))
}

fn driver_names() -> impl Iterator<Item = CompletionCandidate> {
    shipped_manifests().into_iter().flatten().map(|manifest| told(&manifest.name, &manifest.language))
}

fn told(word: &str, what: &str) -> CompletionCandidate {
    CompletionCandidate::new(word).help((!what.is_empty()).then(|| what.to_owned().into()))
}

fn matching(typed: &OsStr, found: impl Iterator<Item = CompletionCandidate>) -> Vec<CompletionCandidate> {
    let begins = |candidate: &CompletionCandidate| {
        candidate.get_value().as_encoded_bytes().starts_with(typed.as_encoded_bytes())
    };
    found.filter(begins).collect()
}

fn with_files(typed: &OsStr, found: impl Iterator<Item = CompletionCandidate>) -> Vec<CompletionCandidate> {
    let mut all = matching(typed, found);
    // Without a letter typed, names come without the directory's files.
    if !typed.is_empty() || all.is_empty() {
        all.extend(PathCompleter::file().complete(typed));
    }
    all
}
