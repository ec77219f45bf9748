//! What `fathom bench` measures when nobody says what: few enough methods for a minute to decide,
//! in the languages of the files at hand.

use fathom_catalog::{DriverManifest, MethodRegistry, Request};
use fathom_lab::shipped_manifests;
use fathom_model::{MethodDescription, Operation};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Entries that are run, and the method in each that every language's own is put beside: the C
/// library's.
pub(super) const ENTRIES: [(&str, Operation, &str); 2] =
    [("open-all", Operation::OpenClose, "native:open"), ("read-all", Operation::ReadWhole, "native:read")];
/// Time of each of them, unless said otherwise.
pub(super) const TIME: Duration = Duration::from_secs(8);
/// So many languages, at most.
const LANGUAGES_MAX: usize = 3;
/// Directories are looked into so far below the current one, and so many names are looked at.
const DEPTH_MAX: usize = 3;
const NAMES_MAX: usize = 20_000;
/// Where other people's code lies.
const NOT_OURS: [&str; 4] = ["node_modules", "target", "vendor", "build"];
/// Drivers by the endings of the files they stand for.
const ENDINGS: [(&str, &str); 15] = [
    ("c", "cpp"),
    ("cc", "cpp"),
    ("cpp", "cpp"),
    ("cxx", "cpp"),
    ("hpp", "cpp"),
    ("go", "go"),
    ("java", "java"),
    ("kt", "java"),
    ("scala", "java"),
    ("cjs", "node"),
    ("js", "node"),
    ("mjs", "node"),
    ("ts", "node"),
    ("py", "python"),
    ("rs", "native"),
];
/// Drivers in whose languages most ask, the first before the others.
const USUAL: [&str; 6] = ["python", "node", "go", "java", "cpp", "zig"];

/// The drivers whose ways are measured, and why these.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    drivers: Vec<String>,
    is_of_files: bool,
}

impl Chosen {
    /// Those of the files in the current directory; else the usual ones that are installed.
    pub(super) fn here() -> anyhow::Result<Self> {
        let mut files: BTreeMap<&str, u64> = BTreeMap::new();
        count_files(Path::new("."), DEPTH_MAX, &mut NAMES_MAX.clone(), &mut files);
        let manifests = shipped_manifests()?;
        Ok(Self::of(&files, |driver| manifests.iter().any(|known| known.name == driver && is_on_path(known))))
    }

    /// Those with most files; else the usual ones that are installed.
    fn of(files: &BTreeMap<&str, u64>, is_installed: impl Fn(&str) -> bool) -> Self {
        let mut found: Vec<(&str, u64)> = files.iter().map(|(driver, count)| (*driver, *count)).collect();
        found.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let is_of_files = !found.is_empty();
        let drivers: Vec<String> = if is_of_files {
            found.into_iter().map(|(driver, _)| driver.to_owned()).collect()
        } else {
            USUAL.into_iter().filter(|driver| is_installed(driver)).map(str::to_owned).collect()
        };
        Self { drivers: drivers.into_iter().take(LANGUAGES_MAX).collect(), is_of_files }
    }

    /// What is measured and why, and how to measure all.
    pub(super) fn told(&self) -> String {
        let names: Vec<&str> = self.drivers.iter().map(|driver| language(driver)).collect();
        let which = match (names.as_slice(), self.is_of_files) {
            ([], _) => "C's own calls alone: no language of which there is a driver is installed".to_owned(),
            (names, true) => {
                format!("C's own calls and {} (the files below this directory)", names.join(", "))
            }
            (names, false) => format!("C's own calls and {} (installed here)", names.join(", ")),
        };
        format!("measuring {which}; every way: fathom bench open-all read-all --quick")
    }

    /// The request, for one of the entries.
    pub(super) fn request(&self, name: &str, request: &Request, registry: &MethodRegistry) -> Request {
        let Some((_, operation, floor)) = ENTRIES.into_iter().find(|(entry, ..)| *entry == name) else {
            return request.clone();
        };
        let mut methods = vec![floor.to_owned()];
        for driver in registry.drivers().iter().filter(|driver| self.drivers.contains(&driver.name)) {
            // What prices the loop does nothing; and the native driver has C's calls beside Rust's.
            let is_wanted = |method: &&MethodDescription| {
                method.operations.contains(&operation)
                    && !method.operations.contains(&Operation::Null)
                    && (driver.name != "native" || method.name.contains("::"))
            };
            let own = driver.methods.iter().filter(is_wanted);
            methods.extend(own.map(|method| format!("{}:{}", driver.name, method.name)));
        }
        methods.dedup();
        Request { methods, ..request.clone() }
    }
}

/// What people call the language of a driver.
fn language(driver: &str) -> &str {
    match driver {
        "native" => "Rust",
        "cpp" => "C++",
        "go" => "Go",
        "java" => "Java",
        "node" => "Node",
        "python" => "Python",
        "zig" => "Zig",
        other => other,
    }
}

/// Counts files by the driver of their language; hidden directories and other people's code aside.
fn count_files(directory: &Path, depth: usize, left: &mut usize, files: &mut BTreeMap<&str, u64>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth > 0 && !name.starts_with('.') && !NOT_OURS.contains(&&*name) {
            count_files(&entry.path(), depth - 1, left, files);
        } else if kind.is_file()
            && let Some((_, ending)) = name.rsplit_once('.')
            && let Some(driver) = driver_of(ending)
        {
            *files.entry(driver).or_default() += 1;
        }
    }
}

fn driver_of(ending: &str) -> Option<&'static str> {
    if ending == "zig" {
        return Some("zig");
    }
    ENDINGS.into_iter().find(|(known, _)| *known == ending).map(|(_, driver)| driver)
}

/// True where the toolchain of a driver lies in PATH, or is named by its variable.
fn is_on_path(driver: &DriverManifest) -> bool {
    let program = &driver.toolchain.program;
    let is_named = std::env::var_os(&driver.toolchain.variable).is_some_and(|value| !value.is_empty());
    let path = std::env::var_os("PATH").unwrap_or_default();
    is_named || std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods;

    fn chosen(files: &[(&'static str, u64)]) -> Vec<String> {
        let files = files.iter().copied().collect();
        Chosen::of(&files, |driver| driver != "python" && driver != "zig").drivers
    }

    #[test]
    fn the_languages_at_hand_come_first_and_else_the_usual_ones_that_are_installed() {
        assert_eq!(chosen(&[("go", 3), ("java", 9), ("cpp", 3), ("zig", 1)]), ["java", "cpp", "go"]);
        assert_eq!(chosen(&[]), ["node", "go", "java"]);
    }

    #[test]
    fn files_are_counted_where_code_of_ones_own_lies() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a.go", "src/b.go", "src/deep/c.py", "node_modules/d.js", ".git/e.js", "f.txt", "zig"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let counted = |mut left: usize| {
            let mut files = BTreeMap::new();
            count_files(folder.path(), DEPTH_MAX, &mut left, &mut files);
            files
        };
        assert_eq!(counted(100), BTreeMap::from([("go", 2), ("python", 1)]));
        assert!(counted(1).len() <= 1, "it ends");
    }

    #[test]
    fn each_entry_is_asked_for_its_floor_and_the_ways_of_the_languages() -> anyhow::Result<()> {
        let registry = methods::registry(std::iter::empty(), &[])?;
        let chosen = Chosen { drivers: vec!["go".to_owned(), "native".to_owned()], is_of_files: true };
        let methods = chosen.request("open-all", &Request::default(), &registry).methods;
        assert_eq!(methods[0], "native:open");
        assert!(methods.contains(&"go:os.Open".to_owned()), "{methods:?}");
        assert!(methods.contains(&"native:File::open".to_owned()), "{methods:?}");
        assert!(!methods.contains(&"native:openat2".to_owned()), "{methods:?}");
        assert!(!methods.contains(&"go:null".to_owned()) && methods.len() < 20, "{methods:?}");
        Ok(())
    }
}
