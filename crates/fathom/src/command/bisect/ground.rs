//! Where commits are measured: a clone of Fathom's own that borrows the objects of the user's repository.

use super::end::End;
use super::measured::Measured;
use crate::command::Hinted;
use crate::command::counted_run::{Counting, Tried};
use crate::command::project_command::ProjectCommand;
use crate::command::repository::{Repository, git, heard, without_git_variables};
use crate::command::stop::Interrupted;
use anyhow::Context;
use fathom_audit::{Bisection, Budget, PathClasses};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::slice::from_ref;
use std::time::Duration;
use tempfile::TempDir;

/// No hook of the user's runs in the clone.
const NO_HOOKS: [&str; 2] = ["-c", "core.hooksPath=/dev/null"];

/// What is done at each commit.
pub(super) struct Recipe<'a> {
    /// A shell's words, and when they are killed.
    pub(super) build: Option<(String, Duration)>,
    /// True of a build that the project's file names.
    pub(super) is_build_of_project: bool,
    pub(super) keep_builds: bool,
    pub(super) command: &'a ProjectCommand,
    pub(super) question: &'a Budget,
    pub(super) counting: Counting<'a>,
}

/// The clone.
pub(super) struct Ground<'a> {
    repository: &'a Repository,
    pub(super) recipe: Recipe<'a>,
    /// Its top.
    pub(super) root: PathBuf,
    /// From there to where commands start.
    below: PathBuf,
    /// The same of the build.
    build_below: PathBuf,
    _directory: TempDir,
}

/// What came of a commit.
pub(super) enum Tested {
    Measured(Box<Measured>),
    /// It cannot be measured, for this reason.
    Skipped(String),
}

impl<'a> Ground<'a> {
    /// An empty one. What the project's file says starts in the folder of that file, what was typed in the
    /// directory where it was typed.
    pub(super) fn new(
        repository: &'a Repository,
        folder: Option<&Path>,
        is_command_of_project: bool,
        recipe: Recipe<'a>,
    ) -> anyhow::Result<Self> {
        let made = tempfile::Builder::new().prefix(".fathom-bisect-").tempdir();
        let directory = made.context("failed to make a directory for the clone")?;
        let root = fs::canonicalize(directory.path()).context("failed to find the clone")?.join("tree");
        let here = std::env::current_dir().context("failed to find the current directory")?;
        let here = fs::canonicalize(here).context("failed to find the current directory")?;
        let below = |is_of_project: bool| {
            let from = folder.filter(|_| is_of_project).unwrap_or(&here);
            from.strip_prefix(&repository.top).unwrap_or(Path::new("")).to_owned()
        };
        let (build_below, below) = (below(recipe.is_build_of_project), below(is_command_of_project));
        Ok(Self { repository, recipe, root, below, build_below, _directory: directory })
    }

    /// Measures an end of the search: often enough to know what it varies by itself.
    pub(super) fn end(&mut self, end: &End, runs: u32, most: u32) -> anyhow::Result<Measured> {
        let refused = |reason: &str| {
            Hinted::error(
                format!("{} ({}) cannot be measured: {reason}", end.name, end.commit.short()),
                "both ends have to build and run: name others, or another --build",
            )
        };
        if let Some(reason) = self.prepare(&end.commit.id)? {
            return Err(refused(&reason));
        }
        let first = match self.runs(1)? {
            Tested::Measured(first) => first,
            Tested::Skipped(reason) => return Err(refused(&reason)),
        };
        let mut measured = match self.runs(runs)? {
            Tested::Measured(measured) => measured,
            Tested::Skipped(reason) => return Err(refused(&reason)),
        };
        if measured.varies() && runs < most {
            measured = match self.runs(most)? {
                Tested::Measured(measured) => measured,
                Tested::Skipped(reason) => return Err(refused(&reason)),
            };
        }
        measured.first_differs = !measured.varies() && first.values.first() != measured.values.first();
        Ok(*measured)
    }

    /// Measures a commit by so many runs, after one that counts for nothing where a fresh clone needs it.
    pub(super) fn test(&mut self, commit: &str, runs: u32, warms_up: bool) -> anyhow::Result<Tested> {
        if let Some(reason) = self.prepare(commit)? {
            return Ok(Tested::Skipped(reason));
        }
        if warms_up && let Tested::Skipped(reason) = self.runs(1)? {
            return Ok(Tested::Skipped(reason));
        }
        self.runs(runs)
    }

    /// Measures the commit that is built by so many more runs.
    pub(super) fn again(&self, runs: u32) -> anyhow::Result<Tested> {
        self.runs(runs)
    }

    /// Checks a commit out and builds it; the reason where that cannot be done.
    fn prepare(&mut self, commit: &str) -> anyhow::Result<Option<String>> {
        let Counting { stop, limit, .. } = self.recipe.counting;
        stop.check()?;
        if self.root.is_dir() {
            let ask = |words: &[&str]| git(&self.root, &[&NO_HOOKS[..], words].concat(), stop, limit);
            ask(&["checkout", "--quiet", "--detach", "--force", commit])?;
            if !self.recipe.keep_builds {
                ask(&["clean", "-ffdxq"])?;
            }
        } else {
            self.repository.check_out(commit, &self.root, stop, limit)?;
        }
        for below in [&self.below, &self.build_below] {
            if !self.root.join(below).is_dir() {
                return Ok(Some(format!("it has no directory {}", below.display())));
            }
        }
        match &self.recipe.build {
            Some((build, limit)) => self.shell(build, "the build", &self.build_below, *limit),
            None => Ok(None),
        }
    }

    fn runs(&self, runs: u32) -> anyhow::Result<Tested> {
        let counting = &self.recipe.counting;
        let command = self.recipe.command;
        let directory = self.root.join(&self.below);
        let mut measured = Measured::default();
        for _ in 0..runs {
            if let Some(setup) = &command.setup
                && let Some(reason) = self.shell(setup, "the setup", &self.below, counting.limit)?
            {
                return Ok(Tested::Skipped(reason));
            }
            let tried = counting.run(
                &directory,
                &command.words,
                self.classes(),
                command.filter.clone(),
                from_ref(self.recipe.question),
            )?;
            match tried {
                Tried::Ran(run) => measured.push(*run),
                Tried::DidNotStart(reason) => return Ok(Tested::Skipped(reason)),
            }
        }
        Ok(Tested::Measured(Box::new(measured)))
    }

    /// Has a shell do something; the reason where it fails.
    fn shell(&self, text: &str, what: &str, below: &Path, limit: Duration) -> anyhow::Result<Option<String>> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", text]).current_dir(self.root.join(below));
        without_git_variables(&mut command);
        match heard(&mut command, self.recipe.counting.stop, limit) {
            Ok(said) if said.succeeded => Ok(None),
            Ok(said) => {
                let tail = said.tail();
                let last = tail.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
                let last = if last.is_empty() { String::new() } else { format!(": {}", last.trim()) };
                Ok(Some(format!("{what} failed ({}){last}", said.ended)))
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(Interrupted.into()),
            Err(error) if error.kind() == ErrorKind::TimedOut => {
                Ok(Some(format!("{what} was killed after {} s", limit.as_secs())))
            }
            Err(error) => Err(anyhow::Error::new(error).context(format!("failed to run {what}"))),
        }
    }

    fn classes(&self) -> PathClasses {
        let classes = PathClasses::default();
        let home = std::env::var("HOME").ok().filter(|home| !home.is_empty());
        let classes = home.iter().fold(classes, |classes, home| classes.with_home(home));
        classes.with_checkout(&self.root.to_string_lossy())
    }

    /// The report without the directory of the clone, which is gone when it is read.
    pub(super) fn without_its_directory(&self, bisection: &Bisection) -> anyhow::Result<Bisection> {
        let root = self.root.to_string_lossy();
        // As a string of JSON has it.
        let quoted = serde_json::to_string(root.as_ref())?;
        let text = serde_json::to_string(bisection)?;
        Ok(serde_json::from_str(&text.replace(quoted.trim_matches('"'), "{checkout}"))?)
    }
}
