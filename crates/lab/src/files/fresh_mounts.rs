//! File systems made for one run and mounted where only this process and those that it
//! starts see them. Each has a loop device of its own: what is counted there is ours.

use crate::files::fresh_file_system::{KINDS, Kind};
use crate::files::scratch::{Scratch, ScratchError};
use fathom_model::Place;
use fathom_sys::loop_device::LoopDevice;
use fathom_sys::mount_namespace::enter_private;
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use std::ffi::CString;
use std::fs;
use std::path::{Path, PathBuf};

/// Size of a file system behind a loop device, as a file with holes; that of a tmpfs likewise.
const SIZE_MIB: u64 = 1536;

/// File systems that go, with their images, when this is dropped.
#[derive(Debug)]
pub struct FreshMounts {
    mounted: Vec<Mounted>,
    /// What could not be made, and why.
    pub failed: Vec<(String, String)>,
    /// Dropped last.
    _scratch: Scratch,
}

#[derive(Debug)]
struct Mounted {
    point: PathBuf,
    /// Detached by the kernel when nobody has it open any more.
    _device: Option<LoopDevice>,
}

/// Why no file system can be made at all.
#[derive(Debug, thiserror::Error)]
pub enum FreshMountsError {
    /// Only root may.
    #[error("no mount namespace of its own can be had: {0}")]
    Namespace(#[from] fathom_sys::SysError),
    /// No directory for the images.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
}

/// A kind with mount options, as `--mount` has it: `ext4+noauto_da_alloc`.
fn parse(word: &str) -> Option<(Kind, String)> {
    let (kind, options) = word.split_once('+').unwrap_or((word, ""));
    let kind = KINDS.into_iter().find(|known| !known.word.is_empty() && known.word == kind)?;
    Some((kind, options.replace('+', ",")))
}

/// The words that `--mount` knows.
pub fn mountable_kinds() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.word).filter(|word| !word.is_empty()).collect()
}

/// Whether `--mount` knows this word.
pub fn is_mountable(word: &str) -> bool {
    parse(word).is_some()
}

impl FreshMounts {
    /// Makes and mounts one file system of each kind, with images in `in_dir`. From now on this
    /// thread, and what it starts, has a mount namespace of its own: call it before any other
    /// thread is started.
    pub fn make(words: &[String], in_dir: &Path) -> Result<Self, FreshMountsError> {
        let scratch = Scratch::create(in_dir)?;
        let tree = scratch.make_tree()?;
        enter_private()?;
        let (mut mounted, mut failed) = (Vec::new(), Vec::new());
        for (number, word) in words.iter().enumerate() {
            let image = scratch.claim_file(&format!("image{number}"))?;
            match make_one(word, &image, &tree) {
                Ok(one) => mounted.push(one),
                Err(reason) => failed.push((word.clone(), reason)),
            }
        }
        Ok(Self { mounted, failed, _scratch: scratch })
    }

    /// Where they are mounted.
    pub fn places(&self) -> Vec<Place> {
        self.mounted.iter().map(|mounted| Place::Directory(mounted.point.clone())).collect()
    }
}

impl Drop for FreshMounts {
    fn drop(&mut self) {
        for Mounted { point, .. } in self.mounted.drain(..).rev() {
            // What stays mounted goes with the namespace.
            let _gone_with_the_process = unmount(&point, UnmountFlags::DETACH);
        }
    }
}

fn make_one(word: &str, image: &Path, tree: &Path) -> Result<Mounted, String> {
    let (kind, mut options) = parse(word).ok_or_else(|| format!("there is no kind `{word}`"))?;
    if kind.make.is_none() {
        let separator = if options.is_empty() { "" } else { "," };
        options = format!("size={SIZE_MIB}m{separator}{options}");
    }
    let point = tree.join(word);
    fs::create_dir(&point).map_err(|error| format!("mkdir: {error}"))?;
    let device = kind.make(image, SIZE_MIB)?;
    let source = device.as_ref().map_or(Path::new("fathom"), |device| &device.path);
    let options = CString::new(options).map_err(|_| "a mount option with a null byte".to_owned())?;
    mount(source, &point, kind.mounted_as, MountFlags::NODEV, Some(options.as_c_str()))
        .map_err(|errno| format!("mount: {errno}"))?;
    Ok(Mounted { point, _device: device })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn words_are_kinds_with_options() {
        let (kind, options) = parse("ext4+noauto_da_alloc+discard").unwrap();
        assert_eq!((kind.name, options.as_str()), ("ext4 with a journal", "noauto_da_alloc,discard"));
        assert!(is_mountable("ext4-nojournal") && !is_mountable("overlay") && !is_mountable(""));
        assert!(mountable_kinds().contains(&"btrfs"));
    }

    #[test]
    fn a_mount_comes_and_goes_and_nobody_else_sees_it() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().to_owned();
        let seen = || fs::read_to_string("/proc/self/mountinfo").unwrap().contains("/tmpfs+nr_inodes=100");
        // In a thread of its own, whose namespace goes with it.
        std::thread::spawn(move || {
            let words = ["tmpfs+nr_inodes=100".to_owned(), "tmpfs+nonsense=1".to_owned()];
            let mounts = match FreshMounts::make(&words, &path) {
                Ok(mounts) => mounts,
                Err(FreshMountsError::Namespace(error)) => {
                    assert_eq!(error.errno(), Some(Errno::PERM), "{error}");
                    return;
                }
                Err(error) => panic!("{error}"),
            };
            let places = mounts.places();
            let [Place::Directory(directory)] = &places[..] else { panic!("{places:?}") };
            fs::write(directory.join("mark"), "x").unwrap();
            assert_eq!(mounts.failed.len(), 1, "{:?}", mounts.failed);
            drop(mounts);
            assert!(!directory.exists());
        })
        .join()
        .unwrap();
        assert!(!seen());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
