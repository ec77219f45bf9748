//! `open-close`: open an existing file for reading and close it.

use super::arguments::Plan;
use super::beside_directory::beside_directory;
use super::failure::{Failure, Refusal};
use super::ffi::{O_CLOEXEC, O_DIRECT, O_NOATIME, O_PATH, O_RDONLY};
use super::methods::{Method, not_here, per_path};
use super::posix;
use super::stdio::Stream;
use super::support;
use std::ffi::{CStr, OsStr, c_int};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "open" => with_flags(plan, O_RDONLY),
        "open+O_PATH" => with_flags(plan, O_PATH),
        "open+O_CLOEXEC" => with_flags(plan, O_RDONLY | O_CLOEXEC),
        "open+O_DIRECT" => {
            support::check_open(plan, O_DIRECT, "O_DIRECT")?;
            with_flags(plan, O_RDONLY | O_DIRECT)
        }
        "open+O_NOATIME" => {
            support::check_open(plan, O_NOATIME, "O_NOATIME")?;
            with_flags(plan, O_RDONLY | O_NOATIME)
        }
        "openat" => per_path(plan, |path, _| posix::openat(None, path, O_RDONLY).map(drop)),
        "openat+dirfd" => beside_directory(plan, |opened| opened.map(drop))?,
        "openat2" => per_path(plan, |path, _| posix::openat2(path, O_RDONLY).map(drop)),
        "fopen" => per_path(plan, |path, _| Stream::open(path).map(drop)),
        "File::open" => per_path(plan, |path, _| open_file(path).map(drop)),
        "syscall-open" => per_path(plan, |path, _| posix::open_close_by_syscall_function(path)),
        "syscall-openat" => per_path(plan, |path, _| posix::open_close_by_instruction(path)),
        _ => return Err(not_here(name)),
    })
}

/// `File::open`, with the failure in the driver's words.
#[inline]
pub(crate) fn open_file(path: &CStr) -> Result<File, Failure> {
    File::open(as_path(path)).map_err(|error| Failure::of("File::open", &error))
}

/// The same path for std.
#[inline]
pub(crate) fn as_path(path: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(path.to_bytes()))
}

fn with_flags(plan: &Plan, flags: c_int) -> Box<dyn Method + '_> {
    per_path(plan, move |path, _| posix::open(path, flags).map(drop))
}
