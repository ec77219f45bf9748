//! What is made to be published goes without names and secrets: whose names they are is known
//! here, what becomes of them is `report`'s.

use crate::arguments::{RedactChoice, Redaction as Words};
use anyhow::Context;
use fathom_audit::{Audit, Bisection, CallCost, ChangeReport, FactKind, TrackedRun, WhatIf};
use fathom_model::{CommandComparison, Reading, Record, Severity, Warning};
use fathom_report::{Identity, REDACTED, Redactor, TrackReport};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::fs;

/// How to have all of it.
const KEEPS: &str = "--redact=never keeps them";

/// Who reads what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Whoever ran Fathom: nothing is redacted unless asked for.
    Own,
    /// Everybody: redacted unless asked otherwise.
    Public,
}

/// Redacts, or leaves everything as it is.
#[derive(Debug)]
pub(crate) struct Redaction(Option<Redactor>);

/// A document that can say what was replaced in it.
pub(crate) trait Redactable: Serialize + DeserializeOwned + Clone {
    /// Drops what names the machine wherever it was taken, which no list of names here knows.
    fn drop_machine_name(&mut self) {}

    /// Takes the sentence in.
    fn say_redacted(&mut self, replaced: String);
}

impl Redactable for Record {
    fn drop_machine_name(&mut self) {
        self.environment.host = Reading::unavailable("redacted");
    }

    fn say_redacted(&mut self, replaced: String) {
        self.warnings.push(redacted_note(&replaced));
    }
}

impl Redactable for CommandComparison {
    fn drop_machine_name(&mut self) {
        self.environment.host = Reading::unavailable("redacted");
    }

    fn say_redacted(&mut self, replaced: String) {
        self.warnings.push(redacted_note(&replaced));
    }
}

impl Redactable for Audit {
    fn say_redacted(&mut self, replaced: String) {
        self.say(FactKind::Redacted, format!("{replaced}; {KEEPS}"));
    }
}

impl Redactable for ChangeReport {
    fn say_redacted(&mut self, replaced: String) {
        self.redacted = Some(format!("{replaced}; {KEEPS}"));
    }
}

impl Redactable for Bisection {
    fn say_redacted(&mut self, replaced: String) {
        self.redacted = Some(format!("{replaced}; {KEEPS}"));
    }
}

impl Redactable for TrackedRun {
    fn say_redacted(&mut self, replaced: String) {
        self.facts.redacted = Some(format!("{replaced}; {KEEPS}"));
    }
}

impl Redactable for WhatIf {
    fn say_redacted(&mut self, replaced: String) {
        self.redacted = Some(format!("{replaced}; {KEEPS}"));
    }
}

impl Redactable for CallCost {
    fn say_redacted(&mut self, replaced: String) {
        self.redacted = Some(format!("{replaced}; {KEEPS}"));
    }
}

impl Redactable for TrackReport {
    fn say_redacted(&mut self, replaced: String) {
        self.redacted = Some(format!("{replaced}; {KEEPS}"));
    }
}

fn redacted_note(replaced: &str) -> Warning {
    Warning::new(Severity::Note, REDACTED, format!("redacted: {replaced}")).with_hint(KEEPS)
}

impl Redaction {
    /// What the command line asks for, or what is usual for the audience.
    pub(crate) fn new(words: Words, audience: Audience) -> Self {
        let is_wanted = match words.redact {
            RedactChoice::Auto => audience == Audience::Public,
            RedactChoice::Always => true,
            RedactChoice::Never => false,
        };
        Self(is_wanted.then(|| Redactor::new(identity())))
    }

    /// The same, but names in paths below this directory stay: a host of code looks them up.
    pub(crate) fn keeping_names_below(self, directory: Option<&str>) -> Self {
        Self(match (self.0, directory) {
            (Some(redactor), Some(directory)) => Some(redactor.keeping_names_below(directory)),
            (redactor, _) => redactor,
        })
    }

    /// The document as it may be written. It says itself what was replaced.
    pub(crate) fn apply<T: Redactable>(&mut self, document: T) -> anyhow::Result<T> {
        let Some(redactor) = &mut self.0 else { return Ok(document) };
        let mut document = document;
        document.drop_machine_name();
        let (mut redacted, replaced) = redactor.redact(&document).context("failed to redact it")?;
        if let Some(replaced) = replaced {
            redacted.say_redacted(replaced);
        }
        Ok(redacted)
    }

    /// A text of several lines as it may be written; its last line says what was replaced.
    pub(crate) fn apply_to_text(&mut self, text: String) -> String {
        let Some(redactor) = &mut self.0 else { return text };
        match redactor.redact_text(&text) {
            (redacted, None) => redacted,
            (redacted, Some(replaced)) => {
                format!("{}\n\nRedacted: {replaced}; {KEEPS}.\n", redacted.trim_end())
            }
        }
    }

    /// A name by itself, as of a file.
    pub(crate) fn apply_to_name(&mut self, name: String) -> String {
        match &mut self.0 {
            Some(redactor) => redactor.text(&name),
            None => name,
        }
    }

    /// The redactor itself, for what is written piece by piece.
    pub(crate) fn into_redactor(self) -> Option<Redactor> {
        self.0
    }
}

/// Whose names must not be published: this user's and this machine's.
fn identity() -> Identity {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (mut homes, mut users) = (BTreeSet::new(), BTreeSet::new());
    homes.extend(set("HOME"));
    users.extend(["USER", "LOGNAME", "SUDO_USER"].into_iter().filter_map(set));
    if let Some((user, home)) = account() {
        users.insert(user);
        homes.insert(home);
    }
    // The same directory by its real name.
    let real =
        homes.iter().filter_map(|home| fs::canonicalize(home).ok()?.into_os_string().into_string().ok());
    homes.extend(real.collect::<Vec<_>>());
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let short = host.split('.').next().unwrap_or_default().to_owned();
    Identity {
        homes: homes.into_iter().collect(),
        users: users.into_iter().collect(),
        hosts: vec![host, short],
    }
}

/// The name and the home directory of the user who runs this.
fn account() -> Option<(String, String)> {
    let number = rustix::process::getuid().as_raw().to_string();
    let users = fs::read_to_string("/etc/passwd").ok()?;
    users.lines().find_map(|line| {
        let fields: Vec<_> = line.split(':').collect();
        match fields.as_slice() {
            [name, _, uid, _, _, home, ..] if *uid == number => {
                Some(((*name).to_owned(), (*home).to_owned()))
            }
            _ => None,
        }
    })
}
