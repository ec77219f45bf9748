//! The sources of a driver of a user's functions: the kit's, the adapter, the user's file, and the
//! list of its functions.

use super::leaked;
use crate::drivers::build_system::{SKIPPED, c_compiler};
use crate::drivers::driver_build::{BuildError, BuildWatch, build, cache_directory};
use crate::drivers::driver_source::{BuildSystem, DriverSource, Script};
use fathom_catalog::Toolchain;
use fathom_sys::child_wait::output_within;
use serde::Deserialize;
use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

/// Parsing a file takes no time; a busy machine may.
const PARSE_LIMIT: Duration = Duration::from_mins(1);
const ANSWER_MAX_BYTES: usize = 16 << 20;

/// A file of the user's.
#[derive(Clone, Copy)]
pub(super) struct UserFile<'a> {
    pub(super) name: &'a str,
    /// Its absolute path.
    pub(super) place: &'a str,
    pub(super) text: &'a str,
}

/// Functions that are no methods, each with the reason.
pub(super) type Skipped = Vec<(String, String)>;

/// The sources of a file's driver, and what is known beforehand to be no method.
pub(super) type Prepared = (DriverSource, Skipped);

/// Why there are none.
pub(super) enum Refusal {
    /// The file is no good.
    File(String),
    /// What builds it is not here.
    Toolchain(BuildError),
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self::File(reason)
    }
}

impl From<BuildError> for Refusal {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::NoToolchain { .. } => Self::Toolchain(error),
            other => Self::File(other.to_string()),
        }
    }
}

/// The text with one part replaced that must be in it.
pub(super) fn replaced(text: &str, part: &str, by: &str) -> String {
    assert!(text.contains(part), "a test of the file that replaces it finds it");
    text.replacen(part, by, 1)
}

pub(super) fn files_of(shipped: &DriverSource) -> Vec<(String, String)> {
    shipped.files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// What `go_functions.go` answers.
#[derive(Debug, Deserialize)]
struct GoFile {
    excluded: bool,
    functions: Vec<String>,
    skipped: Vec<Reason>,
    source: String,
}

#[derive(Debug, Deserialize)]
struct Reason {
    name: String,
    reason: String,
}

/// Lists the functions of a Go file, and what keeps it out of a build.
const LISTER: DriverSource = DriverSource {
    name: "list-go-functions",
    manifest_path: "",
    manifest: "",
    files: &[
        ("go.mod", "module fathom/functions\n\ngo 1.22\n"),
        ("main.go", include_str!("../../../../../drivers/own/go_functions.go")),
    ],
    build_system: BuildSystem::Go,
};

/// Go's own parser names the functions; what fits is found out by their types when the driver starts.
pub(super) fn go(
    shipped: &DriverSource,
    toolchain: &Toolchain,
    user: UserFile<'_>,
    watch: &mut BuildWatch<'_>,
) -> Result<Prepared, Refusal> {
    if user.name.ends_with("_test.go") {
        return Err(
            "the go tool builds _test.go files into tests only: put the functions into a file of another name"
                .to_owned()
                .into(),
        );
    }
    let lister = build(&LISTER, toolchain, &cache_directory()?, watch)?;
    let mut command = Command::new(&lister.words[0]);
    command.arg(user.place);
    let answer = output_within(&mut command, PARSE_LIMIT, ANSWER_MAX_BYTES, None);
    let answer = answer.map_err(|error| format!("cannot be parsed: {error}"))?;
    if !answer.status.success() {
        return Err(format!("cannot be parsed: {}", String::from_utf8_lossy(&answer.stderr).trim()).into());
    }
    let found: GoFile = serde_json::from_slice(&answer.stdout).map_err(|error| error.to_string())?;
    if found.excluded {
        return Err(
            "its //go:build line or its name keeps it out of a build on this machine (`go list` says so too)"
                .to_owned()
                .into(),
        );
    }
    let mut list =
        "package main\n\nimport \"fathom/driver/own\"\n\nvar ownFunctions = []ownFunction{\n".to_owned();
    for name in &found.functions {
        writeln!(list, "\t{{\"{name}\", own.{name}}},").expect("a String grows");
    }
    list.push_str("}\n");
    if found.functions.is_empty() {
        "package main\n\nvar ownFunctions []ownFunction\n".clone_into(&mut list);
    }
    let mut files = files_of(shipped);
    files.push(("own.go".to_owned(), include_str!("../../../../../drivers/own/go_own.go").to_owned()));
    files.push(("own_list.go".to_owned(), list));
    files.push(("own/own.go".to_owned(), found.source));
    let skipped = found.skipped.into_iter().map(|each| (each.name, each.reason)).collect();
    Ok((leaked("own-go", files, shipped), skipped))
}

/// Python's own inspection finds the functions when the driver starts.
pub(super) fn python(shipped: &DriverSource, user: UserFile<'_>) -> Prepared {
    const APPENDED: &str = "\n\nfrom own import own_methods\n\n\
        METHODS = tuple(method for method in METHODS if method.name == \"null\") + own_methods(Method)\n";
    let mut files = files_of(shipped);
    for (name, text) in &mut files {
        if name == "methods.py" {
            text.push_str(APPENDED);
        }
    }
    files.push(("own.py".to_owned(), include_str!("../../../../../drivers/own/python_own.py").to_owned()));
    files.push(("own_path.py".to_owned(), format!("PATH = \"{}\"\n", user.place)));
    files.push(("own_source.txt".to_owned(), user.text.to_owned()));
    let mut source = leaked("own-python", files, shipped);
    if let BuildSystem::Script(script) = shipped.build_system {
        // With site packages, which the user's file may import.
        source.build_system = BuildSystem::Script(Script { flags: &["-I"], ..script });
    }
    (source, Vec::new())
}

/// The compiler names the functions while it compiles: see `c`.
pub(super) fn c(shipped: &DriverSource, user: UserFile<'_>) -> Result<Prepared, Refusal> {
    let version = Command::new(c_compiler()).arg("--version").output();
    let missing = |_| {
        let program = c_compiler().to_string_lossy().into_owned();
        Refusal::Toolchain(BuildError::NoToolchain { program, variable: "CC".to_owned() })
    };
    let version = String::from_utf8_lossy(&version.map_err(missing)?.stdout).into_owned();
    let mut files = cpp_kit(shipped);
    files.push(("own.c".to_owned(), format!("#line 1 \"{}\"\n{}", user.place, user.text)));
    // What is built depends on it.
    files.push(("own.compiler".to_owned(), version));
    files.push((SKIPPED.to_owned(), String::new()));
    let mut source = leaked("own-c", files, shipped);
    source.build_system = BuildSystem::OwnC;
    Ok((source, Vec::new()))
}

/// The C++ kit with an empty table of methods but for `null`, and a place for others.
pub(super) fn cpp_kit(shipped: &DriverSource) -> Vec<(String, String)> {
    const TABLE: &str = "const std::vector<Method> methods = {\n";
    const NULL: &str = "    {.name = \"null\",";
    let mut files = files_of(shipped);
    for (name, text) in &mut files {
        if name == "methods.cpp" {
            let begin = text.find(TABLE).map(|at| at + TABLE.len()).expect("a test of this file finds it");
            let end = text.find(NULL).expect("a test of this file finds it");
            text.replace_range(begin..end, "#include \"own_list.inc\"\n");
            text.insert_str(0, "#include \"own_list.hpp\"\n");
        }
    }
    files.push(("own.hpp".to_owned(), include_str!("../../../../../drivers/own/cpp_own.hpp").to_owned()));
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drivers::driver_source::SHIPPED;

    #[test]
    fn the_kit_of_cpp_keeps_null_alone_and_takes_a_list() {
        let cpp = SHIPPED.iter().find(|source| source.name == "cpp").unwrap();
        let files = cpp_kit(cpp);
        let (_, table) = files.iter().find(|(name, _)| name == "methods.cpp").unwrap();
        assert_eq!(table.matches("{.name = ").count(), 1);
        assert!(table.contains("own_list.inc") && table.contains("find_method"));
    }
}
