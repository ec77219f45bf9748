//! The installed programs of `tests/corpus/real`, set up and run as there: what each of their programs
//! called, with paths.

use crate::bench::{Bench, BenchError, finished};
use crate::case::CorpusError;
use crate::kind_reader::KindReader;
use crate::kinds::Kinds;
use fathom_events::TraceReader;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An installed program, as far as it is run here.
#[derive(Debug, Clone, Deserialize)]
pub struct RealCommand {
    /// The name of its file: `git-status`.
    #[serde(skip)]
    pub name: String,
    /// The program and its words, as a shell would split them.
    command: String,
    /// A file that setup makes, as standard input.
    input: Option<String>,
    /// Run with `sh` before it, and not watched.
    setup: String,
    /// Variables beyond those that all have.
    #[serde(default)]
    environment: BTreeMap<String, String>,
}

/// All of a folder, by name.
pub fn real_commands(folder: &Path) -> Result<Vec<RealCommand>, CorpusError> {
    let unread = |path: &Path, error| CorpusError::Io { path: path.to_owned(), error };
    let entries = fs::read_dir(folder).map_err(|error| unread(folder, error))?;
    let mut commands = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unread(folder, error))?.path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| unread(&path, error))?;
        let mut command: RealCommand = toml::from_str(&text)
            .map_err(|error| CorpusError::Form { path: path.clone(), reason: error.to_string() })?;
        command.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        commands.push(command);
    }
    commands.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(commands)
}

impl Bench {
    /// What one run of an installed program called, with fresh data at the same place as before: paths
    /// are compared.
    pub fn real_calls(&self, real: &RealCommand) -> Result<Kinds, BenchError> {
        let broken = |reason| BenchError { case: real.name.clone(), part: "run", reason };
        self.run_real(real).map_err(broken)
    }

    fn run_real(&self, real: &RealCommand) -> Result<Kinds, String> {
        let scratch = fs::canonicalize(&self.scratch).map_err(|error| error.to_string())?;
        let folder = scratch.join(&real.name);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let [work, home] = ["work", "home"].map(|name| folder.join(name));
        for path in [&work, &home] {
            fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let environment = |command: &mut Command| {
            command.current_dir(&work).env("HOME", &home).env("LC_ALL", "C.UTF-8");
            command.env("GOCACHE", scratch.join("go-build")).envs(&real.environment);
        };
        let mut setup = Command::new("sh");
        setup.args(["-ec", &real.setup]);
        // What rustc is, rustup finds in the tester's home.
        let own = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
        for (variable, folder) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")] {
            setup.env(variable, std::env::var_os(variable).unwrap_or(own.join(folder).into()));
        }
        environment(&mut setup);
        finished(&mut setup)?;
        let words = shell_words::split(&real.command).map_err(|error| error.to_string())?;
        let (program, words) = words.split_first().ok_or("there is no command")?;
        let kept = folder.join("calls.events");
        let mut command = Command::new("/usr/bin/timeout");
        command.env_clear().env("PATH", "/usr/bin:/bin");
        environment(&mut command);
        command.arg("300").arg(&self.fathom).args(["trace", "--capture", &self.capture, "-o"]).arg(&kept);
        command.arg("--").arg(located(program)).args(words);
        command.stdin(match &real.input {
            Some(name) => Stdio::from(File::open(work.join(name)).map_err(|error| error.to_string())?),
            None => Stdio::null(),
        });
        let output = command.output().map_err(|error| error.to_string())?;
        let said = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let file = File::open(&kept).map_err(|error| format!("{error}: {}", said()))?;
        let reader = TraceReader::new(BufReader::new(file)).map_err(|error| error.to_string())?;
        read(reader)
    }
}

/// Where the tester's shell would find a program.
fn located(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut candidates = std::env::split_paths(&path).map(|folder| folder.join(program));
    let found = candidates.find(|candidate| !program.contains('/') && candidate.is_file());
    found.unwrap_or_else(|| PathBuf::from(program))
}

fn read<R: Read>(mut reader: TraceReader<R>) -> Result<Kinds, String> {
    let mut running = KindReader::default();
    let mut kinds = Kinds::default();
    while let Some(event) = reader.next_event().map_err(|error| error.to_string())? {
        kinds.extend(running.kind(&event, reader.paths()));
    }
    Ok(kinds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kept_commands_are_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/real");
        let all = real_commands(&folder).unwrap();
        assert!(all.len() >= 16 && all.iter().any(|one| one.name == "go-vet"), "{all:?}");
    }
}
