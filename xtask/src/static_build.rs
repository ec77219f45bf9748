//! The static `fathom` of an architecture: one file that needs no library.

use crate::step;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Some ten minutes on two free CPUs; a machine may be shared.
const BUILD_LIMIT: Duration = Duration::from_hours(2);

/// The top of the source tree.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// An architecture by the names that Rust, Debian and qemu have for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Architecture {
    /// Intel's and AMD's, 64 bits
    #[value(name = "x86_64")]
    X86,
    /// ARM's, 64 bits
    #[value(name = "aarch64")]
    Arm,
}

impl Architecture {
    /// All that are distributed.
    pub(crate) const ALL: [Self; 2] = [Self::X86, Self::Arm];

    /// As Rust and the kernel call it.
    pub(crate) fn rust(self) -> &'static str {
        match self {
            Self::X86 => "x86_64",
            Self::Arm => "aarch64",
        }
    }

    /// As Debian's packages call it.
    pub(crate) fn debian(self) -> &'static str {
        match self {
            Self::X86 => "amd64",
            Self::Arm => "arm64",
        }
    }

    /// The target without a library.
    pub(crate) fn triple(self) -> String {
        format!("{}-unknown-linux-musl", self.rust())
    }

    /// Whether its programs run on this machine.
    pub(crate) fn is_native(self) -> bool {
        std::env::consts::ARCH == self.rust()
    }

    /// Why nothing can be built for it here.
    pub(crate) fn missing(self) -> Option<String> {
        let triple = self.triple();
        let mut rustc = Command::new("rustc");
        rustc.args(["--print", "target-libdir", "--target", &triple]).current_dir(ROOT);
        let folder = rustc.stderr(Stdio::null()).output().ok()?.stdout;
        let folder = PathBuf::from(String::from_utf8_lossy(&folder).trim());
        let is_there = std::fs::read_dir(&folder).is_ok_and(|mut files| files.next().is_some());
        if !is_there {
            return Some(format!("Rust's library for {triple} is missing: `rustup target add {triple}`"));
        }
        // zstd is C. .cargo/config.toml names the cross compiler.
        let (compiler, package) = match (self, self.is_native()) {
            (_, true) => ("musl-gcc", "musl-tools"),
            (Self::Arm, false) => ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"),
            (Self::X86, false) => ("x86_64-linux-musl-gcc", "none: a cross compiler for musl"),
        };
        let named = std::env::var_os(format!("CC_{}", triple.replace('-', "_")));
        (named.is_none() && find_program(compiler).is_none())
            .then(|| format!("the C compiler {compiler} is missing (Debian: {package})"))
    }

    /// Builds `fathom` as it is distributed where it is not yet, and says where it is.
    pub(crate) fn build(self) -> anyhow::Result<PathBuf> {
        self.build_as("dist", &["--features", "parquet"])
    }

    /// One in a fraction of the time, for programs whose speed and size do not matter, without Parquet: the
    /// profile is `guest`.
    pub(crate) fn build_quickly(self) -> anyhow::Result<PathBuf> {
        self.build_as("guest", &[])
    }

    fn build_as(self, profile: &str, words: &[&str]) -> anyhow::Result<PathBuf> {
        if let Some(missing) = self.missing() {
            anyhow::bail!("{missing}");
        }
        let triple = self.triple();
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--quiet", "--locked", "--profile", profile, "--package", "fathom-io"]);
        cargo.args(words).args(["--target", &triple]);
        let status = step::run_shown(cargo.current_dir(ROOT), BUILD_LIMIT)?;
        anyhow::ensure!(status.success(), "cargo did not build fathom for {triple} (its words stand above)");
        Ok(target_folder().join(triple).join(profile).join("fathom"))
    }
}

/// Where cargo builds.
pub(crate) fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| Path::new(ROOT).join("target"), PathBuf::from)
}

/// The file of a program on PATH.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
