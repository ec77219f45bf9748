//! What is run on both sides, checked: of the project's file, or after `--`.

use crate::arguments::Ci as Words;
use crate::command::Hinted;
use crate::command::audit::budget;
use fathom_audit::{Budget, CallFilter};
use fathom_catalog::{CommandEntry, Located, ProjectFile};
use std::path::PathBuf;

/// A command that is run on both sides.
#[derive(Debug)]
pub(super) struct CiCommand {
    pub(super) name: String,
    /// A shell's words, run before each run.
    pub(super) setup: Option<String>,
    pub(super) words: Vec<String>,
    /// At least so many runs of each side.
    pub(super) repeat: Option<u32>,
    pub(super) budgets: Vec<Budget>,
    pub(super) filter: CallFilter,
}

/// Those after `--`, else those of the project's file.
pub(super) fn of(words: &Words, project: Option<&(ProjectFile, PathBuf)>) -> anyhow::Result<Vec<CiCommand>> {
    if !words.command.is_empty() {
        let words: Vec<_> = words.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let name = shell_words::join(&words);
        return Ok(vec![CiCommand {
            name,
            setup: None,
            words,
            repeat: None,
            budgets: Vec::new(),
            filter: CallFilter::new(),
        }]);
    }
    let entries = project.map_or(&[][..], |(project, _)| &project.commands);
    for (number, entry) in entries.iter().enumerate() {
        if entries[..number].iter().any(|other| other.name.value == entry.name.value) {
            let problem = format!("{}two commands are called `{}`", entry.name.origin, entry.name.value);
            return Err(Hinted::error(problem, "give each a name of its own"));
        }
    }
    entries.iter().map(command).collect()
}

fn command(entry: &CommandEntry) -> anyhow::Result<CiCommand> {
    let words = shell_words::split(&entry.run.value).unwrap_or_default();
    if words.is_empty() {
        return Err(Hinted::error(
            format!("{}`{}` is no command", entry.run.origin, entry.run.value),
            "words are split as a shell does, without a shell: for one, `sh -c '…'`",
        ));
    }
    let mut filter = CallFilter::new();
    let counts = &entry.counts;
    let refused = |text: &Located<String>, error: String, hint: &str| {
        Hinted::error(format!("{}{error}", text.origin), hint)
    };
    for text in &counts.under {
        filter.add_under(&text.value).map_err(|error| refused(text, error, PATTERNS))?;
    }
    for text in &counts.exclude {
        filter.add_exclude(&text.value).map_err(|error| refused(text, error, PATTERNS))?;
    }
    for text in &counts.only {
        filter.add_only(&text.value).map_err(|error| refused(text, error, CALLS))?;
    }
    Ok(CiCommand {
        name: entry.name.value.clone(),
        setup: entry.setup.as_ref().map(|setup| setup.value.clone()),
        words,
        repeat: entry.repeat.and_then(|repeat| u32::try_from(repeat).ok()),
        budgets: entry.assert.iter().map(budget).collect::<anyhow::Result<_>>()?,
        filter,
    })
}

const PATTERNS: &str = "docs/budgets.md says how patterns are matched";
const CALLS: &str = "docs/budgets.md lists calls and their families";
