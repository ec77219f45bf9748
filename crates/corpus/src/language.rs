//! The languages of the corpora: their names, and whether a machine has one.

mod build;

pub(crate) use build::Build;

use serde::Deserialize;
use std::process::{Command, Stdio};

/// A language of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// By gcc.
    C,
    /// By g++.
    Cpp,
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
    /// sh, whatever the first line says.
    Sh,
    /// bash, whatever the first line says.
    Bash,
    /// The distribution's perl.
    Perl,
    /// The distribution's ruby.
    Ruby,
    /// PHP without a server.
    Php,
    /// Lua 5.4.
    Lua,
    /// By tclsh.
    Tcl,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::C,
        Self::Cpp,
        Self::Rust,
        Self::Go,
        Self::Java,
        Self::Python,
        Self::Node,
        Self::Shell,
        Self::Sh,
        Self::Bash,
        Self::Perl,
        Self::Ruby,
        Self::Php,
        Self::Lua,
        Self::Tcl,
    ];

    /// What the names of its sources end with.
    pub fn ending(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Rust => "rs",
            Self::Go => "go",
            Self::Java => "java",
            Self::Python => "py",
            Self::Node => "js",
            Self::Shell | Self::Sh | Self::Bash => "sh",
            Self::Perl => "pl",
            Self::Ruby => "rb",
            Self::Php => "php",
            Self::Lua => "lua",
            Self::Tcl => "tcl",
        }
    }

    /// Its name, as `case.toml` has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Rust => "rust",
            Self::Go => "go",
            Self::Java => "java",
            Self::Python => "python",
            Self::Node => "node",
            Self::Shell => "shell",
            Self::Sh => "sh",
            Self::Bash => "bash",
            Self::Perl => "perl",
            Self::Ruby => "ruby",
            Self::Php => "php",
            Self::Lua => "lua",
            Self::Tcl => "tcl",
        }
    }

    /// The version of what builds or runs it here: numbers, the most important first.
    pub fn version(self) -> Result<Vec<u32>, String> {
        let (program, word) = match self {
            Self::C => ("gcc", "-dumpfullversion"),
            Self::Cpp => ("g++", "-dumpfullversion"),
            Self::Rust => ("rustc", "--version"),
            Self::Go => ("go", "version"),
            Self::Java => ("javac", "-version"),
            Self::Python => (PYTHON, "--version"),
            Self::Node => ("node", "--version"),
            // tclsh takes any word for a script.
            Self::Shell | Self::Sh | Self::Tcl => ("sh", "-c"),
            Self::Bash => ("bash", "--version"),
            Self::Perl => ("perl", "--version"),
            Self::Ruby => ("ruby", "--version"),
            Self::Php => ("php", "--version"),
            Self::Lua => ("lua5.4", "-v"),
        };
        let line = match self {
            Self::Shell | Self::Sh => Some("echo 1"),
            Self::Tcl => Some("echo 'puts [info patchlevel]' | tclsh"),
            _ => None,
        };
        let mut command = Command::new(program);
        command.arg(word).args(line);
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
}

/// Not the first of the PATH, which may be a script that looks for one.
const PYTHON: &str = "/usr/bin/python3";

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
}
