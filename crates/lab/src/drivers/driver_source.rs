//! The sources and manifests of the shipped drivers, as they travel in the binary.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/driver_sources.rs"));
}

/// How the sources of a driver become a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildSystem {
    /// `rustc main.rs`, without dependencies.
    Rustc,
    /// `go build`, with one module; without it when it cannot be fetched.
    Go,
    /// A C++ compiler over all `*.cpp`.
    Cpp,
    /// The same with a user's C file, compiled by the C compiler.
    OwnC,
    /// A C++ compiler over all `*.cpp` and a user's file, whose functions are listed first.
    OwnCpp,
    /// `rustc main.rs` with a user's file as a crate of its own.
    OwnRust,
    /// `javac` over a user's class, then over all `*.java`.
    OwnJava,
    /// `zig build-exe main.zig`.
    Zig,
    /// `javac` over all `*.java`; the class `Driver` is run.
    Java,
    /// An interpreter runs a file.
    Script(Script),
    /// The compiler of an MPI over all `*.c`.
    Mpi,
    /// A C compiler over all `*.c`, into a library for `LD_PRELOAD`.
    SharedLibrary,
}

/// A driver that an interpreter runs from source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Script {
    /// The file to run.
    pub main: &'static str,
    /// Flags of the interpreter, before the file.
    pub flags: &'static [&'static str],
    /// Arguments that make the interpreter print its own path.
    pub name_itself: &'static [&'static str],
    /// Arguments that make it keep beside the files what it would make of them when it runs them;
    /// empty where it makes nothing.
    pub compile: &'static [&'static str],
    /// Major and minor number of the oldest interpreter that runs it.
    pub least: (u32, u32),
}

/// A driver that ships with Fathom.
#[derive(Debug, Clone, Copy)]
pub struct DriverSource {
    /// Its short name.
    pub name: &'static str,
    /// Where its manifest stands, for messages.
    pub manifest_path: &'static str,
    /// The text of its manifest, `driver.toml`.
    pub manifest: &'static str,
    /// File names and texts, sorted by name.
    pub files: &'static [(&'static str, &'static str)],
    /// How to build it.
    pub build_system: BuildSystem,
}

/// Arguments that make Python print its own path, without loading what is installed beside it.
pub(crate) const PYTHON_NAMES_ITSELF: [&str; 4] = ["-I", "-S", "-c", "import sys; print(sys.executable)"];

/// Every shipped driver, in the order of lists and tables. A `const` would put the sources into a program
/// without link-time optimization again for each place that names it: they were there three times.
pub static SHIPPED: [DriverSource; 7] = [
    DriverSource {
        name: "native",
        manifest_path: "drivers/native/driver.toml",
        manifest: include_str!("../../../../drivers/native/driver.toml"),
        files: embedded::NATIVE,
        build_system: BuildSystem::Rustc,
    },
    DriverSource {
        name: "cpp",
        manifest_path: "drivers/cpp/driver.toml",
        manifest: include_str!("../../../../drivers/cpp/driver.toml"),
        files: embedded::CPP,
        build_system: BuildSystem::Cpp,
    },
    DriverSource {
        name: "go",
        manifest_path: "drivers/go/driver.toml",
        manifest: include_str!("../../../../drivers/go/driver.toml"),
        files: embedded::GO,
        build_system: BuildSystem::Go,
    },
    DriverSource {
        name: "java",
        manifest_path: "drivers/java/driver.toml",
        manifest: include_str!("../../../../drivers/java/driver.toml"),
        files: embedded::JAVA,
        build_system: BuildSystem::Java,
    },
    DriverSource {
        name: "zig",
        manifest_path: "drivers/zig/driver.toml",
        manifest: include_str!("../../../../drivers/zig/driver.toml"),
        files: embedded::ZIG,
        build_system: BuildSystem::Zig,
    },
    DriverSource {
        name: "python",
        manifest_path: "drivers/python/driver.toml",
        manifest: include_str!("../../../../drivers/python/driver.toml"),
        files: embedded::PYTHON,
        build_system: BuildSystem::Script(Script {
            main: "driver.py",
            flags: &["-I", "-S"],
            name_itself: &PYTHON_NAMES_ITSELF,
            // Never written again afterwards, so that the digest holds.
            compile: &["-I", "-S", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "."],
            least: (3, 8),
        }),
    },
    DriverSource {
        name: "node",
        manifest_path: "drivers/node/driver.toml",
        manifest: include_str!("../../../../drivers/node/driver.toml"),
        files: embedded::NODE,
        build_system: BuildSystem::Script(Script {
            main: "main.mjs",
            flags: &[],
            name_itself: &["-p", "process.execPath"],
            compile: &[],
            least: (20, 0),
        }),
    },
];

/// The driver that runs as several ranks. It is none of the shipped ones beside which others are
/// measured: without a launcher it has nothing of its own to show.
pub(crate) static MPI: DriverSource = DriverSource {
    name: "mpi",
    manifest_path: "drivers/mpi/driver.toml",
    manifest: include_str!("../../../../drivers/mpi/driver.toml"),
    files: embedded::MPI,
    build_system: BuildSystem::Mpi,
};

impl DriverSource {
    /// True of a driver made of functions of the user's.
    pub(crate) fn is_own(&self) -> bool {
        self.manifest_path.is_empty() && self.name.starts_with("own-")
    }

    /// SHA-256 over names and texts, in hexadecimal.
    pub fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        for (name, text) in self.files {
            hash.update((name.len() as u64).to_le_bytes());
            hash.update(name);
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        hexadecimal(&hash.finalize())
    }
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String grows");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_file_of_each_driver_travels_and_tests_do_not() {
        let is_main =
            |name: &str| ["main.", "driver.py", "Driver.java"].iter().any(|main| name.starts_with(main));
        for driver in SHIPPED {
            assert!(driver.files.iter().any(|(name, _)| is_main(name)), "{}", driver.name);
            assert!(driver.files.iter().all(|(name, _)| !name.contains("_test.")), "{}", driver.name);
        }
    }

    #[test]
    fn the_digest_depends_on_names_and_texts() {
        let driver = |files| DriverSource { files, ..SHIPPED[0] };
        let digests = [
            driver(&[("a", "bc")]).sha256(),
            driver(&[("ab", "c")]).sha256(),
            driver(&[("a", "b"), ("c", "")]).sha256(),
        ];
        assert_ne!(digests[0], digests[1]);
        assert_ne!(digests[0], digests[2]);
    }
}
