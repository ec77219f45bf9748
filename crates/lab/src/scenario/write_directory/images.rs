//! Fresh file systems, made in files and mounted where nobody else sees them:
//! this process has a mount namespace of its own, and all goes with it.

use super::attempts::{Attempt, try_all};
use crate::scenario::actor::{Failure, say_all};
use fathom_sys::loop_device::{LoopDevice, attach};
use fathom_sys::mount_namespace::enter_private;
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use serde::{Deserialize, Serialize};
use std::ffi::CString;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// What came of one file system: the attempts, or why there is none.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Tried {
    /// Its name for people.
    pub(super) file_system: String,
    /// The attempts, or a reason.
    pub(super) result: Result<Vec<Attempt>, String>,
}

/// How a file system is made and mounted.
#[derive(Debug, Clone, Copy)]
struct Kind {
    name: &'static str,
    /// The type that mount is told.
    mounted_as: &'static str,
    /// The program and its words; the image is added. Nothing is made without one.
    make: Option<(&'static str, &'static [&'static str])>,
    size_mib: u64,
    /// Made of a directory, and mounted read-only.
    packed: bool,
}

const KINDS: [Kind; 9] = [
    made("ext4 with a journal", "ext4", "mkfs.ext4", &["-q", "-F"], 32),
    made("ext4 without a journal", "ext4", "mkfs.ext4", &["-q", "-F", "-O", "^has_journal"], 32),
    made("xfs", "xfs", "mkfs.xfs", &["-q", "-f"], 320),
    made("btrfs", "btrfs", "mkfs.btrfs", &["-q", "-f"], 128),
    made("vfat", "vfat", "mkfs.vfat", &[], 32),
    packed("squashfs", "mksquashfs", &["packed", "image", "-noappend", "-quiet", "-no-progress"]),
    packed("erofs", "mkfs.erofs", &["--quiet", "image", "packed"]),
    Kind { name: "tmpfs", mounted_as: "tmpfs", make: None, size_mib: 0, packed: false },
    Kind { name: "overlay", mounted_as: "overlay", make: None, size_mib: 0, packed: false },
];

const fn made(
    name: &'static str,
    mounted_as: &'static str,
    program: &'static str,
    words: &'static [&'static str],
    size_mib: u64,
) -> Kind {
    Kind { name, mounted_as, make: Some((program, words)), size_mib, packed: false }
}

const fn packed(name: &'static str, program: &'static str, words: &'static [&'static str]) -> Kind {
    Kind { name, mounted_as: name, make: Some((program, words)), size_mib: 0, packed: true }
}

/// Plays it, in a directory of its own.
pub(in crate::scenario) fn run() -> Result<(), Failure> {
    enter_private().map_err(|error| format!("no mount namespace of its own can be had: {error}"))?;
    fs::create_dir("mnt")?;
    fs::create_dir("packed")?;
    let all: Vec<Tried> = KINDS
        .iter()
        .map(|kind| Tried { file_system: kind.name.to_owned(), result: try_kind(*kind) })
        .collect();
    say_all(&all)
}

fn try_kind(kind: Kind) -> Result<Vec<Attempt>, String> {
    let device = make_image(kind)?;
    let source = device.as_ref().map_or(Path::new("fathom"), |device| &device.path);
    let (flags, options) = match kind.mounted_as {
        "overlay" => {
            for name in ["lower", "upper", "work"] {
                fs::create_dir(name).map_err(|error| format!("{name}: {error}"))?;
            }
            (MountFlags::empty(), Some("lowerdir=lower,upperdir=upper,workdir=work"))
        }
        _ if kind.packed => (MountFlags::RDONLY, None),
        _ => (MountFlags::empty(), None),
    };
    let options = options.and_then(|text| CString::new(text).ok());
    let mounted = mount(source, "mnt", kind.mounted_as, flags | MountFlags::NODEV, options.as_deref());
    let result = match mounted {
        Ok(()) => {
            let attempts = try_all(Path::new("mnt"));
            // The next one takes its place; what cannot be unmounted goes with the namespace.
            unmount("mnt", UnmountFlags::DETACH).map_err(|errno| format!("unmount: {errno}"))?;
            attempts
        }
        Err(errno) => Err(format!("mount: {errno}")),
    };
    drop(device);
    if kind.make.is_some() {
        fs::remove_file("image").map_err(|error| format!("image: {error}"))?;
    }
    result
}

/// Makes the image and attaches it to a loop device; none for a file system without.
fn make_image(kind: Kind) -> Result<Option<LoopDevice>, String> {
    let Some((program, words)) = kind.make else { return Ok(None) };
    let image = |error: io::Error| format!("image: {error}");
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null());
    if !kind.packed {
        let file = OpenOptions::new().write(true).create_new(true).open("image").map_err(image)?;
        file.set_len(kind.size_mib << 20).map_err(image)?;
        command.arg("image");
    }
    match run_tool(&mut command, program) {
        Ok(()) => {}
        Err(reason) => {
            let _never_made = fs::remove_file("image");
            return Err(reason);
        }
    }
    let file = OpenOptions::new().read(true).write(true).open("image").map_err(image)?;
    attach(&file).map(Some).map_err(|error| {
        let _left_to_the_scratch_directory = fs::remove_file("image");
        format!("no loop device: {error}")
    })
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
