//! The kernel's tracepoints: their numbers and fields from tracefs, which only
//! root may read and which need not be mounted. Then it is mounted in a mount
//! namespace of a thread of ours, read, and gone with the thread.

mod format;
mod kept;

pub(super) use format::{Field, Format};
pub(super) use kept::keep;
pub use kept::release_tracepoints;

use fathom_sys::mount_namespace;
use rustix::mount::{MountFlags, mount};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Where tracefs is found, the usual place first.
const MOUNTED_AT: [&str; 2] = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];
/// What is looked at: all of the block layer's, and these.
const BLOCK: &str = "block";
const OTHERS: [(&str, &str); 5] = [
    ("exceptions", "page_fault_user"),
    ("filemap", "mm_filemap_add_to_page_cache"),
    ("filemap", "mm_filemap_fault"),
    ("filemap", "mm_filemap_map_pages"),
    ("writeback", "writeback_dirty_folio"),
];

/// One tracepoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tracepoint {
    /// `block`.
    pub(super) category: String,
    /// `block_rq_issue`.
    pub(super) name: String,
    /// By which perf knows it.
    pub(super) id: u64,
    /// Its fields.
    pub(super) format: Format,
}

impl Tracepoint {
    /// How a counter on it calls its source.
    pub(super) fn source(&self) -> String {
        format!("perf_event {}:{}", self.category, self.name)
    }
}

/// The tracepoints of this kernel that Fathom counts.
#[derive(Debug, Clone, Default)]
pub(super) struct Tracepoints {
    by_name: BTreeMap<String, Tracepoint>,
}

impl Tracepoints {
    /// A tracepoint by its own name.
    pub(super) fn get(&self, name: &str) -> Result<&Tracepoint, String> {
        self.by_name.get(name).ok_or_else(|| format!("this kernel has no tracepoint {name}"))
    }

    /// All of the block layer.
    pub(super) fn block(&self) -> impl Iterator<Item = &Tracepoint> {
        self.by_name.values().filter(|tracepoint| tracepoint.category == BLOCK)
    }
}

/// The tracepoints, or why they cannot be had. Looked for once.
pub(super) fn tracepoints() -> Result<&'static Tracepoints, &'static str> {
    static FOUND: OnceLock<Result<Tracepoints, String>> = OnceLock::new();
    FOUND.get_or_init(find).as_ref().map_err(String::as_str)
}

fn find() -> Result<Tracepoints, String> {
    let mut refused = None;
    for root in MOUNTED_AT {
        match read_all(Path::new(root)) {
            Ok(found) => return Ok(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => refused = refused.or(Some(format!("needs root: {root}: {error}"))),
        }
    }
    if let Some(refused) = refused {
        return Err(refused);
    }
    if !rustix::process::geteuid().is_root() {
        return Err(format!("needs root: tracefs is not mounted at {}", MOUNTED_AT[0]));
    }
    // A thread of its own: no other thread of ours is to be in the namespace.
    let thread = std::thread::Builder::new().name("tracefs".into()).spawn(mount_and_read);
    let thread = thread.map_err(|error| format!("no thread to mount tracefs in: {error}"))?;
    thread.join().unwrap_or_else(|_| Err("the thread that mounts tracefs panicked".to_owned()))
}

fn mount_and_read() -> Result<Tracepoints, String> {
    let said = |error: &dyn std::fmt::Display| {
        format!("tracefs is not mounted, and mounting it in a namespace of our own fails: {error}")
    };
    mount_namespace::enter_private().map_err(|error| said(&error))?;
    let root = MOUNTED_AT[0];
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("fathom", root, "tracefs", flags, None).map_err(|errno| said(&format!("mount: {errno}")))?;
    read_all(Path::new(root)).map_err(|error| said(&error))
}

/// Everything of interest below `root`; `NotFound` where it is no tracefs.
fn read_all(root: &Path) -> io::Result<Tracepoints> {
    let events = root.join("events");
    let block = names_in(&events.join(BLOCK))?;
    let all = block.iter().map(|name| (BLOCK, name.as_str())).chain(OTHERS);
    let mut by_name = BTreeMap::new();
    for (category, name) in all {
        match read_one(&events.join(category).join(name), category, name) {
            Ok(tracepoint) => {
                by_name.insert(name.to_owned(), tracepoint);
            }
            // Not every kernel has every tracepoint; other processors have no page_fault_user.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Tracepoints { by_name })
}

fn names_in(folder: &PathBuf) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    Ok(names)
}

fn read_one(folder: &Path, category: &str, name: &str) -> io::Result<Tracepoint> {
    let id = std::fs::read_to_string(folder.join("id"))?;
    let id =
        id.trim().parse().map_err(|_| io::Error::other(format!("the id of {name} is no number: {id}")))?;
    let format = Format::parse(&std::fs::read_to_string(folder.join("format"))?);
    Ok(Tracepoint { category: category.to_owned(), name: name.to_owned(), id, format })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};

    #[test]
    fn what_a_kernel_has_is_found_and_what_it_lacks_is_a_reason() {
        let root = tempfile::tempdir().unwrap();
        for (folder, id) in [("block/block_bio_queue", "7\n"), ("filemap/mm_filemap_fault", "9\n")] {
            let folder = root.path().join("events").join(folder);
            create_dir_all(&folder).unwrap();
            write(folder.join("id"), id).unwrap();
            write(folder.join("format"), "\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n").unwrap();
        }
        write(root.path().join("events/block/enable"), "0\n").unwrap();
        let found = read_all(root.path()).unwrap();
        assert_eq!(found.get("block_bio_queue").unwrap().id, 7);
        assert!(found.get("block_bio_queue").unwrap().format.has("dev"));
        assert_eq!(found.get("mm_filemap_fault").unwrap().source(), "perf_event filemap:mm_filemap_fault");
        assert_eq!(found.block().count(), 1);
        assert!(found.get("page_fault_user").unwrap_err().contains("page_fault_user"));
    }

    #[test]
    fn a_folder_without_events_is_no_tracefs() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(read_all(root.path()).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
