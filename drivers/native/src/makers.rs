//! The calls of the methods of `create` and `truncate`, one small type for each method.

use super::arguments::Plan;
use super::create::{Create, Maker, Place};
use super::failure::{Failure, Refusal};
use super::ffi::O_WRONLY;
use super::ffi_write::{O_CREAT, O_TRUNC};
use super::methods::{Method, not_here};
use super::open_close::as_path;
use super::posix::Fd;
use super::posix_write::{self, OutStream};
use std::ffi::c_int;
use std::fs::{File, OpenOptions};
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

/// The method of `truncate` of that name.
pub(crate) fn truncating<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "null" => Box::new(Create::new(plan, NothingCut)),
        "ftruncate" => Box::new(Create::new(plan, CutByOpen)),
        "openat+dirfd+ftruncate" => Box::new(Create::new(plan, CutByOpenat)),
        "File::set_len" => Box::new(Create::new(plan, CutByStd)),
        _ => return Err(not_here(name)),
    })
}

/// One type for each way to cut: whether it makes calls at all, whether it names files by
/// their directory, what it holds, how it opens and how it cuts. Closing is the drop.
macro_rules! cutters {
    ($($(#[$doc:meta])* $name:ident($makes:expr, $relative:expr): $file:ty, $open:expr, $cut:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl Maker for $name {
            type File = $file;
            const MAKES: bool = $makes;
            const RELATIVE: bool = $relative;
            const RESIZES: bool = true;

            fn open(&self, place: &Place, index: usize) -> Result<$file, Failure> {
                $open(place, index)
            }

            fn write(&self, file: &mut $file, data: &[u8]) -> Result<(), Failure> {
                $cut(file, data.len())
            }

            fn sync(&self, _: &mut $file) -> Result<(), Failure> {
                Ok(())
            }

            fn close(&self, _: $file) -> Result<(), Failure> {
                Ok(())
            }
        }
    )*};
}

cutters! {
    /// `null`: the same loop without the calls.
    NothingCut(false, false): usize,
        |_: &Place, index| Ok(black_box(index)),
        |_: &mut usize, length| { black_box::<usize>(length); Ok(()) };
    /// `open`, `ftruncate`, `close`.
    CutByOpen(true, false): Fd,
        |place: &Place, index: usize| posix_write::create(&place.names[index], O_WRONLY),
        |file: &mut Fd, length| file.truncate(length);
    /// `openat` in the directory, which is open already, `ftruncate`, `close`.
    CutByOpenat(true, true): Fd,
        |place: &Place, index: usize| {
            let directory = place.descriptor.as_ref().expect("a batch has its directory");
            posix_write::create_at(directory, &place.names[index], O_WRONLY)
        },
        |file: &mut Fd, length| file.truncate(length);
    /// `OpenOptions::open`, `File::set_len`, drop.
    CutByStd(true, false): File,
        |place: &Place, index: usize| {
            let opened = OpenOptions::new().write(true).open(as_path(&place.names[index]));
            opened.map_err(|error| Failure::of("OpenOptions::open", &error))
        },
        |file: &mut File, length| {
            file.set_len(length as u64).map_err(|error| Failure::of("File::set_len", &error))
        };
}
