//! `open-write-close`: open an existing file for writing and close it. Nothing
//! is created, truncated or written.

use super::arguments::Plan;
use super::elision::switched;
use super::failure::{Failure, Refusal};
use super::ffi::O_WRONLY;
use super::methods::{Method, not_here, per_path};
use super::open_close::as_path;
use super::posix;
use super::sink::Sink;
use super::stdio::Stream;
use std::ffi::CStr;
use std::fs::{File, OpenOptions};

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "open+O_WRONLY" => per_path(plan, |path, _| posix::open(path, O_WRONLY).map(drop)),
        "open+O_WRONLY+fstat" => switched(plan, name, open_and_ask, false)?,
        "open+O_WRONLY+fstat-fstat" => switched(plan, name, open_and_ask, true)?,
        "openat+O_WRONLY" => per_path(plan, |path, _| posix::openat(None, path, O_WRONLY).map(drop)),
        "fopen-r+" => per_path(plan, |path, _| Stream::open_for_update(path).map(drop)),
        "OpenOptions+write" => per_path(plan, |path, _| open_for_writing(path).map(drop)),
        _ => return Err(not_here(name)),
    })
}

/// The fstat by which java.io finds out whether it has opened a directory.
fn open_and_ask(path: &CStr, _: &mut Sink) -> Result<(), Failure> {
    posix::open(path, O_WRONLY)?.size().map(drop)
}

fn open_for_writing(path: &CStr) -> Result<File, Failure> {
    OpenOptions::new()
        .write(true)
        .open(as_path(path))
        .map_err(|error| Failure::of("OpenOptions::open", &error))
}
