//! The calls of `write-block`'s methods, one small type for each.

use super::arguments::Plan;
use super::failure::Failure;
use super::ffi::O_WRONLY;
use super::ffi_write::{O_CREAT, O_RDWR};
use super::open_close::as_path;
use super::posix::Fd;
use super::posix_write::{self, OutStream, SharedMapping};
use super::writing::Existing;
use std::ffi::{CStr, c_int};
use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;

/// An open file and how a method writes into it.
pub(crate) trait Writer: Sized {
    /// False when nothing is written.
    const WRITES: bool = true;

    fn open(path: &CStr, flags: c_int, plan: &Plan) -> Result<Self, Failure>;

    /// Goes where the first block is written, before the clock starts.
    fn go_to(&mut self, _offset: usize) -> Result<(), Failure> {
        Ok(())
    }

    fn write(&mut self, data: &[u8], offset: usize) -> Result<(), Failure>;

    /// Hands to the kernel what the program still holds.
    fn flush(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Failure>;
}

/// `null`: the same loop without the calls.
pub(crate) struct Nothing;

impl Writer for Nothing {
    const WRITES: bool = false;

    fn open(_: &CStr, _: c_int, _: &Plan) -> Result<Self, Failure> {
        Ok(Self)
    }

    fn write(&mut self, _: &[u8], offset: usize) -> Result<(), Failure> {
        black_box(offset);
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// `write`, after an `lseek` where the file stands elsewhere: sequential blocks
/// go on from each other but for the last and the first.
pub(crate) struct Positioned {
    fd: Fd,
    position: usize,
}

impl Writer for Positioned {
    fn open(path: &CStr, flags: c_int, _: &Plan) -> Result<Self, Failure> {
        Ok(Self { fd: posix_write::create(path, O_WRONLY | O_CREAT | flags)?, position: 0 })
    }

    fn go_to(&mut self, offset: usize) -> Result<(), Failure> {
        self.fd.seek(offset)?;
        self.position = offset;
        Ok(())
    }

    fn write(&mut self, data: &[u8], offset: usize) -> Result<(), Failure> {
        if self.position != offset {
            self.go_to(offset)?;
        }
        self.position += data.len();
        self.fd.write(data)
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.fd.sync()
    }
}

/// `pwrite`.
pub(crate) struct AtOffset(Fd);

impl Writer for AtOffset {
    fn open(path: &CStr, flags: c_int, _: &Plan) -> Result<Self, Failure> {
        posix_write::create(path, O_WRONLY | O_CREAT | flags).map(Self)
    }

    fn write(&mut self, data: &[u8], offset: usize) -> Result<(), Failure> {
        self.0.pwrite(data, offset)
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.0.sync()
    }
}

/// `FileExt::write_all_at`.
pub(crate) struct StdAtOffset(File);

impl Writer for StdAtOffset {
    fn open(path: &CStr, _: c_int, _: &Plan) -> Result<Self, Failure> {
        open_std(path).map(Self)
    }

    fn write(&mut self, data: &[u8], offset: usize) -> Result<(), Failure> {
        self.0.write_all_at(data, offset as u64).map_err(|error| Failure::of("FileExt::write_all_at", &error))
    }

    fn sync(&mut self) -> Result<(), Failure> {
        sync_std(&self.0)
    }
}

/// `File`, or a `BufWriter` around it, and `write_all`.
pub(crate) struct Std<F> {
    file: F,
    position: usize,
}

/// What differs with a buffer and without.
pub(crate) trait StdFile: Write + Seek {
    fn wrap(file: File) -> Self;
    fn inner(&self) -> &File;
}

impl StdFile for File {
    fn wrap(file: File) -> Self {
        file
    }

    fn inner(&self) -> &File {
        self
    }
}

impl StdFile for BufWriter<File> {
    fn wrap(file: File) -> Self {
        Self::new(file)
    }

    fn inner(&self) -> &File {
        self.get_ref()
    }
}

impl<F: StdFile> Writer for Std<F> {
    fn open(path: &CStr, _: c_int, _: &Plan) -> Result<Self, Failure> {
        Ok(Self { file: F::wrap(open_std(path)?), position: 0 })
    }

    fn go_to(&mut self, offset: usize) -> Result<(), Failure> {
        let gone = self.file.seek(SeekFrom::Start(offset as u64));
        gone.map_err(|error| Failure::of("Seek::seek", &error))?;
        self.position = offset;
        Ok(())
    }

    fn write(&mut self, data: &[u8], offset: usize) -> Result<(), Failure> {
        if self.position != offset {
            self.go_to(offset)?;
        }
        self.position += data.len();
        self.file.write_all(data).map_err(|error| Failure::of("Write::write_all", &error))
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.file.flush().map_err(|error| Failure::of("Write::flush", &error))
    }

    fn sync(&mut self) -> Result<(), Failure> {
        sync_std(self.file.inner())
    }
}

/// `fwrite`.
pub(crate) struct Streamed {
    stream: OutStream,
    position: usize,
}

impl Writer for Streamed {
    /// The mode `w` would empty a file that is to be overwritten.
    fn open(path: &CStr, _: c_int, plan: &Plan) -> Result<Self, Failure> {
        let mode = if plan.writing.existing == Existing::Data { c"r+" } else { c"w" };
        Ok(Self { stream: OutStream::open(path, mode)?, position: 0 })
    }

    fn go_to(&mut self, offset: usize) -> Result<(), Failure> {
        self.stream.seek(offset)?;
        self.position = offset;
        Ok(())
    }

    fn write(&mut self, data: &[u8], offset: usize) -> Result<(), Failure> {
        if self.position != offset {
            self.go_to(offset)?;
        }
        self.position += data.len();
        self.stream.write(data)
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.stream.flush()
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.stream.sync()
    }
}

/// A copy into a shared mapping; the file has its size before the clock starts.
pub(crate) struct Mapped {
    mapping: SharedMapping,
    fd: Fd,
}

impl Writer for Mapped {
    fn open(path: &CStr, flags: c_int, plan: &Plan) -> Result<Self, Failure> {
        let fd = posix_write::create(path, O_RDWR | O_CREAT | flags)?;
        fd.truncate(plan.size)?;
        Ok(Self { mapping: SharedMapping::new(&fd, plan.size)?, fd })
    }

    fn write(&mut self, data: &[u8], offset: usize) -> Result<(), Failure> {
        self.mapping.bytes()[offset..offset + data.len()].copy_from_slice(data);
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.fd.sync()
    }
}

fn open_std(path: &CStr) -> Result<File, Failure> {
    let opened = OpenOptions::new().write(true).create(true).truncate(false).open(as_path(path));
    opened.map_err(|error| Failure::of("OpenOptions::open", &error))
}

fn sync_std(file: &File) -> Result<(), Failure> {
    file.sync_all().map_err(|error| Failure::of("File::sync_all", &error))
}
