//! The calls of `create`'s methods, one small type for each method.

use super::create::{Maker, Place};
use super::failure::Failure;
use super::ffi::O_WRONLY;
use super::ffi_write::{O_CREAT, O_TRUNC};
use super::open_close::as_path;
use super::posix::Fd;
use super::posix_write::{self, OutStream};
use std::ffi::c_int;
use std::fs::File;
use std::hint::black_box;
use std::io::Write;

const FLAGS: c_int = O_CREAT | O_WRONLY | O_TRUNC;

/// `null`: the same loop without the calls.
pub(crate) struct Nothing;

impl Maker for Nothing {
    type File = ();
    const MAKES: bool = false;

    fn open(&self, _: &Place, index: usize) -> Result<(), Failure> {
        black_box(index);
        Ok(())
    }

    fn write(&self, (): &mut (), data: &[u8]) -> Result<(), Failure> {
        black_box(data);
        Ok(())
    }

    fn sync(&self, (): &mut ()) -> Result<(), Failure> {
        Ok(())
    }

    fn close(&self, (): ()) -> Result<(), Failure> {
        Ok(())
    }
}

/// `open`, `write`, `fsync`, `close`.
pub(crate) struct ByOpen;

impl Maker for ByOpen {
    type File = Fd;

    fn open(&self, place: &Place, index: usize) -> Result<Fd, Failure> {
        posix_write::create(&place.names[index], FLAGS)
    }

    fn write(&self, file: &mut Fd, data: &[u8]) -> Result<(), Failure> {
        file.write(data)
    }

    fn sync(&self, file: &mut Fd) -> Result<(), Failure> {
        file.sync()
    }

    fn close(&self, file: Fd) -> Result<(), Failure> {
        drop(file);
        Ok(())
    }
}

/// `openat` in the directory, which is open already.
pub(crate) struct ByOpenat;

impl Maker for ByOpenat {
    type File = Fd;
    const RELATIVE: bool = true;

    fn open(&self, place: &Place, index: usize) -> Result<Fd, Failure> {
        let directory = place.descriptor.as_ref().expect("a batch has its directory");
        posix_write::create_at(directory, &place.names[index], FLAGS)
    }

    fn write(&self, file: &mut Fd, data: &[u8]) -> Result<(), Failure> {
        file.write(data)
    }

    fn sync(&self, file: &mut Fd) -> Result<(), Failure> {
        file.sync()
    }

    fn close(&self, file: Fd) -> Result<(), Failure> {
        drop(file);
        Ok(())
    }
}

/// `File::create`, `write_all`, `sync_all`, drop.
pub(crate) struct ByStd;

impl Maker for ByStd {
    type File = File;

    fn open(&self, place: &Place, index: usize) -> Result<File, Failure> {
        File::create(as_path(&place.names[index])).map_err(|error| Failure::of("File::create", &error))
    }

    fn write(&self, file: &mut File, data: &[u8]) -> Result<(), Failure> {
        file.write_all(data).map_err(|error| Failure::of("Write::write_all", &error))
    }

    fn sync(&self, file: &mut File) -> Result<(), Failure> {
        file.sync_all().map_err(|error| Failure::of("File::sync_all", &error))
    }

    fn close(&self, file: File) -> Result<(), Failure> {
        drop(file);
        Ok(())
    }
}

/// `fopen(path, "w")`, `fwrite`, `fflush` and `fsync`, `fclose`.
pub(crate) struct ByStream;

impl Maker for ByStream {
    type File = OutStream;

    fn open(&self, place: &Place, index: usize) -> Result<OutStream, Failure> {
        OutStream::open(&place.names[index], c"w")
    }

    fn write(&self, file: &mut OutStream, data: &[u8]) -> Result<(), Failure> {
        file.write(data)
    }

    fn sync(&self, file: &mut OutStream) -> Result<(), Failure> {
        file.sync()
    }

    fn close(&self, file: OutStream) -> Result<(), Failure> {
        file.close()
    }
}
