//! A ref of the repository here, checked out into a directory of Fathom's own. The user's repository is
//! only read: the checkout is a repository by itself that borrows the objects.

use crate::command::Hinted;
use crate::command::stop::{Interrupted, Stop};
use anyhow::Context;
use fathom_audit::Commit;
use fathom_sys::child_wait::output_within;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The most that is kept of what a command says.
const OUTPUT_BYTES: usize = 64 << 20;
/// Lines of it that are shown when it fails.
const TAIL_LINES: usize = 20;
/// Variables by which git would look elsewhere.
pub(in crate::command) const GIT_VARIABLES: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
];

/// The repository that the current directory lies in.
#[derive(Debug)]
pub(in crate::command) struct Repository {
    /// Its top.
    pub(in crate::command) top: PathBuf,
    objects: PathBuf,
    shallow: PathBuf,
    object_format: String,
}

impl Repository {
    /// The one here.
    pub(in crate::command) fn here(stop: &Stop, limit: Duration) -> anyhow::Result<Self> {
        let ask = |words: &[&str]| git(Path::new("."), words, stop, limit);
        let top = ask(&["rev-parse", "--show-toplevel"])?;
        let path = |text: String| std::path::absolute(text).context("failed to find the repository");
        Ok(Self {
            top: PathBuf::from(top),
            objects: path(ask(&["rev-parse", "--git-path", "objects"])?)?,
            shallow: path(ask(&["rev-parse", "--git-path", "shallow"])?)?,
            object_format: ask(&["rev-parse", "--show-object-format"])?,
        })
    }

    /// The commit that a ref names; `None` where it names none.
    pub(in crate::command) fn commit(
        name: &str,
        stop: &Stop,
        limit: Duration,
    ) -> anyhow::Result<Option<String>> {
        let wanted = format!("{name}^{{commit}}");
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", wanted.as_str()];
        let mut command = git_command(Path::new("."), &words);
        let done = said(&mut command, "git", stop, limit)?;
        let commit = done.stdout.lines().last().unwrap_or_default().to_owned();
        Ok((done.succeeded && !commit.is_empty()).then_some(commit))
    }

    /// The last commit that two came from; `None` where there is none, or history is cut before it.
    pub(in crate::command) fn ancestor(
        &self,
        [one, other]: [&str; 2],
        stop: &Stop,
        limit: Duration,
    ) -> anyhow::Result<Option<String>> {
        let done = said(&mut git_command(&self.top, &["merge-base", one, other]), "git", stop, limit)?;
        let commit = done.stdout.lines().next().unwrap_or_default().to_owned();
        Ok((done.succeeded && !commit.is_empty()).then_some(commit))
    }

    /// How many files that git follows have changes here that are in no commit.
    pub(in crate::command) fn changed_files(&self, stop: &Stop, limit: Duration) -> anyhow::Result<u64> {
        // Without locks: the user's index is only read.
        let words = ["--no-optional-locks", "status", "--porcelain", "--no-renames", "--untracked-files=no"];
        Ok(git(&self.top, &words, stop, limit)?.lines().count() as u64)
    }

    /// True of a clone whose history is cut.
    pub(in crate::command) fn is_shallow(&self) -> bool {
        self.shallow.is_file()
    }

    /// What is said of a commit.
    pub(in crate::command) fn facts(id: &str, stop: &Stop, limit: Duration) -> anyhow::Result<Commit> {
        let words =
            ["show", "--no-patch", "--no-show-signature", "--format=%H%x00%an%x00%cI%x00%s", id, "--"];
        let text = git(Path::new("."), &words, stop, limit)?;
        let mut fields = text.splitn(4, '\0').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        Ok(Commit { id: next(), author: next(), committed: next(), subject: next() })
    }

    /// Checks a commit out into a directory that is not there yet.
    pub(in crate::command) fn check_out(
        &self,
        commit: &str,
        into: &Path,
        stop: &Stop,
        limit: Duration,
    ) -> anyhow::Result<()> {
        fs::create_dir(into).with_context(|| format!("failed to make {}", into.display()))?;
        let format = format!("--object-format={}", self.object_format);
        // Hooks of a template are not the project's.
        git(into, &["init", "--quiet", "--template=", &format], stop, limit)?;
        let inside = into.join(".git");
        let failed = || format!("failed to prepare {}", inside.display());
        fs::create_dir_all(inside.join("objects/info")).with_context(failed)?;
        let alternates = format!("{}\n", self.objects.display());
        fs::write(inside.join("objects/info/alternates"), alternates).with_context(failed)?;
        if self.shallow.is_file() {
            fs::copy(&self.shallow, inside.join("shallow")).with_context(failed)?;
        }
        git(into, &["checkout", "--quiet", "--detach", "--force", commit], stop, limit)?;
        Ok(())
    }
}

/// What a command said, and whether it succeeded.
#[derive(Debug)]
pub(in crate::command) struct Said {
    pub(in crate::command) succeeded: bool,
    pub(in crate::command) ended: String,
    pub(in crate::command) stdout: String,
    pub(in crate::command) stderr: String,
}

impl Said {
    /// The last lines of what it said.
    pub(in crate::command) fn tail(&self) -> String {
        let lines: Vec<_> = self.stdout.lines().chain(self.stderr.lines()).collect();
        lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
    }
}

/// git in a directory, undisturbed by variables of a hook, its words in English.
pub(in crate::command) fn git_command(directory: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(directory).args(words).env("LC_ALL", "C");
    without_git_variables(&mut command);
    command
}

/// Keeps git from looking elsewhere, as it would inside a hook.
pub(in crate::command) fn without_git_variables(command: &mut Command) {
    for variable in GIT_VARIABLES {
        command.env_remove(variable);
    }
}

/// What git says, less the last end of line; an error where it fails.
pub(in crate::command) fn git(
    directory: &Path,
    words: &[&str],
    stop: &Stop,
    limit: Duration,
) -> anyhow::Result<String> {
    let done = said(&mut git_command(directory, words), "git", stop, limit)?;
    if done.succeeded {
        return Ok(done.stdout.trim_end_matches('\n').to_owned());
    }
    Err(Hinted::error(
        format!("git {} failed: {}", words[0], done.stderr.trim()),
        "a side that is no git ref is named by its path: ./DIRECTORY, ./PROGRAM, ./TRACE",
    ))
}

/// Runs a command to its end, which Ctrl-C and the limit bring about too.
pub(in crate::command) fn said(
    command: &mut Command,
    name: &str,
    stop: &Stop,
    limit: Duration,
) -> anyhow::Result<Said> {
    heard(command, stop, limit).map_err(|error| match error.kind() {
        ErrorKind::Interrupted => Interrupted.into(),
        ErrorKind::NotFound => {
            Hinted::error(format!("{name} was not found"), "install it, or name directories")
        }
        ErrorKind::TimedOut => Hinted::error(
            format!("{name} was killed after {} s", limit.as_secs()),
            "`--limit SECONDS` gives it more time, and so does `limit-s` of [build]",
        ),
        _ => anyhow::Error::new(error).context(format!("failed to run {name}")),
    })
}

/// The same with the error as it is: of kind `Interrupted` after a signal, `TimedOut` at the limit.
pub(in crate::command) fn heard(
    command: &mut Command,
    stop: &Stop,
    limit: Duration,
) -> std::io::Result<Said> {
    let output = output_within(command, limit, OUTPUT_BYTES, Some(&stop.flag))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Said {
        succeeded: output.status.success(),
        ended: output.status.to_string(),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    })
}
