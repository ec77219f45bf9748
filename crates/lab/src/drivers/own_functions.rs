//! Functions of a user's file as the methods of a driver: the shipped driver of the file's language,
//! with these functions in place of its own ways. The user's file is only read.

mod answers;
mod cpp;
mod java;
mod kit;
mod language;
mod node;
mod rust;
mod rust_items;
mod zig;

use crate::drivers::build_system::{JAVA_FOLDER, SKIPPED};
use crate::drivers::driver_build::{BuildError, BuildWatch};
use crate::drivers::driver_set::{Driver, DriverError, shipped_manifests};
use crate::drivers::driver_source::{DriverSource, SHIPPED};
use crate::files::limited_read::read_text;
pub(crate) use answers::{compare_counts, of_own_function};
use kit::Refusal;
pub use language::{Language, language_of};
use std::path::{Path, PathBuf};

/// The functions of one file.
#[derive(Debug)]
pub struct OwnFunctions {
    /// The driver that performs them, named after the file.
    pub driver: Driver,
    /// Functions that are no methods, each with the reason.
    pub skipped: Vec<(String, String)>,
    /// The language.
    pub language: Language,
}

/// Why the functions of a file cannot be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OwnFunctionsError {
    /// The file cannot be read, or is none that can be measured.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The compiler or the interpreter refuses it.
    #[error("{} does not build:\n{output}", path.display())]
    Build {
        /// The file.
        path: PathBuf,
        /// What the compiler says of it.
        output: String,
    },
    /// No function of it is a method.
    #[error("{} has no function that can be measured{skipped}", path.display())]
    None {
        /// The file.
        path: PathBuf,
        /// Those that were found and why they cannot be.
        skipped: String,
        /// The language, whose functions look otherwise.
        language: Language,
    },
    /// The driver cannot be had.
    #[error("{}: {error}", path.display())]
    Driver {
        /// The file.
        path: PathBuf,
        /// Why.
        error: DriverError,
    },
}

impl OwnFunctionsError {
    /// The reason, where a compiler or an interpreter is not on this machine, and that is all.
    pub fn missing_toolchain(&self) -> Option<String> {
        match self {
            Self::Driver { error: DriverError::Build(error @ BuildError::NoToolchain { .. }), .. } => {
                Some(error.to_string())
            }
            _ => None,
        }
    }
}

/// Builds the driver of a file's functions, or finds it.
pub fn own_functions(path: &Path, watch: &mut BuildWatch<'_>) -> Result<OwnFunctions, OwnFunctionsError> {
    let file = |reason: String| OwnFunctionsError::File { path: path.to_owned(), reason };
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| file("its name is not UTF-8".to_owned()))?;
    let language = language_of(name).ok_or_else(|| file("no language is known by this ending".to_owned()))?;
    let absolute = std::fs::canonicalize(path).map_err(|error| file(error.to_string()))?;
    let text = read_text(&absolute).map_err(|error| file(error.to_string()))?;
    let place = absolute.to_str().ok_or_else(|| file("its path is not UTF-8".to_owned()))?;
    if place.contains(['"', '\\', '\n', '\r']) {
        return Err(file("its path has a quotation mark, a backslash or a line break in it".to_owned()));
    }
    let manifests = shipped_manifests().map_err(|error| file(error.to_string()))?;
    let shipped = SHIPPED.iter().zip(manifests).find(|(source, _)| source.name == language.driver());
    let (shipped, manifest) = shipped.expect("every language has a shipped driver");
    let user = kit::UserFile { name, place, text: &text };
    let prepared = match language {
        Language::Go => kit::go(shipped, &manifest.toolchain, user, watch),
        Language::Python => Ok(kit::python(shipped, user)),
        Language::C => kit::c(shipped, user),
        Language::Cpp => Ok(cpp::cpp(shipped, user)),
        Language::Rust => Ok(rust::rust(shipped, user)),
        Language::Java => java::java(shipped, user),
        Language::JavaScript => Ok(node::node(shipped, user)),
        Language::Zig => Ok(zig::zig(shipped, user)),
    };
    let (source, mut skipped) = prepared.map_err(|refusal| match refusal {
        Refusal::File(reason) => file(reason),
        Refusal::Toolchain(error) => OwnFunctionsError::Driver { path: path.to_owned(), error: error.into() },
    })?;
    let built = Driver::own(&source, &manifest.toolchain, watch);
    let mut driver = built.map_err(|error| explained(path, place, name, error))?.renamed(name);
    skipped.extend(kept_list(&driver));
    driver.description.methods.retain(|method| match &method.unavailable {
        Some(reason) => {
            skipped.push((method.name.clone(), reason.clone()));
            false
        }
        None => true,
    });
    if driver.description.methods.iter().all(|method| method.name == "null") {
        let skipped: Vec<String> = skipped.iter().map(|(name, why)| format!("{name} {why}")).collect();
        let skipped = if skipped.is_empty() { String::new() } else { format!(": {}", skipped.join("; ")) };
        return Err(OwnFunctionsError::None { path: path.to_owned(), skipped, language });
    }
    Ok(OwnFunctions { driver, skipped, language })
}

/// What a compiler found that is no method.
fn kept_list(driver: &Driver) -> Vec<(String, String)> {
    let home = Path::new(&driver.facts.program).parent();
    let text = home.and_then(|home| std::fs::read_to_string(home.join(SKIPPED)).ok()).unwrap_or_default();
    text.lines().filter_map(|line| line.split_once('\t')).map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
}

/// What the compiler says, with the lines of the user's file first.
fn explained(path: &Path, place: &str, name: &str, error: DriverError) -> OwnFunctionsError {
    const LINES_MAX: usize = 12;
    let of = |output: &str| {
        let output = with_own_place(output.trim(), place, name);
        // rustc says what is wrong on the line before.
        let names = |line: &str| line.contains(place);
        let begin = output.lines().position(names).unwrap_or(0);
        let is_arrow = output.lines().nth(begin).is_some_and(|line| line.trim_start().starts_with("-->"));
        let lines: Vec<String> = output
            .lines()
            .skip(begin - usize::from(is_arrow && begin > 0))
            .take(LINES_MAX)
            .map(|line| format!("  {}", line.replace(place, &path.display().to_string())))
            .collect();
        OwnFunctionsError::Build { path: path.to_owned(), output: lines.join("\n") }
    };
    match error {
        DriverError::Build(BuildError::Compiler { output, .. }) => of(&output),
        DriverError::Describe { problem, .. } if with_own_place(&problem, place, name).contains(place) => {
            let problem = with_own_place(&problem, place, name);
            of(&problem[problem.find(place).unwrap_or(0)..])
        }
        error => OwnFunctionsError::Driver { path: path.to_owned(), error },
    }
}

/// The words of a compiler or a runtime with the user's file named by its own path.
fn with_own_place(output: &str, place: &str, name: &str) -> String {
    let copies = [format!("{JAVA_FOLDER}/{name}"), rust::COPY.to_owned(), zig::COPY.to_owned()];
    let urls = [place.replace(' ', "%20"), place.to_owned()].map(|path| format!("file://{path}"));
    let known = copies.iter().chain(&urls);
    known.fold(output.to_owned(), |text, known| text.replace(known.as_str(), place))
}

/// A source whose texts are made for a file of the user's. They live as long as the program does,
/// like those of shipped drivers; there are as many as files on the command line.
fn leaked(name: &'static str, files: Vec<(String, String)>, shipped: &DriverSource) -> DriverSource {
    let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let mut files: Vec<(&'static str, &'static str)> =
        files.into_iter().map(|(name, text)| (leak(name), leak(text))).collect();
    files.sort_unstable();
    DriverSource {
        name,
        manifest_path: "",
        manifest: "",
        files: Box::leak(files.into_boxed_slice()),
        ..*shipped
    }
}
