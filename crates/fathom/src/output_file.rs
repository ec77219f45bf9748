//! A file that is written for the user: piece by piece, beside the place where it appears when it
//! is whole. What stands there stays as it is until then, whatever fails.

use crate::hinted::Hinted;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// How files begin that are not whole yet. Whoever writes one holds a lock on it.
const PREFIX: &str = ".fathom-unfinished-";

/// Such a file. Dropped before it is committed, it leaves nothing.
#[derive(Debug)]
pub(crate) struct OutputFile {
    place: Place,
    /// Where it appears, links resolved.
    path: PathBuf,
}

#[derive(Debug)]
enum Place {
    /// Beside the one that it is going to be.
    Beside(BufWriter<NamedTempFile>),
    /// A pipe or a device is written into.
    Special(BufWriter<File>),
}

impl OutputFile {
    /// Begins a file whose folder is there. What a Fathom that was killed left in that folder of
    /// such files is removed.
    pub(crate) fn begin(path: &Path) -> anyhow::Result<Self> {
        let path = resolved(path)?;
        let place = if is_special(&path) {
            Place::Special(BufWriter::new(File::options().write(true).open(&path)?))
        } else {
            let folder = folder_of(&path);
            remove_leftovers(folder);
            Place::Beside(BufWriter::new(locked_file(|| {
                tempfile::Builder::new().prefix(PREFIX).tempfile_in(folder)
            })?))
        };
        Ok(Self { place, path })
    }

    /// The pipe or the device that is written into, where it is one.
    pub(crate) fn special(&self) -> Option<&File> {
        match &self.place {
            Place::Beside(_) => None,
            Place::Special(file) => Some(file.get_ref()),
        }
    }

    /// Puts it in place of what was there.
    pub(crate) fn commit(self) -> io::Result<()> {
        let (file, path) = self.finished()?;
        file.map_or(Ok(()), |file| file.persist(path).map(drop).map_err(|error| error.error))
    }

    /// The same where nothing must be there.
    pub(crate) fn commit_as_new(self) -> io::Result<()> {
        let (file, path) = self.finished()?;
        file.map_or(Ok(()), |file| file.persist_noclobber(path).map(drop).map_err(|error| error.error))
    }

    /// Where writing failed: puts what has reached the disk beside the place of the whole file, under
    /// a name of its own, if `opens` says that it can be read. Returns that name.
    pub(crate) fn commit_cut(self, opens: impl FnOnce(&Path) -> bool) -> Option<PathBuf> {
        const NAMES: u32 = 100;
        let Place::Beside(writer) = self.place else { return None };
        let (mut file, _lost) = writer.into_parts();
        if !opens(file.path()) {
            return None;
        }
        file.as_file().set_permissions(Permissions::from_mode(mode())).ok()?;
        for number in 0..NAMES {
            let mut name = OsString::from(&self.path);
            name.push(if number == 0 { ".cut".to_owned() } else { format!(".cut{number}") });
            match file.persist_noclobber(&name) {
                Ok(_) => return Some(name.into()),
                Err(error) => file = error.file,
            }
        }
        None
    }

    fn finished(mut self) -> io::Result<(Option<NamedTempFile>, PathBuf)> {
        self.flush()?;
        let file = match self.place {
            Place::Beside(writer) => Some(writer.into_parts().0),
            Place::Special(_) => None,
        };
        if let Some(file) = &file {
            file.as_file().sync_all()?;
            file.as_file().set_permissions(Permissions::from_mode(mode()))?;
        }
        Ok((file, self.path))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Beside(file) => file.write(bytes),
            Place::Special(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            Place::Beside(file) => file.flush(),
            Place::Special(file) => file.flush(),
        }
    }
}

/// A new file with a lock on it. Between the two it may be taken for a leftover and removed, by
/// another Fathom that begins a file in the same folder: then another one is made.
fn locked_file(mut make: impl FnMut() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    const TRIES: usize = 100;
    for _ in 0..TRIES {
        let file = make()?;
        match flock(file.as_file(), FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => {}
            Ok(()) if file.as_file().metadata()?.nlink() == 0 => {}
            // Where a file system has no locks, nobody takes this file for a leftover.
            Ok(()) | Err(_) => return Ok(file),
        }
    }
    Err(io::Error::other("other writers removed the file again and again"))
}

/// The folder of a file that the user names.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// True where something stands that a new file must not replace: a link, a
/// pipe, a device (root could rename a file over `/dev/null`).
pub(crate) fn is_special(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| !found.is_file())
}

/// Where a link leads, which may be to nothing yet. A link into another user's directory is not
/// followed: whoever made it would choose which file we replace.
fn resolved(path: &Path) -> anyhow::Result<PathBuf> {
    const LINKS: usize = 40;
    let mut at = path.to_owned();
    for _ in 0..LINKS {
        let Ok(to) = fs::read_link(&at) else { break };
        // A pipe that an open descriptor leads to (`/dev/stderr`) has no name to go on to.
        let is_nameless = |found: fs::Metadata| !found.is_file() && !found.is_dir();
        if at.starts_with("/proc") && fs::metadata(&at).is_ok_and(is_nameless) {
            return Ok(at);
        }
        at = folder_of(&at).join(to);
    }
    if at == path {
        return Ok(at);
    }
    let target = fs::symlink_metadata(&at);
    if target.as_ref().is_ok_and(|found| !found.is_file() && !found.is_symlink()) {
        return Ok(at);
    }
    let folder = fs::metadata(folder_of(&at))?;
    let ours = rustix::process::geteuid().as_raw();
    if folder.uid() != ours && folder.uid() != 0 {
        let message = format!("{} is a link into a directory of user {}", path.display(), folder.uid());
        return Err(Hinted::error(message, "name the file itself where that is meant"));
    }
    Ok(at)
}

/// The mode of a new file that others may read, as far as the user's umask lets them.
fn mode() -> u32 {
    const OF_FILES: u32 = 0o666;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let masked = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    let mask = masked.and_then(|octal| u32::from_str_radix(octal.trim(), 8).ok());
    // Where it cannot be read, nobody else gets in.
    OF_FILES & !mask.unwrap_or(0o077)
}

/// Removes files that nobody finishes any more: ours by name and owner, and not locked.
fn remove_leftovers(folder: &Path) {
    let ours = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.metadata().is_ok_and(|found| found.is_file() && found.uid() == ours);
        let is_left = || {
            let file = File::open(entry.path()).ok()?;
            flock(&file, FlockOperation::NonBlockingLockExclusive).ok()
        };
        if is_ours && is_left().is_some() {
            let _gone_already = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::fd::AsRawFd;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_stands_there_stays_until_the_new_file_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.json");
        fs::write(&path, "old").unwrap();
        let mut file = OutputFile::begin(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(file);
        assert_eq!(names(folder.path()), ["r.json"]);
        let mut file = OutputFile::begin(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(OutputFile::begin(&path).unwrap().commit_as_new().is_err());
        assert_eq!(names(folder.path()), ["r.json"]);
    }

    #[test]
    fn a_cut_file_gets_another_name_and_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        fs::write(&path, "old").unwrap();
        for expected in ["t.cut", "t.cut1"] {
            let file = OutputFile::begin(&path).unwrap();
            assert_eq!(file.commit_cut(|_| true), Some(folder.path().join(expected)));
        }
        assert_eq!(OutputFile::begin(&path).unwrap().commit_cut(|_| false), None);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["t", "t.cut", "t.cut1"]);
    }

    #[test]
    fn leftovers_are_removed_and_what_is_being_written_is_not() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".fathom-unfinished-killed"), "half").unwrap();
        fs::write(folder.path().join(".fathom-mine"), "the user's own").unwrap();
        let being_written = OutputFile::begin(&folder.path().join("a")).unwrap();
        let other = OutputFile::begin(&folder.path().join("b")).unwrap();
        let left = names(folder.path());
        assert_eq!(left.len(), 3, "{left:?}");
        being_written.commit().unwrap();
        other.commit().unwrap();
        assert_eq!(names(folder.path()), [".fathom-mine", "a", "b"]);
    }

    #[test]
    fn a_file_that_is_taken_for_a_leftover_before_it_is_locked_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut made = 0;
        let mut locked_by_others = Vec::new();
        let file = locked_file(|| {
            let file = tempfile::Builder::new().prefix(PREFIX).tempfile_in(folder.path())?;
            made += 1;
            match made {
                1 => remove_leftovers(folder.path()),
                2 => {
                    let other = File::open(file.path())?;
                    flock(&other, FlockOperation::NonBlockingLockExclusive)?;
                    locked_by_others.push(other);
                }
                _ => {}
            }
            Ok(file)
        });
        let file = file.unwrap();
        assert_eq!(made, 3);
        remove_leftovers(folder.path());
        assert!(file.path().exists());
    }

    #[test]
    fn a_pipe_is_written_into_by_the_name_of_its_descriptor() {
        let (mut reader, writer) = io::pipe().unwrap();
        let descriptor = writer.as_raw_fd();
        let mut file = OutputFile::begin(Path::new(&format!("/proc/self/fd/{descriptor}"))).unwrap();
        file.write_all(b"whole").unwrap();
        file.commit().unwrap();
        drop(writer);
        let mut said = String::new();
        reader.read_to_string(&mut said).unwrap();
        assert_eq!(said, "whole");
    }

    #[test]
    fn a_link_is_followed_unless_it_leads_to_another_users_directory() {
        let folder = tempfile::tempdir().unwrap();
        let [link, theirs] = ["link", "theirs"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("target", &link).unwrap();
        OutputFile::begin(&link).unwrap().commit().unwrap();
        assert!(link.is_symlink() && folder.path().join("target").is_file());
        fs::create_dir(&theirs).unwrap();
        if std::os::unix::fs::chown(&theirs, Some(65534), None).is_err() {
            return;
        }
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink("theirs/target", &link).unwrap();
        let error = OutputFile::begin(&link).unwrap_err().to_string();
        assert!(error.contains("is a link into a directory of user 65534"), "{error}");
        assert_eq!(names(&theirs), Vec::<String>::new());
    }
}
