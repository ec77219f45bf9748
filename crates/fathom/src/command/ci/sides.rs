//! The two sides of a change: git refs, directories, programs or kept traces; where each lies.

use crate::arguments::Ci as Words;
use crate::command::Hinted;
use crate::command::repository::{Repository, said, without_git_variables};
use crate::command::stop::{Interrupted, Stop};
use anyhow::Context;
use fathom_audit::{ChangeReport, ComparedSide, PathClasses};
use fathom_catalog::ProjectFile;
use fathom_events::is_trace_file;
use serde_json::Value;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Both sides.
#[derive(Debug)]
pub(super) struct Sides {
    pub(super) base: Side,
    pub(super) head: Side,
    /// Where refs are checked out.
    _ground: Option<TempDir>,
}

/// One side.
#[derive(Debug)]
pub(super) struct Side {
    /// `base` or `head`.
    pub(super) word: &'static str,
    name: String,
    commit: Option<String>,
    /// Of base: where both came from, if that is another commit.
    ancestor: Option<String>,
    /// Of a ref that is checked out here: files whose changes are not in it.
    changed_files: Option<u64>,
    /// Where its commands start.
    pub(super) directory: PathBuf,
    /// Its top.
    root: PathBuf,
    /// Where a checkout lies while the other side's is at `root`.
    resting: Option<PathBuf>,
    pub(super) what: What,
}

/// What a side is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    Ref,
    Directory,
    Program(PathBuf),
    Trace(PathBuf),
}

impl What {
    fn word(&self) -> &'static str {
        match self {
            Self::Ref => "a git ref",
            Self::Directory => "a directory",
            Self::Program(_) => "a program",
            Self::Trace(_) => "a trace",
        }
    }
}

impl Sides {
    /// Finds both, and checks refs out.
    pub(super) fn of(
        words: &Words,
        project: Option<&(ProjectFile, PathBuf)>,
        stop: &Stop,
        limit: Duration,
    ) -> anyhow::Result<Self> {
        let kinds = [&words.base, &words.head].map(|name| what(name, stop, limit));
        let [base, head] = kinds;
        let (base, head) = (base?, head?);
        if base.0.word() != head.0.word() {
            return Err(Hinted::error(
                format!("{} is {}, and {} is {}", words.base, base.0.word(), words.head, head.0.word()),
                "both sides are of one kind: two refs, two directories, two programs or two traces",
            ));
        }
        let here = std::env::current_dir().context("failed to find the current directory")?;
        let mut ground = None;
        let mut repository = None;
        if base.0 == What::Ref {
            let made = tempfile::Builder::new().prefix(".fathom-ci-").tempdir();
            ground = Some(made.context("failed to make a directory for the checkouts")?);
            repository = Some(Repository::here(stop, limit)?);
        }
        let mut sides = Vec::new();
        for (word, name, (what, commit)) in [("base", &words.base, base), ("head", &words.head, head)] {
            let (root, directory, resting) = match (&what, &ground, &repository) {
                (What::Ref, Some(ground), Some(repository)) => {
                    let ground = fs::canonicalize(ground.path()).context("failed to find the checkouts")?;
                    let root = ground.join("checkout");
                    repository.check_out(commit.as_deref().unwrap_or_default(), &root, stop, limit)?;
                    let from = project.map_or(here.as_path(), |(_, folder)| folder.as_path());
                    let below = from.strip_prefix(&repository.top).unwrap_or(Path::new(""));
                    let directory = root.join(below);
                    if !directory.is_dir() {
                        return Err(Hinted::error(
                            format!("{name} has no directory {}", below.display()),
                            "start fathom where both sides have one, or name another file by --config",
                        ));
                    }
                    let resting = ground.join(word);
                    fs::rename(&root, &resting).context("failed to put a checkout aside")?;
                    (root, directory, Some(resting))
                }
                (What::Directory, ..) => {
                    let root = fs::canonicalize(name).with_context(|| format!("failed to look at {name}"))?;
                    (root.clone(), root, None)
                }
                _ => (here.clone(), here.clone(), None),
            };
            let changed_files = match &repository {
                Some(repository) if word == "head" && commit == Repository::commit("HEAD", stop, limit)? => {
                    Some(repository.changed_files(stop, limit)?).filter(|&files| files > 0)
                }
                _ => None,
            };
            let ancestor = None;
            sides.push(Side {
                word,
                name: name.clone(),
                commit,
                ancestor,
                changed_files,
                directory,
                root,
                resting,
                what,
            });
        }
        let head = sides.pop().expect("two were pushed");
        let mut base = sides.pop().expect("two were pushed");
        if let (Some(repository), Some(old), Some(new)) = (&repository, &base.commit, &head.commit) {
            let ancestor = repository.ancestor([old, new], stop, limit)?;
            base.ancestor = ancestor.filter(|ancestor| ancestor != old);
        }
        Ok(Self { base, head, _ground: ground })
    }

    /// True of kept traces, where nothing is run.
    pub(super) fn are_traces(&self) -> bool {
        matches!(self.base.what, What::Trace(_))
    }

    /// Runs the project's build on each side, where it has one and sides are checkouts or directories.
    pub(super) fn build(
        &self,
        project: Option<&(ProjectFile, PathBuf)>,
        stop: &Stop,
        limit: Duration,
    ) -> anyhow::Result<()> {
        // What lies in a directory of the user's is built already, or is to be left alone.
        let build = project.and_then(|(project, _)| project.build.as_ref());
        let Some(build) = build.filter(|_| self.base.what == What::Ref) else { return Ok(()) };
        let limit = build.limit_s.map_or(limit, Duration::from_secs);
        for side in [&self.base, &self.head] {
            let _inside = side.enter()?;
            side.run_by_shell(&build.run.value, "the build", stop, limit)?;
        }
        Ok(())
    }

    /// The report without the directories that the sides lie in, which are gone when it is read.
    pub(super) fn without_their_directories(&self, report: ChangeReport) -> anyhow::Result<ChangeReport> {
        let mut roots = Vec::new();
        if matches!(self.base.what, What::Ref | What::Directory) {
            roots.extend([&self.base, &self.head].map(|side| side.root.to_string_lossy().into_owned()));
        }
        roots.retain(|root| root.len() > 1);
        if roots.is_empty() {
            return Ok(report);
        }
        let mut value = serde_json::to_value(&report)?;
        if let Some(commands) = value.get_mut("commands") {
            replace_in(commands, &roots);
        }
        Ok(serde_json::from_value(value)?)
    }
}

fn replace_in(value: &mut Value, roots: &[String]) {
    match value {
        Value::String(text) => {
            for root in roots {
                if text.contains(root.as_str()) {
                    *text = text.replace(root.as_str(), "{checkout}");
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace_in(item, roots)),
        Value::Object(map) => map.values_mut().for_each(|item| replace_in(item, roots)),
        _ => {}
    }
}

impl Side {
    /// As the report has it.
    pub(super) fn described(&self) -> ComparedSide {
        let Self { name, commit, ancestor, changed_files, .. } = self;
        ComparedSide {
            name: name.clone(),
            commit: commit.clone(),
            ancestor: ancestor.clone(),
            uncommitted_files: *changed_files,
        }
    }

    /// Puts its checkout where commands are run, until what is returned goes. Both sides are run at one path:
    /// names that a build or a cache makes of where it runs would differ between two.
    pub(super) fn enter(&self) -> anyhow::Result<Inside<'_>> {
        if let Some(resting) = &self.resting {
            fs::rename(resting, &self.root)
                .with_context(|| format!("failed to put the checkout of {} in its place", self.word))?;
        }
        Ok(Inside(self))
    }

    /// What its paths are matched by.
    pub(super) fn classes(&self, trace_directory: Option<&str>) -> PathClasses {
        let mut classes = PathClasses::default();
        if let Some(home) = std::env::var("HOME").ok().filter(|home| !home.is_empty()) {
            classes = classes.with_home(&home);
        }
        match (&self.what, trace_directory) {
            (What::Trace(_), Some(directory)) => classes.with_checkout(directory),
            (What::Trace(_), None) => classes,
            (What::Program(program), _) => classes.with_program(&program.to_string_lossy()),
            (What::Ref | What::Directory, _) => classes.with_checkout(&self.root.to_string_lossy()),
        }
    }

    /// The words of a command here.
    pub(super) fn words(&self, words: &[String]) -> Vec<String> {
        let What::Program(program) = &self.what else { return words.to_vec() };
        let program = program.to_string_lossy();
        words.iter().map(|word| word.replace("{program}", &program)).collect()
    }

    /// Has a shell do something here, and fails where it does.
    pub(super) fn run_by_shell(
        &self,
        text: &str,
        what: &str,
        stop: &Stop,
        limit: Duration,
    ) -> anyhow::Result<()> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", text]).current_dir(&self.directory);
        without_git_variables(&mut command);
        let named = format!("{what} of {} ({}), `{text}`,", self.word, self.name);
        let said = said(&mut command, &named, stop, limit)?;
        if said.succeeded {
            return Ok(());
        }
        Err(Hinted::error(
            format!("{named} failed: {}\n{}", said.ended, said.tail()),
            "it is run by `sh -c` in the side's directory, as .fathom.toml says",
        ))
    }
}

/// A side whose checkout is where commands are run.
pub(super) struct Inside<'a>(&'a Side);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        if let Some(resting) = &self.0.resting {
            // Where it cannot be put aside the other side cannot be put there, which is an error then.
            let _ = fs::rename(&self.0.root, resting);
        }
    }
}

/// What a side's name names, with the commit of a ref.
fn what(name: &str, stop: &Stop, limit: Duration) -> anyhow::Result<(What, Option<String>)> {
    let path = Path::new(name);
    let is_path = name.contains('/') && (name.starts_with('.') || name.starts_with('/'));
    let found = fs::metadata(path);
    let commit = if is_path { None } else { commit_of(name, found.is_ok(), stop, limit)? };
    match (commit, found) {
        (Some(_), Ok(_)) => Err(Hinted::error(
            format!("`{name}` is a git ref and a path"),
            format!("./{name} is the path, `{name}~0` the ref"),
        )),
        (Some(commit), Err(_)) => Ok((What::Ref, Some(commit))),
        (None, Ok(found)) if found.is_dir() => Ok((What::Directory, None)),
        (None, Ok(found)) => {
            let path = fs::canonicalize(path).with_context(|| format!("failed to look at {name}"))?;
            if begins_as_trace(&path).with_context(|| format!("failed to read {name}"))? {
                return Ok((What::Trace(path), None));
            }
            if found.permissions().mode() & 0o111 == 0 {
                return Err(Hinted::error(
                    format!("{name} is neither a program nor a trace"),
                    "`fathom trace -o FILE -- COMMAND` keeps a trace; `chmod +x` makes a program",
                ));
            }
            Ok((What::Program(path), None))
        }
        (None, Err(_)) => Err(Hinted::error(
            format!("`{name}` is no git ref here, and no file or directory"),
            "`git rev-parse REF` says what a ref names; in a shallow clone only what was fetched is there",
        )),
    }
}

/// Where there is no git or no repository, a path is meant.
fn commit_of(name: &str, is_there: bool, stop: &Stop, limit: Duration) -> anyhow::Result<Option<String>> {
    match Repository::commit(name, stop, limit) {
        Err(error) if is_there && !error.is::<Interrupted>() => Ok(None),
        other => other,
    }
}

fn begins_as_trace(path: &Path) -> std::io::Result<bool> {
    let mut beginning = Vec::new();
    File::open(path)?.take(16).read_to_end(&mut beginning)?;
    Ok(is_trace_file(&beginning))
}
