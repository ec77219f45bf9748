//! The folder of one run: where it works, keeps its data and its temporary files, with the
//! files that commands read, and the program with an environment that leads into it.

use crate::leftovers::TAG;
use anyhow::{Context, ensure};
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The file that a command writes. There is an old one.
pub(crate) const TARGET: &str = "target";
/// What stands in the target before.
pub(crate) const OLD: &str = "old";
/// What commands read that are audited.
pub(crate) const TEXT: &str = "text";

/// What commands read, made once by unfailed runs, and the program that is run.
#[derive(Debug)]
pub(crate) struct Fixtures {
    folder: TempDir,
    /// A copy: a build beside the sweep replaces the program, and the new one would compile its
    /// drivers anew while it is supervised, the others waiting for it.
    pub(crate) program: Program,
    _copy: TempDir,
}

/// The program under test, and the folders that it is given.
#[derive(Debug, Clone)]
pub struct Program {
    /// The program.
    pub fathom: PathBuf,
    /// A folder on a disk where it works.
    pub folder: PathBuf,
    /// Where the drivers are kept that it builds.
    pub cache: PathBuf,
}

/// The folder, removed when dropped.
#[derive(Debug)]
pub(crate) struct Ground {
    folder: TempDir,
    program: Program,
}

impl Fixtures {
    /// Makes a record and a trace. The driver is built where it is not there yet.
    pub(crate) fn make(program: &Program) -> anyhow::Result<Self> {
        fs::create_dir_all(&program.folder)?;
        let (program, copy) = copied(program)?;
        let ground = Ground::empty(&program)?;
        ground.run(&["bench", "open-close", "--methods", "native:open", "--time", "0.05", "-o", "record"])?;
        let script = format!("cat {TEXT}; cat {TEXT}");
        ground.run(&["trace", "--capture", "ptrace", "-o", "events", "--", "sh", "-c", &script])?;
        ground.run(&["audit", "--from", "events", "--format", "json", "-o", "audit"])?;
        Ok(Self { folder: ground.folder, program, _copy: copy })
    }
}

/// The program with a copy of its file, which others may run too.
fn copied(program: &Program) -> anyhow::Result<(Program, TempDir)> {
    let mut folder = tempfile::Builder::new();
    folder.prefix("program-").permissions(fs::Permissions::from_mode(0o755));
    let folder = folder.tempdir_in(&program.folder)?;
    let fathom = folder.path().join("fathom");
    fs::copy(&program.fathom, &fathom).with_context(|| program.fathom.display().to_string())?;
    Ok((Program { fathom, ..program.clone() }, folder))
}

impl Ground {
    fn empty(program: &Program) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("ground-").tempdir_in(&program.folder)?;
        for name in ["work", "tmp", "data"] {
            fs::create_dir(folder.path().join(name))?;
        }
        let ground = Self { folder, program: program.clone() };
        fs::write(ground.work().join(TEXT), "a line\n".repeat(100))?;
        Ok(ground)
    }

    /// A folder with the fixtures and an old target.
    pub(crate) fn prepared(fixtures: &Fixtures) -> anyhow::Result<Self> {
        let ground = Self::empty(&fixtures.program)?;
        for name in ["record", "events", "audit"] {
            fs::copy(fixtures.folder.path().join("work").join(name), ground.work().join(name))?;
        }
        fs::write(ground.work().join(TARGET), OLD)?;
        Ok(ground)
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where commands work.
    pub(crate) fn work(&self) -> PathBuf {
        self.path().join("work")
    }

    /// Standard output or error of the last run.
    pub(crate) fn said(&self, stream: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.path().join(stream)).unwrap_or_default()).into_owned()
    }

    /// `fathom` with these words. Its output goes to files.
    pub(crate) fn command(&self, words: &[&str]) -> anyhow::Result<Command> {
        let mut command = Command::new(&self.program.fathom);
        command
            .args(words)
            .current_dir(self.work())
            .env("FATHOM_CACHE_DIR", &self.program.cache)
            .env("XDG_DATA_HOME", self.path().join("data"))
            .env("TMPDIR", self.path().join("tmp"))
            .env(TAG, self.path())
            .env_remove("LD_LIBRARY_PATH")
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::null())
            .stdout(File::create(self.path().join("stdout"))?)
            .stderr(File::create(self.path().join("stderr"))?);
        Ok(command)
    }

    /// Runs it unfailed.
    fn run(&self, words: &[&str]) -> anyhow::Result<()> {
        let status = self.command(words)?.status().context("fathom")?;
        ensure!(status.success(), "fathom {}: {status}: {}", words.join(" "), self.said("stderr"));
        Ok(())
    }

    /// True where Fathom reads what it wrote by these words; without words, where that is JSON.
    pub(crate) fn opens(&self, words: &[&str]) -> bool {
        const FINDINGS: i32 = 1;
        if words.is_empty() {
            let text = fs::read(self.work().join(TARGET)).unwrap_or_default();
            return serde_json::from_slice::<serde_json::Value>(&text).is_ok();
        }
        let ended = self.command(words).and_then(|mut command| Ok(command.status()?));
        ended.is_ok_and(|status| matches!(status.code(), Some(0 | FINDINGS)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_replaced_meanwhile_is_run_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let fathom = folder.path().join("fathom");
        let replace = |words: &str| {
            let _missing = fs::remove_file(&fathom);
            fs::write(&fathom, format!("#!/bin/sh\necho {words}\n")).unwrap();
            fs::set_permissions(&fathom, fs::Permissions::from_mode(0o755)).unwrap();
        };
        replace("old");
        let named = Program { fathom: fathom.clone(), folder: folder.path().into(), cache: "/none".into() };
        let (program, _copy) = copied(&named).unwrap();
        replace("new");
        let ground = Ground::empty(&program).unwrap();
        ground.run(&[]).unwrap();
        assert_eq!(ground.said("stdout"), "old\n");
    }
}
