//! `open-missing`: open a path that does not exist.

use super::arguments::Plan;
use super::beside_directory::beside_directory;
use super::failure::{Failure, Refusal};
use super::ffi::{O_PATH, O_RDONLY};
use super::methods::{Method, not_here, per_path};
use super::open_close::open_file;
use super::posix;
use super::stdio::Stream;

const ENOENT: i32 = 2;
const EEXIST: i32 = 17;

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "open" => per_path(plan, |path, _| absent("open", posix::open(path, O_RDONLY))),
        "open+O_PATH" => per_path(plan, |path, _| absent("open", posix::open(path, O_PATH))),
        "openat" => per_path(plan, |path, _| absent("openat", posix::openat(None, path, O_RDONLY))),
        "openat+dirfd" => beside_directory(plan, |opened| absent("openat", opened))?,
        "openat2" => per_path(plan, |path, _| absent("openat2", posix::openat2(path, O_RDONLY))),
        "fopen" => per_path(plan, |path, _| absent("fopen", Stream::open(path))),
        "File::open" => per_path(plan, |path, _| absent("File::open", open_file(path))),
        "syscall-open" => {
            per_path(plan, |path, _| absent("syscall", posix::open_close_by_syscall_function(path)))
        }
        "syscall-openat" => {
            per_path(plan, |path, _| absent("openat", posix::open_close_by_instruction(path)))
        }
        _ => return Err(not_here(name)),
    })
}

/// Not found is the answer that is due; to find something is the failure.
#[inline]
fn absent<T>(call: &'static str, opened: Result<T, Failure>) -> Result<(), Failure> {
    match opened {
        Err(failure) if failure.errno == ENOENT => Ok(()),
        Err(failure) => Err(failure),
        Ok(found) => {
            drop(found);
            Err(Failure { call, errno: EEXIST })
        }
    }
}
