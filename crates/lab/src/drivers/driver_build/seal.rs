//! The files of a build and their digest: taken when the build is found, and checked before the
//! driver is started each time.

use crate::drivers::driver_source::hexadecimal;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What runs when a driver is started, as it was when its digest was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seal {
    product: PathBuf,
    sha256: String,
    /// Files and directories, as they were.
    seen: Arc<Vec<(PathBuf, Identity)>>,
}

/// What changes whenever a file's content does, and cannot be put back: the time of change is the
/// kernel's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    bytes: u64,
    changed: (i64, i64),
}

impl Identity {
    fn of(found: &Metadata) -> Self {
        let changed = (found.ctime(), found.ctime_nsec());
        Self { device: found.dev(), inode: found.ino(), bytes: found.size(), changed }
    }
}

impl Seal {
    /// Of a file, or of a directory with all that is in it.
    pub(crate) fn take(product: &Path) -> io::Result<Self> {
        let mut seen = Vec::new();
        let sha256 = if fs::symlink_metadata(product)?.is_file() {
            file_digest(product, &mut seen)?
        } else {
            directory_digest(product, &mut seen)?
        };
        Ok(Self { product: product.to_owned(), sha256, seen: Arc::new(seen) })
    }

    /// SHA-256 of the file; of a directory, that of the lines which `sha256sum` prints of its
    /// files, sorted by name.
    pub(crate) fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Where the files lie.
    pub(crate) fn product(&self) -> &Path {
        &self.product
    }

    /// Checks that the files still have their digest. They are read again only where one of them
    /// was touched.
    pub(crate) fn check(&self) -> Result<(), String> {
        let is_untouched = self.seen.iter().all(|(path, identity)| {
            fs::symlink_metadata(path).is_ok_and(|found| Identity::of(&found) == *identity)
        });
        if is_untouched {
            return Ok(());
        }
        let now = Self::take(&self.product).map_err(|error| error.to_string())?;
        if now.sha256 == self.sha256 {
            return Ok(());
        }
        Err(format!("its SHA-256 is {}, that of the build is {}", now.sha256, self.sha256))
    }
}

fn file_digest(path: &Path, seen: &mut Vec<(PathBuf, Identity)>) -> io::Result<String> {
    let mut file = File::open(path)?;
    seen.push((path.to_owned(), Identity::of(&file.metadata()?)));
    let mut hash = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        let read = io::Read::read(&mut file, &mut piece)?;
        if read == 0 {
            return Ok(hexadecimal(&hash.finalize()));
        }
        hash.update(&piece[..read]);
    }
}

fn directory_digest(top: &Path, seen: &mut Vec<(PathBuf, Identity)>) -> io::Result<String> {
    let mut files = Vec::new();
    let mut directories = vec![top.to_owned()];
    while let Some(directory) = directories.pop() {
        seen.push((directory.clone(), Identity::of(&fs::symlink_metadata(&directory)?)));
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                directories.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            } else {
                let what = format!("{} is neither a file nor a directory", entry.path().display());
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
        }
    }
    files.sort();
    let mut lines = String::new();
    for file in files {
        let digest = file_digest(&file, seen)?;
        let name = file.strip_prefix(top).unwrap_or(&file);
        writeln!(lines, "{digest}  {}", name.display()).expect("a String grows");
    }
    Ok(hexadecimal(&Sha256::digest(lines.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_a_file_is_the_one_that_sha256sum_prints() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("driver");
        fs::write(&file, "abc").unwrap();
        let seal = Seal::take(&file).unwrap();
        assert_eq!(seal.sha256(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_change_of_any_file_is_found_and_a_touch_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let (home, inner) = (folder.path().join("home"), folder.path().join("home/inner"));
        fs::create_dir_all(&inner).unwrap();
        fs::write(home.join("a"), "one").unwrap();
        fs::write(inner.join("b"), "two").unwrap();
        let seal = Seal::take(&home).unwrap();
        assert_eq!(seal.check(), Ok(()));
        // The same length and time of modification: only the time of change tells.
        let before = fs::metadata(home.join("a")).unwrap().modified().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs::write(home.join("a"), "six").unwrap();
        File::options().write(true).open(home.join("a")).unwrap().set_modified(before).unwrap();
        let error = seal.check().unwrap_err();
        assert!(error.contains("that of the build is"), "{error}");
        fs::write(home.join("a"), "one").unwrap();
        assert_eq!(seal.check(), Ok(()));
        fs::write(inner.join("planted"), "").unwrap();
        seal.check().unwrap_err();
        fs::remove_file(inner.join("planted")).unwrap();
        assert_eq!(seal.check(), Ok(()));
        std::os::unix::fs::symlink("/etc", inner.join("link")).unwrap();
        let error = seal.check().unwrap_err();
        assert!(error.contains("is neither a file nor a directory"), "{error}");
    }
}
