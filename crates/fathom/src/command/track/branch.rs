//! A store in a branch of the repository here, written by git's plumbing: objects, a tree by an index of
//! our own, a commit, and the ref if nobody else moved it meanwhile. Work tree and index stay as they are.

use super::directory;
use super::kept::{Kept, LINES, MARK, MARKER, RUNS, RunFiles, TABLE};
use crate::command::Hinted;
use crate::command::repository::{Said, git, git_command, said};
use crate::command::stop::Stop;
use anyhow::Context;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// No call of git takes this long.
const LIMIT: Duration = Duration::from_mins(10);
/// How often a write is begun anew where others write at the same time, and the pause between.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(40);
/// What of the user's settings must not act on our index and our files.
const SETTINGS: [&str; 10] = [
    "-c",
    "core.splitIndex=false",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.autocrlf=false",
    "-c",
    "core.attributesFile=/dev/null",
    "-c",
    "core.hooksPath=/dev/null",
];

/// Refuses a branch that holds something else, or that is checked out.
pub(super) fn check(name: &str, stop: &Stop) -> anyhow::Result<()> {
    let format = ask(&["check-ref-format", "--branch", name], stop)?;
    if !format.succeeded {
        let problem = ask(&["rev-parse", "--git-dir"], stop)?;
        return Err(if problem.succeeded {
            Hinted::error(format!("`{name}` is no name for a branch"), "for example: --branch fathom-counts")
        } else {
            no_repository(&problem)
        });
    }
    let inside = ask(&["rev-parse", "--git-dir"], stop)?;
    if !inside.succeeded {
        return Err(no_repository(&inside));
    }
    let worktrees = git(Path::new("."), &["worktree", "list", "--porcelain"], stop, LIMIT)?;
    if worktrees.lines().any(|line| line == format!("branch {}", reference(name))) {
        return Err(Hinted::error(
            format!(
                "the branch {name} is checked out: what is kept there would look like a change of its files"
            ),
            "name another branch; `git show BRANCH:runs/` looks into one",
        ));
    }
    match tip(name, stop)? {
        Some(tip) => check_marker(name, &tip, stop),
        None => check_remotes(name, stop),
    }
}

fn no_repository(said: &Said) -> anyhow::Error {
    Hinted::error(
        format!("a branch needs a git repository: {}", said.stderr.trim()),
        "start fathom inside one, or keep runs in a directory with --store DIR",
    )
}

fn check_marker(name: &str, tip: &str, stop: &Stop) -> anyhow::Result<()> {
    let marker = ask(&["cat-file", "blob", &format!("{tip}:{MARKER}")], stop)?;
    if marker.succeeded && marker.stdout.trim() == MARK {
        return Ok(());
    }
    Err(Hinted::error(
        format!("the branch {name} is no store of `fathom track`, or one of another version"),
        "name a branch that is not there yet",
    ))
}

/// A branch that only a remote has is not begun anew: the two would have nothing in common.
fn check_remotes(name: &str, stop: &Stop) -> anyhow::Result<()> {
    let refs =
        git(Path::new("."), &["for-each-ref", "--format=%(refname:short)", "refs/remotes"], stop, LIMIT)?;
    let suffix = format!("/{name}");
    match refs.lines().find(|remote| remote.ends_with(&suffix)) {
        None => Ok(()),
        Some(remote) => Err(Hinted::error(
            format!("there is no branch {name} here, but there is {remote}"),
            format!("`git branch {name} {remote}` makes it: runs are then added to those that are there"),
        )),
    }
}

/// Everything in it.
pub(super) fn read(name: &str, stop: &Stop) -> anyhow::Result<Option<Kept>> {
    let Some(tip) = tip(name, stop)? else { return Ok(None) };
    check_marker(name, &tip, stop)?;
    let ground = tempfile::Builder::new().prefix(".fathom-track-").tempdir();
    let ground = ground.context("failed to make a directory for the runs")?;
    let files = ground.path().join("store");
    fs::create_dir(&files).with_context(|| format!("failed to make {}", files.display()))?;
    let index = ground.path().join("index");
    indexed(&["read-tree", &tip], &index, None, stop)?;
    indexed(&["checkout-index", "--all", "--force"], &index, Some(&files), stop)?;
    directory::read(&files)
}

/// Keeps one more run.
pub(super) fn add(name: &str, files: &RunFiles, stop: &Stop) -> anyhow::Result<()> {
    let ground = tempfile::Builder::new().prefix(".fathom-track-").tempdir();
    let ground = ground.context("failed to make a directory for the run")?;
    let object = |file: &str, bytes: &[u8]| -> anyhow::Result<String> {
        let path = ground.path().join(file);
        fs::write(&path, bytes).with_context(|| format!("failed to write {}", path.display()))?;
        let path = path.to_string_lossy().into_owned();
        git(Path::new("."), &["hash-object", "-w", "--no-filters", "--", &path], stop, LIMIT)
    };
    let mut entries = vec![
        (MARKER.to_owned(), object("marker", format!("{MARK}\n").as_bytes())?),
        (format!("{RUNS}/{}.{LINES}", files.name), object("lines", &files.lines)?),
    ];
    if let Some(table) = &files.table {
        entries.push((format!("{RUNS}/{}.{TABLE}", files.name), object("table", table)?));
    }
    let mut problem = String::new();
    for number in 0..TRIES {
        stop.check()?;
        let old = tip(name, stop)?;
        if let Some(old) = &old {
            check_marker(name, old, stop)?;
        }
        let index = ground.path().join(format!("index-{number}"));
        if let Some(old) = &old {
            indexed(&["read-tree", old], &index, None, stop)?;
        }
        for (path, object) in &entries {
            let entry = format!("100644,{object},{path}");
            indexed(&["update-index", "--add", "--cacheinfo", &entry], &index, None, stop)?;
        }
        let tree = indexed(&["write-tree"], &index, None, stop)?;
        let commit = commit(&tree, old.as_deref(), &files.name, stop)?;
        // Only if it is still what it was: empty stands for a ref that is not there.
        let expected = old.as_deref().unwrap_or_default();
        let words = ["update-ref", "-m", "fathom track add", &reference(name), &commit, expected];
        let moved = ask(&words, stop)?;
        if moved.succeeded {
            return Ok(());
        }
        moved.stderr.trim().clone_into(&mut problem);
        std::thread::sleep(PAUSE);
    }
    anyhow::bail!("the branch could not be moved in {TRIES} tries: {problem}")
}

fn commit(tree: &str, parent: Option<&str>, run: &str, stop: &Stop) -> anyhow::Result<String> {
    let message = format!("run {run}");
    let mut words = vec!["commit-tree", tree, "-m", &message];
    words.extend(parent.iter().flat_map(|parent| ["-p", parent]));
    let mut command = git_command(Path::new("."), &words);
    // A machine of a CI has no name of its own.
    if !ask(&["var", "GIT_COMMITTER_IDENT"], stop)?.succeeded
        || !ask(&["var", "GIT_AUTHOR_IDENT"], stop)?.succeeded
    {
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "fathom track");
            command.env(format!("GIT_{role}_EMAIL"), "fathom@localhost");
        }
    }
    succeeded(&said(&mut command, "git", stop, LIMIT)?, "commit-tree")
}

/// git with an index of our own, and a work tree of our own where files are written.
fn indexed(words: &[&str], index: &Path, work_tree: Option<&Path>, stop: &Stop) -> anyhow::Result<String> {
    let directory = git(Path::new("."), &["rev-parse", "--absolute-git-dir"], stop, LIMIT)?;
    let mut command = git_command(Path::new("."), &[&SETTINGS[..], words].concat());
    command.env("GIT_INDEX_FILE", index);
    if let Some(files) = work_tree {
        command.current_dir(files).env("GIT_WORK_TREE", files).env("GIT_DIR", directory);
    }
    succeeded(&said(&mut command, "git", stop, LIMIT)?, words[0])
}

fn succeeded(said: &Said, what: &str) -> anyhow::Result<String> {
    if said.succeeded {
        return Ok(said.stdout.trim_end_matches('\n').to_owned());
    }
    anyhow::bail!("git {what} failed: {}", said.stderr.trim())
}

fn tip(name: &str, stop: &Stop) -> anyhow::Result<Option<String>> {
    let said = ask(&["rev-parse", "--verify", "--quiet", &format!("{}^{{commit}}", reference(name))], stop)?;
    Ok(said.succeeded.then(|| said.stdout.trim().to_owned()))
}

fn reference(name: &str) -> String {
    format!("refs/heads/{name}")
}

fn ask(words: &[&str], stop: &Stop) -> anyhow::Result<Said> {
    said(&mut git_command(Path::new("."), words), "git", stop, LIMIT)
}
