//! Functions of a user's file as the methods of a driver: the shipped driver of the file's language,
//! with these functions in place of its own ways. The user's file is only read.

mod answers;
mod c;
mod kit;

use crate::driver_build::BuildError;
use crate::driver_set::{Driver, DriverError, shipped_manifests};
use crate::driver_source::{DriverSource, SHIPPED};
use crate::limited_read::read_text;
pub(crate) use answers::{compare_counts, of_own_function};
pub(crate) use c::list_c_functions;
use std::path::{Path, PathBuf};

/// The file in a driver's build in which functions stand that are no methods, each with the reason.
const SKIPPED: &str = "own.skipped";

/// A language in which functions of a user's can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Go.
    Go,
    /// Python.
    Python,
    /// C.
    C,
}

impl Language {
    /// By the ending of a file's name.
    fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "go" => Some(Self::Go),
            "py" => Some(Self::Python),
            "c" => Some(Self::C),
            _ => None,
        }
    }

    /// The shipped driver with whose kit functions are built.
    pub fn driver(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Python => "python",
            Self::C => "cpp",
        }
    }

    /// What people of the language most often write to read a whole file.
    pub fn usual_ways(self) -> &'static [&'static str] {
        match self {
            Self::Go => &["go:os.ReadFile", "go:os.Open+io.ReadAll"],
            Self::Python => &["python:open+rb+read", "python:pathlib.Path.read_bytes"],
            Self::C => &["cpp:std::fopen+fread", "cpp:open+fstat+read"],
        }
    }

    /// What a function must look like.
    pub fn signature(self) -> &'static str {
        match self {
            Self::Go => {
                "func Name(path string) ([]byte, error), or string, int, int64 or uint64 in place of []byte"
            }
            Self::Python => {
                "def name(path), which returns bytes, text or a count; its name without a leading _"
            }
            Self::C => {
                "size_t name(const char *path), or long, int, int64_t …, not static: a count, or below 0 for a failure"
            }
        }
    }
}

/// The language of a driver that is named after a user's file (`ways.go`), or of such a file.
pub fn language_of(name: &str) -> Option<Language> {
    Path::new(name).extension().and_then(|ending| Language::of_ending(ending.to_str()?))
}

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

/// Builds the driver of a file's functions, or finds it.
pub fn own_functions(path: &Path, building: &mut dyn FnMut(&str)) -> Result<OwnFunctions, OwnFunctionsError> {
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
        Language::Go => kit::go(shipped, &manifest.toolchain, user, building),
        Language::Python => Ok(kit::python(shipped, user)),
        Language::C => Ok(kit::c(shipped, user)),
    };
    let (source, mut skipped) = prepared.map_err(file)?;
    let built = Driver::own(&source, &manifest.toolchain, building);
    let mut driver = built.map_err(|error| explained(path, place, error))?.renamed(name);
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
fn explained(path: &Path, place: &str, error: DriverError) -> OwnFunctionsError {
    const LINES_MAX: usize = 12;
    let of = |output: &str| {
        let output = output.trim();
        let begin = output.lines().position(|line| line.contains(place)).unwrap_or(0);
        let lines: Vec<String> = output
            .lines()
            .skip(begin)
            .take(LINES_MAX)
            .map(|line| format!("  {}", line.replace(place, &path.display().to_string())))
            .collect();
        OwnFunctionsError::Build { path: path.to_owned(), output: lines.join("\n") }
    };
    match error {
        DriverError::Build(BuildError::Compiler { output, .. }) => of(&output),
        DriverError::Describe { problem, .. } if problem.contains(place) => {
            of(&problem[problem.find(place).unwrap_or(0)..])
        }
        error => OwnFunctionsError::Driver { path: path.to_owned(), error },
    }
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
