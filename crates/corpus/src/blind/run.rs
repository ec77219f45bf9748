//! One program of a blind set under `fathom audit`, twice: what is found on its own files,
//! and what a user without any options is told.

use super::{BlindCase, BlindPart, Tool};
use crate::bench::{Bench, BenchError, Stage, finished};
use crate::language::Build;
use fathom_audit::{Audit, Finding, RuleId, Severity};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A program of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlindRun {
    /// With `--under .`: findings on its own files.
    pub own: Watched,
    /// By the default settings.
    pub whole: Watched,
}

/// A command of an installed program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolRun {
    /// What it prints when nobody watches.
    pub alone: String,
    /// By the default settings.
    pub watched: Watched,
}

/// One run of a program under audit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Watched {
    /// Fathom's exit code.
    pub code: i32,
    /// The program's; `None` where a signal ended it.
    pub exit: Option<i32>,
    /// What the program printed.
    pub printed: String,
    /// What was found.
    pub findings: Vec<Found>,
    /// What was found and is too small to be reported.
    pub negligible: Vec<Found>,
}

/// A finding, as far as it is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The rule.
    pub rule: RuleId,
    /// Its sentence.
    pub title: String,
    /// How often it occurred.
    pub count: u64,
    /// How much it matters.
    pub severity: Severity,
    /// It makes the audit exit with 1.
    pub fails: bool,
    /// The calls of its example.
    pub example: Vec<String>,
}

impl Bench {
    /// Builds a program of a case and runs it twice, each time with fresh data.
    pub fn run_blind(&self, case: &BlindCase, part: BlindPart) -> Result<BlindRun, BenchError> {
        let run = |name: &str, options: &[&str]| {
            let stage = self.stage_blind(case, part, name)?;
            self.watch(&stage, options)
        };
        let runs = run("own", &["--under", "."]).and_then(|own| Ok((own, run("whole", &[])?)));
        let (own, whole) = runs.map_err(|reason| error(&case.name, part, reason))?;
        Ok(BlindRun { own, whole })
    }

    /// Runs the command of an installed program, alone and watched.
    pub fn run_tool(&self, tool: &Tool) -> Result<ToolRun, BenchError> {
        let run = || {
            let alone = self.stage_tool(tool, "alone")?;
            let alone = finished(plain(&mut command_of(&alone.words), &alone))?;
            let watched = self.watch(&self.stage_tool(tool, "watched")?, &[])?;
            Ok(ToolRun { alone, watched })
        };
        run().map_err(|reason| error(&tool.name, BlindPart::Tool, reason))
    }

    pub(crate) fn stage_blind(&self, case: &BlindCase, part: BlindPart, name: &str) -> Result<Stage, String> {
        let build = self.scratch.join(&case.name).join(part.name()).join("build");
        fs::create_dir_all(&build).map_err(|error| error.to_string())?;
        let mut stage = self.empty_stage(&format!("{}/{}/{name}", case.name, part.name()))?;
        copy_files(&case.folder, &stage.work)?;
        let source = case.source(part).ok_or("its source is not there")?;
        if let Some(own) = &case.own {
            let named = |error: std::io::Error| format!("{}: {error}", own.file);
            fs::rename(stage.work.join(&source), stage.work.join(&own.file)).map_err(named)?;
            for part in [BlindPart::Waste, BlindPart::Clean].into_iter().filter_map(|part| case.source(part))
            {
                if part != source {
                    fs::remove_file(stage.work.join(part)).map_err(named)?;
                }
            }
            finished(plain(Command::new("sh").args(["-c", &own.prepare()]), &stage))?;
            stage.words = ["sh", "-c", &own.run].map(OsString::from).into();
            return Ok(stage);
        }
        let source = stage.work.join(source);
        let build = fs::canonicalize(build).map_err(|error| error.to_string())?;
        stage.words = case.language.build(&source, &build, Build::Plain)?;
        if stage.work.join("setup.sh").is_file() {
            finished(plain(Command::new("sh").arg("setup.sh"), &stage))?;
        }
        Ok(stage)
    }

    pub(crate) fn stage_tool(&self, tool: &Tool, name: &str) -> Result<Stage, String> {
        let mut stage = self.empty_stage(&format!("{}/{name}", tool.name))?;
        let corpus = std::path::absolute(&tool.corpus).map_err(|error| error.to_string())?;
        stage.words = tool.command.iter().map(OsString::from).collect();
        finished(plain(Command::new("sh").args(["-c", &tool.setup]).env("CORPUS", &corpus), &stage))?;
        Ok(stage)
    }

    fn empty_stage(&self, name: &str) -> Result<Stage, String> {
        let folder = fs::canonicalize(&self.scratch).map_err(|error| error.to_string())?.join(name);
        let [work, home] = ["work", "home"].map(|name| folder.join(name));
        for path in [&work, &home] {
            fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(Stage { folder, work, home, words: Vec::new() })
    }

    pub(crate) fn watch(&self, stage: &Stage, options: &[&str]) -> Result<Watched, String> {
        let kept = stage.folder.join("audit.json");
        let mut command = self.command(stage);
        command.args(["audit", "--capture", &self.capture]).args(options);
        command.args(["--format", "json", "-o"]).arg(&kept).arg("--").args(&stage.words);
        let output = plain(&mut command, stage).output().map_err(|error| error.to_string())?;
        let code = output.status.code().filter(|code| matches!(code, 0 | 1 | 3));
        let said = || format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
        let code = code.ok_or_else(said)?;
        let text = fs::read_to_string(&kept).map_err(|error| format!("{}: {error}", kept.display()))?;
        let audit: Audit = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        Ok(Watched {
            code,
            exit: audit.command.as_ref().and_then(|command| command.exit_code),
            printed: String::from_utf8_lossy(&output.stdout).into_owned(),
            findings: audit.findings.iter().map(found).collect(),
            negligible: audit.trifles.iter().map(found).collect(),
        })
    }
}

fn found(finding: &Finding) -> Found {
    Found {
        rule: finding.rule,
        title: finding.title.clone(),
        count: finding.count,
        severity: finding.severity,
        fails: finding.matters(),
        example: finding.example.iter().map(|call| call.text.clone()).collect(),
    }
}

fn error(case: &str, part: BlindPart, reason: String) -> BenchError {
    BenchError { case: case.to_owned(), part: part.name(), reason }
}

fn command_of(words: &[OsString]) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command
}

/// The same surroundings for what makes the data and for the program, watched or not.
pub(crate) fn plain<'command>(command: &'command mut Command, stage: &Stage) -> &'command mut Command {
    let variable = |name: &str| std::env::var_os(name).unwrap_or_default();
    let mut path = OsString::from("/usr/bin:/bin:");
    path.push(variable("PATH"));
    command.current_dir(&stage.work).stdin(Stdio::null()).env("PATH", path);
    command.env("HOME", &stage.home).env("XDG_DATA_HOME", &stage.home).env("LC_ALL", "C.UTF-8");
    // Cargo's own, where the loader of every program would search.
    command.env_remove("LD_LIBRARY_PATH").env_remove("PYTHONDONTWRITEBYTECODE");
    // What rustc is, rustup finds in the tester's home; and Go need not build its library anew.
    for (name, folder) in
        [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo"), ("GOCACHE", ".cache/go-build")]
    {
        let own = Path::new(&variable("HOME")).join(folder);
        command.env(name, std::env::var_os(name).unwrap_or_else(|| own.into()));
    }
    command
}

/// The files of a case; it has no folders.
fn copy_files(from: &Path, to: &Path) -> Result<(), String> {
    let copy = || {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
        Ok(())
    };
    copy().map_err(|error: std::io::Error| format!("{}: {error}", from.display()))
}
