//! `cargo xtask kernels`: kernels of distributions boot under qemu, without KVM, with the static
//! `fathom` inside, and what it says there is held against strace. Debian's packages are fetched
//! by apt, into a folder of its own; nothing of them is kept in the source tree.

mod guest;
mod packages;
mod verdict;

use crate::static_build::{Architecture, target_folder};
use anyhow::Context;
use guest::Guest;
use packages::{Archive, KernelFiles};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use verdict::Verdict;

/// A kernel that boots.
#[derive(Debug, Clone, Copy)]
struct Kernel {
    /// What it is asked for by.
    name: &'static str,
    architecture: Architecture,
    /// What names of its packages begin with; the newest is taken.
    package: &'static str,
    /// What stands behind the architecture in these names.
    flavor: &'static str,
}

impl Kernel {
    const fn new(name: &'static str, architecture: Architecture, package: &'static str) -> Self {
        Self { name, architecture, package, flavor: "" }
    }

    const fn with_flavor(self, flavor: &'static str) -> Self {
        Self { flavor, ..self }
    }
}

/// From the oldest to the newest of each architecture that Debian has, and one with pages of 16 KiB.
const KERNELS: [Kernel; 8] = [
    Kernel::new("x86_64-5.10", Architecture::X86, "linux-image-5.10.0-"),
    Kernel::new("x86_64-6.1", Architecture::X86, "linux-image-6.1.0-"),
    Kernel::new("x86_64-6.12", Architecture::X86, "linux-image-6.12."),
    Kernel::new("x86_64-newest", Architecture::X86, "linux-binary-"),
    Kernel::new("aarch64-6.1", Architecture::Arm, "linux-image-6.1.0-"),
    Kernel::new("aarch64-6.12", Architecture::Arm, "linux-image-6.12."),
    Kernel::new("aarch64-16k-6.12", Architecture::Arm, "linux-image-6.12.").with_flavor("-16k"),
    Kernel::new("aarch64-newest", Architecture::Arm, "linux-binary-"),
];

/// Arguments of `kernels`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only the kernel of this name, or those whose names begin so (`aarch64-6.1`, `x86_64`)
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// A kernel that is at hand instead (`vmlinuz-5.15.0-25-generic`)
    #[arg(long, value_name = "FILE", conflicts_with = "names")]
    image: Option<PathBuf>,

    /// Its modules, of which those of NFS are loaded (`lib/modules/5.15.0-25-generic`)
    #[arg(long, value_name = "DIR", requires = "image")]
    modules: Option<PathBuf>,

    /// What it runs on
    #[arg(long, value_enum, default_value = "x86_64", requires = "image")]
    architecture: Architecture,

    /// This static `fathom`, instead of building one
    #[arg(long, value_name = "PROGRAM", requires = "image")]
    fathom: Option<PathBuf>,

    /// Where packages are kept; target/kernels when left out
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,

    /// How long one guest may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 2700)]
    limit: u64,

    /// Counts and audits against strace alone, with a program that is built for less speed. The exit code
    /// is 1 where a guest does not agree with strace or the program does not compile for it, 2 where there is
    /// no guest
    #[arg(long)]
    quick: bool,

    /// Keep what each guest printed here
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// Boots every kernel that is asked for and prints what held, as a table.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let asked = asked(arguments)?;
    let cache = match &arguments.cache {
        Some(cache) => std::path::absolute(cache)?,
        None => target_folder().join("kernels"),
    };
    let archive = Archive::open(&cache)?;
    let mut verdicts = Vec::new();
    for (name, architecture, kernel) in asked {
        crate::calibrate::note(&format!("{name} ..."));
        // What does not compile for an architecture is no guest that cannot be had.
        let program = match program(arguments, architecture)? {
            Ok(program) => program,
            Err(error) => {
                crate::calibrate::note(&format!("{name}: {error:#}"));
                return Ok(ExitCode::FAILURE);
            }
        };
        let files = match kernel {
            Source::Debian(kernel) => archive.kernel(kernel)?,
            Source::AtHand(image) => KernelFiles::at_hand(image, arguments.modules.as_deref())?,
        };
        let guest = Guest::new(architecture, &files, &archive, &program)?;
        let said = guest.boot(Duration::from_secs(arguments.limit), arguments.quick)?;
        if let Some(folder) = &arguments.keep {
            std::fs::create_dir_all(folder)?;
            std::fs::write(folder.join(name), &said.text)?;
        }
        verdicts.push(Verdict::new(name, &said, arguments.quick));
    }
    std::io::stdout().write_all(verdict::table(&verdicts, arguments.quick).as_bytes())?;
    let is_whole = verdicts.iter().all(Verdict::holds);
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Where a kernel comes from.
enum Source<'a> {
    Debian(&'static Kernel),
    AtHand(&'a Path),
}

/// What is to boot, by its name.
fn asked(arguments: &Arguments) -> anyhow::Result<Vec<(&str, Architecture, Source<'_>)>> {
    if let Some(image) = &arguments.image {
        let name = image.file_name().and_then(|name| name.to_str()).context("a kernel's file has a name")?;
        return Ok(vec![(name, arguments.architecture, Source::AtHand(image))]);
    }
    let kernels = chosen(&arguments.names);
    anyhow::ensure!(!kernels.is_empty(), "no kernel has such a name: {}", names());
    let each = kernels.into_iter().map(|kernel| (kernel.name, kernel.architecture, Source::Debian(kernel)));
    Ok(each.collect())
}

/// The static program: that which is named, or one that is built, if it compiles.
fn program(arguments: &Arguments, architecture: Architecture) -> anyhow::Result<anyhow::Result<PathBuf>> {
    if let Some(program) = &arguments.fathom {
        return Ok(Ok(program.clone()));
    }
    if let Some(missing) = architecture.missing() {
        anyhow::bail!("{missing}");
    }
    Ok(if arguments.quick { architecture.build_quickly() } else { architecture.build() })
}

/// Those of these names or, where none has a name, those whose names begin so; all without any name.
fn chosen(names: &[String]) -> Vec<&'static Kernel> {
    let is_name = |name: &String| KERNELS.iter().any(|kernel| kernel.name == name);
    let is_asked = |kernel: &&Kernel| {
        let fits = |name: &String| kernel.name == name || !is_name(name) && kernel.name.starts_with(name);
        names.is_empty() || names.iter().any(fits)
    };
    KERNELS.iter().filter(is_asked).collect()
}

fn names() -> String {
    KERNELS.map(|kernel| kernel.name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_name_is_that_of_one_kernel() {
        let of = |name: &str| chosen(&[name.to_owned()]).iter().map(|kernel| kernel.name).collect::<Vec<_>>();
        assert_eq!(of("aarch64-6.1"), ["aarch64-6.1"]);
        assert_eq!(of("aarch64-6"), ["aarch64-6.1", "aarch64-6.12"]);
        assert_eq!(chosen(&[]).len(), KERNELS.len());
    }
}
