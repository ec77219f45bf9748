//! Several toolchains of one language: `java@17` and `java@25` are the driver
//! `java` built and run by another JDK each. They are found where systems put
//! them, or named by the user.

use fathom_catalog::{DriverManifest, Toolchain};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Where Linux distributions put JDKs.
const JDK_FOLDER: &str = "/usr/lib/jvm";

/// A driver's name with the toolchain it asks for: `java@25` is `("java", "25")`.
pub fn split_toolchain(name: &str) -> Option<(&str, &str)> {
    name.split_once('@')
}

/// The manifest of a driver built by the toolchain that `name` asks for, made
/// from that of the driver itself.
pub fn with_toolchain(manifest: &DriverManifest, name: &str) -> DriverManifest {
    DriverManifest { name: name.to_owned(), ..manifest.clone() }
}

/// The toolchain that `wanted` stands for: a version that is installed in a
/// usual place, or the path of a home or a program.
pub(crate) fn find(language: &Toolchain, driver: &str, wanted: &str) -> Result<Toolchain, String> {
    let program = if wanted.contains('/') {
        program_at(Path::new(wanted), &language.program)
    } else if driver == "java" {
        installed_jdk(Path::new(JDK_FOLDER), wanted)
    } else {
        let search = std::env::var_os("PATH").unwrap_or_default();
        named_after(&language.program, driver, wanted, &search)
    };
    let program = program.ok_or_else(|| match driver {
        _ if wanted.contains('/') => format!("there is no {} at {wanted}", language.program),
        "java" => format!("no JDK {wanted} in {JDK_FOLDER}; name one by its path: java@/path/to/jdk"),
        _ => format!("no {driver} toolchain `{wanted}`; name one by its path: {driver}@/path/to/program"),
    })?;
    // No variable: what was asked for by name is not overridden.
    Ok(Toolchain { program: program.display().to_string(), variable: String::new(), ..language.clone() })
}

/// A path to a program, or to a home that has it in `bin`.
fn program_at(path: &Path, program: &str) -> Option<PathBuf> {
    let inside = path.join("bin").join(program);
    [inside, path.to_owned()].into_iter().find(|candidate| candidate.is_file())
}

/// The program whose name says its version, as systems install several side by side:
/// `python3.9`, `go1.22.1`, `g++-13`, `/usr/lib/go-1.22/bin/go`.
fn named_after(program: &str, driver: &str, wanted: &str, search: &OsStr) -> Option<PathBuf> {
    let names = [format!("{driver}{wanted}"), format!("{program}{wanted}"), format!("{program}-{wanted}")];
    let folders: Vec<PathBuf> = std::env::split_paths(search).collect();
    let named = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let home = PathBuf::from(format!("/usr/lib/{driver}-{wanted}/bin")).join(program);
    named.chain([home]).find(|candidate| candidate.is_file())
}

/// The first JDK in `folder` whose version begins with `wanted`, by name.
fn installed_jdk(folder: &Path, wanted: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let mut homes: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    homes.sort();
    homes.into_iter().find(|home| version_fits(home, wanted)).and_then(|home| program_at(&home, "java"))
}

fn version_fits(home: &Path, wanted: &str) -> bool {
    let release = fs::read_to_string(home.join("release")).unwrap_or_default();
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="));
    version.map(|quoted| quoted.trim_matches('"')).is_some_and(|version| {
        version == wanted
            || version.strip_prefix(wanted).is_some_and(|rest| rest.starts_with(['.', '+', '-']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn java() -> Toolchain {
        Toolchain { program: "java".into(), variable: "FATHOM_JAVA".into(), version: vec!["-version".into()] }
    }

    fn jdk(folder: &Path, name: &str, version: &str) {
        fs::create_dir_all(folder.join(name).join("bin")).unwrap();
        fs::write(folder.join(name).join("bin/java"), "").unwrap();
        fs::write(folder.join(name).join("release"), format!("A=1\nJAVA_VERSION=\"{version}\"\n")).unwrap();
    }

    #[test]
    fn a_jdk_is_found_by_its_version_and_not_by_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        jdk(folder.path(), "a-1.25", "17.0.15");
        jdk(folder.path(), "b-17", "25");
        jdk(folder.path(), "c", "1.8.0");
        let found = |wanted| installed_jdk(folder.path(), wanted);
        assert_eq!(found("17"), Some(folder.path().join("a-1.25/bin/java")));
        assert_eq!(found("25"), Some(folder.path().join("b-17/bin/java")));
        assert_eq!(found("2"), None);
        assert_eq!(found("21"), None);
    }

    #[test]
    fn a_path_names_a_home_or_a_program() {
        let folder = tempfile::tempdir().unwrap();
        jdk(folder.path(), "home", "17");
        let home = folder.path().join("home");
        let program = home.join("bin/java");
        for path in [&home, &program] {
            let found = find(&java(), "java", path.to_str().unwrap()).unwrap();
            assert_eq!(found.program, program.to_str().unwrap());
            assert_eq!(found.variable, "");
        }
    }

    #[test]
    fn a_version_is_found_by_the_name_of_its_program() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["python3.9", "g++-13", "go1.22"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let found = |program, driver, wanted| {
            let path = named_after(program, driver, wanted, folder.path().as_os_str())?;
            Some(path.file_name().unwrap().to_str().unwrap().to_owned())
        };
        assert_eq!(found("python3", "python", "3.9").as_deref(), Some("python3.9"));
        assert_eq!(found("g++", "cpp", "13").as_deref(), Some("g++-13"));
        assert_eq!(found("go", "go", "1.22").as_deref(), Some("go1.22"));
        assert_eq!(found("go", "go", "1.21-of-nobody"), None);
    }

    #[test]
    fn what_is_not_there_is_said() {
        let error = find(&java(), "java", "3").unwrap_err();
        assert!(error.starts_with("no JDK 3 in /usr/lib/jvm"), "{error}");
        assert_eq!(find(&java(), "java", "/no/jdk").unwrap_err(), "there is no java at /no/jdk");
        assert!(find(&java(), "go", "1.2").unwrap_err().contains("no go toolchain `1.2`"));
    }

    #[test]
    fn a_name_is_split_at_the_sign() {
        assert_eq!(split_toolchain("java@25"), Some(("java", "25")));
        assert_eq!(split_toolchain("java"), None);
    }
}
