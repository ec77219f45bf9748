//! What is run to be counted, checked: of the project's file, or after `--`.

use crate::command::Hinted;
use crate::command::audit::budget;
use fathom_audit::{Budget, CallFilter};
use fathom_catalog::{CommandEntry, Located, ProjectFile};
use std::ffi::OsString;
use std::path::PathBuf;

/// A command whose calls are counted.
#[derive(Debug)]
pub(in crate::command) struct ProjectCommand {
    pub(in crate::command) name: String,
    /// A shell's words, run before each run.
    pub(in crate::command) setup: Option<String>,
    pub(in crate::command) words: Vec<String>,
    /// At least so many runs of each side.
    pub(in crate::command) repeat: Option<u32>,
    pub(in crate::command) budgets: Vec<Budget>,
    pub(in crate::command) filter: CallFilter,
}

/// Those after `--`, else those of the project's file.
pub(in crate::command) fn commands_of(
    words: &[OsString],
    project: Option<&(ProjectFile, PathBuf)>,
) -> anyhow::Result<Vec<ProjectCommand>> {
    if !words.is_empty() {
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let name = shell_words::join(&words);
        return Ok(vec![ProjectCommand {
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

fn command(entry: &CommandEntry) -> anyhow::Result<ProjectCommand> {
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
    Ok(ProjectCommand {
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
