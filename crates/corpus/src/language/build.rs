//! How a program of a corpus is built and started.

use super::{Language, PYTHON, said};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How programs are built and started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// Warnings are errors, and run times start with as little of their own as they can.
    Strict,
    /// As the README of the blind sets says: with nothing but what the language needs.
    Plain,
}

impl Language {
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
            Self::Cpp => {
                let mut command = Command::new("g++");
                command.args(["-std=c++20", "-O1", "-g", "-Wall", "-pthread", "-o"]);
                command.arg(&program).arg(source);
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
            Self::Ruby => return Ok(["ruby".into(), source.into()].into()),
            Self::Php => return Ok(["php".into(), source.into()].into()),
            Self::Lua => return Ok(["lua5.4".into(), source.into()].into()),
            Self::Tcl => return Ok(["tclsh".into(), source.into()].into()),
            Self::Node => return Ok(["node".into(), source.into()].into()),
            Self::Sh => return Ok(["sh".into(), source.into()].into()),
            Self::Bash => return Ok(["bash".into(), source.into()].into()),
            Self::Shell => return Ok([shell(source)?.into(), source.into()].into()),
        };
        if !program.exists() {
            said(&mut command)?;
        }
        Ok(vec![program.into()])
    }
}

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

/// `Main`, else the public class, else the first one.
fn main_class(text: &str) -> Option<&str> {
    if text
        .split("class Main")
        .skip(1)
        .any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    {
        return Some("Main");
    }
    let named = |begin: &str| {
        let (_, rest) = text.split_once(begin)?;
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())
    };
    named("public class ")
        .or_else(|| named("public final class "))
        .or_else(|| named("\nclass "))
        .or_else(|| named("class "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_of_a_java_source_is_found() {
        assert_eq!(main_class("import x;\nclass A {}\npublic class Main {"), Some("Main"));
        assert_eq!(main_class("final class Part {}\nclass Main {"), Some("Main"));
        assert_eq!(main_class("class MainPart {}"), Some("MainPart"));
        assert_eq!(main_class("class Reader extends X {"), Some("Reader"));
        assert_eq!(main_class("interface"), None);
    }
}
