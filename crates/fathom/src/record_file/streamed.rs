//! A file that is written piece by piece and appears when it is whole.

use super::{folder_of, is_special};
use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Such a file. Dropped before it is committed, it leaves nothing.
#[derive(Debug)]
pub(crate) struct StreamedFile {
    place: Place,
    path: PathBuf,
}

#[derive(Debug)]
enum Place {
    /// Beside the one that it is going to be.
    Beside(BufWriter<NamedTempFile>),
    /// A pipe or a device is written into.
    Special(BufWriter<File>),
}

impl StreamedFile {
    /// Begins a file whose folder is there.
    pub(crate) fn begin(path: &Path) -> io::Result<Self> {
        let place = if is_special(path) {
            Place::Special(BufWriter::new(File::create(path)?))
        } else {
            let file = tempfile::Builder::new().prefix(".fathom-").tempfile_in(folder_of(path))?;
            Place::Beside(BufWriter::new(file))
        };
        Ok(Self { place, path: path.to_owned() })
    }

    /// Puts it in place.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        self.commit_what_is_there()
    }

    /// The same of what has reached the file, where writing failed.
    pub(crate) fn commit_what_is_there(self) -> io::Result<()> {
        let Place::Beside(writer) = self.place else { return Ok(()) };
        let (file, _lost) = writer.into_parts();
        file.as_file().sync_all()?;
        // It is meant to be read by others, unlike other temporary files.
        file.as_file().set_permissions(Permissions::from_mode(0o644))?;
        file.persist(self.path)?;
        Ok(())
    }
}

impl Write for StreamedFile {
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
