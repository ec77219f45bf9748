//! Fresh file systems, made in files and mounted where nobody else sees them:
//! this process has a mount namespace of its own, and all goes with it.

use super::attempts::{Attempt, try_all};
use crate::lines::{Failure, say_all};
use fathom_lab::fresh_file_system::{KINDS, Kind};
use fathom_sys::mount_namespace::enter_private;
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use serde::{Deserialize, Serialize};
use std::ffi::CString;
use std::fs;
use std::path::Path;

/// What came of one file system: the attempts, or why there is none.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Tried {
    /// Its name for people.
    pub(super) file_system: String,
    /// The attempts, or a reason.
    pub(super) result: Result<Vec<Attempt>, String>,
}

/// Plays it, in a directory of its own.
pub(crate) fn run() -> Result<(), Failure> {
    prepare()?;
    fs::create_dir("packed")?;
    let all: Vec<Tried> = KINDS
        .iter()
        .map(|kind| Tried { file_system: kind.name.to_owned(), result: try_kind(*kind) })
        .collect();
    say_all(&all)
}

/// Gives this process mounts of its own, and a directory to mount in.
pub(crate) fn prepare() -> Result<(), Failure> {
    enter_private().map_err(|error| format!("no mount namespace of its own can be had: {error}"))?;
    Ok(fs::create_dir("mnt")?)
}

fn try_kind(kind: Kind) -> Result<Vec<Attempt>, String> {
    if kind.mounted_as == "overlay" {
        for name in ["lower", "upper", "work"] {
            fs::create_dir(name).map_err(|error| format!("{name}: {error}"))?;
        }
        return on_fresh(kind, Some("lowerdir=lower,upperdir=upper,workdir=work"), try_all);
    }
    on_fresh(kind, None, try_all)
}

/// Makes a file system, mounts it, tries something in it, and takes it away.
pub(crate) fn on_fresh<T>(
    kind: Kind,
    options: Option<&str>,
    trial: impl FnOnce(&Path) -> Result<T, String>,
) -> Result<T, String> {
    let device = kind.make(Path::new("image"), kind.size_mib)?;
    let source = device.as_ref().map_or(Path::new("fathom"), |device| &device.path);
    let flags = if kind.packed { MountFlags::RDONLY } else { MountFlags::empty() };
    let options = options.and_then(|text| CString::new(text).ok());
    let mounted = mount(source, "mnt", kind.mounted_as, flags | MountFlags::NODEV, options.as_deref());
    let result = match mounted {
        Ok(()) => {
            let found = trial(Path::new("mnt"));
            // The next one takes its place; what cannot be unmounted goes with the namespace.
            unmount("mnt", UnmountFlags::DETACH).map_err(|errno| format!("unmount: {errno}"))?;
            found
        }
        Err(errno) => Err(format!("mount: {errno}")),
    };
    drop(device);
    if kind.make.is_some() {
        fs::remove_file("image").map_err(|error| format!("image: {error}"))?;
    }
    result
}
