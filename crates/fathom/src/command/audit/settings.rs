//! What an audit is asked for: the words of the command line and those of the project's file,
//! `.fathom.toml`, which is looked for from the current directory upward.

use crate::arguments::Audit as Words;
use crate::command::Hinted;
use crate::output_file::folder_of;
use anyhow::Context;
use fathom_audit::{Audit, Budget, FactKind, RuleChoice, RuleId, Tolerance, rule_facts};
use fathom_catalog::{Located, ProjectFile, SuppressEntry};
use fathom_lab::limited_read::text_of;
use fathom_lab::trust::{self, Owner};
use rustix::fs::{Stat, fstat, stat};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What a project's file is called.
const NAME: &str = ".fathom.toml";

/// What is asked for, checked.
#[derive(Debug, Default)]
pub(in crate::command) struct Settings {
    pub(in crate::command) rules: RuleChoice,
    pub(in crate::command) budgets: Vec<Budget>,
    pub(in crate::command) tolerances: Vec<Tolerance>,
    file: Option<String>,
    /// What `fathom ci` runs, with the directory of the file.
    pub(in crate::command) project: Option<(ProjectFile, PathBuf)>,
}

impl Settings {
    /// Those of the command line and of the project. Rules that the command line names alone
    /// (`--only`) are audited whatever the file leaves out; budgets and rules to ignore add up.
    pub(super) fn new(words: &Words) -> anyhow::Result<Self> {
        let mut settings =
            if words.no_config { Self::default() } else { Self::of_project(words.config.as_deref())? };
        if !words.only.is_empty() {
            settings.rules = RuleChoice { only: words.only.clone(), ignore: Vec::new() };
        }
        settings.rules.ignore.extend(&words.ignore);
        settings.budgets.extend(words.assert.iter().cloned());
        match settings.rules.only.iter().chain(&settings.rules.ignore).find(|rule| !is_known(**rule)) {
            None => Ok(settings),
            Some(rule) => Err(no_rule(&format!("there is no rule {rule} yet"))),
        }
    }

    /// Those of the file that was named, or of the nearest one.
    pub(in crate::command) fn of_project(config: Option<&Path>) -> anyhow::Result<Self> {
        match config {
            Some(path) => read(path, File::open(path)),
            None => match found()? {
                Some(path) => read(&path, trusted(&path)?),
                None => Ok(Self::default()),
            },
        }
    }

    /// Says which file was followed.
    pub(super) fn tell(&self, audit: &mut Audit) {
        if let Some(file) = &self.file {
            audit.say(FactKind::Project, file);
        }
    }
}

/// The nearest file.
fn found() -> anyhow::Result<Option<PathBuf>> {
    let here = std::env::current_dir().context("failed to find the current directory")?;
    let home = std::env::var_os("HOME").map(PathBuf::from);
    Ok(nearest(&here, home.as_deref()))
}

/// Opens a file that nobody named. Whoever else can write it, or put it there, would choose which
/// budgets hold and what is not told: then it is neither obeyed nor passed over.
fn trusted(path: &Path) -> anyhow::Result<io::Result<File>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return Ok(Err(error)),
    };
    let shown = path.display();
    let failed = || format!("failed to look at {shown}");
    let check = |path: &Path, found: Stat| {
        trust::check(path, &found, Owner::Caller).map_err(|distrust| {
            Hinted::error(
                format!("not following {shown}: {distrust}"),
                format!("`--config {shown}` follows it all the same, `--no-config` follows none"),
            )
        })
    };
    check(path, fstat(&file).with_context(failed)?)?;
    // Whoever may put a link beside us chooses the file, as does who may replace the one it leads to.
    let target = fs::canonicalize(path).with_context(failed)?;
    for folder in [folder_of(path), folder_of(&target)] {
        let folder = fs::canonicalize(folder).with_context(failed)?;
        check(&folder, stat(&folder).with_context(failed)?)?;
    }
    Ok(Ok(file))
}

/// The nearest file from a directory upward: not beyond the top of a repository, the home
/// directory, or the file system.
fn nearest(here: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let device = |path: &Path| fs::metadata(path).map(|found| found.dev()).ok();
    let ours = device(here);
    for directory in here.ancestors().take_while(|directory| device(directory) == ours) {
        let file = directory.join(NAME);
        if file.is_file() {
            return Some(if directory == here { PathBuf::from(NAME) } else { file });
        }
        let is_top = [".git", ".hg", ".jj"].iter().any(|name| directory.join(name).exists());
        if is_top || home == Some(directory) {
            return None;
        }
    }
    None
}

fn read(path: &Path, opened: io::Result<File>) -> anyhow::Result<Settings> {
    let file = path.display().to_string();
    let text = opened.and_then(|mut opened| text_of(&mut opened)).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            Hinted::error(format!("there is no file {file}"), "docs/auditing.md shows what it holds")
        }
        _ => anyhow::Error::new(error).context(format!("failed to read {file}")),
    })?;
    let project = ProjectFile::parse(&file, &text)?;
    let folder = fs::canonicalize(path).ok().and_then(|path| path.parent().map(Path::to_owned));
    let folder = folder.unwrap_or_default().to_string_lossy().into_owned();
    let rules = |list: &[Located<String>]| list.iter().map(rule).collect::<anyhow::Result<Vec<_>>>();
    Ok(Settings {
        rules: RuleChoice { only: rules(&project.only)?, ignore: rules(&project.ignore)? },
        budgets: project
            .assert
            .iter()
            .map(|text| Ok(budget(text)?.seen_from(&folder)))
            .collect::<anyhow::Result<_>>()?,
        tolerances: project
            .suppress
            .iter()
            .map(|entry| Ok(tolerance(entry, &file)?.seen_from(&folder)))
            .collect::<anyhow::Result<_>>()?,
        file: Some(file),
        project: Some((project, PathBuf::from(folder))),
    })
}

fn rule(text: &Located<String>) -> anyhow::Result<RuleId> {
    let rule = RuleId::try_from(text.value.to_uppercase());
    let rule = rule.map_err(|error| no_rule(&format!("{}{error}", text.origin)))?;
    if is_known(rule) {
        Ok(rule)
    } else {
        Err(no_rule(&format!("{}there is no rule {rule} yet", text.origin)))
    }
}

fn is_known(rule: RuleId) -> bool {
    rule_facts().iter().any(|facts| facts.id == rule)
}

fn no_rule(problem: &str) -> anyhow::Error {
    Hinted::error(problem, "`fathom audit --rules` lists them")
}

pub(in crate::command) fn budget(text: &Located<String>) -> anyhow::Result<Budget> {
    let place = text.origin.to_string();
    let parsed = Budget::parse(&text.value).map(|budget| budget.written_at(place.trim_end_matches(": ")));
    parsed.map_err(|error| {
        let problem = format!("{}{}\n{}", text.origin, error.problem(), error.underlined());
        Hinted::error(problem, error.hint().unwrap_or("docs/budgets.md says how budgets are written"))
    })
}

/// Makes what is suppressed narrower by a pattern.
type Narrow = fn(Tolerance, &str) -> Result<Tolerance, String>;

fn tolerance(entry: &SuppressEntry, file: &str) -> anyhow::Result<Tolerance> {
    let at = entry.rule.origin.to_string();
    let mut tolerance = Tolerance::new(rule(&entry.rule)?, &entry.reason, file, at.trim_end_matches(": "));
    let narrower: [(&Option<Located<String>>, Narrow); 3] = [
        (&entry.path, Tolerance::on_paths),
        (&entry.program, Tolerance::by_programs),
        (&entry.function, Tolerance::in_functions),
    ];
    for (text, narrow) in narrower {
        if let Some(text) = text {
            tolerance = narrow(tolerance, &text.value).map_err(|error| {
                let problem = format!("{}`{}` is no pattern: {error}", text.origin, text.value);
                Hinted::error(problem, "docs/budgets.md says how patterns are matched")
            })?;
        }
    }
    Ok(tolerance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_file_is_found_and_none_beyond_the_repository_or_home() {
        let top = tempfile::tempdir().unwrap();
        let deep = top.path().join("repository/src/deep");
        fs::create_dir_all(&deep).unwrap();
        fs::write(top.path().join(NAME), "").unwrap();
        assert_eq!(nearest(&deep, None), Some(top.path().join(NAME)));
        assert_eq!(nearest(&deep, Some(&top.path().join("repository"))), None);
        assert_eq!(nearest(&deep, Some(top.path())), Some(top.path().join(NAME)), "home itself is looked at");
        fs::create_dir(top.path().join("repository/.git")).unwrap();
        assert_eq!(nearest(&deep, None), None);
        fs::write(top.path().join("repository").join(NAME), "").unwrap();
        assert_eq!(nearest(&deep, None), Some(top.path().join("repository").join(NAME)));
        assert_eq!(nearest(&top.path().join("repository"), None), Some(PathBuf::from(NAME)));
    }
}
