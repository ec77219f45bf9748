//! The languages of the corpus: whether a machine has one, and how a program is built.

use serde::Deserialize;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A language of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// By gcc.
    C,
    /// By rustc.
    Rust,
    /// By go.
    Go,
    /// By javac and java.
    Java,
    /// The distribution's interpreter.
    Python,
    /// Node.js.
    Node,
    /// sh, or bash where the first line says so.
    Shell,
    /// The distribution's perl.
    Perl,
}

/// How programs are built and started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// Warnings are errors, and run times start with as little of their own as they can.
    Strict,
    /// As `tests/corpus-blind/README.md` says: with nothing but what the language needs.
    Plain,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::C, Self::Rust, Self::Go, Self::Java, Self::Python, Self::Node, Self::Shell, Self::Perl];

    /// What the names of its sources end with.
    pub fn ending(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Rust => "rs",
            Self::Go => "go",
            Self::Java => "java",
            Self::Python => "py",
            Self::Node => "js",
            Self::Shell => "sh",
            Self::Perl => "pl",
        }
    }

    /// Its name, as `case.toml` has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Rust => "rust",
            Self::Go => "go",
            Self::Java => "java",
            Self::Python => "python",
            Self::Node => "node",
            Self::Shell => "shell",
            Self::Perl => "perl",
        }
    }

    /// The version of what builds or runs it here: numbers, the most important first.
    pub fn version(self) -> Result<Vec<u32>, String> {
        let (program, word) = match self {
            Self::C => ("gcc", "-dumpfullversion"),
            Self::Rust => ("rustc", "--version"),
            Self::Go => ("go", "version"),
            Self::Java => ("javac", "-version"),
            Self::Python => (PYTHON, "--version"),
            Self::Node => ("node", "--version"),
            Self::Shell => ("sh", "-c"),
            Self::Perl => ("perl", "--version"),
        };
        let mut command = Command::new(program);
        command.arg(word);
        if self == Self::Shell {
            command.arg("echo 1");
        }
        numbers(&said(&mut command)?).ok_or_else(|| format!("`{program} {word}` tells no version"))
    }

    /// Whether this machine can run what needs those versions (`python>=3.11,python<3.15`), or
    /// why it cannot.
    pub fn satisfies(self, needs: Option<&str>) -> Result<(), String> {
        let version = self.version()?;
        for need in needs.into_iter().flat_map(|needs| needs.split(',')) {
            let (is_least, bound) = match (need.split_once(">="), need.split_once('<')) {
                (Some((name, bound)), _) if name.trim() == self.name() => (true, bound),
                (None, Some((name, bound))) if name.trim() == self.name() => (false, bound),
                _ => return Err(format!("`{need}` is no version of {}", self.name())),
            };
            let bound = numbers(bound).ok_or_else(|| format!("`{need}` names no version"))?;
            if (version >= bound) != is_least {
                return Err(format!("{need} is needed, and this is {version:?}"));
            }
        }
        Ok(())
    }

    /// Makes a program of a source, in a folder of its own, unless it is there. What is returned
    /// are the words that start it.
    pub(crate) fn build(self, source: &Path, folder: &Path, how: Build) -> Result<Vec<OsString>, String> {
        let program = folder.join("program");
        let mut command = match self {
            Self::C => {
                let mut command = Command::new("gcc");
                if how == Build::Strict {
                    command.args(["-std=gnu11", "-Werror"]);
                }
                command.args(["-O1", "-g", "-Wall", "-pthread", "-o"]).arg(&program).arg(source);
                command
            }
            Self::Rust => {
                let mut command = Command::new("rustc");
                let edition = if how == Build::Strict { "2024" } else { "2021" };
                command.args(["--edition", edition, "-O", "--crate-name", "program", "-o"]);
                command.arg(&program).arg(source);
                command
            }
            Self::Go => {
                let mut command = Command::new("go");
                command.args(["build", "-o"]).arg(&program).arg(source).env("GO111MODULE", "off");
                command.current_dir(folder);
                command
            }
            Self::Java => return build_java(source, folder, how),
            Self::Python if how == Build::Strict => {
                return Ok([PYTHON.into(), "-S".into(), "-E".into(), source.into()].into());
            }
            Self::Python => return Ok([PYTHON.into(), source.into()].into()),
            Self::Perl => return Ok(["perl".into(), source.into()].into()),
            Self::Node => return Ok(["node".into(), source.into()].into()),
            Self::Shell => return Ok([shell(source)?.into(), source.into()].into()),
        };
        if !program.exists() {
            said(&mut command)?;
        }
        Ok(vec![program.into()])
    }
}

/// Not the first of the PATH, which may be a script that looks for one.
const PYTHON: &str = "/usr/bin/python3";

/// By its first line.
fn shell(source: &Path) -> Result<&'static str, String> {
    let text = fs::read_to_string(source).map_err(|error| format!("{}: {error}", source.display()))?;
    let first = text.lines().next().unwrap_or("");
    Ok(if first.starts_with("#!") && first.contains("bash") { "bash" } else { "sh" })
}

fn build_java(source: &Path, folder: &Path, how: Build) -> Result<Vec<OsString>, String> {
    let text = fs::read_to_string(source).map_err(|error| format!("{}: {error}", source.display()))?;
    let class = main_class(&text).ok_or_else(|| format!("{} has no class", source.display()))?;
    // A public class lives in a file of its name.
    let named: PathBuf = folder.join(format!("{class}.java"));
    fs::write(&named, &text).map_err(|error| format!("{}: {error}", named.display()))?;
    let mut compiler = Command::new("javac");
    compiler.args(["-J-XX:TieredStopAtLevel=1", "-J-Xshare:auto", "-nowarn", "-d"]).arg(folder).arg(&named);
    if !folder.join(format!("{class}.class")).exists() {
        said(&mut compiler)?;
    }
    let lean: &[&str] =
        if how == Build::Strict { &["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"] } else { &[] };
    let words = ["java"].iter().chain(lean).chain(&["-cp"]).map(OsString::from);
    Ok(words.chain([folder.into(), class.into()]).collect())
}

/// The public class, else the first one.
fn main_class(text: &str) -> Option<&str> {
    let named = |begin: &str| {
        let (_, rest) = text.split_once(begin)?;
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())
    };
    named("public class ")
        .or_else(|| named("public final class "))
        .or_else(|| named("\nclass "))
        .or_else(|| named("class "))
}

fn said(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    // Cargo's own, where the loader of every program would search.
    let output = command.env_remove("LD_LIBRARY_PATH").stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("`{program}`: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("`{program}`: {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim()))
}

/// The first version in a text.
fn numbers(text: &str) -> Option<Vec<u32>> {
    let begin = text.find(|c: char| c.is_ascii_digit())?;
    let version = text[begin..].split(|c: char| !c.is_ascii_digit() && c != '.').next()?;
    version.split('.').filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared() {
        assert_eq!(numbers("go version go1.26.1 linux/amd64"), Some(vec![1, 26, 1]));
        assert_eq!(numbers("Python 3.11.2\n"), Some(vec![3, 11, 2]));
        assert_eq!(Language::Shell.satisfies(None), Ok(()));
        assert_eq!(Language::Shell.satisfies(Some("shell>=1,shell<2")), Ok(()));
        assert!(Language::Shell.satisfies(Some("shell>=2")).unwrap_err().contains("is needed"));
        assert!(Language::Shell.satisfies(Some("python>=3")).is_err());
    }

    #[test]
    fn the_class_of_a_java_source_is_found() {
        assert_eq!(main_class("import x;\nclass A {}\npublic class Main {"), Some("Main"));
        assert_eq!(main_class("class Reader extends X {"), Some("Reader"));
        assert_eq!(main_class("interface"), None);
    }
}
