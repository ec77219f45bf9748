//! Kinds of file systems that Fathom can make: small ones, in a file behind a loop device,
//! or in memory. Root's privilege; nothing is mounted here.

use fathom_sys::loop_device::{LoopDevice, attach};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// How a file system is made and mounted.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// For people.
    pub name: &'static str,
    /// The word of `--mount`; empty for one in which nobody can measure.
    pub(crate) word: &'static str,
    /// The type that mount is told.
    pub mounted_as: &'static str,
    /// The program and its words; the image is added. Nothing is made without one.
    pub make: Option<(&'static str, &'static [&'static str])>,
    /// Its size where that does not matter.
    pub size_mib: u64,
    /// Made of a directory, and mounted read-only.
    pub packed: bool,
}

/// All of them. The tables of ext4 are written when it is made: by default a thread of the
/// kernel does that later, while others measure.
pub const KINDS: [Kind; 9] = [
    Kind {
        word: "ext4",
        ..Kind::made("ext4 with a journal", "ext4", "mkfs.ext4", &["-q", "-F", "-E", LAZY], 32)
    },
    Kind {
        word: "ext4-nojournal",
        ..Kind::made(
            "ext4 without a journal",
            "ext4",
            "mkfs.ext4",
            &["-q", "-F", "-E", LAZY, "-O", "^has_journal"],
            32,
        )
    },
    Kind { word: "xfs", ..Kind::made("xfs", "xfs", "mkfs.xfs", &["-q", "-f"], 320) },
    Kind { word: "btrfs", ..Kind::made("btrfs", "btrfs", "mkfs.btrfs", &["-q", "-f"], 128) },
    Kind { word: "vfat", ..Kind::made("vfat", "vfat", "mkfs.vfat", &[], 32) },
    packed("squashfs", "mksquashfs", &["packed", "image", "-noappend", "-quiet", "-no-progress"]),
    packed("erofs", "mkfs.erofs", &["--quiet", "image", "packed"]),
    Kind::TMPFS,
    Kind { name: "overlay", word: "", mounted_as: "overlay", make: None, size_mib: 0, packed: false },
];

const LAZY: &str = "lazy_itable_init=0,lazy_journal_init=0";

const fn packed(name: &'static str, program: &'static str, words: &'static [&'static str]) -> Kind {
    Kind { name, word: "", mounted_as: name, make: Some((program, words)), size_mib: 0, packed: true }
}

impl Kind {
    /// In memory: nothing has to be made of it.
    pub const TMPFS: Self =
        Self { name: "tmpfs", word: "tmpfs", mounted_as: "tmpfs", make: None, size_mib: 0, packed: false };

    /// One that a tool makes in an image of so many MiB.
    pub const fn made(
        name: &'static str,
        mounted_as: &'static str,
        program: &'static str,
        words: &'static [&'static str],
        size_mib: u64,
    ) -> Self {
        Self { name, word: "", mounted_as, make: Some((program, words)), size_mib, packed: false }
    }

    /// Makes the image, which is not there yet, and attaches it to a loop device; none for a
    /// file system without.
    pub fn make(self, image: &Path, size_mib: u64) -> Result<Option<LoopDevice>, String> {
        let Some((program, words)) = self.make else { return Ok(None) };
        let failed = |error: io::Error| format!("image: {error}");
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null());
        if !self.packed {
            let file = OpenOptions::new().write(true).create_new(true).open(image).map_err(failed)?;
            file.set_len(size_mib << 20).map_err(failed)?;
            command.arg(image);
        }
        if let Err(reason) = run_tool(&mut command, program) {
            let _never_made = fs::remove_file(image);
            return Err(reason);
        }
        let file = OpenOptions::new().read(true).write(true).open(image).map_err(failed)?;
        attach(&file).map(Some).map_err(|error| {
            let _left_to_the_scratch_directory = fs::remove_file(image);
            format!("no loop device: {error}")
        })
    }
}

/// Tools of file systems lie where only root's path leads.
fn run_tool(command: &mut Command, program: &str) -> Result<(), String> {
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{path}:/usr/sbin:/sbin"));
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("{program}: {}", said.lines().next_back().unwrap_or("failed")))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(format!("{program} is not installed")),
        Err(error) => Err(format!("{program}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_is_absent_or_fails_is_named() {
        let absent = run_tool(&mut Command::new("mkfs.fathom-none"), "mkfs.fathom-none");
        assert_eq!(absent.unwrap_err(), "mkfs.fathom-none is not installed");
        let failing = run_tool(Command::new("sh").args(["-c", "echo no room >&2; exit 1"]), "sh");
        assert_eq!(failing.unwrap_err(), "sh: no room");
    }

    #[test]
    fn each_kind_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = KINDS.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), KINDS.len());
    }
}
